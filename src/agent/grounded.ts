/**
 * Whether an answer shows that it comes from what was read: a number, a name or a path that stands in
 * a result and not in the question, or enough of the result's own words.
 */
export function isGrounded(
  answer: string,
  { shown, asked }: { shown: readonly string[]; asked: string },
): boolean {
  const given = new Set(wordsOf(asked));
  const known = new Set(shown.flatMap(wordsOf).filter(word => !given.has(word)));
  const words = [...new Set(wordsOf(answer))];
  if (words.some(word => isTelling(word) && known.has(word))) return true;
  const plain = words.filter(word => word.length >= PLAIN_WORD && !given.has(word));
  const shared = plain.filter(word => known.has(word)).length;
  return shared >= LEAST_SHARED && shared >= plain.length * SHARE;
}

/** Shorter words are in every text. */
const PLAIN_WORD = 5;
const LEAST_SHARED = 3;
const SHARE = 0.4;
const MOST_TEXT = 20_000;

const wordsOf = (text: string): string[] =>
  (text.slice(0, MOST_TEXT).match(/[\p{L}\p{N}_$./-]{1,80}/gu) ?? []).map(word =>
    word.replace(/^[./-]{1,80}|[./-]{1,80}$/g, ''),
  );

/** Digits, capitals inside, underscores, dots and slashes: what ordinary prose does not have. */
const isTelling = (word: string): boolean =>
  /\p{N}|[_$]|\p{L}[./]\p{L}|\p{Ll}\p{Lu}/u.test(word) || /^\p{Lu}{2,}$/u.test(word);
