/**
 * Estimates the tokens of a text, on the high side: one pass, by character class. The numbers were
 * tuned on real diffs against two public tokenizers (`test/model/tokens.test.ts` checks them); the
 * on-device model's own isn't public.
 */
export function estimateTokens(text: string): number {
  let halves = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const end = isLetter(code) ? endOfWord(text, at) : endOfRun(text, at, code);
    halves += isLetter(code)
      ? 2 * wordTokens(text, at, end)
      : runHalves(code, end - at, text.charCodeAt(end));
    at = end;
  }
  return Math.ceil(halves / 2);
}

/**
 * Characters per token: in a word, in capitals, in digits, in white space, of a repeated character.
 */
const WORD = 5;
const CAPITALS = 3;
const DIGITS = 3;
const SPACES = 8;
const SIGNS = 4;
/** Anything longer is a key, a digest or packed data, which tokenizers split finely. */
const MAX_WORD = 16;
const PACKED = 2;

function wordTokens(text: string, start: number, end: number): number {
  let capitals = 0;
  // A tokenizer splits where an upper-case letter follows a lower-case one.
  let parts = 1;
  let wasCapital = true;
  for (let at = start; at < end; at += 1) {
    const isCapital = text.charCodeAt(at) < 97;
    if (isCapital) capitals += 1;
    if (isCapital && !wasCapital) parts += 1;
    wasCapital = isCapital;
  }
  const length = end - start;
  const perToken = length > MAX_WORD ? PACKED : capitals === length ? CAPITALS : WORD;
  return Math.max(parts, Math.ceil(length / perToken));
}

/** In half tokens, because a single space takes less than one. */
function runHalves(code: number, length: number, next: number): number {
  if (isDigit(code)) return 2 * Math.ceil(length / DIGITS);
  if (code === 32 && length === 1) return isLetter(next) ? 0 : 1;
  if (code === 32) return 2 * Math.ceil(length / SPACES);
  // The last tab before a word is a separate token.
  if (code === 9) return length === 1 ? 2 : 2 + 2 * Math.ceil(length / SPACES);
  if (code < 128) return 2 * Math.ceil(length / SIGNS);
  // Two bytes in UTF-8 take one token, three one and a half, either half of a surrogate pair two.
  const each = code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 4 : 3;
  return each * length;
}

function endOfWord(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isLetter(text.charCodeAt(at))) at += 1;
  return at;
}

/** A run of digits, or of one repeated character. */
function endOfRun(text: string, start: number, code: number): number {
  let at = start + 1;
  if (isDigit(code)) while (at < text.length && isDigit(text.charCodeAt(at))) at += 1;
  else while (at < text.length && text.charCodeAt(at) === code) at += 1;
  return at;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const isLetter = (code: number): boolean => {
  const small = code | 32;
  return small >= 97 && small <= 122 && code < 128;
};

/** The ratio of this server's counts to the estimates, learned from its answers. */
export interface TokenScale {
  readonly factor: number;
  readonly highestSeen: number;
  readonly samples: number;
}

export const UNSCALED: TokenScale = { factor: 1, highestSeen: 0, samples: 0 };

/** Beyond these, the server's count is more likely wrong than the estimate. */
const MIN_FACTOR = 0.7;
const MAX_FACTOR = 1.6;
/** In a shorter request the overhead outweighs the text. */
const MIN_SAMPLE = 60;
/** The estimate isn't lowered before this many answers agree, and then only partly. */
const SAMPLES_TO_LOWER = 3;
const MARGIN = 1.05;

/** The scale after one more answer, never below the highest ratio seen. */
export function correctScale(
  scale: TokenScale,
  seen: { readonly estimated: number; readonly actual: number },
): TokenScale {
  if (!(seen.estimated >= MIN_SAMPLE && seen.actual > 0)) return scale;
  const highestSeen = Math.max(scale.highestSeen, seen.actual / seen.estimated);
  const samples = scale.samples + 1;
  const wanted = samples < SAMPLES_TO_LOWER ? Math.max(1, highestSeen) : highestSeen * MARGIN;
  const factor = Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, wanted));
  return { factor, highestSeen, samples };
}
