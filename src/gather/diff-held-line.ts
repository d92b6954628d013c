// A minified bundle fits; what is longer says nothing to a reader, and this bounds the memory.
export const MAX_LINE_BYTES = 256 * 1024;

const FIRST_CAPACITY = 1024;
const LF = 10;

/** The line that a chunk left unfinished. Grows by doubling, so that many small chunks stay cheap. */
export class HeldLine {
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
