/** Names a line so that a wrong number is noticed: `12#k7`, two characters derived from its text. */
export const lineMark = (line: number, text: string): string => `${line}#${checkOf(text)}`;

/** A line of a diff as the model sees it; only changed lines can be pointed at, so only they are marked. */
export function showLine(sign: '+' | '-' | ' ', line: number, text: string): string {
  return `${sign}${sign === '+' ? lineMark(line, text) : line}| ${text}`;
}

export interface LineMark {
  readonly line: number;
  /** Undefined when only the number was given. */
  readonly check: string | undefined;
}

/** Reads a mark as models write it: `12#k7`, `+12#k7| text`, `line 12`. */
export function parseMark(said: string): LineMark | undefined {
  const found = MARK.exec(said.slice(0, LONGEST_MARK).trim());
  if (found === null) return undefined;
  const line = Number(found[1]);
  return line === 0 ? undefined : { line, check: found[2]?.toLowerCase() };
}

/** A bare number says nothing about the text, so it never fits by itself. */
export const fitsMark = (mark: LineMark, text: string): boolean => mark.check === checkOf(text);

const MARK = /^(?:line |l)?[+]?(\d{1,7})(?:#([a-z0-9]{2,4}))?(?![a-z0-9#])/i;
/** A mark is at most `line +9999999#abcd|`; what follows is the line's text. */
const LONGEST_MARK = 32;

/** No vowels, so that no word appears, and nothing that reads like another sign. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789';

/** FNV-1a over the text without the white space at its end, which editors and models drop. */
function checkOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const char of text.trimEnd()) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  const mixed = (hash ^ (hash >>> 15)) >>> 0;
  const size = ALPHABET.length;
  return ALPHABET.charAt(mixed % size) + ALPHABET.charAt(Math.floor(mixed / size) % size);
}
