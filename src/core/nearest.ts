import { BotError, isBotError } from './bot-error.js';

/** Longer words aren't typos, and comparing them takes time. */
const MAX_WORD = 60;
/** Shorter prefixes fit too many words. */
const MIN_PREFIX = 2;

/** The word that was probably meant; undefined if none is close enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  return closest(word, known) ?? completion(word, known);
}

/** The only word with that prefix: `warning` for `warn`. */
function completion(word: string, known: readonly string[]): string | undefined {
  if (word.length < MIN_PREFIX) return undefined;
  const start = word.toLowerCase();
  const [only, ...others] = known.filter(each => each.toLowerCase().startsWith(start));
  return others.length === 0 ? only : undefined;
}

function closest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  // A third of the letters may be wrong: enough for typos, too few for other words.
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const steps = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

/** Insertions, deletions, replacements and swapped neighbours between two short words. */
export function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (above[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (above[j - 1] ?? 0) + cost,
          isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, above] = [above, row];
  }
  return above[other.length] ?? 0;
}

/** Adds the caller's hint to a failure that has none. */
export async function orHint<Value>(work: Promise<Value>, hint: string): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (!isBotError(thrown) || thrown.hint !== undefined) throw thrown;
    throw new BotError(thrown.code, thrown.message, { hint, cause: thrown });
  }
}

/** `; did you mean "x"?` or nothing. */
export function suggestion(found: string, known: readonly string[]): string {
  const meant = nearest(found, known);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}

/** Enough of a value to find it. */
const MAX_SHOWN = 80;

/** The start of a value as JSON. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
