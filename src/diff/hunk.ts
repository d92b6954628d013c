import type { Line } from '../core/change.js';

export interface HunkHeader {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** In the diff of a merge, how many lines each parent but the first has here. */
  readonly otherParents: readonly number[];
  readonly section: string;
  /** Something converted the diff to CRLF; git never ends a header that way. */
  readonly isCrlf: boolean;
}

/** The lines of a hunk. Only its header decides how many there are, not what they look like. */
export interface HunkBody {
  /** How many marker columns precede the text of a line. */
  readonly marks: number;
  readonly isFull: boolean;
  /**
   * Reads lines from `at` on into `lines`, until the hunk is full or a line doesn't fit. Returns where
   * it stopped.
   */
  take(text: string, at: number, lines: Line[]): number;
  /** Adds the lines that were held back. */
  release(lines: Line[]): void;
  /** Whether the hunk may end early, before a line that doesn't fit or at the end of the diff. */
  endsShort(lines: Line[]): boolean;
  /** How many lines of each side are missing, for a message. */
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

/** The end of a line's text: before its LF, and before the CR of a CRLF diff. */
const endOfText = (text: string, lf: number, isCrlf: boolean): number =>
  isCrlf && text.charCodeAt(lf - 1) === CR ? lf - 1 : lf;

/** Removes the other parents and reads the rest as a two-way header. */
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

const PLUS = 43;
const MINUS = 45;
const SPACE = 32;
const LF = 10;

/** The body of an ordinary hunk. */
export class TwoWayBody implements HunkBody {
  readonly marks = 1;
  readonly #isCrlf: boolean;
  readonly #oldEnd: number;
  readonly #newEnd: number;
  #oldLine: number;
  #newLine: number;

  constructor(header: HunkHeader) {
    this.#isCrlf = header.isCrlf;
    this.#oldLine = header.oldStart;
    this.#newLine = header.newStart;
    this.#oldEnd = header.oldStart + header.oldLines;
    this.#newEnd = header.newStart + header.newLines;
  }

  get isFull(): boolean {
    return this.#oldLine === this.#oldEnd && this.#newLine === this.#newEnd;
  }

  release(): void {
    // Nothing is held back: the line numbers of an ordinary hunk are known from the start.
  }

  endsShort(): boolean {
    return false;
  }

  missing(): string {
    const oldLeft = this.#oldEnd - this.#oldLine;
    return `${oldLeft} old and ${this.#newEnd - this.#newLine} new lines are missing`;
  }

  /** Every line of a diff goes through this loop, hence the local variables. */
  take(text: string, from: number, lines: Line[]): number {
    const oldEnd = this.#oldEnd;
    const newEnd = this.#newEnd;
    const isCrlf = this.#isCrlf;
    let oldLine = this.#oldLine;
    let newLine = this.#newLine;
    let at = from;
    while (at < text.length && (oldLine < oldEnd || newLine < newEnd)) {
      const mark = text.charCodeAt(at);
      const lf = text.indexOf('\n', at);
      const end = endOfText(text, lf, isCrlf);
      if (mark === PLUS && newLine < newEnd) {
        lines.push({ kind: 'added', text: text.slice(at + 1, end), newLine });
        newLine += 1;
      } else if (mark === MINUS && oldLine < oldEnd) {
        lines.push({ kind: 'removed', text: text.slice(at + 1, end), oldLine });
        oldLine += 1;
      } else if (isContext(text, at) && oldLine < oldEnd && newLine < newEnd) {
        const start = mark === SPACE ? at + 1 : at;
        lines.push({ kind: 'context', text: text.slice(start, end), oldLine, newLine });
        oldLine += 1;
        newLine += 1;
      } else {
        break;
      }
      at = lf + 1;
    }
    this.#oldLine = oldLine;
    this.#newLine = newLine;
    return at;
  }
}

/** An empty context line may have lost its marker: diff.suppressBlankEmpty, GNU diff, editors. */
function isContext(text: string, at: number): boolean {
  const mark = text.charCodeAt(at);
  return mark === SPACE || mark === LF || (mark === CR && text.charCodeAt(at + 1) === LF);
}

// All markers of a line mean the same: either it is in the result, or it isn't.
const MARKS = /^(?:[ +]+|[ -]+)$/;

// A hunk of a merge is a conflict and its context; a longer one isn't worth the memory.
const MAX_HELD_CHARACTERS = 1024 * 1024;

/**
 * A hunk of a merge, read as the change from the first parent to the result. A line has a marker
 * for each parent. With a minus among them it isn't in the result, but was in the parents with a
 * minus; otherwise it is in the result, and new to the parents with a plus. `git diff --cc` counts
 * lines in the header that it then omits: lines removed before a context line. Their number is only
 * known at the end, so the hunk is held back until then. Where they were isn't known at all; they
 * are assumed to be missing before the first context line.
 */
export class CombinedBody implements HunkBody {
  readonly marks: number;
  readonly #isCrlf: boolean;
  readonly #parentsLeft: number[];
  #newLeft: number;
  #oldLine: number;
  #newLine: number;
  #held: Line[] | undefined = [];
  #heldCharacters = 0;
  /** How many lines were held before the first context line. */
  #heldBeforeContext: number | undefined;

