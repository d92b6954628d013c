import type { BitePart } from './bite.js';
import type { Line } from './change.js';

/** Lines of the first half that are shown again, so that the cut does not hide what leads to it. */
const OVERLAP_LINES = 3;

/**
 * What is too long for one question as two that are shorter: parts are kept whole while there are
 * several, a single one is cut between its lines. Undefined for what cannot be cut.
 */
export function halveParts(parts: readonly BitePart[]): BitePart[][] | undefined {
  const [only, second] = parts;
  if (only === undefined) return undefined;
  if (second === undefined) return halvePart(only);
  const middle = Math.ceil(parts.length / 2);
  return [parts.slice(0, middle), parts.slice(middle)];
}

function halvePart(part: BitePart): BitePart[][] | undefined {
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

/** Shown a second time a line is there to be understood, not to be judged again. */
export const asContext = (line: Line): Line =>
  line.kind === 'added'
    ? { kind: 'context', text: line.text, oldLine: 0, newLine: line.newLine }
    : line;
