import type { Severity } from '../core/finding.js';
import { type Hit, type LineCheck, type NewSideLine, NO_HITS } from './check.js';
import { fileRole } from './language.js';

/** Characters that make a line look different from what it does. Messages never show them. */
export const hiddenUnicode: LineCheck = {
  rules: {
    'hidden-unicode/bidi': 'error',
    'hidden-unicode/zero-width': 'warning',
    'hidden-unicode/mixed-script': 'warning',
  },
  guards: true,
  open: (file, view) => {
    const kind = { isProse: PROSE.test(file.path), isCode: view !== undefined };
    // Tests and their data have such characters on purpose. Code runs in tests too.
    const { isSample } = fileRole(file.path);
    const isTranslation = TRANSLATION.test(file.path);
    return line => {
      if (!NOT_ASCII.test(line.text)) return NO_HITS;
      const hits = judge(line, kind);
      const isExpected = (isSample && !kind.isCode) || line.text.length > MAX_READ;
      if (isExpected) return hits.map(hit => ({ ...hit, severity: loweredIn(hit.rule) }));
      return isSample || isTranslation ? hits.map(lowerUnlessBidi) : hits;
    };
  },
};

/** Nobody reads a longer line, which is minified, so it can't mislead anyone. */
const MAX_READ = 2000;

const lowerUnlessBidi = (hit: Hit): Hit =>
  hit.rule.endsWith('/bidi') ? hit : { ...hit, severity: 'info' };

const TRANSLATION = /\.lproj\/|(?:^|\/)(?:locales?|i18n)\/|\.(?:po|pot|xliff?|xcstrings)$/;

const loweredIn = (rule: string): Severity => (rule.endsWith('/bidi') ? 'warning' : 'info');

const NOT_ASCII = /[^\x00-\x7f]/;
const PROSE =
  /\.(?:md|mdx|markdown|rst|adoc|txt|html?|xhtml|tex|po|pot|properties|strings|srt|vtt)$/i;

/** At most one hit per rule and line: the first, with a count of the others. */
function judge({ text, number }: NewSideLine, kind: Omit<Place, 'isFirstLine'>): readonly Hit[] {
  const invisible = invisibleCharacters(text, { isFirstLine: number === 1, ...kind });
  const hits: Hit[] = [];
  for (const rule of ['hidden-unicode/bidi', 'hidden-unicode/zero-width'] as const) {
    const [first, ...others] = invisible.filter(found => found.rule === rule);
    if (first !== undefined) hits.push(invisibleHit(first, others.length));
  }
  const [first, ...others] = lookalikes(text);
  if (first !== undefined) hits.push(lookalikeHit(first, others.length));
  return hits;
}

const WHY: Readonly<Record<Invisible['rule'], string>> = {
  'hidden-unicode/bidi':
    'can display this line in a different order than it runs. Remove it or write it as an escape sequence.',
  'hidden-unicode/zero-width': 'is invisible here. Remove it or write it as an escape sequence.',
};

const invisibleHit = ({ rule, index, length, codePoint }: Invisible, others: number): Hit => ({
  rule,
  message: `${codePointName(codePoint)}${more(others)} ${WHY[rule]}`,
  column: index + 1,
  endColumn: index + length + 1,
});

const lookalikeHit = ({ start, end, codePoint }: Lookalike, others: number): Hit => ({
  rule: 'hidden-unicode/mixed-script',
  message: `This word looks Latin but contains the ${codePoint < 0x400 ? 'Greek' : 'Cyrillic'} letter ${hex(codePoint)}${more(others)}. Write it in one script.`,
  column: start + 1,
  endColumn: end + 1,
});

const more = (others: number): string => (others === 0 ? '' : ` (and ${others} more on this line)`);

interface Invisible {
  readonly rule: 'hidden-unicode/bidi' | 'hidden-unicode/zero-width';
  readonly index: number;
  readonly length: number;
  readonly codePoint: number;
}

interface Place {
  readonly isFirstLine: boolean;
  /** Prose, where soft hyphens are normal. */
  readonly isProse: boolean;
  /** Source code, which runs in another order than it may be displayed in. */
  readonly isCode: boolean;
}

