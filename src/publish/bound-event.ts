import { BotError } from '../core/bot-error.js';
import { type JsonObject, objectOf, objectsOf } from '../core/json-fields.js';
import type { Github } from '../github/github.js';
import { readText } from '../platform/files.js';
import type { Environment } from '../platform/processes.js';
import { readPull } from './outcome-file.js';

/** What a workflow's event is about: the only things that it may publish to. */
interface BoundEvent {
  readonly repository: string | undefined;
  readonly pulls: ReadonlySet<number>;
  readonly commits: ReadonlySet<string>;
  readonly branch: string | undefined;
  /** Whether that branch may be a fork's: a workflow_run event names no repository for it. */
  readonly isElsewhere: boolean;
}

/** Where to publish: a pull request, or a commit. */
interface Target {
  readonly pull: number | undefined;
  readonly head: string | undefined;
}

/**
 * Refuses to publish anywhere but to what the event is about: its pull request, or its commit and
 * branch if it has none. The published file comes from another job and may be forged. Outside a
 * workflow there is no event, and the user decides where. Returns the event's branch if it has no
 * pull request.
 */
export async function mustBeBound(
  env: Environment,
  target: Target,
  githubApi: Pick<Github, 'repository' | 'pull' | 'branchHead'>,
): Promise<string | undefined> {
  const path = env['GITHUB_EVENT_PATH'] || undefined;
  if (path === undefined && env['GITHUB_ACTIONS'] !== 'true') return undefined;
  const event = readEvent(path === undefined ? '{}' : await readText(path), env);
  const here = githubApi.repository;
  if (event.repository !== undefined && event.repository.toLowerCase() !== here.toLowerCase()) {
    throw unbound(here, `the repository ${event.repository}`);
  }
  if (target.pull !== undefined && event.pulls.has(target.pull)) return undefined;
  if (!(await isAbout(event, target, githubApi))) throw unbound(nameOf(target), nameOfEvent(event));
  return event.pulls.size > 0 || event.isElsewhere ? undefined : event.branch;
}

/**
 * Only people with write access can push, but people with triage access can set a label, and a
 * comment, a review or a fork's workflow can come from anybody: for these, GitHub is asked about
 * the sender.
 */
export async function mustBeAllowed(
  env: Environment,
  githubApi: Pick<Github, 'permissionOf'>,
): Promise<void> {
  const path = env['GITHUB_EVENT_PATH'];
  if (path === undefined || path === '') return;
  const event = parse(await readText(path));
  const sender = objectOf(event['sender']);
  const isAnybodys = ['comment', 'review', 'workflow_run'].some(key => key in event);
  // An app that GitHub lets push needs no role; a label set by an app proves nothing.
  if (event['action'] !== 'labeled' && !(isAnybodys && sender['type'] === 'User')) return;
  const [login] = textOf(sender['login']);
  const found = login === undefined ? 'none' : await githubApi.permissionOf(login);
  if (['write', 'maintain', 'admin'].includes(found)) return;
  throw new BotError(
    'not-permitted',
    `${login ?? 'nobody'} started this workflow and has the permission ${found}, not write`,
    {
      hint: 'Ask somebody with write permission to start it again, or to comment /apfel fix-lint',
    },
  );
}

async function isAbout(
  { pulls, commits, branch, isElsewhere }: BoundEvent,
  { pull, head }: Target,
  githubApi: Pick<Github, 'repository' | 'pull' | 'branchHead'>,
): Promise<boolean> {
  if (pull !== undefined) {
    // Two pull requests may have the same head: only the event's own is meant.
    if (pulls.size > 0) return false;
    const found = (await readPull(githubApi, pull)).head;
    return found.ref === branch && (commits.size === 0 || commits.has(found.sha));
  }
  if (head === undefined) return false;
  if (pulls.size > 0) {
    const heads = [...pulls].map(async each => (await readPull(githubApi, each)).head.sha);
    return (await Promise.all(heads)).includes(head);
  }
  if (commits.has(head)) return true;
  return !isElsewhere && branch !== undefined && (await githubApi.branchHead(branch)) === head;
}

const nameOf = ({ pull, head }: Target): string =>
  pull === undefined
    ? `the commit ${head?.slice(0, 12) ?? 'that is not named'}`
    : `pull request ${pull}`;

function nameOfEvent({ pulls, commits, branch }: BoundEvent): string {
  if (pulls.size > 0) return `pull request ${[...pulls].join(', ')}`;
  const [commit] = commits;
  return (
    [
      ...(branch === undefined ? [] : [`the branch ${branch}`]),
      ...(commit === undefined ? [] : [`the commit ${commit.slice(0, 12)}`]),
    ].join(' and ') || 'neither a pull request nor a branch'
  );
}

const unbound = (wanted: string, event: string): BotError =>
  new BotError(
    'not-permitted',
    `the outcome is for ${wanted}, but this workflow's event is about ${event}`,
    {
      hint: 'Publish it in the workflow of its own event, or by hand with GITHUB_EVENT_PATH unset and --pr N',
    },
  );

const textOf = (value: unknown): string[] =>
  typeof value === 'string' && value !== '' ? [value] : [];

const numbersOf = (value: unknown): number[] =>
  typeof value === 'number' && Number.isSafeInteger(value) ? [value] : [];

/** An unreadable event is bound to nothing, so nothing can be published. */
function readEvent(text: string | undefined, env: Environment): BoundEvent {
  const event = parse(text);
  const issue = objectOf(event['issue']);
  // A run of another workflow is about that workflow's commit, not about the one it runs at itself.
  const inner = ['workflow_run', 'check_suite', 'check_run', 'merge_group']
    .map(name => event[name])
    .find(value => value !== undefined);
  const pulls = objectsOf(objectOf(inner)['pull_requests']);
  return {
    repository: textOf(objectOf(event['repository'])['full_name'])[0],
    pulls: new Set([
      ...numbersOf(objectOf(event['pull_request'])['number']),
      ...(issue['pull_request'] ? numbersOf(issue['number']) : []),
      ...pulls.flatMap(each => numbersOf(each['number'])),
    ]),
    commits: new Set(
      inner === undefined
        ? [...textOf(event['after']), ...textOf(env['GITHUB_SHA'])]
        : textOf(objectOf(inner)['head_sha']),
    ),
    branch: (inner === undefined
      ? [event['ref'], env['GITHUB_REF']]
      : [objectOf(inner)['head_branch'], objectOf(objectOf(inner)['check_suite'])['head_branch']]
    )
      .flatMap(textOf)
      .flatMap(ref => /^(?:refs\/heads\/)?(?!refs\/)(.+)$/.exec(ref)?.[1] ?? [])[0],
    isElsewhere: inner !== undefined,
  };
}

function parse(text: string | undefined): JsonObject {
  try {
    return objectOf(JSON.parse(text ?? ''));
  } catch (cause) {
    throw new BotError('not-permitted', "the file in GITHUB_EVENT_PATH isn't an event", {
      hint: 'What is published is bound to its event; outside a workflow, unset GITHUB_EVENT_PATH',
      cause,
    });
  }
}
