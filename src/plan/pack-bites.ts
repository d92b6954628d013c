import type { Bite, BitePart } from '../core/bite.js';
import type { Clock } from '../world.js';
import type { MeasuredPart } from './split-hunk.js';

export interface Piece extends MeasuredPart {
  readonly risk: number;
}

interface Open {
  readonly pieces: Piece[];
  readonly paths: Set<string>;
  left: number;
}

/** So many half-full bites are looked at for a place; more would make large changes slow. */
const MOST_LOOKED_AT = 200;
/** Being in the same file is worth this share of the window when a place is chosen. */
const AFFINITY = 0.2;

/**
 * Packs parts into bites that fill the window: the largest are placed first, and each goes where it
 * leaves least room, parts of one file together where possible.
 */
export async function packBites(
  pieces: readonly Piece[],
  capacity: number,
  { breathe }: Pick<Clock, 'breathe'>,
): Promise<Bite[]> {
  const open: Open[] = [];
  for (const piece of pieces.toSorted((one, other) => other.tokens - one.tokens)) {
    await breathe();
    const place = bestPlace(open, piece, capacity) ?? newPlace(open, capacity);
    place.pieces.push(piece);
    place.paths.add(piece.part.path);
    place.left -= piece.tokens;
  }
  await breathe();
  return open
    .map(toBite)
    .toSorted(byRisk)
    .map((bite, at) => ({ ...bite, number: at + 1 }));
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

const toBite = ({ pieces }: Open): Bite => ({
  number: 0,
  parts: pieces.map(piece => piece.part).toSorted(byPlace),
  tokens: pieces.reduce((sum, piece) => sum + piece.tokens, 0),
  risk: Math.max(...pieces.map(piece => piece.risk)),
});

const byPlace = (one: BitePart, other: BitePart): number => {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.hunk - other.hunk || firstLine(one) - firstLine(other);
};

const firstLine = ({ lines }: BitePart): number =>
  lines.map(line => (line.kind === 'removed' ? 0 : line.newLine)).find(line => line > 0) ?? 0;

/** Equal risks keep a stable order: that of their first part. */
const byRisk = (one: Bite, other: Bite): number => {
  if (one.risk !== other.risk) return other.risk - one.risk;
  const [first] = one.parts;
  const [second] = other.parts;
  return first === undefined || second === undefined ? 0 : byPlace(first, second);
};
