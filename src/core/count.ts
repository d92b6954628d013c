/** `1 hunk`, `2 hunks`; `1 match`, `2 matches`. */
export const count = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${amount} ${amount === 1 ? noun : plural}`;
