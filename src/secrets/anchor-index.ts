/** Finds every place where one of many literal texts may occur, in one pass over a line. */
interface AnchorIndex<Entry> {
  /** Calls the visitor from left to right at each place where an anchor may occur. */
  visit(line: string, visitor: AnchorVisitor<Entry>): void;
}

/** Returns where to continue. */
type AnchorVisitor<Entry> = (entries: ReadonlyArray<Anchored<Entry>>, place: number) => number;

export interface Anchored<Entry> {
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

/** Anchors are lower case and at least three characters long; lines match in either case. */
export function anchorIndex<Entry>(
  entries: ReadonlyArray<readonly [anchor: string, entry: Entry]>,
): AnchorIndex<Entry> {
  const buckets = new Map<number, Array<Anchored<Entry>>>();
  const isAnchor = new Uint8Array(MASK + 1);
  for (const [anchor, entry] of entries) {
    const offset = rarestWindow(anchor);
    const code = codeAt(anchor, offset);
    isAnchor[code] = 1;
    buckets.set(code, [...(buckets.get(code) ?? []), { entry, offset }]);
  }
  return {
    visit: (line, visitor) => {
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
    },
  };
}

const NONE = -1;

/** The next place at or after `from` where an anchor may occur. This is the innermost loop. */
function nextByte(isAnchor: Uint8Array, from: number, length: number): number {
  const bytes = encoded;
  const classes = CLASSES;
  let code = 0;
  for (let index = from; index < length; index += 1) {
    code = ((code << BITS) | (classes[bytes[index] ?? 0] ?? 0)) & MASK;
    if (isAnchor[code] !== 0 && index - from >= WIDTH - 1) return index - WIDTH + 1;
  }
  return NONE;
}

function nextUnit(isAnchor: Uint8Array, from: number, line: string): number {
  let code = 0;
  for (let index = from; index < line.length; index += 1) {
    code = ((code << BITS) | classOf(line.charCodeAt(index))) & MASK;
    if (isAnchor[code] !== 0 && index - from >= WIDTH - 1) return index - WIDTH + 1;
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
