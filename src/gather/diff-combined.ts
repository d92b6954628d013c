import type { Line } from '../core/change.js';
import { endOfText, type HunkBody, type HunkHeader } from './diff-hunk.js';

// All marks of a line tell of the same thing: a line of the result, or one that it lacks.
const MARKS = /^(?:[ +]+|[ -]+)$/;

// A hunk of a merge is a conflict and its surroundings; one that is longer is not worth the memory.
const MAX_HELD_CHARACTERS = 1024 * 1024;

/**
 * A hunk of a merge, read as the change from the first parent to the result. A line carries a mark
 * for each parent. With a minus among them it is not in the result, and was in the parents marked
 * so; otherwise it is in the result, and new to the parents marked with a plus.
 *
 * `git diff --cc` counts lines in the header that it then leaves out: lines lost before one of
 * context. How many is known at the end only, so the hunk is held back until then; before which line
 * is not known at all, so they are taken to be missing before the first.
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
  /** How many lines were held before the first that is common to all. */
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
      if (line !== undefined) this.#give(line, lines);
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

  #give(line: Line, lines: Line[]): void {
    this.#heldCharacters += line.text.length;
    if (this.#held === undefined) lines.push(line);
    else this.#held.push(line);
    if (this.#heldCharacters > MAX_HELD_CHARACTERS) this.release(lines);
  }

  /** Counts the line on every side that has it; false if one of them is already full. */
  #counts(marks: string): boolean {
    if (!MARKS.test(marks)) return false;
    const isLost = marks.includes('-');
    const holder = isLost ? '-' : ' ';
    const left = this.#parentsLeft;
    if (!isLost && this.#newLeft === 0) return false;
    if (left.some((count, parent) => marks[parent] === holder && count === 0)) return false;
    for (const [parent, count] of left.entries()) {
      if (marks[parent] === holder) left[parent] = count - 1;
    }
    if (!isLost) this.#newLeft -= 1;
    return true;
  }

  /** Undefined for a line that only other parents had: the first parent's reader never saw it. */
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
