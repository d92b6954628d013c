import type { Line } from '../core/change.js';
import { endOfText, type HunkBody, type HunkHeader } from './diff-hunk.js';

const PLUS = 43;
const MINUS = 45;
const SPACE = 32;
const LF = 10;
const CR = 13;

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
    // Nothing is held back: the numbers of an ordinary hunk are right from its first line.
  }

  endsShort(): boolean {
    return false;
  }

  missing(): string {
    const oldLeft = this.#oldEnd - this.#oldLine;
    return `${oldLeft} old and ${this.#newEnd - this.#newLine} new lines are missing`;
  }

  /** Every line of a diff passes here, so this loop keeps to local variables. */
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

/** An empty line of context may have lost its mark: diff.suppressBlankEmpty, GNU diff, editors. */
function isContext(text: string, at: number): boolean {
  const mark = text.charCodeAt(at);
  return mark === SPACE || mark === LF || (mark === CR && text.charCodeAt(at + 1) === LF);
}
