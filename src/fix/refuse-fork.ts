import { BotError } from '../core/bot-error.js';

/**
 * A linter runs the change's own code, so a change from elsewhere is not linted at all, nor one whose
 * event does not say where it comes from.
 */
export function refuseFork(eventText: string): void {
  const event = parse(eventText);
  // Whoever reads the event for the task complains of it.
  if (event === undefined) return;
  const from = foreignHead(event);
  if (from === undefined) return;
  throw new BotError('not-permitted', `fix-lint does not run on a change from a fork (${from})`, {
    hint: 'A linter runs code of the change; review, ask and describe only read it',
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** Where the change comes from, when that is not the repository of the event. */
function foreignHead(event: Fields): string | undefined {
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

/** A push, a start by hand and a schedule concern commits of the repository itself. */
const isOfOwnRepository = (event: Fields): boolean =>
  (typeof event['before'] === 'string' && typeof event['after'] === 'string') ||
  (typeof event['workflow'] === 'string' && 'inputs' in event) ||
  typeof event['schedule'] === 'string';

/** A fork that was deleted has no name any more, and is a fork all the same. */
function differing(head: string | undefined, base: string | undefined): string | undefined {
  if (head === undefined) return UNNAMED;
  return base !== undefined && head.toLowerCase() === base.toLowerCase() ? undefined : head;
}

function nameOf(repository: Fields | undefined): string | undefined {
  const name = repository?.['full_name'];
  return typeof name === 'string' ? name.slice(0, 200) : undefined;
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectAt = (fields: Fields | undefined, key: string): Fields | undefined => {
  const value = fields?.[key];
  return isFields(value) ? value : undefined;
};
