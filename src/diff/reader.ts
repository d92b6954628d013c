import type { DiffEvent, FileChange, Hunk, Line } from '../core/change.js';
import {
  BinaryNotice,
  type FileHeader,
  GitHeader,
  type HeaderEnd,
  IndexNotice,
  PlainHeader,
  quote,
  UnmergedNotice,
} from './header.js';
import { CombinedBody, type HunkBody, readHunkHeader, TwoWayBody } from './hunk.js';
import type { DiffPiece } from './name.js';

const HUNK = /@@+ -/y;
const HUNK_LINE = /[-+ ]/y;
const MAIL_SIGNATURE = /-- ?\r?\n/y;

/**
 * Lines in, events out. Tracks whether a line is in a header, in a hunk, or in the prose around
 * them. A line inside a hunk is never mistaken for anything else.
 */
export class DiffReader {
  readonly #events = new DiffEvents();
  #header: FileHeader | undefined;
  #file: { readonly path: string; hunks: number } | undefined;
  #body: HunkBody | undefined;
  /** What precedes the current line. Lines skipped after a `loss` have been reported. */
  #after: 'prose' | 'hunk' | 'loss' = 'prose';

  takeEvents(): DiffEvent[] {
    return this.#events.take();
  }

  read(piece: DiffPiece): void {
    for (let at = 0; at < piece.text.length; ) {
      at = this.#body ? this.#readInside(piece.text, at, this.#body) : this.#readOutside(piece, at);
    }
  }

  /** A piece that is only the start of one line. */
  readCut(piece: DiffPiece, length: number): void {
    const body = this.#body;
    body?.release(this.#events.lines);
    this.#events.flush();
    this.read(piece);
    body?.release(this.#events.lines);
    this.#events.cutLine(length - (body?.marks ?? 0));
  }

  /** Called after the last piece. */
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
      this.#lose(`${this.#hunkName()} ends early: ${body.missing()} before ${quote(line)}`);
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
      this.#lose(`${this.#hunkName()} has an invalid header: ${quote(line)}`);
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
    // Better no file for the next hunk than the wrong one. But in the rest of a broken hunk, any
    // removed line may look like a header.
    if (this.#header !== undefined && this.#after !== 'loss') this.#file = undefined;
    if (this.#header !== undefined || !isAfterHunk) return;
    if (piece.text[at] === '\\') this.#events.noNewline();
    else if (isAt(piece.text, at, HUNK_LINE) && !isAt(piece.text, at, MAIL_SIGNATURE)) {
      this.#lose(`${this.#hunkName()} has more lines than its header says`);
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

/** Collects events; lines are batched until another event follows. */
class DiffEvents {
  #events: DiffEvent[] = [];
  #lines: Line[] = [];
  #lastLine: Line | undefined;

  file(file: FileChange): void {
    this.#push({ type: 'file', file });
  }

  hunk(hunk: Hunk): void {
    this.#push({ type: 'hunk', hunk });
    this.#lastLine = undefined;
  }

  /** The lines of the hunk since the last event; the reader appends to them. */
  get lines(): Line[] {
    return this.#lines;
  }

  /** The last line has no newline at its end. Reported once, and only if there was a line. */
  noNewline(): void {
    const line = this.#lines.at(-1) ?? this.#lastLine;
    if (line !== undefined) this.#push({ type: 'no-newline', side: SIDES[line.kind] });
    this.#lastLine = undefined;
  }

  /** The last line is only the start of one this long. */
  cutLine(bytes: number): void {
    const line = this.#lines.at(-1);
    if (line === undefined) return;
    this.#push({ type: 'cut-line', newLine: 'newLine' in line ? line.newLine : undefined, bytes });
  }

  broken(reason: string): void {
    this.#push({ type: 'broken', reason });
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

  #push(event: DiffEvent): void {
    this.flush();
    this.#events.push(event);
  }
}

const OPENINGS: ReadonlyArray<readonly [string, new (line: string) => FileHeader]> = [
  ['diff --git ', GitHeader],
  ['diff --cc ', GitHeader],
  ['diff --combined ', GitHeader],
  ['--- ', PlainHeader],
  ['Binary file', BinaryNotice],
  ['Index: ', IndexNotice],
  ['* Unmerged path ', UnmergedNotice],
];

/** The header that the line at `at` starts, if it starts one. */
function diffOpening(piece: DiffPiece, at: number): FileHeader | undefined {
  for (const [prefix, Header] of OPENINGS) {
    if (piece.text.startsWith(prefix, at)) return new Header(piece.byteLine(at));
  }
  return undefined;
}
