import type { ChangeEnds, DiffEvent } from '../core/change.js';
import { BotError } from '../core/failure.js';
import type { Selector } from '../core/task.js';
import type { Git } from '../world.js';
import { onlyUnder } from './only-under.js';
import { parseDiff } from './parse-diff.js';
import { resolveSelector } from './resolve-selector.js';
import { revealHidden } from './reveal-hidden.js';
import { keepSharedLines } from './shared-lines.js';
import { noticeUnmatched } from './unmatched-paths.js';

/** A change to be read once, from its first file to its last, in bounded memory. */
export interface ChangeSet extends ChangeEnds {
  readonly events: AsyncIterable<readonly DiffEvent[]>;
  /** Complete once the events have been read. */
  readonly notices: readonly string[];
}

export interface Asked {
  readonly selector: Selector;
  /** Literal paths from the top of the repository; empty for all. */
  readonly paths: readonly string[];
}

/** Task → ChangeSet. Asks git for the diff; reads neither work tree nor configuration. */
export async function gather(asked: Asked, git: Git): Promise<ChangeSet> {
  const { ends, parents, notices: found } = await resolveSelector(asked.selector, git);
  const [first, ...others] = parents;
  if (first === undefined) throw new BotError('bug', 'a change without a beginning');
  const wish = { from: first, to: ends.head, paths: asked.paths, asText: false };
  const notices = [...found];
  const whole = revealHidden(parseDiff(git.diff(wish)), wish, git);
  const events = asked.paths.length === 0 ? whole : noticeUnmatched(whole, asked.paths, notices);
  return {
    ...ends,
    events: others.length === 0 ? events : keepSharedLines(events, { ...wish, others }, git),
    notices,
  };
}

/** A change that git had no time to name: its first line is already too late. */
export const unread = (signal: AbortSignal): ChangeSet => ({
  base: null,
  head: 'unknown',
  // biome-ignore lint/correctness/useYield: there is nothing to give.
  events: (async function* () {
    signal.throwIfAborted();
  })(),
  notices: [],
});

/** The same from a diff on standard input: no repository, no blobs. */
export function gatherStdin(
  input: AsyncIterable<Uint8Array>,
  paths: readonly string[] = [],
): ChangeSet {
  const notices: string[] = [];
  const whole = mustBeDiff(input);
  const narrowed = (): ChangeSet['events'] =>
    noticeUnmatched(onlyUnder(whole, paths, notices), paths, notices);
  return {
    base: null,
    head: 'stdin',
    events: paths.length === 0 ? whole : narrowed(),
    notices,
  };
}

/** Nothing at all is an empty change; something that holds no diff is a mistake to be told. */
async function* mustBeDiff(input: AsyncIterable<Uint8Array>): AsyncGenerator<readonly DiffEvent[]> {
  let bytes = 0;
  let hasFile = false;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of input) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  for await (const batch of parseDiff(counted())) {
    hasFile ||= batch.some(event => event.type === 'file');
    yield batch;
  }
  if (hasFile || bytes === 0) return;
  throw new BotError('usage', `there is no diff in the ${bytes} bytes on standard input`, {
    hint: 'Give it one: git diff | apfel-bot review --stdin',
  });
}
