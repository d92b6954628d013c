import { BotError } from '../core/bot-error.js';
import {
  field,
  isObject,
  type JsonObject,
  objectOf,
  parseJson,
  stringOf,
} from '../core/json-fields.js';
import type { Environment } from '../platform/processes.js';

/**
 * A linter runs code of the change, so a change from another repository isn't linted, nor is one
 * whose event doesn't say where it comes from.
 */
export function refuseFork(eventText: string): void {
  const event = parseJson(eventText);
  // An unreadable event is reported by the code that reads the task from it.
  if (!isObject(event)) return;
  const from = foreignHead(event);
  if (from === undefined) return;
  const why =
    from === UNNAMED
      ? 'fix-lint does not run where the event does not say whether the change comes from a fork'
      : `fix-lint does not run on a change from a fork (${from})`;
  throw refusal(why);
}

const refusal = (why: string): BotError =>
  new BotError('not-permitted', why, {
    hint: 'A linter runs code of the change; review, ask and describe only read it',
  });

/** How other CI systems say that a change comes from a fork; GitHub has its event. */
export function refuseForkElsewhere(env: Environment): void {
  const differs = (one: string, other: string): boolean => !!env[one] && env[one] !== env[other];
  const isFork =
    differs('CI_MERGE_REQUEST_SOURCE_PROJECT_ID', 'CI_MERGE_REQUEST_PROJECT_ID') ||
    differs('TRAVIS_PULL_REQUEST_SLUG', 'TRAVIS_REPO_SLUG') ||
    differs('BUILDKITE_PULL_REQUEST_REPO', 'BUILDKITE_REPO') ||
    differs('APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME', 'APPVEYOR_REPO_NAME') ||
    /^true$/i.test(env['SYSTEM_PULLREQUEST_ISFORK'] ?? '') ||
    // Set only for forks.
    !!env['CIRCLE_PR_NUMBER'] ||
    !!env['CHANGE_FORK'];
  if (isFork) throw refusal('fix-lint does not run on a change from a fork');
}

/** Where the change comes from, if not from the event's repository. */
function foreignHead(event: unknown): string | undefined {
  const [own, pull, run] = ['repository', 'pull_request', 'workflow_run'].map(key =>
    field(event, key),
  );
  if (pull !== undefined) {
    const base = nameOf(field(field(pull, 'base'), 'repo')) ?? nameOf(own);
    return differing(nameOf(field(field(pull, 'head'), 'repo')), base);
  }
  if (run !== undefined) return differing(nameOf(field(run, 'head_repository')), nameOf(own));
  return isOfOwnRepository(objectOf(event)) ? undefined : UNNAMED;
}

const UNNAMED = 'unnamed';

/** A push, a manual start and a schedule are about commits of the repository itself. */
const isOfOwnRepository = (event: JsonObject): boolean =>
  (typeof event['before'] === 'string' &&
    typeof event['after'] === 'string' &&
    !String(event['ref']).startsWith('refs/pull/')) ||
  (typeof event['workflow'] === 'string' && 'inputs' in event) ||
  typeof event['schedule'] === 'string';

/** A deleted fork has no name, but is still a fork. */
function differing(head: string | undefined, base: string | undefined): string | undefined {
  if (head === undefined) return UNNAMED;
  return base !== undefined && head.toLowerCase() === base.toLowerCase() ? undefined : head;
}

const nameOf = (repository: unknown): string | undefined =>
  stringOf(field(repository, 'full_name'))?.slice(0, 200);
