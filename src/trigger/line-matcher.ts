import { type PatternCost, patternCost } from './pattern-cost.js';
import { patternTree } from './pattern-tree.js';

/** Longer lines are looked at in pieces: the cost grows faster than the length. */
const LONGEST_LINE = 1000;
/** So many tries a piece may take: some milliseconds. */
const MOST_TRIES = 4e5;
/** No line of code is longer; rather than search it, the question is asked. */
const MOST_CHARACTERS = 10_000;

/** A test for lines of any length, in bounded time whatever they hold. */
export function lineMatcher(pattern: RegExp): (line: string) => boolean {
  const { source, flags } = pattern;
  const length = pieceLength(patternCost(patternTree(source, flags)));
  const step = Math.ceil(length / 2);
  return line => {
    if (line.length <= length) return pattern.test(line);
    if (line.length > MOST_CHARACTERS) return true;
    // Pieces overlap by half, so that what stands across a cut is whole in the next one.
    for (let from = 0; from < line.length; from += step) {
      if (pattern.test(line.slice(from, from + length))) return true;
    }
    return false;
  };
}

/** Each start, each division of the text between the repeats, and each way to read it, is one try. */
function pieceLength({ ways, rivals }: PatternCost): number {
  const degree = rivals + 1;
  let orders = 1;
  for (let factor = 2; factor <= degree; factor += 1) orders *= factor;
  return Math.min(LONGEST_LINE, Math.ceil(((MOST_TRIES * orders) / ways) ** (1 / degree)));
}
