/** The line of a file that shares most with the first line of a text that is not in it. */
export function nearestLine(
  whole: string,
  wanted: string,
): { line: number; text: string } | undefined {
  const first = wanted.split('\n').find(line => line.trim() !== '') ?? '';
  const words = new Set(wordsOf(first));
  if (words.size === 0) return undefined;
  let best: { line: number; text: string } | undefined;
  // Half of the words at least, or it is merely another line.
  let most = words.size / 2;
  for (const [at, text] of whole.split('\n', MOST_LINES).entries()) {
    const shared = new Set(wordsOf(text).filter(word => words.has(word))).size;
    if (shared > most) {
      most = shared;
      best = { line: at + 1, text };
    }
  }
  return best;
}

const MOST_LINES = 20_000;
const MOST_LINE = 400;

const wordsOf = (line: string): string[] =>
  line.slice(0, MOST_LINE).match(/[\p{L}\p{N}_$]+/gu) ?? [];
