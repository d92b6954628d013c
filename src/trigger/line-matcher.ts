import { patternTree } from './pattern-tree.js';
import { rivalsIn } from './safe-pattern.js';

/** Longer lines are looked at in pieces: the cost grows faster than the length. */
const LONGEST_LINE = 1000;
/** So many tries a piece may take: some milliseconds. */
const MOST_TRIES = 1e6;

/** A test for lines of any length, in bounded time whatever they hold. */
export function lineMatcher(pattern: RegExp): (line: string) => boolean {
  const { source, flags } = pattern;
  const length = pieceLength(rivalsIn(patternTree(source, flags)));
  const step = Math.ceil(length / 2);
  return line => {
    if (line.length <= length) return pattern.test(line);
    // Pieces overlap by half, so that what stands across a cut is whole in the next one.
    for (let from = 0; from < line.length; from += step) {
      if (pattern.test(line.slice(from, from + length))) return true;
    }
    return false;
  };
}

/** Each start, and each division of the text between the repeats, is one try. */
function pieceLength(rivals: number): number {
  const degree = rivals + 1;
  let orders = 1;
  for (let factor = 2; factor <= degree; factor += 1) orders *= factor;
  return Math.min(LONGEST_LINE, Math.floor((MOST_TRIES * orders) ** (1 / degree)));
}
