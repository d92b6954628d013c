/** A character as people can talk about it: `U+202E RIGHT-TO-LEFT OVERRIDE`. Never the character. */
export function codePointName(codePoint: number): string {
  const name = NAMES.get(codePoint) ?? rangeName(codePoint);
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}${name === '' ? '' : ` ${name}`}`;
}

function rangeName(codePoint: number): string {
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return 'TAG CHARACTER';
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f) return 'VARIATION SELECTOR';
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) return 'VARIATION SELECTOR';
  return '';
}

/** Letters as `capital small NAME`, for those that have a Latin twin. */
const letters = (script: string, rows: string): Array<[number, string]> =>
  rows.split(', ').flatMap((row): Array<[number, string]> => {
    const [capital = '', small = '', ...name] = row.split(' ');
    return [
      [capital.charCodeAt(0), `${script} CAPITAL LETTER ${name.join(' ')}`],
      [small.charCodeAt(0), `${script} SMALL LETTER ${name.join(' ')}`],
    ];
  });

// From the Unicode character database.
const NAMES: ReadonlyMap<number, string> = new Map([
  ...letters(
    'CYRILLIC',
    'А а A, В в VE, Е е IE, К к KA, М м EM, Н н EN, О о O, Р р ER, С с ES, Т т TE, У у U, Х х HA, І і BYELORUSSIAN-UKRAINIAN I, Ј ј JE, Ѕ ѕ DZE, Һ һ SHHA, Ԁ ԁ KOMI DE, Ԛ ԛ QA, Ԝ ԝ WE',
  ),
  ...letters(
    'GREEK',
    'Α α ALPHA, Β β BETA, Ε ε EPSILON, Ζ ζ ZETA, Η η ETA, Ι ι IOTA, Κ κ KAPPA, Μ μ MU, Ν ν NU, Ο ο OMICRON, Ρ ρ RHO, Τ τ TAU, Υ υ UPSILON, Χ χ CHI',
  ),
  [0x037f, 'GREEK CAPITAL LETTER YOT'],
  [0x03f2, 'GREEK LUNATE SIGMA SYMBOL'],
  [0x03f3, 'GREEK LETTER YOT'],
  [0x03f9, 'GREEK CAPITAL LUNATE SIGMA SYMBOL'],
  [0x04c0, 'CYRILLIC LETTER PALOCHKA'],
  [0x04cf, 'CYRILLIC SMALL LETTER PALOCHKA'],
  [0x00ad, 'SOFT HYPHEN'],
  [0x034f, 'COMBINING GRAPHEME JOINER'],
  [0x061c, 'ARABIC LETTER MARK'],
  [0x115f, 'HANGUL CHOSEONG FILLER'],
  [0x1160, 'HANGUL JUNGSEONG FILLER'],
  [0x17b4, 'KHMER VOWEL INHERENT AQ'],
  [0x17b5, 'KHMER VOWEL INHERENT AA'],
  [0x180e, 'MONGOLIAN VOWEL SEPARATOR'],
  [0x200b, 'ZERO WIDTH SPACE'],
  [0x200c, 'ZERO WIDTH NON-JOINER'],
  [0x200d, 'ZERO WIDTH JOINER'],
  [0x200e, 'LEFT-TO-RIGHT MARK'],
  [0x200f, 'RIGHT-TO-LEFT MARK'],
  [0x2028, 'LINE SEPARATOR'],
  [0x2029, 'PARAGRAPH SEPARATOR'],
  [0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
  [0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
  [0x202c, 'POP DIRECTIONAL FORMATTING'],
  [0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
  [0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
  [0x2060, 'WORD JOINER'],
  [0x2061, 'FUNCTION APPLICATION'],
  [0x2062, 'INVISIBLE TIMES'],
  [0x2063, 'INVISIBLE SEPARATOR'],
  [0x2064, 'INVISIBLE PLUS'],
  [0x2066, 'LEFT-TO-RIGHT ISOLATE'],
  [0x2067, 'RIGHT-TO-LEFT ISOLATE'],
  [0x2068, 'FIRST STRONG ISOLATE'],
  [0x2069, 'POP DIRECTIONAL ISOLATE'],
  [0x3164, 'HANGUL FILLER'],
  [0xfeff, 'ZERO WIDTH NO-BREAK SPACE'],
  [0xffa0, 'HALFWIDTH HANGUL FILLER'],
]);