  constructor(header: HunkHeader) {
    this.#isCrlf = header.isCrlf;
    this.#parentsLeft = [header.oldLines, ...header.otherParents];
    this.marks = this.#parentsLeft.length;
    this.#newLeft = header.newLines;
    this.#oldLine = header.oldStart;
    this.#newLine = header.newStart;
  }

  get isFull(): boolean {
    return this.#newLeft === 0 && this.#parentsLeft.every(left => left === 0);
  }

  missing(): string {
    const oldLeft = this.#parentsLeft.reduce((sum, left) => sum + left, 0);
    return `${oldLeft} old and ${this.#newLeft} new lines are missing`;
  }

  take(text: string, from: number, lines: Line[]): number {
    let at = from;
    while (at < text.length && !this.isFull) {
      const lf = text.indexOf('\n', at);
      const end = endOfText(text, lf, this.#isCrlf);
      const marks = text.slice(at, Math.min(at + this.marks, end));
      if (marks.length < this.marks || !this.#counts(marks)) break;
      if (marks.trim() === '') this.#heldBeforeContext ??= this.#held?.length;
      const line = this.#line(marks, text.slice(at + this.marks, end));
      if (line !== undefined) this.#add(line, lines);
      at = lf + 1;
    }
    if (this.isFull) this.release(lines);
    return at;
  }

  release(lines: Line[]): void {
    for (const line of this.#held ?? []) lines.push(line);
    this.#held = undefined;
  }

  endsShort(lines: Line[]): boolean {
    const from = this.#heldBeforeContext;
    const hidden = this.#parentsLeft[0] ?? 0;
    const canHide = this.#newLeft === 0 && from !== undefined;
    if (canHide) {
      this.#held = this.#held?.map((line, index) => (index < from ? line : moved(line, hidden)));
    }
    this.release(lines);
    return canHide;
  }

  #add(line: Line, lines: Line[]): void {
    this.#heldCharacters += line.text.length;
    if (this.#held === undefined) lines.push(line);
    else this.#held.push(line);
    if (this.#heldCharacters > MAX_HELD_CHARACTERS) this.release(lines);
  }

  /** Counts the line on every side that has it; false if one of them is already full. */
  #counts(marks: string): boolean {
    if (!MARKS.test(marks)) return false;
    const isRemoved = marks.includes('-');
    const holder = isRemoved ? '-' : ' ';
    const left = this.#parentsLeft;
    if (!isRemoved && this.#newLeft === 0) return false;
    if (left.some((count, parent) => marks[parent] === holder && count === 0)) return false;
    for (const [parent, count] of left.entries()) {
      if (marks[parent] === holder) left[parent] = count - 1;
    }
    if (!isRemoved) this.#newLeft -= 1;
    return true;
  }

  /** Undefined for a line that only other parents had. */
  #line(marks: string, text: string): Line | undefined {
    if (marks[0] === '-') {
      this.#oldLine += 1;
      return { kind: 'removed', text, oldLine: this.#oldLine - 1 };
    }
    if (marks.includes('-')) return undefined;
    this.#newLine += 1;
    if (marks[0] === '+') return { kind: 'added', text, newLine: this.#newLine - 1 };
    this.#oldLine += 1;
    return { kind: 'context', text, oldLine: this.#oldLine - 1, newLine: this.#newLine - 1 };
  }
}

const moved = (line: Line, by: number): Line =>
  line.kind === 'added' ? line : { ...line, oldLine: line.oldLine + by };
