/** `1 hunk`, `2 hunks`. */
export const count = (amount: number, noun: string): string =>
  `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** `2 lockfile, 1 binary`: the most frequent first, equal ones in the order they came. */
export function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([word, amount]) => `${amount} ${word}`)
    .join(', ');
}
