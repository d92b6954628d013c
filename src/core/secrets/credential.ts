import { credentialName } from './credential-name.js';
import { isInvented } from './placeholder.js';
import { looksRandom } from './randomness.js';
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
const QUOTED = /[bfrLu@]?(\\{0,3}["'\x60])([^"'\x60\s\\]{8,300})(\\{0,3}["'\x60])/y;
// No `=` or `:` inside: a run of assignments would be read again from each of its names.
const BARE = /[A-Za-z0-9][A-Za-z0-9_.~!@#%^&*+/-]{9,300}={0,2}(?=[\s;,<"'\x60)}\]\\]|$)/y;

function secretAfter(text: string, nameStart: number, nameEnd: number): Secret | undefined {
  OPERATOR.lastIndex = nameEnd;
  const operator = OPERATOR.exec(text)?.[0];
  if (operator === undefined) return undefined;
  const sign = operator.trim().at(-1);
  const wantsQuotedName = sign === ',' && !/["'\x60]/.test(operator);
  const wantsElement = sign === '>' && !operator.includes('=') && text[nameStart - 1] !== '<';
  if (wantsQuotedName || wantsElement) return undefined;
  const value = readValue(text, nameEnd + operator.length);
  if (value === undefined) return undefined;
  const meaning = credentialName(text.slice(nameStart, nameEnd));
  const isPassword = meaning === 'password';
  if (meaning === undefined || !(isDrawn(value) || (isPassword && isChosen(value)))) {
    return undefined;
  }
  return {
    kind: isPassword ? 'password' : 'generic-credential',
    start: value.start,
    end: value.start + value.text.length,
    publicLength: 0,
    isContinuation: false,
  };
}

interface Value {
  readonly text: string;
  readonly start: number;
  readonly isQuoted: boolean;
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

const NOT_DRAWN = /[()<>[\]{}]|:\/\/|\.[a-z]{2,4}$|^\//;
/** `module.Ed25519Key`: parts of a member access are shorter than what a machine draws. */
const MEMBER = /^[A-Za-z_]\w{0,19}(?:\.[A-Za-z_]\w{0,19}){1,8}$/;

function isDrawn({ text: value, isQuoted }: Value): boolean {
  if (NOT_DRAWN.test(value) || (!isQuoted && MEMBER.test(value))) return false;
  return looksRandom(value) && !isInvented(value);
}

/** A password a person made up to satisfy a policy: three kinds of characters. */
function isChosen({ text: value, isQuoted }: Value): boolean {
  const minimum = isQuoted ? 8 : 10;
  if (value.length < minimum || value.length > 64 || isInvented(value)) return false;
  if (/^[/~]|[a-z]\.[a-z]|[()<>[\]{};,]|:\/\//i.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9_.-]/];
  return kinds.filter(kind => kind.test(value)).length >= 3;
}

function isNameUnit(code: number): boolean {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isLetter || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46;
}
