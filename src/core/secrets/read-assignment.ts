import { credentialValue, type Value } from './credential-value.js';
import type { Secret } from './secret.js';

/** Parts of names that make a closer look worthwhile; all at least three characters, lower case. */
export const CREDENTIAL_ANCHORS: readonly string[] = [
  'pass',
  'pwd',
  'secret',
  'token',
  'key',
  'cred',
  'auth',
];

export interface Assignment {
  readonly secret: Secret | undefined;
  /** Where the name ends: nothing before it needs to be looked at again. */
  readonly nameEnd: number;
}

/** Longer runs of name characters are data, not names. */
const MAX_NAME = 80;
const NAME = /[A-Za-z0-9_.$-]*/y;

/** Reads the assignment whose name stands around `place`; names before `from` were read already. */
export function readAssignment(text: string, place: number, from: number): Assignment {
  let nameStart = place;
  while (nameStart > from && isNameUnit(text.charCodeAt(nameStart - 1))) nameStart -= 1;
  NAME.lastIndex = place;
  const nameEnd = place + (NAME.exec(text)?.[0].length ?? 0);
  if (nameEnd - nameStart > MAX_NAME) return { secret: undefined, nameEnd };
  return { secret: secretAfter(text, nameStart, nameEnd), nameEnd };
}

// The value may stand after a type, an operator of any language, a comma between two strings or
// inside an element.
const OPERATOR =
  /(?:\\{0,3}["'\x60]|\])?\]?[ \t]{0,8}(?:(?::[ \t]{0,2})?(?:string|String|str|&str|char\[\])[ \t]{0,3})?(?:=>|[:?.|+]{0,3}={1,3}|\|\||:|,|>)[ \t]{0,8}/y;
const QUOTED = /[bfrLu@]?(\\{0,3}["'\x60])([^"'\x60\s\\]{8,2000})(\\{0,3}["'\x60])/y;
// No `=` or `:` inside: a run of assignments would be read again from each of its names.
const BARE = /[A-Za-z0-9][A-Za-z0-9_.~!@#%^&*+/-]{9,2000}={0,2}(?=[\s;,<"'\x60)}\]\\]|$)/y;

function secretAfter(text: string, nameStart: number, nameEnd: number): Secret | undefined {
  OPERATOR.lastIndex = nameEnd;
  const operator = OPERATOR.exec(text)?.[0];
  if (operator === undefined) return undefined;
  const sign = operator.trim().at(-1);
  const wantsQuotedName = sign === ',' && !/["'\x60]/.test(operator);
  const wantsElement = sign === '>' && !operator.includes('=') && text[nameStart - 1] !== '<';
  if (wantsQuotedName || wantsElement) return undefined;
  const value = readValue(text, nameEnd + operator.length);
  return value === undefined ? undefined : credentialValue(text.slice(nameStart, nameEnd), value);
}

function readValue(text: string, place: number): Value | undefined {
  QUOTED.lastIndex = place;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) {
    const [whole, quote = '', value = ''] = quoted;
    return { text: value, start: place + whole.indexOf(quote) + quote.length, isQuoted: true };
  }
  BARE.lastIndex = place;
  const bare = BARE.exec(text)?.[0];
  return bare === undefined ? undefined : { text: bare, start: place, isQuoted: false };
}

function isNameUnit(code: number): boolean {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isLetter || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46;
}
