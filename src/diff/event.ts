import type { WorkOptions } from '../config/options.js';
import { BotError } from '../core/bot-error.js';
import { isObject, type JsonObject, objectAt } from '../core/json-fields.js';
import { orHint, shown } from '../core/nearest.js';
import type { Selector, Task } from '../core/task.js';
import type { Git } from '../git/git.js';
import { readText } from '../platform/files.js';
import type { Environment } from '../platform/processes.js';

/** What a GitHub event says about the change to review. */
interface EventFacts {
  readonly selector: Selector;
  readonly pull: number | null;
  /** For a pull request, configuration comes from this commit, not from the change itself. */
  readonly configBase: string | undefined;
}

/** The hint if an event can't be used. */
const WITHOUT_EVENT = 'Choose what to review with --range, or unset GITHUB_EVENT_PATH';

const NO_EVENT: EventFacts = { selector: { kind: 'default' }, pull: null, configBase: undefined };

const NO_COMMIT = /^0+$/;
const SHA = /^[0-9a-f]{40,64}$/;

/** GitHub event JSON → what to review. An event without a change means the default. */
export function fromEvent(text: string): EventFacts {
  const event = parse(text);
  const pull = objectAt(event, 'pull_request');
  if (pull !== undefined) {
    const base = shaAt(objectAt(pull, 'base'), 'sha', 'pull_request.base.sha');
    const head = shaAt(objectAt(pull, 'head'), 'sha', 'pull_request.head.sha');
    const number = pull['number'];
    return {
      // Never the merge commit: its lines aren't the author's.
      selector: { kind: 'range', from: base, to: head, symmetric: true },
      pull: typeof number === 'number' ? number : null,
      configBase: base,
    };
  }
  const group = objectAt(event, 'merge_group');
  if (group !== undefined) {
    const from = shaAt(group, 'base_sha', 'merge_group.base_sha');
    const to = shaAt(group, 'head_sha', 'merge_group.head_sha');
    const selector = { kind: 'range', from, to, symmetric: false } as const;
    // It may contain pull requests from forks.
    return { selector, pull: null, configBase: from };
  }
  if (typeof event['before'] === 'string' && typeof event['after'] === 'string') {
    const before = shaAt(event, 'before', 'before');
    const after = shaAt(event, 'after', 'after');
    // A new branch has no `before`, a deleted one no `after`.
    const selector: Selector =
      NO_COMMIT.test(before) || NO_COMMIT.test(after)
        ? { kind: 'default' }
        : { kind: 'range', from: before, to: after, symmetric: false };
    return { selector, pull: null, configBase: undefined };
  }
  return NO_EVENT;
}

function parse(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unusable("the file in GITHUB_EVENT_PATH isn't valid JSON", cause);
  }
  if (isObject(value)) return value;
  throw unusable("the file in GITHUB_EVENT_PATH isn't an event");
}

const unusable = (message: string, cause?: unknown): BotError =>
  new BotError('usage', message, {
    hint: WITHOUT_EVENT,
    cause,
  });

/** An event may be forged, so only a full id is passed to git. */
function shaAt(fields: JsonObject | undefined, key: string, name: string): string {
  const value = fields?.[key];
  if (typeof value === 'string' && SHA.test(value)) return value;
  const found = value === undefined ? 'missing' : shown(value);
  throw unusable(`the event's ${name} is ${found}, not a commit id`);
}

/** A path as the user typed it → relative to the top of the repository. */
function narrowTo(path: string, git: Git | undefined): string {
  const { top, prefix = '' } = git?.repository ?? {};
  if (path === '') {
    const hint = 'Leave it out to review everything, or use "."';
    throw new BotError('usage', 'a path after -- is empty, found ""', { hint });
  }
  const inside = path.startsWith('/') ? withoutTop(path, top) : prefix + path;
  const parts: string[] = [];
  for (const part of inside?.split('/') ?? ['..']) {
    if (part === '..' && parts.pop() === undefined) throw outside(path, top);
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  // For git, "." means everything; an empty path would be an error.
  return parts.join('/') || '.';
}

function withoutTop(path: string, top: string | undefined): string | undefined {
  if (top === undefined) return undefined;
  if (path === top) return '';
  return path.startsWith(`${top}/`) ? path.slice(top.length + 1) : undefined;
}

const outside = (path: string, top: string | undefined): BotError =>
  new BotError('usage', `the path ${JSON.stringify(path)} is outside the repository`, {
    hint:
      top === undefined
        ? 'Use paths relative to its top folder'
        : `The repository's top folder is ${top}`,
  });

/** Arguments, environment and event → Task. Arguments win; deadline and shard need the configuration. */
export async function toTask(
  options: WorkOptions,
  { git, env }: { readonly git: Git | undefined; readonly env: Environment },
): Promise<Omit<Task, 'shard' | 'deadlineMs'>> {
  const event = await eventFacts(env['GITHUB_EVENT_PATH']);
  const inHook = env['GIT_INDEX_FILE'] !== undefined;
  const implied = inHook ? ({ kind: 'staged' } as const) : event.selector;
  const repository = env['GITHUB_REPOSITORY'];
  return {
    selector: options.selector ?? implied,
    paths: options.paths.map(path => narrowTo(path, git)),
    repository:
      repository !== undefined && /^[\w.-]+\/[\w.-]+$/.test(repository) ? repository : null,
    pull: event.pull,
    // A shallow clone may lack it.
    configBase: event.configBase && git && (await git.resolve(event.configBase)),
    withoutModel: options.withoutModel,
  };
}

async function eventFacts(path: string | undefined): Promise<EventFacts> {
  const text = path ? await orHint(readText(path), WITHOUT_EVENT) : undefined;
  return text === undefined ? NO_EVENT : fromEvent(text);
}
