const ESCAPE = 0xdc00;
const ENCODER = new TextEncoder();

/** Well-formed UTF-8 (Unicode, table 3-7), one character for each byte; or a byte that isn't. */
const UTF_8 =
  /(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+|([\x80-\xff])/g;

/** The bytes of a path as a string; each byte that isn't UTF-8 becomes a lone surrogate. */
export function pathFromBytes(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString();
  if (!text.includes('\ufffd')) return text;
  return buffer
    .toString('latin1')
    .replace(UTF_8, (part, stray?: string) =>
      stray === undefined
        ? Buffer.from(part, 'latin1').toString('utf8')
        : String.fromCharCode(ESCAPE + stray.charCodeAt(0)),
    );
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
