import type { WorkOptions } from '../config/options.js';
import { BotError } from '../core/bot-error.js';
import { isObject, type JsonObject } from '../core/json-fields.js';
import { orHint } from '../core/nearest.js';
import type { Selector, Task } from '../core/task.js';
import type { Git } from '../git/git.js';
import { readText } from '../platform/files.js';

/** What a GitHub event says about the change to review. */
interface EventFacts {
  readonly selector: Selector;
  readonly pull: number | null;
  /** For a pull request, configuration comes from this commit, not from the change itself. */
  readonly configBase: string | undefined;
}

/** The hint if an event can't be used. */
const WITHOUT_EVENT = 'Choose what to review with --range, or unset GITHUB_EVENT_PATH';

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
  return { selector: { kind: 'default' }, pull: null, configBase: undefined };
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new BotError('usage', "the file in GITHUB_EVENT_PATH isn't valid JSON", {
      hint: WITHOUT_EVENT,
      cause,
    });
  }
  throw new BotError('usage', "the file in GITHUB_EVENT_PATH isn't an event", {
    hint: WITHOUT_EVENT,
  });
}

function objectAt(fields: JsonObject, key: string): JsonObject | undefined {
  const value = fields[key];
  return isObject(value) ? value : undefined;
}

/** An event may be forged, so only a full id is passed to git. */
function shaAt(fields: JsonObject | undefined, key: string, name: string): string {
  const value = fields?.[key];
  if (typeof value === 'string' && SHA.test(value)) return value;
  throw new BotError('usage', `the event's ${name} is ${shown(value)}, not a commit id`, {
    hint: WITHOUT_EVENT,
  });
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, MAX_SHOWN);

/** Enough to find the value in the event. */
const MAX_SHOWN = 80;

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

interface TaskContext {
  readonly git: Git | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Arguments, environment and event → Task. Arguments win; deadline and shard need the configuration. */
export async function toTask(
  options: WorkOptions,
  context: TaskContext,
): Promise<Omit<Task, 'shard' | 'deadlineMs'>> {
  const event = await eventFacts(context);
  const inHook = context.env['GIT_INDEX_FILE'] !== undefined;
  const implied = inHook ? ({ kind: 'staged' } as const) : event.selector;
  const repository = context.env['GITHUB_REPOSITORY'];
  return {
    selector: options.selector ?? implied,
    paths: options.paths.map(path => narrowTo(path, context.git)),
    repository:
      repository !== undefined && /^[\w.-]+\/[\w.-]+$/.test(repository) ? repository : null,
    pull: event.pull,
    configBase: event.configBase,
    withoutModel: options.withoutModel,
  };
}

async function eventFacts({ env }: TaskContext): Promise<EventFacts> {
  const path = env['GITHUB_EVENT_PATH'];
  const nothing: EventFacts = { selector: { kind: 'default' }, pull: null, configBase: undefined };
  if (path === undefined || path === '') return nothing;
  const text = await orHint(readText(path), WITHOUT_EVENT);
  if (text === undefined) return nothing;
  return fromEvent(text);
}
