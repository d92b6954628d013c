const ESCAPE = 0xdc00;

/** Bytes of a name as a string; each byte that is not UTF-8 becomes a lone surrogate. */
export function pathFromBytes(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (!text.includes('\ufffd')) return text;
  let path = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    path +=
      length === 0
        ? String.fromCharCode(ESCAPE + (bytes[at] ?? 0))
        : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, at + length));
    at += length || 1;
  }
  return path;
}

/** The bytes that git knows the name by. */
export function pathToBytes(path: string): Uint8Array {
  const encoder = new TextEncoder();
  const parts: number[] = [];
  for (const char of path) {
    const code = char.charCodeAt(0);
    if (char.length === 1 && code >= 0xdc80 && code <= 0xdcff) parts.push(code - ESCAPE);
    else parts.push(...encoder.encode(char));
  }
  return Uint8Array.from(parts);
}

/** How many bytes from `at` make one well-formed character; 0 when none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
    try {
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        bytes.subarray(at, at + length),
      );
      return length;
    } catch {
      // Not yet a whole character, or never one: a longer slice decides.
    }
  }
  return 0;
}
