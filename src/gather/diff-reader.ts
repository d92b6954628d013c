import type { DiffEvent } from '../core/change.js';
import { CombinedBody } from './diff-combined.js';
import { DiffEvents } from './diff-events.js';
import { type FileHeader, type HeaderEnd, quote } from './diff-header.js';
import { type HunkBody, readHunkHeader } from './diff-hunk.js';
import { diffOpening } from './diff-opening.js';
import type { DiffPiece } from './diff-piece.js';
import { TwoWayBody } from './diff-two-way.js';

const HUNK = /@@+ -/y;
const HUNK_LINE = /[-+ ]/y;
const MAIL_SIGNATURE = /-- ?\r?\n/y;

/**
 * Lines in, events out: the one place that knows whether a line stands in a header, in a hunk, or in
 * the prose around them. A line inside a hunk is never taken for anything else.
 */
export class DiffReader {
  readonly #events = new DiffEvents();
  #header: FileHeader | undefined;
  #file: { readonly path: string; hunks: number } | undefined;
  #body: HunkBody | undefined;
  /** What the line at hand comes after. What is skipped after a `loss` has been reported. */
  #after: 'prose' | 'hunk' | 'loss' = 'prose';

  takeEvents(): DiffEvent[] {
    return this.#events.take();
  }

  read(piece: DiffPiece): void {
    for (let at = 0; at < piece.text.length; ) {
      at = this.#body ? this.#readInside(piece.text, at, this.#body) : this.#readOutside(piece, at);
    }
  }

  /** A piece of one line, of which only the beginning is here. */
  readCut(piece: DiffPiece, length: number): void {
    const body = this.#body;
    body?.release(this.#events.lines);
    this.#events.flush();
    this.read(piece);
    body?.release(this.#events.lines);
    this.#events.cutLine(length - (body?.marks ?? 0));
  }

  /** There is no more to come. */
  finish(): void {
    this.#closeHeader('end of diff');
    if (this.#body === undefined || this.#body.isFull) return;
    if (this.#body.endsShort(this.#events.lines)) return;
    this.#lose(`${this.#hunkName()} stops at the end of the diff: ${this.#body.missing()}`);
  }

  #readInside(text: string, at: number, body: HunkBody): number {
    const next = body.take(text, at, this.#events.lines);
    if (next === text.length && !body.isFull) return next;
    if (text[next] === '\\' && !body.isFull) {
      this.#events.noNewline();
      return text.indexOf('\n', next) + 1;
    }
    if (body.isFull || body.endsShort(this.#events.lines)) {
      this.#body = undefined;
      this.#after = 'hunk';
    } else {
      const line = text.slice(next, text.indexOf('\n', next));
      this.#lose(`${this.#hunkName()} breaks off: ${body.missing()} before ${quote(line)}`);
    }
    return next;
  }

  #readOutside(piece: DiffPiece, at: number): number {
    const next = piece.text.indexOf('\n', at) + 1;
    if (piece.text.startsWith('@@', at) && isAt(piece.text, at, HUNK)) {
      this.#openHunk(piece.text.slice(at, next - 1));
    } else if (!this.#header?.accepts(piece.byteLine(at))) {
      this.#closeHeader('other line');
      this.#readProse(piece, at);
    }
    return next;
  }

  #openHunk(line: string): void {
    const header = readHunkHeader(line);
    this.#closeHeader(header ?? 'unreadable hunk');
    if (this.#file === undefined) {
      if (this.#after !== 'loss') this.#lose(`no file header before the hunk ${quote(line)}`);
      return;
    }
    this.#file.hunks += 1;
    if (header === undefined) {
      this.#lose(`${this.#hunkName()} has a header that cannot be read: ${quote(line)}`);
      return;
    }
    const { oldStart, oldLines, newStart, newLines, section, otherParents } = header;
    this.#events.hunk({
      number: this.#file.hunks,
      oldStart,
      oldLines,
      newStart,
      newLines,
      section,
    });
    this.#body = otherParents.length > 0 ? new CombinedBody(header) : new TwoWayBody(header);
  }

  #closeHeader(endedBy: HeaderEnd): void {
    const header = this.#header;
    if (header === undefined) return;
    this.#header = undefined;
    const { file, problem } = header.read(endedBy);
    if (file !== undefined) {
      this.#events.file(file);
      this.#file = { path: file.path, hunks: 0 };
      this.#after = 'prose';
    }
    if (problem !== undefined) this.#lose(problem);
  }

  #readProse(piece: DiffPiece, at: number): void {
    const isAfterHunk = this.#after === 'hunk';
    if (isAfterHunk) this.#after = 'prose';
    this.#header = diffOpening(piece, at);
    // A hunk is counted to no file rather than to the wrong one. In what is left of a broken hunk,
    // though, any removed line may look like a header.
    if (this.#header !== undefined && this.#after !== 'loss') this.#file = undefined;
    if (this.#header !== undefined || !isAfterHunk) return;
    if (piece.text[at] === '\\') this.#events.noNewline();
    else if (isAt(piece.text, at, HUNK_LINE) && !isAt(piece.text, at, MAIL_SIGNATURE)) {
      this.#lose(`${this.#hunkName()} goes on after the lines that its header counts`);
    }
  }

  #hunkName(): string {
    return `hunk ${this.#file?.hunks} of ${this.#file?.path}`;
  }

  #lose(reason: string): void {
    this.#events.broken(reason);
    this.#body = undefined;
    this.#after = 'loss';
  }
}

function isAt(text: string, at: number, pattern: RegExp): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
