import type { DiffEvent } from '../core/change.js';
import { DiffPiece } from './name.js';
import { DiffReader } from './reader.js';

// Decoded at once. One character beyond ASCII slows a whole batch, and one line that somebody keeps
// keeps its whole batch alive: so small, yet large enough to make the calls not count.
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
 * Bytes of a unified diff in, events out. Never throws, whatever the input; reads every cutting of
 * the same bytes alike (but for how `lines` are batched); keeps no more than one unfinished line, and
 * of a merge one hunk.
 */
export class DiffParser {
  readonly #held = new HeldLine();
  readonly #reader = new DiffReader();

  push(chunk: Uint8Array): DiffEvent[] {
    // In parts so small that a line which is too long never lies within one, but is always held.
    for (let at = 0; at < chunk.length; at += MAX_LINE_BYTES) {
      this.#pushPart(chunk.subarray(at, at + MAX_LINE_BYTES));
    }
    return this.#reader.takeEvents();
  }

  /** To be called once, after the last chunk. */
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

// A minified bundle fits; what is longer says nothing to a reader, and this bounds the memory.
const MAX_LINE_BYTES = 256 * 1024;

const FIRST_CAPACITY = 1024;

/** The line that a chunk left unfinished. Grows by doubling, so that many small chunks stay cheap. */
class HeldLine {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #kept = 0;
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Uint8Array): void {
    const kept = part.subarray(0, MAX_LINE_BYTES - this.#kept);
    this.#makeRoom(this.#kept + kept.length + 1);
    this.#bytes.set(kept, this.#kept);
    this.#kept += kept.length;
    this.#length += part.length;
  }

  /**
   * The line with a newline at its end, and how long it was; its beginning only when that is more
   * than the limit. The bytes are good until the next `add`.
   */
  take(): { bytes: Uint8Array; length: number } {
    const length = this.#length;
    const kept = length > this.#kept ? wholeCharacters(this.#bytes, this.#kept) : this.#kept;
    this.#bytes[kept] = LF;
    this.#kept = 0;
    this.#length = 0;
    return { bytes: this.#bytes.subarray(0, kept + 1), length };
  }

  #makeRoom(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const bigger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    bigger.set(this.#bytes.subarray(0, this.#kept));
    this.#bytes = bigger;
  }
}

/** The length without a last character that the cut went through. */
function wholeCharacters(bytes: Uint8Array, length: number): number {
  let start = length - 1;
  while (start > length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = bytes[start] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + needed > length ? start : length;
}
