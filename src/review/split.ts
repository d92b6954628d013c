import type { HunkText } from '../checks/survey.js';
import type { Line } from '../core/change.js';
import { estimateTokens } from '../model/tokens.js';
import type { Clock } from '../platform/clock.js';
import { anchorLines, type Chunk, type ChunkPart, shownText, showPart } from './chunk.js';

/** Lines repeated from the previous piece, so that the cut doesn't hide what leads up to it. */
const OVERLAP_LINES = 3;
/**
 * A natural boundary is searched for in the last part of a piece, so that pieces stay well filled.
 */
const SEARCHED_SHARE = 0.25;

export const partTokens = (part: ChunkPart): number =>
  estimateTokens(`${part.enclosing.join(' ')}\n${showPart(part)}`) +
  PER_LINE * anchorLines(part).size;

/** Each line that can be named is a choice in the question's schema. */
const PER_LINE = 2;

interface MeasuredPart {
  readonly part: ChunkPart;
  readonly tokens: number;
}

/**
 * A hunk as one part, or cut at natural boundaries into parts that fit. `file` is the new file, if
 * known: it provides more lines around a small hunk, and the enclosing function.
 */
export function* splitHunk(
  hunk: HunkText,
  capacity: number,
  file?: readonly string[],
): Generator<MeasuredPart> {
  const lines = widened(hunk, file);
  const measured = (from: number, to: number, overlap: readonly Line[] = []): MeasuredPart => {
    const part = partOf(hunk, { lines, from, to, overlap, file });
    return { part, tokens: partTokens(part) };
  };
  // Every line takes at least a token, so a long hunk needn't be measured as a whole.
  const whole = lines.length > capacity ? undefined : measured(0, lines.length);
  if (whole !== undefined && whole.tokens <= capacity) return yield whole;
  const around = measured(0, 0).tokens;
  const costs = new LineCosts(
    lines,
    line => estimateTokens(showPart({ lines: [line] })) + PER_LINE + 1,
  );
  for (let from = 0; from < lines.length; ) {
    const overlap = lines.slice(Math.max(0, from - OVERLAP_LINES), from).map(asContext);
    const free = capacity - around - costs.sum(from - overlap.length, from);
    const end = from + costs.countFitting(from, free);
    const to = end === lines.length ? end : boundary(lines, from, end);
    yield measured(from, to, overlap);
    from = to;
  }
}

function partOf(
  { path, number, section }: HunkText,
  piece: {
    readonly lines: readonly Line[];
    readonly from: number;
    readonly to: number;
    readonly overlap: readonly Line[];
    readonly file: readonly string[] | undefined;
  },
): ChunkPart {
  const { lines, from, to, overlap, file } = piece;
  const own = lines.slice(from, to);
  const survivors = new Map(survivorsOf(lines, from, to));
  const at = own.find(line => line.kind === 'added')?.newLine ?? [...survivors.keys()][0];
  const found = file === undefined || at === undefined ? [] : enclosing(file, at - 1);
  const named = found.length > 0 || section === '' ? found : [section];
  return {
    path,
    hunk: number,
    enclosing: named.map(shownText),
    lines: [...overlap, ...own],
    survivors,
  };
}

/** The nearest remaining lines before the first and after the last removed line. */
function survivorsOf(lines: readonly Line[], from: number, to: number): Array<[number, string]> {
  const isRemoved = (line: Line): boolean => line.kind === 'removed';
  const first = lines.slice(from, to).findIndex(isRemoved);
  if (first === -1) return [];
  const last = lines.slice(0, to).findLastIndex(isRemoved);
  const before = lines.slice(0, from + first).findLast(line => !isRemoved(line));
  const after = lines.slice(last).find(line => !isRemoved(line));
  return [before, after].flatMap(
    (line): Array<[number, string]> =>
      line === undefined || line.kind === 'removed' ? [] : [[line.newLine, line.text]],
  );
}

/** A larger hunk has enough context of its own. */
const SMALL_HUNK = 25;
const BEFORE = 5;
const AFTER = 2;

/** The hunk's lines with more of the file around them, where the hunk is small. */
function widened({ lines }: HunkText, file: readonly string[] | undefined): readonly Line[] {
  const changed = lines.filter(line => line.kind !== 'context').length;
  if (file === undefined || changed > SMALL_HUNK) return lines;
  const numbers = lines.flatMap(line => (line.kind === 'removed' ? [] : [line.newLine]));
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return lines;
  const context = (from: number, to: number): Line[] =>
    Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
      kind: 'context',
      text: file[from + at - 1] ?? '',
      oldLine: 0,
      newLine: from + at,
    }));
  const end = file.at(-1) === '' ? file.length - 1 : file.length;
  return [
    ...context(Math.max(1, first - BEFORE), first),
    ...lines,
    ...context(last + 1, Math.min(end, last + AFTER) + 1),
  ];
}