/** The invisible characters of a line, except for those that a script or an emoji needs. */
function invisibleCharacters(text: string, place: Place): Invisible[] {
  const found: Invisible[] = [];
  let zeroWidths = 0;
  const isForeign = text.includes(REPLACEMENT);
  let isTranslation: boolean | undefined;
  for (const match of text.matchAll(INVISIBLE)) {
    const codePoint = match[0].codePointAt(0) ?? 0;
    if (isForeign && !isThreeByteBidi(codePoint)) continue;
    const context = { index: match.index, length: match[0].length };
    if (isBidi(codePoint)) {
      // Translations embed names in text of the other direction; only an override reverses letters.
      isTranslation ??= !place.isCode && RIGHT_TO_LEFT.test(text);
      if (!isTranslation || isOverride(codePoint))
        found.push({ rule: 'hidden-unicode/bidi', codePoint, ...context });
    } else if (
      zeroWidths < MAX_ZERO_WIDTHS &&
      !isNeeded(codePoint, text, { ...place, ...context })
    ) {
      zeroWidths += 1;
      found.push({ rule: 'hidden-unicode/zero-width', codePoint, ...context });
    }
  }
  return found;
}

/** No more are counted per line; checking the neighbours of each takes time. */
const MAX_ZERO_WIDTHS = 1000;

const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;

/**
 * Represents bytes that aren't UTF-8: the line is in another encoding, where two-byte sequences
 * occur by chance. Three-byte ones don't, so a stray byte can't hide an override.
 */
const REPLACEMENT = '\ufffd';

const isThreeByteBidi = (codePoint: number): boolean =>
  (codePoint >= 0x202a && codePoint <= 0x202e) || (codePoint >= 0x2066 && codePoint <= 0x2069);

const isOverride = (codePoint: number): boolean => codePoint === 0x202d || codePoint === 0x202e;

const isBidi = (codePoint: number): boolean => codePoint === 0x061c || isThreeByteBidi(codePoint);

interface Occurrence extends Place {
  readonly index: number;
  readonly length: number;
}

function isNeeded(codePoint: number, text: string, context: Occurrence): boolean {
  const before = text.slice(Math.max(0, context.index - NEIGHBOURHOOD), context.index);
  const after = text.slice(
    context.index + context.length,
    context.index + context.length + NEIGHBOURHOOD,
  );
  switch (codePoint) {
    case 0xfeff:
      // The latter is how XMP metadata declares its encoding.
      return (context.isFirstLine && context.index === 0) || /\bbegin=["']$/.test(before);
    case 0x00ad:
      return context.isProse;
    case 0x200b:
      return UNSPACED.test(before) || UNSPACED_START.test(after);
    case 0x200c:
      return JOINING.test(before);
    case 0x200d:
      return JOINING.test(before) || (EMOJI_END.test(before) && EMOJI_START.test(after));
    case 0x200e:
    case 0x200f:
      return RIGHT_TO_LEFT.test(before + after);
    case 0x115f:
    case 0x1160:
      return HANGUL_JAMO.test(before + after);
    default:
      // Text or emoji style: a misplaced one is a slip at worst.
      if (codePoint === 0xfe0e || codePoint === 0xfe0f) return !SELECTOR_BEFORE.test(before);
      if (isSelector(codePoint)) return isOrdinarySelector(codePoint, before);
      return codePoint > 0xe0000 && FLAG_BEFORE.test(before);
  }
}

/** Enough for a flag, a family or a word; the rest of the line doesn't matter. */
const NEIGHBOURHOOD = 24;

// Scripts written without spaces break lines at a zero width space.
const UNSPACED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]$/u;
const UNSPACED_START = /^[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;

// Scripts in which joiners change the shape of letters.
const JOINING =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Nko}\p{sc=Mongolian}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Thaana}\p{sc=Javanese}\p{sc=Balinese}]\p{M}*\u200c*$/u;
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
const HANGUL_JAMO = /[\u1100-\u115e\u1161-\u11ff]/;

const EMOJI_END = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?$/u;
const EMOJI_START = /^\p{Extended_Pictographic}/u;

/** Several selectors in a row can carry a message. */
const SELECTOR_BEFORE = /[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]$/u;

const isSelector = (codePoint: number): boolean =>
  (codePoint >= 0xfe00 && codePoint <= 0xfe0f) || (codePoint >= 0xe0100 && codePoint <= 0xe01ef);

