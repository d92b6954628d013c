import type { Line } from '../core/change.js';
import { endOfText, type HunkBody, type HunkHeader } from './diff-hunk.js';

// All marks of a line tell of the same thing: a line of the result, or one that it lacks.
const MARKS = /^(?:[ +]+|[ -]+)$/;

/**
 * A hunk of a merge, read as the change from the first parent to the result. A line carries a mark
 * for each parent. With a minus among them it is not in the result, and was in the parents marked
 * so; otherwise it is in the result, and new to the parents marked with a plus.
 */
export class CombinedBody implements HunkBody {
  readonly marks: number;
  readonly #isCrlf: boolean;
  readonly #parentsLeft: number[];
  #newLeft: number;
  #oldLine: number;
  #newLine: number;

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
      // Blanks at the end of an otherwise empty line may have been lost on the way.
      const marks = text.slice(at, Math.min(at + this.marks, end)).padEnd(this.marks);
      if (!this.#counts(marks)) break;
      const line = this.#line(marks, text.slice(at + this.marks, end));
      if (line !== undefined) lines.push(line);
      at = lf + 1;
    }
    return at;
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
