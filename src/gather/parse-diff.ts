import type { DiffEvent } from '../core/change.js';
import { HeldLine, MAX_LINE_BYTES } from './diff-held-line.js';
import { DiffPiece } from './diff-piece.js';
import { DiffReader } from './diff-reader.js';

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
