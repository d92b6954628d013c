import { countMarked, type FindingMark } from './finding-mark.js';
import type { PostedFinding } from './own-comments.js';

/** The lines of a file; undefined when they cannot be known, and then nothing is removed. */
export type LinesOf = (posted: PostedFinding) => readonly string[] | undefined;

/**
 * The comments whose text is gone. One that is merely not found again stays: a model that is silent
 * today has not said that yesterday's finding was wrong.
 */
export function decideRemovals(
  posted: readonly PostedFinding[],
  found: ReadonlySet<string>,
  linesOf: LinesOf,
): number[] {
  const groups = new Map<string, PostedFinding[]>();
  for (const each of posted) {
    const key = groupOf(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].flatMap(group => removable(group, found, linesOf));
}

/** Those that need a look: neither found again nor answered. */
export const isInDoubt = (posted: PostedFinding, found: ReadonlySet<string>): boolean =>
  !posted.isReplied && !found.has(posted.mark.id);

/** Of two equal lines one may be gone: as many comments stay as there are lines left. */
function removable(
  group: readonly PostedFinding[],
  found: ReadonlySet<string>,
  linesOf: LinesOf,
): number[] {
  const doubtful = group.filter(each => isInDoubt(each, found));
  const [first] = doubtful;
  if (first === undefined) return [];
  const lines = linesOf(first);
  if (lines === undefined) return [];
  const taken = group.filter(each => found.has(each.mark.id)).length;
  const left = Math.max(0, countMarked(first.mark, lines) - taken);
  return doubtful
    .sort((one, other) => one.comment - other.comment)
    .slice(left)
    .map(({ comment }) => comment);
}

const groupOf = ({ path, side, mark }: PostedFinding): string =>
  JSON.stringify([path, side, textOf(mark)]);

const textOf = ({ rule, text, lines, isExact }: FindingMark): string =>
  [rule, text, lines, isExact].join(' ');
