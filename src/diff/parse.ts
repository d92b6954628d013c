import type { DiffEvent, Line } from '../core/change.js';
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
import { isAscii } from './name.js';

// Decoded together. One non-ASCII character slows down its whole batch, and one stored line keeps its
// whole batch in memory, so batches are small, but large enough to make the calls negligible.
const BATCH_BYTES = 8 * 1024;

const LF = 10;

/** The events of a diff that arrives in chunks: one array for each chunk, one more for the end. */
export async function* parseDiff(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly DiffEvent[]> {
  const parser = new DiffParser();
  for await (const chunk of chunks) yield parser.push(chunk);
  yield parser.end();
}

/**
 * Bytes of a unified diff in, events out. Never throws, whatever the input. How the bytes are split
 * into chunks only affects how `lines` are batched. Holds at most one unfinished line, and one hunk
 * of a merge.
 */
export class DiffParser {
  readonly #held = new HeldLine();
  readonly #reader = new DiffReader();

  push(chunk: Uint8Array): DiffEvent[] {
    // Parts so small that a line over the limit never fits into one and always goes through `#held`.
    for (let at = 0; at < chunk.length; at += MAX_LINE_BYTES) {
      this.#pushPart(chunk.subarray(at, at + MAX_LINE_BYTES));
    }
    return this.#reader.takeEvents();
  }

  /** Must be called once, after the last chunk. */
  end(): DiffEvent[] {
    if (!this.#held.isEmpty) this.#readHeld();
    this.#reader.finish();
    return this.#reader.takeEvents();
  }

  #pushPart(bytes: Uint8Array): void {
    const firstEnd = this.#held.isEmpty ? 0 : bytes.indexOf(LF) + 1;
    const lastEnd = bytes.lastIndexOf(LF) + 1;
    if (firstEnd > 0) {
      this.#held.add(bytes.subarray(0, firstEnd - 1));
      this.#readHeld();
    }
    for (let at = firstEnd; at < lastEnd; ) {
      const end = bytes.indexOf(LF, Math.min(at + BATCH_BYTES, lastEnd) - 1) + 1;
      this.#reader.read(new DiffPiece(bytes.subarray(at, end)));
      at = end;
    }
    this.#held.add(bytes.subarray(lastEnd));
  }

  #readHeld(): void {
    const { bytes, length } = this.#held.take();
    const piece = new DiffPiece(bytes);
    if (bytes.length > length) this.#reader.read(piece);
    else this.#reader.readCut(piece, length);
  }
}

// Most minified bundles fit. Longer lines are useless to a reader, and the limit bounds memory.
const MAX_LINE_BYTES = 256 * 1024;

const FIRST_CAPACITY = 1024;

/** The line that a chunk left unfinished. Its buffer doubles, so that many small chunks stay cheap. */
class HeldLine {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #stored = 0;
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Uint8Array): void {
    const fitting = part.subarray(0, MAX_LINE_BYTES - this.#stored);
    this.#reserve(this.#stored + fitting.length + 1);
    this.#bytes.set(fitting, this.#stored);
    this.#stored += fitting.length;
    this.#length += part.length;
  }

  /**
   * The line with a newline at its end, and its full length; only its start if it is over the limit.
   * The bytes are valid until the next `add`.
   */
  take(): { bytes: Uint8Array; length: number } {
    const length = this.#length;
    const end = length > this.#stored ? wholeCharacters(this.#bytes, this.#stored) : this.#stored;
    this.#bytes[end] = LF;
    this.#stored = 0;
    this.#length = 0;
    return { bytes: this.#bytes.subarray(0, end + 1), length };
  }

  #reserve(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const bigger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    bigger.set(this.#bytes.subarray(0, this.#stored));
    this.#bytes = bigger;
  }
}

/** The length without a last character that was cut in the middle. */
function wholeCharacters(bytes: Uint8Array, length: number): number {
  let start = length - 1;
  while (start > length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = bytes[start] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + needed > length ? start : length;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whole lines of a diff, decoded once. Names are read from their bytes, which may not be UTF-8. */
class DiffPiece {
  /** Every line ends in a newline. */
  readonly text: string;
  readonly #bytes: Uint8Array;
  readonly #isAscii: boolean;
  // Both are at the start of the same line and only move forward: a piece is read once.
  #textAt = 0;
  #byteAt = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.text = decoder.decode(bytes);
    this.#isAscii = this.text.length === bytes.length && !this.text.includes('\ufffd');
  }

  /**
   * The line at `start` without its end (LF or CRLF), one character for each byte.
   * `start` must be the start of a line, and not before that of the last call.
   */
  byteLine(start: number): string {
    const line = this.text.slice(start, this.text.indexOf('\n', start));
    const byteLine = this.#isAscii || isAscii(line) ? line : this.#bytesOfLine(start);
    return byteLine.endsWith('\r') ? byteLine.slice(0, -1) : byteLine;
  }

  #bytesOfLine(start: number): string {
    while (this.#textAt < start) {
      this.#textAt = this.text.indexOf('\n', this.#textAt) + 1;
      this.#byteAt = this.#bytes.indexOf(LF, this.#byteAt) + 1;
    }
    const end = this.#bytes.indexOf(LF, this.#byteAt);
    let line = '';
    for (const byte of this.#bytes.subarray(this.#byteAt, end)) line += String.fromCharCode(byte);
    return line;
  }
}

const HUNK = /@@+ -/y;
const HUNK_LINE = /[-+ ]/y;
const MAIL_SIGNATURE = /-- ?\r?\n/y;

/**
 * Lines in, events out. Tracks whether a line is in a header, in a hunk, or in the prose around
 * them. A line inside a hunk is never mistaken for anything else.
 */
class DiffReader {
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
    } else if (!this.#header?.accepts?.(piece.byteLine(at))) {
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
    const { hunks: number } = this.#file;
    const hunk = { number, oldStart, oldLines, newStart, newLines, section };
    this.#events.push({ type: 'hunk', hunk });
    this.#body = otherParents.length > 0 ? new CombinedBody(header) : new TwoWayBody(header);
  }

  #closeHeader(endedBy: HeaderEnd): void {
    const header = this.#header;
    if (header === undefined) return;
    this.#header = undefined;
    const { file, problem } = header.read(endedBy);
    if (file !== undefined) {
      this.#events.push({ type: 'file', file });
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
    this.#events.push({ type: 'broken', reason });
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

  /** The lines of the hunk since the last event; the reader appends to them. */
  get lines(): Line[] {
    return this.#lines;
  }

  /** The last line has no newline at its end. Reported once, and only if there was a line. */
  noNewline(): void {
    const line = this.#lines.at(-1) ?? this.#lastLine;
    if (line !== undefined) this.push({ type: 'no-newline', side: SIDES[line.kind] });
    this.#lastLine = undefined;
  }

  /** The last line is only the start of one this long. */
  cutLine(bytes: number): void {
    const line = this.#lines.at(-1);
    if (line === undefined) return;
    this.push({ type: 'cut-line', newLine: 'newLine' in line ? line.newLine : undefined, bytes });
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

  push(event: DiffEvent): void {
    this.flush();
    this.#events.push(event);
    if (event.type === 'hunk') this.#lastLine = undefined;
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
