import type { BitePart, KeptHunk } from '../core/bite.js';
import type { Line } from '../core/change.js';
import { asContext } from '../core/halve-parts.js';
import { showPart } from '../core/show-part.js';
import { estimateTokens } from '../core/tokens.js';

/** Lines of the piece before that are shown again, so that the cut does not hide what leads to it. */
const OVERLAP_LINES = 3;
/** A natural boundary is looked for in the last part of a piece, so that pieces stay well filled. */
const SEARCHED_SHARE = 0.25;

export const partTokens = (part: BitePart): number => estimateTokens(showPart(part).text) + 2;

/** A hunk as one part, or cut at natural boundaries into parts that each fit. */
export function splitHunk(kept: KeptHunk, capacity: number): BitePart[] {
  const { path, number: hunk, section } = kept;
  const part = (lines: readonly Line[]): BitePart => ({ path, hunk, section, lines });
  const whole = part(kept.lines);
  if (partTokens(whole) <= capacity) return [whole];
  const costs = kept.lines.map(line => partTokens(part([line])) - partTokens(part([])) + 1);
  const room = capacity - partTokens(part([]));
  const parts: BitePart[] = [];
  for (let from = 0; from < kept.lines.length; ) {
    const overlap = kept.lines.slice(Math.max(0, from - OVERLAP_LINES), from).map(asContext);
    const fits = countFitting(costs, from, room - sum(costs, from - overlap.length, from));
    const to =
      from + fits === kept.lines.length ? from + fits : boundary(kept.lines, from, from + fits);
    parts.push(part([...overlap, ...kept.lines.slice(from, to)]));
    from = to;
  }
  return parts;
}

/** How many lines from `from` on fit; at least one, or nothing would ever be done. */
function countFitting(costs: readonly number[], from: number, room: number): number {
  let count = 0;
  for (let used = 0; from + count < costs.length; count += 1) {
    used += costs[from + count] ?? 0;
    if (used > room) break;
  }
  return Math.max(1, count);
}

const sum = (costs: readonly number[], from: number, to: number): number =>
  costs.slice(Math.max(0, from), to).reduce((total, cost) => total + cost, 0);

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
