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

export interface MeasuredPart {
  readonly part: BitePart;
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
    const room = capacity - around - costs.sum(from - overlap.length, from);
    const end = from + costs.countFitting(from, room);
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
  countFitting(from: number, room: number): number {
    let count = 0;
    for (let used = 0; from + count < this.#lines.length; count += 1) {
      used += this.#at(from + count);
      if (used > room) break;
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
