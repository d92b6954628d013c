import type { Line } from '../core/change.js';

export interface HunkHeader {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** In the diff of a merge, how many lines each parent but the first has here. */
  readonly otherParents: readonly number[];
  readonly section: string;
  /** The diff came through something that ends lines in CRLF; git never lets a header end so. */
  readonly isCrlf: boolean;
}

/** The lines of a hunk: its header decides how many there are, never what they look like. */
export interface HunkBody {
  /** How many marks stand before the text of a line. */
  readonly marks: number;
  readonly isFull: boolean;
  /**
   * Moves whole lines from `at` on into `lines`, until the hunk is full or a line does not fit.
   * Returns where it stopped.
   */
  take(text: string, at: number, lines: Line[]): number;
  /** Gives out what it may still hold back. */
  release(lines: Line[]): void;
  /** Asked before a line that does not fit, or at the end: whether the hunk may stop short there. */
  endsShort(lines: Line[]): boolean;
  /** How many lines of each side are still to come, in words. */
  missing(): string;
}

const TWO_WAY = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?/;
const COMBINED = /^(@{3,}) (-\d+(?:,\d+)?)((?: -\d+(?:,\d+)?)+) (\+\d+(?:,\d+)?) \1 ?/;

// Git keeps the parents of a line as bits of one machine word.
const MAX_PARENTS = 64;

const NO_PARENTS: readonly number[] = [];

const CR = 13;

/** `@@ -1,2 +1,3 @@ section`, or with as many minus ranges as a merge has parents. */
export function readHunkHeader(line: string): HunkHeader | undefined {
  const match = TWO_WAY.exec(line);
  if (match === null) return readCombinedHeader(line);
  const isCrlf = line.endsWith('\r');
  return countable({
    oldStart: Number(match[1]),
    oldLines: Number(match[2] ?? 1),
    newStart: Number(match[3]),
    newLines: Number(match[4] ?? 1),
    otherParents: NO_PARENTS,
    section: line.slice(match[0].length, isCrlf ? -1 : undefined),
    isCrlf,
  });
}

/** Where the text of a line ends: before its LF, and before the CR that a CRLF diff adds. */
export const endOfText = (text: string, lf: number, isCrlf: boolean): number =>
  isCrlf && text.charCodeAt(lf - 1) === CR ? lf - 1 : lf;

/** The same but for the other parents, so they are cut out and the rest is read as two-way. */
function readCombinedHeader(line: string): HunkHeader | undefined {
  const [all, marks = '', first, others = '', result] = COMBINED.exec(line) ?? [];
  if (all === undefined) return undefined;
  const otherParents = others.slice(2).split(' -').map(countOf);
  const parents = otherParents.length + 1;
  if (parents !== marks.length - 1 || parents > MAX_PARENTS) return undefined;
  const header = readHunkHeader(`@@ ${first} ${result} @@ ${line.slice(all.length)}`);
  return header === undefined ? undefined : countable({ ...header, otherParents });
}

const countOf = (range: string): number => Number(range.split(',')[1] ?? 1);

/** Beyond the safe integers a line number plus one is the same line number. */
function countable(header: HunkHeader): HunkHeader | undefined {
  const isCountable =
    Number.isSafeInteger(header.oldStart + header.oldLines) &&
    Number.isSafeInteger(header.newStart + header.newLines) &&
    header.otherParents.every(Number.isSafeInteger);
  return isCountable ? header : undefined;
}