/** The tokens of each line, measured when first needed. */
class LineCosts {
  readonly #known: number[] = [];
  readonly #lines: readonly Line[];
  readonly #measure: (line: Line) => number;

  constructor(lines: readonly Line[], measure: (line: Line) => number) {
    this.#lines = lines;
    this.#measure = measure;
  }

  #at(index: number): number {
    const line = this.#lines[index];
    if (line === undefined) return 0;
    this.#known[index] ??= this.#measure(line);
    return this.#known[index];
  }

  sum(from: number, to: number): number {
    let total = 0;
    for (let at = from; at < to; at += 1) total += this.#at(at);
    return total;
  }

  /** How many lines from `from` on fit; at least one, or it would never end. */
  countFitting(from: number, free: number): number {
    let count = 0;
    for (let used = 0; from + count < this.#lines.length; count += 1) {
      used += this.#at(from + count);
      if (used > free) break;
    }
    return Math.max(1, count);
  }
}

/** After a blank line, else before the least indented line, near the end of the piece. */
function boundary(lines: readonly Line[], from: number, to: number): number {
  const earliest = Math.max(from + 1, Math.floor(to - (to - from) * SEARCHED_SHARE));
  let best = to;
  let least = Number.POSITIVE_INFINITY;
  for (let at = to; at >= earliest; at -= 1) {
    if (lines[at - 1]?.text.trim() === '') return at;
    const indent = lines[at]?.text.search(/\S|$/) ?? 0;
    if (indent < least) [best, least] = [at, indent];
  }
  return best;
}

/**
 * Splits parts that are too long for one question in two: between parts if there are several,
 * otherwise between lines. Undefined if they can't be split.
 */
export function halveParts(parts: readonly ChunkPart[]): ChunkPart[][] | undefined {
  const [only, second] = parts;
  if (only === undefined) return undefined;
  if (second === undefined) return halvePart(only);
  const middle = Math.ceil(parts.length / 2);
  return [parts.slice(0, middle), parts.slice(middle)];
}

function halvePart(part: ChunkPart): ChunkPart[][] | undefined {
  const { lines } = part;
  if (lines.length < 2) return undefined;
  const middle = boundaryNear(lines, Math.ceil(lines.length / 2));
  // Never so many that the second half is as long as the whole.
  const overlap = Math.min(OVERLAP_LINES, Math.floor(middle / 2));
  const again = lines.slice(middle - overlap, middle).map(asContext);
  const halves = [lines.slice(0, middle), [...again, ...lines.slice(middle)]];
  return halves.map(half => [{ ...part, lines: half }]);
}

/** After the blank line nearest to the middle, within the middle half; else at the middle. */
function boundaryNear(lines: readonly Line[], middle: number): number {
  const reach = Math.floor(lines.length / 4);
  for (let away = 0; away <= reach; away += 1) {
    for (const at of [middle - away, middle + away]) {
      if (lines[at - 1]?.text.trim() === '') return at;
    }
  }
  return middle;
}

/** A repeated line is context: it isn't reviewed twice. */
const asContext = (line: Line): Line =>
  line.kind === 'added'
    ? { kind: 'context', text: line.text, oldLine: 0, newLine: line.newLine }
    : line;

export interface Piece extends MeasuredPart {
  readonly risk: number;
}

interface Open {
  readonly pieces: Piece[];
  left: number;
}

/** At most this many half-full chunks are tried; more would make large changes slow. */
const MAX_LOOKED_AT = 200;

/**
 * Packs parts into chunks that fill the window: the largest first, each where it leaves the least
 * space. Only parts of one file share a chunk, unless files may be mixed.
 */
export async function packChunks(
  pieces: readonly Piece[],
  capacity: number,
  { yieldToEventLoop }: Pick<Clock, 'yieldToEventLoop'>,
  mixesFiles = false,
): Promise<Chunk[]> {
  const open = new Map<string, Open[]>();
  for (const piece of pieces.toSorted((one, other) => other.tokens - one.tokens)) {
    await yieldToEventLoop();
    const key = mixesFiles ? '' : piece.part.path;
    const places = open.get(key) ?? [];
    open.set(key, places);
    const place = bestPlace(places, piece) ?? newPlace(places, capacity);
    place.pieces.push(piece);
    place.left -= piece.tokens;
  }
  await yieldToEventLoop();
  return [...open.values()]
    .flat()
    .map(toChunk)
    .toSorted(byRisk)
    .map((chunk, at) => ({ ...chunk, number: at + 1 }));
}

