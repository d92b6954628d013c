export interface ReadString {
  readonly value: string;
  readonly isClosed: boolean;
  readonly isMended: boolean;
  /** Just behind the closing quote. */
  readonly end: number;
}

/** The quoted string that begins at `start`, with single quotes, raw newlines and odd escapes forgiven. */
export function readString(text: string, start: number): ReadString {
  const quote = text[start] === "'" ? "'" : '"';
  let isMended = quote === "'";
  let value = '';
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === quote && (quote === '"' || endsSingle(text, at))) {
      return { value: value + text.slice(from, at), isClosed: true, isMended, end: at + 1 };
    }
    if (char === '\n' || char === '\t') isMended = true;
    if (char !== '\\') continue;
    const escaped = readEscape(text, at);
    if (escaped.isOdd) isMended = true;
    value += text.slice(from, at) + escaped.value;
    from = at + escaped.length;
    at = from - 1;
  }
  return { value: value + text.slice(from), isClosed: false, isMended, end: text.length };
}

/** An apostrophe inside the text is followed by more text; the closing quote is not. */
function endsSingle(text: string, at: number): boolean {
  let next = at + 1;
  while (text[next] === ' ' || text[next] === '\n') next += 1;
  const char = text[next];
  return char === undefined || ',:}]'.includes(char);
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
]);

/** What JSON does not know is kept as written: `\d` in a pattern means a backslash and a d. */
function readEscape(text: string, at: number): { value: string; length: number; isOdd: boolean } {
  const char = text[at + 1];
  if (char === undefined) return { value: '', length: 1, isOdd: true };
  const known = ESCAPES.get(char);
  if (known !== undefined) return { value: known, length: 2, isOdd: false };
  const code = text.slice(at + 2, at + 6);
  if (char === 'u' && /^[0-9a-fA-F]{4}$/.test(code)) {
    return { value: String.fromCharCode(Number.parseInt(code, 16)), length: 6, isOdd: false };
  }
  if (char === "'") return { value: "'", length: 2, isOdd: true };
  return { value: `\\${char}`, length: 2, isOdd: true };
}
