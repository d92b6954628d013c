/** Where a literal that starts at a given place ends on its line: the index of its last sign, or -1. */

export function endOfString(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

const CHARACTER = /'(?:\\[^']{1,9}|\\'|[^'\\]{1,2})'/y;

/** A character literal of a language in which a single quote can also be a lifetime. */
export function endOfCharacter(text: string, start: number): number {
  CHARACTER.lastIndex = start;
  return CHARACTER.test(text) ? CHARACTER.lastIndex - 1 : -1;
}

export function endOfRegex(text: string, start: number): number {
  let isInClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') isInClass = true;
    else if (sign === ']') isInClass = false;
    else if (sign === '/' && !isInClass) return at;
  }
  return -1;
}

const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%~^]|=>|\b(?:return|typeof|case|in|of|void|delete|yield|await))$/;

/** The longest of those words and the sign in front of it. */
const LOOK_BACK = 8;

/** A slash divides after a value and begins a regular expression elsewhere. */
export function canStartRegex(text: string, slash: number): boolean {
  let before = slash;
  while (before > 0 && (text[before - 1] === ' ' || text[before - 1] === '\t')) before -= 1;
  return BEFORE_REGEX.test(text.slice(Math.max(0, before - LOOK_BACK), before));
}
