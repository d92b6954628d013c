const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const NON_ASCII = /[^\x00-\x7f]/;
const LF = 10;

/** Whole lines of a diff, decoded once. Names are read from their bytes, which need not be UTF-8. */
export class DiffPiece {
  /** Every line of it ends in a newline. */
  readonly text: string;
  readonly #bytes: Uint8Array;
  readonly #isAscii: boolean;
  // Both stand at the beginning of the same line and only move forward: a piece is walked once.
  #textAt = 0;
  #byteAt = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.text = decoder.decode(bytes);
    this.#isAscii = this.text.length === bytes.length && !this.text.includes('\ufffd');
  }

  /**
   * The line at `start` without its end (LF or CRLF), one character for each byte.
   * `start` must be the beginning of a line, and not before the one asked for last.
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

export const isAscii = (text: string): boolean => !NON_ASCII.test(text);