function bestPlace(open: readonly Open[], { tokens }: Piece): Open | undefined {
  let best: Open | undefined;
  for (const place of open.slice(-MAX_LOOKED_AT)) {
    if (place.left >= tokens && place.left < (best?.left ?? Number.POSITIVE_INFINITY)) best = place;
  }
  return best;
}

function newPlace(open: Open[], capacity: number): Open {
  const place: Open = { pieces: [], left: capacity };
  open.push(place);
  return place;
}

const toChunk = ({ pieces }: Open): Chunk => ({
  number: 0,
  parts: pieces.map(piece => piece.part).toSorted(byPlace),
  tokens: pieces.reduce((sum, piece) => sum + piece.tokens, 0),
  risk: Math.max(...pieces.map(piece => piece.risk)),
});

const byPlace = (one: ChunkPart, other: ChunkPart): number => {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.hunk - other.hunk || firstLine(one) - firstLine(other);
};

const firstLine = ({ lines }: ChunkPart): number =>
  lines.map(line => (line.kind === 'removed' ? 0 : line.newLine)).find(line => line > 0) ?? 0;

/** Equal risks keep a stable order: that of their first part. */
const byRisk = (one: Chunk, other: Chunk): number => {
  if (one.risk !== other.risk) return other.risk - one.risk;
  const [first] = one.parts;
  const [second] = other.parts;
  return first === undefined || second === undefined ? 0 : byPlace(first, second);
};

/** Keywords that open a function or a type in the languages above. */
const KEYWORD =
  /^\s*(?:(?:export|default|public|private|protected|internal|fileprivate|open|static|final|abstract|override|async|unsafe|pub(?:\([^)]*\))?|mutating|inline|virtual|sealed|data|suspend|convenience|required|nonisolated|indirect|partial|local|@\w+(?:\([^)]*\))?)\s+)*(?:func|fn|def|defp|defmodule|function\*?|class|struct|enum|protocol|extension|actor|interface|trait|impl|module|namespace|object|record|sub|fun|init|deinit|subscript|type)\b/;
/** `name(…) {`, `Type name(…)`, `- (void)name:`, `name = (…) =>`, `name: function (`. */
const SHAPE =
  /^[-+]\s*\(|^\s*(?:[\w$#<>[\],:*&?.~@]+\s+)*[\w$#~:]+\s*\([^;]*(?:\)\s*(?:const|noexcept|throws\s+[\w, .]+|->?\s*[^{;]+|:\s*[^{;]+)?\s*\{?|,)\s*$|(?:=>|->)\s*\{?\s*$|[:=]\s*(?:async\s+)?function\b/;
const CONTROL =
  /^\s*(?:\}\s*)?(?:if|else|for|foreach|while|switch|case|default|do|try|catch|guard|return|with|match|when|repeat|defer|finally|elif|elsif|except|unless|until|loop|select|using|lock|synchronized|begin|rescue|ensure|then|await|yield|throw|raise|let|var|const)\b(?!.*(?:=>|\bfunction\b))/;
/** A file may be long; enclosing code is near. */
const MAX_WALKED = 2000;
const MAX_HEADERS = 2;
const MAX_HEADER = 120;

/**
 * The functions and types around a line (an index into the file), outermost first, found by
 * indentation: a line that is indented less and opens a function or a type encloses it.
 */
export function enclosing(file: readonly string[], at: number): string[] {
  const headers: string[] = [];
  let indent = indentAt(file, at);
  for (let row = at - 1; row >= Math.max(0, at - MAX_WALKED) && indent > 0; row -= 1) {
    const text = file[row] ?? '';
    const own = indentOf(text);
    if (own === undefined || own >= indent || /^\s*\{\s*$/.test(text)) continue;
    // The end of a header that spans lines: it begins at the same depth.
    if (/^\s*[)\]]/.test(text)) {
      indent = own + 1;
      continue;
    }
    indent = own;
    if (!KEYWORD.test(text) && (CONTROL.test(text) || !SHAPE.test(text))) continue;
    headers.unshift(
      text
        .trim()
        .replace(/\s*\{$/, '')
        .slice(0, MAX_HEADER),
    );
    if (headers.length === MAX_HEADERS) break;
  }
  return headers;
}

/** Undefined for a line without text. A tab counts as four columns. */
function indentOf(text: string): number | undefined {
  const space = text.search(/\S/);
  if (space === -1) return undefined;
  return text.slice(0, space).replaceAll('\t', '    ').length;
}

/** A blank line belongs to what follows it. */
function indentAt(file: readonly string[], at: number): number {
  for (let row = at; row < file.length; row += 1) {
    const indent = indentOf(file[row] ?? '');
    if (indent !== undefined) return indent;
  }
  return 0;
}