/** One selector after a visible character picks its shape. */
const isOrdinarySelector = (codePoint: number, before: string): boolean =>
  codePoint >= 0xe0100
    ? /\p{sc=Han}$/u.test(before)
    : /[^\s\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u.test(before);

/** Tags spell the region of a flag such as Scotland's: a black flag, then tag letters. */
const FLAG_BEFORE = /\u{1f3f4}[\u{e0020}-\u{e007e}]{0,8}$/u;

/** A word that looks Latin but contains a lookalike letter of another script. */
interface Lookalike {
  readonly start: number;
  readonly end: number;
  readonly codePoint: number;
}

/**
 * Words that mix Latin with Cyrillic or Greek lookalikes, such as a Latin name with one Cyrillic
 * letter. Words with a letter that is clearly not Latin don't count (every longer Russian word has
 * one), nor do Greek letters as formulas use them.
 */
function lookalikes(text: string): Lookalike[] {
  // In another encoding than UTF-8 such letters occur by chance.
  if (!FOREIGN.test(text) || text.includes('\ufffd')) return [];
  const found: Lookalike[] = [];
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

/** The lookalike words in a text. */
export const lookalikeWords = (text: string): string[] =>
  text
    .split('\n')
    .flatMap(line => lookalikes(line).map(({ start, end }) => line.slice(start, end)));

const FOREIGN = /[\u0370-\u052f]/;
const WORD = /[A-Za-z0-9_$\u0370-\u052f]+/g;

// Lookalikes of Latin letters in common fonts. Lower-case Cyrillic ka, te and the like differ enough.
const CYRILLIC = /[асеорхуіјѕһԁԛԝӏАВЕКМНОРСТХУІЈЅҺԚԜӀ]/;
const GREEK_ANYWHERE = /[οϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ]/;
/** Lookalikes that formulas use: normal at the start of a name, suspicious inside a word. */
const GREEK_WITHIN = /[A-Za-z]{2}([ανιρυκ])[A-Za-z]{2}/;

/** Character ranges such as `[a-zA-Zа-яА-Я]` make words of one Latin letter and its neighbour. */
const MIN_LATIN_LETTERS = 2;

function disguisedLetter(word: string): number | undefined {
  if (!FOREIGN.test(word)) return undefined;
  const latinLetters = word.replace(/[^A-Za-z]/g, '').length;
  if (latinLetters < MIN_LATIN_LETTERS) return undefined;
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

/** The name of a character, such as `U+202E RIGHT-TO-LEFT OVERRIDE`, without the character itself. */
const codePointName = (codePoint: number): string =>
  `${hex(codePoint)} ${NAMES.get(codePoint) ?? rangeName(codePoint)}`.trimEnd();

const hex = (codePoint: number): string =>
  `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;

function rangeName(codePoint: number): string {
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return 'TAG CHARACTER';
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f) return 'VARIATION SELECTOR';
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) return 'VARIATION SELECTOR';
  return '';
}

// From the Unicode character database.
const NAMES: ReadonlyMap<number, string> = new Map(
  `00ad SOFT HYPHEN, 034f COMBINING GRAPHEME JOINER, 061c ARABIC LETTER MARK, 115f HANGUL CHOSEONG FILLER,
  1160 HANGUL JUNGSEONG FILLER, 17b4 KHMER VOWEL INHERENT AQ, 17b5 KHMER VOWEL INHERENT AA,
  180e MONGOLIAN VOWEL SEPARATOR, 200b ZERO WIDTH SPACE, 200c ZERO WIDTH NON-JOINER,
  200d ZERO WIDTH JOINER, 200e LEFT-TO-RIGHT MARK, 200f RIGHT-TO-LEFT MARK, 2028 LINE SEPARATOR,
  2029 PARAGRAPH SEPARATOR, 202a LEFT-TO-RIGHT EMBEDDING, 202b RIGHT-TO-LEFT EMBEDDING,
  202c POP DIRECTIONAL FORMATTING, 202d LEFT-TO-RIGHT OVERRIDE, 202e RIGHT-TO-LEFT OVERRIDE,
  2060 WORD JOINER, 2061 FUNCTION APPLICATION, 2062 INVISIBLE TIMES, 2063 INVISIBLE SEPARATOR,
  2064 INVISIBLE PLUS, 2066 LEFT-TO-RIGHT ISOLATE, 2067 RIGHT-TO-LEFT ISOLATE, 2068 FIRST STRONG ISOLATE,
  2069 POP DIRECTIONAL ISOLATE, 3164 HANGUL FILLER, feff ZERO WIDTH NO-BREAK SPACE,
  ffa0 HALFWIDTH HANGUL FILLER`
    .split(/,\s+/)
    .map(row => [Number.parseInt(row, 16), row.slice(row.indexOf(' ') + 1)]),
);
