import type { KeptHunk } from '../checks/survey.js';
import type { Line } from '../core/change.js';
import { estimateTokens } from '../model/tokens.js';
import type { Clock } from '../platform/clock.js';
import { type Chunk, type ChunkPart, showPart } from './chunk.js';

/** Lines of the piece before that are shown again, so that the cut does not hide what leads to it. */
const OVERLAP_LINES = 3;
/** A natural boundary is looked for in the last part of a piece, so that pieces stay well filled. */
const SEARCHED_SHARE = 0.25;

export const partTokens = (part: ChunkPart): number => estimateTokens(showPart(part).text) + 2;

interface MeasuredPart {
  readonly part: ChunkPart;
  readonly tokens: number;
}

/** A hunk as one part, or cut at natural boundaries into parts that each fit. */
export function* splitHunk(kept: KeptHunk, capacity: number): Generator<MeasuredPart> {
  const { path, number: hunk, section, lines } = kept;
  const measured = (shown: readonly Line[]): MeasuredPart => {
    const part = { path, hunk, section, lines: shown };
    return { part, tokens: partTokens(part) };
  };
  // No line is shown for less than a token, so a long hunk need not be measured as a whole.
  const whole = lines.length > capacity ? undefined : measured(lines);
  if (whole !== undefined && whole.tokens <= capacity) return yield whole;
  const around = measured([]).tokens;
  const costs = new LineCosts(lines, line => measured([line]).tokens - around + 1);
  for (let from = 0; from < lines.length; ) {
    const overlap = lines.slice(Math.max(0, from - OVERLAP_LINES), from).map(asContext);
    const free = capacity - around - costs.sum(from - overlap.length, from);
    const end = from + costs.countFitting(from, free);
    const to = end === lines.length ? end : boundary(lines, from, end);
    yield measured([...overlap, ...lines.slice(from, to)]);
    from = to;
  }
}

/** What each line costs, measured when it is first asked for. */
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

  /** How many lines from `from` on fit; at least one, or nothing would ever be done. */
  countFitting(from: number, free: number): number {
    let count = 0;
    for (let used = 0; from + count < this.#lines.length; count += 1) {
      used += this.#at(from + count);
      if (used > free) break;
    }
    return Math.max(1, count);
  }
}

/** Behind a blank line, else before the line with the least indent, near the end of the piece. */
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
 * What is too long for one question as two that are shorter: parts are kept whole while there are
 * several, a single one is cut between its lines. Undefined for what cannot be cut.
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
  // Never so much that the second half is no shorter than the whole.
  const overlap = Math.min(OVERLAP_LINES, Math.floor(middle / 2));
  const again = lines.slice(middle - overlap, middle).map(asContext);
  const halves = [lines.slice(0, middle), [...again, ...lines.slice(middle)]];
  return halves.map(half => [{ ...part, lines: half }]);
}

/** Behind the blank line that is nearest to the middle, in the middle half; else in the middle. */
function boundaryNear(lines: readonly Line[], middle: number): number {
  const reach = Math.floor(lines.length / 4);
  for (let away = 0; away <= reach; away += 1) {
    for (const at of [middle - away, middle + away]) {
      const isInside = at > 0 && at < lines.length;
      if (isInside && lines[at - 1]?.text.trim() === '') return at;
    }
  }
  return middle;
}

/** A line that is shown again is context: it isn't reviewed twice. */
const asContext = (line: Line): Line =>
  line.kind === 'added'
    ? { kind: 'context', text: line.text, oldLine: 0, newLine: line.newLine }
    : line;

export interface Piece extends MeasuredPart {
  readonly risk: number;
}

interface Open {
  readonly pieces: Piece[];
  readonly paths: Set<string>;
  left: number;
}

/** At most so many half-full chunks are tried; more would make large changes slow. */
const MOST_LOOKED_AT = 200;
/** Being in the same file is worth this share of the window when a place is chosen. */
const AFFINITY = 0.2;

/**
 * Packs parts into chunks that fill the window: the largest first, each where it leaves the least
 * space, parts of one file together where possible.
 */
export async function packChunks(
  pieces: readonly Piece[],
  capacity: number,
  { yieldToEventLoop }: Pick<Clock, 'yieldToEventLoop'>,
): Promise<Chunk[]> {
  const open: Open[] = [];
  for (const piece of pieces.toSorted((one, other) => other.tokens - one.tokens)) {
    await yieldToEventLoop();
    const place = bestPlace(open, piece, capacity) ?? newPlace(open, capacity);
    place.pieces.push(piece);
    place.paths.add(piece.part.path);
    place.left -= piece.tokens;
  }
  await yieldToEventLoop();
  return open
    .map(toChunk)
    .toSorted(byRisk)
    .map((chunk, at) => ({ ...chunk, number: at + 1 }));
}

function bestPlace(
  open: readonly Open[],
  { part, tokens }: Piece,
  capacity: number,
): Open | undefined {
  let best: Open | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const place of open.slice(-MOST_LOOKED_AT)) {
    if (place.left < tokens) continue;
    const score = place.left - (place.paths.has(part.path) ? capacity * AFFINITY : 0);
    if (score < least) [best, least] = [place, score];
  }
  return best;
}

function newPlace(open: Open[], capacity: number): Open {
  const place: Open = { pieces: [], paths: new Set(), left: capacity };
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
