import type { DiffEvent } from '../core/change.js';
import { DiffPiece } from './name.js';
import { DiffReader } from './reader.js';

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
