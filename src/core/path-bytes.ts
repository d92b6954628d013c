const ESCAPE = 0xdc00;
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const ENCODER = new TextEncoder();

/** The bytes of a path as a string; each byte that isn't UTF-8 becomes a lone surrogate. */
export function pathFromBytes(bytes: Uint8Array): string {
  const text = DECODER.decode(bytes);
  if (!text.includes('\ufffd')) return text;
  const pieces: string[] = [];
  let good = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      if (good < at) pieces.push(DECODER.decode(bytes.subarray(good, at)));
      pieces.push(String.fromCharCode(ESCAPE + (bytes[at] ?? 0)));
      good = at + 1;
    }
    at += length || 1;
  }
  if (good < bytes.length) pieces.push(DECODER.decode(bytes.subarray(good)));
  return pieces.join('');
}

/** The path's bytes, as git has them. */
export function pathToBytes(path: string): Uint8Array {
  if (!/\p{Surrogate}/u.test(path)) return ENCODER.encode(path);
  const parts: number[] = [];
  for (const char of path) {
    const code = char.charCodeAt(0);
    if (char.length === 1 && code >= 0xdc80 && code <= 0xdcff) parts.push(code - ESCAPE);
    else parts.push(...ENCODER.encode(char));
  }
  return Uint8Array.from(parts);
}

/** Length of the well-formed character at `at` (Unicode, table 3-7); 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const [lowest, highest] = SECOND_BYTE[lead] ?? [0x80, 0xbf];
  if (second < lowest || second > highest) return 0;
  for (let next = at + 2; next < at + length; next += 1) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** Lead bytes with a narrower second byte: no overlong forms, no surrogates. */
const SECOND_BYTE: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};
