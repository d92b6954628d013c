import { keptPosted } from '../core/sticky.js';
import type { OwnSticky } from './own-comments.js';

/** What earlier runs and people have left in the hidden line, held against what is there. */
export interface Memory {
  /** Findings that people asked to be left alone about. */
  readonly ignored: readonly string[];
  /**
   * Findings whose comment was deleted by hand. That holds for this text on this pull request, also
   * when a run did not find it in between; what we removed ourselves is not among them.
   */
  readonly deleted: ReadonlySet<string>;
}

/** Of racing runs each wrote a summary, and `/apfel ignore` may have been one: all of them count. */
export function memoryOf(stickies: readonly OwnSticky[], accounted: ReadonlySet<string>): Memory {
  const posted = stickies.flatMap(({ sticky }) => sticky.posted ?? []);
  return {
    ignored: [...new Set(stickies.flatMap(({ sticky }) => sticky.ignored))],
    deleted: new Set(posted.filter(id => !accounted.has(id))),
  };
}

/** What the next summary says was posted. Those that are gone come last, and so stay the longest. */
export const postedAfter = (
  standing: ReadonlySet<string>,
  { deleted }: Pick<Memory, 'deleted'>,
): string[] => keptPosted([...[...standing].filter(id => !deleted.has(id)), ...deleted]);

export const isSameMemory = (
  { sticky }: OwnSticky,
  { ignored, posted }: { readonly ignored: readonly string[]; readonly posted: readonly string[] },
): boolean => isSameSet(sticky.ignored, ignored) && isSameSet(sticky.posted ?? [], posted);

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && [...left].every(id => right.has(id));
}
