import type { DiffEvent, FileChange, Hunk, Line } from '../core/change.js';
import {
  BinaryRemark,
  type FileHeader,
  GitHeader,
  type HeaderEnd,
  IndexRemark,
  PlainHeader,
  quote,
  UnmergedRemark,
} from './header.js';
import { CombinedBody, type HunkBody, readHunkHeader, TwoWayBody } from './hunk.js';
import type { DiffPiece } from './name.js';

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

const SIDES = { removed: 'old', added: 'new', context: 'both' } as const;

/** The events of a parser in the making: lines are gathered until something else is to be said. */
class DiffEvents {
  #events: DiffEvent[] = [];
  #lines: Line[] = [];
  #lastLine: Line | undefined;

  file(file: FileChange): void {
    this.#say({ type: 'file', file });
  }

  hunk(hunk: Hunk): void {
    this.#say({ type: 'hunk', hunk });
    this.#lastLine = undefined;
  }

  /** To be appended to: the lines of the hunk since the last event. */
  get lines(): Line[] {
    return this.#lines;
  }

  /** The last line given has no newline at its end. Said once, and only if there was a line. */
  noNewline(): void {
    const line = this.#lines.at(-1) ?? this.#lastLine;
    if (line !== undefined) this.#say({ type: 'no-newline', side: SIDES[line.kind] });
    this.#lastLine = undefined;
  }

  /** The last line given is only the beginning of one with so many bytes of text. */
  cutLine(bytes: number): void {
    const line = this.#lines.at(-1);
    if (line === undefined) return;
    this.#say({ type: 'cut-line', newLine: 'newLine' in line ? line.newLine : undefined, bytes });
  }

  broken(reason: string): void {
    this.#say({ type: 'broken', reason });
  }

  take(): DiffEvent[] {
    this.flush();
    const events = this.#events;
    this.#events = [];
    return events;
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    this.#events.push({ type: 'lines', lines: this.#lines });
    this.#lastLine = this.#lines.at(-1);
    this.#lines = [];
  }

  #say(event: DiffEvent): void {
    this.flush();
    this.#events.push(event);
  }
}

const OPENINGS: ReadonlyArray<readonly [string, new (line: string) => FileHeader]> = [
  ['diff --git ', GitHeader],
  ['diff --cc ', GitHeader],
  ['diff --combined ', GitHeader],
  ['--- ', PlainHeader],
  ['Binary file', BinaryRemark],
  ['Index: ', IndexRemark],
  ['* Unmerged path ', UnmergedRemark],
];

/** The header that the line at `at` begins, if it begins one. */
function diffOpening(piece: DiffPiece, at: number): FileHeader | undefined {
  for (const [prefix, Header] of OPENINGS) {
    if (piece.text.startsWith(prefix, at)) return new Header(piece.byteLine(at));
  }
  return undefined;
}
