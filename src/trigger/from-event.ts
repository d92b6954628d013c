import { BotError } from '../core/failure.js';
import type { Selector } from '../core/task.js';

/** What a GitHub event says about the change to look at. */
export interface EventFacts {
  readonly selector: Selector;
  readonly pull: number | null;
  /** On a pull request, configuration comes from here and not from the change itself. */
  readonly configBase: string | undefined;
}

/** The next step whenever an event cannot be used. */
export const WITHOUT_EVENT = 'Say what to review with --range, or unset GITHUB_EVENT_PATH';

const NO_COMMIT = /^0+$/;
const SHA = /^[0-9a-f]{40,64}$/;

/** GitHub event JSON → what to review. Events that name no change leave it to the default. */
export function fromEvent(text: string): EventFacts {
  const event = parse(text);
  const pull = objectAt(event, 'pull_request');
  if (pull !== undefined) {
    const base = shaAt(objectAt(pull, 'base'), 'sha', 'pull_request.base.sha');
    const head = shaAt(objectAt(pull, 'head'), 'sha', 'pull_request.head.sha');
    const number = pull['number'];
    return {
      // Never the merge commit: its lines are not the author's.
      selector: { kind: 'range', from: base, to: head, symmetric: true },
      pull: typeof number === 'number' ? number : null,
      configBase: base,
    };
  }
  if (typeof event['before'] === 'string' && typeof event['after'] === 'string') {
    const before = shaAt(event, 'before', 'before');
    const after = shaAt(event, 'after', 'after');
    // A new branch has no before; a deleted one no after.
    const selector: Selector =
      NO_COMMIT.test(before) || NO_COMMIT.test(after)
        ? { kind: 'default' }
        : { kind: 'range', from: before, to: after, symmetric: false };
    return { selector, pull: null, configBase: undefined };
  }
  return { selector: { kind: 'default' }, pull: null, configBase: undefined };
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch (cause) {
    throw new BotError('usage', 'GITHUB_EVENT_PATH does not hold JSON', {
      hint: WITHOUT_EVENT,
      cause,
    });
  }
  throw new BotError('usage', 'GITHUB_EVENT_PATH does not hold an event object', {
    hint: WITHOUT_EVENT,
  });
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectAt(fields: Fields, key: string): Fields | undefined {
  const value = fields[key];
  return isFields(value) ? value : undefined;
}

/** An event may be forged as well; only a full id is passed on to git. */
function shaAt(fields: Fields | undefined, key: string, name: string): string {
  const value = fields?.[key];
  if (typeof value === 'string' && SHA.test(value)) return value;
  throw new BotError('usage', `the event's ${name} is ${shown(value)}, not a commit id`, {
    hint: WITHOUT_EVENT,
  });
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, MOST_SHOWN);

/** So that people find it, not in full. */
const MOST_SHOWN = 80;
