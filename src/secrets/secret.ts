/** The location of a secret in a text: UTF-16 offsets, the end exclusive. */
export interface Secret {
  /** The rule is `secret/<kind>`. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** How many characters from the start are public: the fixed prefix of a token, a PEM header. */
  readonly publicLength: number;
  /** A further line of the secret found before, such as the body of a private key. */
  readonly isContinuation: boolean;
  /** Only looks like a secret: it has no fixed format, or its checksum is wrong. */
  readonly isLookalike: boolean;
}

/** Checks a place where one of its anchors may start. */
export interface Probe {
  /** Lower case, at least three characters. */
  readonly anchors: readonly string[];
  find(text: string, place: number): Secret | undefined;
}

export const NO_SECRETS: readonly Secret[] = [];

/** A secret of which nothing is public, unless said otherwise. */
export const secretAt = (
  kind: string,
  start: number,
  length: number,
  more: Partial<Secret> = {},
): Secret => ({
  kind,
  start,
  end: start + length,
  publicLength: 0,
  isContinuation: false,
  isLookalike: false,
  ...more,
});

/** A probe, or a mark: not a secret in itself, but a reason to keep reading. */
type Entry = Probe | 'name' | 'manifest';

export interface Anchored {
  readonly entry: Entry;
  /** How far before the visited place the anchor starts. */
  readonly offset: number;
}

/** Three characters of six bits: a table of 256 kB, of which normal text touches little. */
const WIDTH = 3;
const BITS = 6;
const MASK = (1 << (WIDTH * BITS)) - 1;

/** Lines of these lengths are scanned as bytes: reading a sliced string by character is far slower. */
const MIN_ENCODED = 16;
const MAX_ENCODED = 16_384;
const encoder = new TextEncoder();
const encoded = new Uint8Array(MAX_ENCODED);

/**
 * Finds every place where one of many literal texts may occur, in one pass over a line: calls the
 * visitor from left to right, which returns where to continue. Anchors are lower case and at least
 * three characters long; lines match in either case.
 */
export function anchorIndex(
  entries: ReadonlyArray<readonly [anchor: string, entry: Entry]>,
): (line: string, visitor: (entries: readonly Anchored[], place: number) => number) => void {
  const buckets = new Map<number, Anchored[]>();
  const isAnchor = new Uint8Array(MASK + 1);
  for (const [anchor, entry] of entries) {
    const offset = rarestWindow(anchor);
    const code = codeAt(anchor, offset);
    isAnchor[code] = 1;
    buckets.set(code, [...(buckets.get(code) ?? []), { entry, offset }]);
  }
  return (line, visitor) => {
    const { length } = line;
    const canEncode = length >= MIN_ENCODED && length <= MAX_ENCODED;
    // Offsets in the bytes are valid for the line only if each character takes one byte.
    const isEncoded = canEncode && isOneToOne(encoder.encodeInto(line, encoded), length);
    let place = 0;
    while (true) {
      place = isEncoded ? nextByte(isAnchor, place, length) : nextUnit(isAnchor, place, line);
      if (place === NONE) return;
      place = visitor(buckets.get(codeAt(line, place)) ?? [], place);
    }
  };
}

const NONE = -1;

/**
 * The next place at or after `from` where an anchor may occur. Before the third character the code
 * has a 0 in it, which no anchor has. This is the innermost loop.
 */
function nextByte(isAnchor: Uint8Array, from: number, length: number): number {
  const bytes = encoded;
  const classes = CLASSES;
  let code = 0;
  for (let index = from; index < length; index += 1) {
    code = ((code << BITS) | (classes[bytes[index] ?? 0] ?? 0)) & MASK;
    if (isAnchor[code] !== 0) return index - WIDTH + 1;
  }
  return NONE;
}

function nextUnit(isAnchor: Uint8Array, from: number, line: string): number {
  let code = 0;
  for (let index = from; index < line.length; index += 1) {
    code = ((code << BITS) | classOf(line.charCodeAt(index))) & MASK;
    if (isAnchor[code] !== 0) return index - WIDTH + 1;
  }
  return NONE;
}

const isOneToOne = (result: { read: number; written: number }, length: number): boolean =>
  result.read === length && result.written === length;

function codeAt(text: string, place: number): number {
  let code = 0;
  for (let index = place; index < place + WIDTH; index += 1) {
    code = (code << BITS) | classOf(text.charCodeAt(index));
  }
  return code;
}

const classOf = (unit: number): number => (unit < 128 ? (CLASSES[unit] ?? 0) : 0);

/** From common to rare in code and prose. */
const BY_FREQUENCY = ' etaoinsrlcdupmhgfbyv._/-:=0123456789kwxjqz~@$+%';

/** Letters in either case, digits and the punctuation that anchors use; 0 is everything else. */
const CLASSES = characterClasses();

function characterClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  for (let index = 0; index < BY_FREQUENCY.length; index += 1) {
    classes[BY_FREQUENCY.charCodeAt(index)] = index + 1;
    classes[BY_FREQUENCY.toUpperCase().charCodeAt(index)] = index + 1;
  }
  return classes;
}

/** The three characters of an anchor that are rarest elsewhere. */
function rarestWindow(anchor: string): number {
  let best = 0;
  let bestRarity = -1;
  for (let start = 0; start + WIDTH <= anchor.length; start += 1) {
    let rarity = 0;
    for (let index = start; index < start + WIDTH; index += 1) {
      rarity += CLASSES[anchor.charCodeAt(index)] ?? 0;
    }
    if (rarity > bestRarity) [best, bestRarity] = [start, rarity];
  }
  return best;
}
