import { BotError } from '../core/bot-error.js';
import { parseJson } from '../core/json-fields.js';
import { isObject, type JsonObject } from '../lint/read-json.js';

/**
 * A linter runs code of the change, so a change from another repository isn't linted, and neither is
 * one whose event doesn't say where it comes from.
 */
export function refuseFork(eventText: string): void {
  const event = parseJson(eventText);
  // An event that can't be read is reported where the task is read from it.
  if (!isObject(event)) return;
  const from = foreignHead(event);
  if (from === undefined) return;
  throw new BotError('not-permitted', `fix-lint does not run on a change from a fork (${from})`, {
    hint: 'A linter runs code of the change; review, ask and describe only read it',
  });
}

/** Where the change comes from, when it isn't the event's repository. */
function foreignHead(event: JsonObject): string | undefined {
  const pull = objectAt(event, 'pull_request');
  const run = objectAt(event, 'workflow_run');
  if (pull !== undefined) {
    const base =
      nameOf(objectAt(objectAt(pull, 'base'), 'repo')) ?? nameOf(objectAt(event, 'repository'));
    return differing(nameOf(objectAt(objectAt(pull, 'head'), 'repo')), base);
  }
  if (run === undefined) return isOfOwnRepository(event) ? undefined : UNNAMED;
  return differing(nameOf(objectAt(run, 'head_repository')), nameOf(objectAt(event, 'repository')));
}

const UNNAMED = 'its repository is not named';

/** A push, a manual start and a schedule are about commits of the repository itself. */
const isOfOwnRepository = (event: JsonObject): boolean =>
  (typeof event['before'] === 'string' && typeof event['after'] === 'string') ||
  (typeof event['workflow'] === 'string' && 'inputs' in event) ||
  typeof event['schedule'] === 'string';

/** A deleted fork has no name, but is still a fork. */
function differing(head: string | undefined, base: string | undefined): string | undefined {
  if (head === undefined) return UNNAMED;
  return base !== undefined && head.toLowerCase() === base.toLowerCase() ? undefined : head;
}

function nameOf(repository: JsonObject | undefined): string | undefined {
  const name = repository?.['full_name'];
  return typeof name === 'string' ? name.slice(0, 200) : undefined;
}

const objectAt = (fields: JsonObject | undefined, key: string): JsonObject | undefined => {
  const value = fields?.[key];
  return isObject(value) ? value : undefined;
};
