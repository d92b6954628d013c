/** A word that reads as Latin but holds a letter of another script that only looks the part. */
export interface LookAlike {
  readonly start: number;
  readonly end: number;
  readonly codePoint: number;
}

/**
 * Words that mix Latin with Cyrillic or Greek look-alikes, such as a Latin name with one Cyrillic
 * letter. A word with any letter that gives its script away (as every longer Russian word has) and
 * Greek letters as formulas use them are no disguise.
 */
export function lookAlikes(text: string): LookAlike[] {
  // Bytes that are no UTF-8 tell of another encoding, in which such letters come up by chance.
  if (!FOREIGN.test(text) || text.includes('\ufffd')) return [];
  const found: LookAlike[] = [];
  for (const match of text.matchAll(WORD)) {
    // In `\nОн` or `%sСе` the letter belongs to the escape, not to the word.
    const isEscape = /[\\%]/.test(text.charAt(match.index - 1));
    const word = isEscape ? match[0].slice(1) : match[0];
    const start = match.index + match[0].length - word.length;
    const codePoint = disguisedLetter(word);
    if (codePoint !== undefined) found.push({ start, end: start + word.length, codePoint });
  }
  return found;
}

const FOREIGN = /[\u0370-\u052f]/;
const WORD = /[A-Za-z0-9_$\u0370-\u052f]+/g;

// Twins of Latin letters in the usual fonts. Lower-case Cyrillic ka, te and the like differ enough.
const CYRILLIC = /[асеорхуіјѕһԁԛԝӏАВЕКМНОРСТХУІЈЅҺԚԜӀ]/;
const GREEK_ANYWHERE = /[οϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ]/;
/** Twins that formulas use: at the head of a name they are ordinary, within a word they are not. */
const GREEK_WITHIN = /[A-Za-z]{2}([ανιρυκ])[A-Za-z]{2}/;

/** Character ranges such as `[a-zA-Zа-яА-Я]` make words of one Latin letter and its neighbour. */
const FEWEST_LATIN_LETTERS = 2;

function disguisedLetter(word: string): number | undefined {
  if (!FOREIGN.test(word)) return undefined;
  const latinLetters = word.replace(/[^A-Za-z]/g, '').length;
  if (latinLetters < FEWEST_LATIN_LETTERS) return undefined;
  let first: number | undefined;
  for (const letter of word) {
    if (!FOREIGN.test(letter)) continue;
    if (!CYRILLIC.test(letter) && !GREEK_ANYWHERE.test(letter)) {
      return GREEK_WITHIN.exec(word)?.[1]?.codePointAt(0);
    }
    first ??= letter.codePointAt(0);
  }
  return first;
}
