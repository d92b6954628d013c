export interface Invisible {
  readonly rule: 'hidden-unicode/bidi' | 'hidden-unicode/zero-width';
  readonly index: number;
  readonly length: number;
  readonly codePoint: number;
}

export interface Place {
  readonly isFirstLine: boolean;
  /** Running text, where a soft hyphen is ordinary typography. */
  readonly isProse: boolean;
}

/** Characters of a line that show nothing, apart from those that writing and emoji really need. */
export function invisibleCharacters(text: string, place: Place): Invisible[] {
  const found: Invisible[] = [];
  let zeroWidths = 0;
  const isForeign = text.includes(REPLACEMENT);
  for (const match of text.matchAll(INVISIBLE)) {
    const codePoint = match[0].codePointAt(0) ?? 0;
    if (isForeign && !isThreeByteBidi(codePoint)) continue;
    const spot = { index: match.index, length: match[0].length };
    if (isBidi(codePoint)) found.push({ rule: 'hidden-unicode/bidi', codePoint, ...spot });
    else if (zeroWidths < MOST_ZERO_WIDTHS && !isNeeded(codePoint, text, { ...place, ...spot })) {
      zeroWidths += 1;
      found.push({ rule: 'hidden-unicode/zero-width', codePoint, ...spot });
    }
  }
  return found;
}

/** More on one line need no count; looking at the neighbours of each takes time. */
const MOST_ZERO_WIDTHS = 1000;

const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;

/**
 * Stands for bytes that are no UTF-8: the line is in another encoding, where short sequences come up
 * by chance. Long ones do not, so that a stray byte cannot hide an override.
 */
const REPLACEMENT = '\ufffd';

const isThreeByteBidi = (codePoint: number): boolean =>
  (codePoint >= 0x202a && codePoint <= 0x202e) || (codePoint >= 0x2066 && codePoint <= 0x2069);

const isBidi = (codePoint: number): boolean => codePoint === 0x061c || isThreeByteBidi(codePoint);

interface Spot extends Place {
  readonly index: number;
  readonly length: number;
}

function isNeeded(codePoint: number, text: string, spot: Spot): boolean {
  const before = text.slice(Math.max(0, spot.index - NEIGHBOURHOOD), spot.index);
  const after = text.slice(spot.index + spot.length, spot.index + spot.length + NEIGHBOURHOOD);
  switch (codePoint) {
    case 0xfeff:
      // The second is how the metadata of images tells its encoding.
      return (spot.isFirstLine && spot.index === 0) || /\bbegin=["']$/.test(before);
    case 0x00ad:
      return spot.isProse;
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
      if (isSelector(codePoint)) return isOrdinarySelector(codePoint, before);
      return codePoint > 0xe0000 && FLAG_BEFORE.test(before);
  }
}

/** Enough for a flag, a family or a word around the sign; the rest of the line does not matter. */
const NEIGHBOURHOOD = 24;

// Scripts written without spaces break lines at a zero width space.
const UNSPACED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]$/u;
const UNSPACED_START = /^[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;

// Scripts in which joiners change the shape of letters.
const JOINING =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Nko}\p{sc=Mongolian}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Thaana}\p{sc=Javanese}\p{sc=Balinese}]\p{M}*$/u;
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
const HANGUL_JAMO = /[\u1100-\u115e\u1161-\u11ff]/;

const EMOJI_END = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?$/u;
const EMOJI_START = /^\p{Extended_Pictographic}/u;

const isSelector = (codePoint: number): boolean =>
  (codePoint >= 0xfe00 && codePoint <= 0xfe0f) || (codePoint >= 0xe0100 && codePoint <= 0xe01ef);

/** One selector after a visible sign picks its shape; several in a row can carry a message. */
const isOrdinarySelector = (codePoint: number, before: string): boolean =>
  codePoint >= 0xe0100
    ? /\p{sc=Han}$/u.test(before)
    : /[^\s\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u.test(before);

/** Tags spell the region of a flag such as Scotland's: a black flag, then tag letters. */
const FLAG_BEFORE = /\u{1f3f4}[\u{e0020}-\u{e007e}]{0,8}$/u;
