import { pathFromBytes } from '../core/path-bytes.js';

const NON_ASCII = /[^\x00-\x7f]/;

export const isAscii = (text: string): boolean => !NON_ASCII.test(text);

/**
 * Names in the form of headers: strings with one character for each byte. `undefined` is the side
 * that doesn't exist, `/dev/null`.
 */
export interface NamePair {
  readonly old: string | undefined;
  readonly new: string | undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const QUOTED = /^"[^"\\]*(?:\\.[^"\\]*)*"/;

// What git puts before names by default, with diff.mnemonicPrefix and with --no-index.
const GIT_PREFIX = /^[abciow12]\//;

/** Turns a name with one character for each byte into a path. */
export function pathOfName(name: string): string {
  if (isAscii(name)) return name;
  const bytes = new Uint8Array(name.length);
  for (let at = 0; at < name.length; at += 1) bytes[at] = name.charCodeAt(at);
  return pathFromBytes(bytes);
}

export const existing = (name: string | undefined): string | undefined =>
  name === '/dev/null' ? undefined : name;

/** What follows `---`, `+++` or `rename from`: quoted like a C string, or plain up to a tab. */
export function readName(text: string): string {
  const quoted = QUOTED.exec(text)?.[0];
  if (quoted !== undefined) return unquote(quoted);
  const tab = text.indexOf('\t');
  return tab === -1 ? text : text.slice(0, tab);
}

/**
 * Both names of a `diff --git` line, without their prefixes. Nothing marks the end of an unquoted name;
 * as in git, the two halves must be equal except for the prefix, or the names come from other lines of
 * the header.
 */
export function readGitNames(text: string): NamePair | undefined {
  const pair = splitNames(text);
  return pair === undefined ? undefined : withoutPrefixes(pair);
}

/** Removes `a/` and `b/`, or any other prefix of two otherwise equal names. */
export function withoutPrefixes(pair: NamePair): NamePair {
  const { old: oldName, new: newName } = pair;
  if (oldName === undefined) return { old: undefined, new: newName?.replace(/^(?:b\/|\/+)/, '') };
  if (newName === undefined) return { old: oldName.replace(/^(?:a\/|\/+)/, ''), new: undefined };
  const hasPrefixes =
    oldName !== newName &&
    (afterSlash(oldName) === afterSlash(newName) ||
      (GIT_PREFIX.test(oldName) && GIT_PREFIX.test(newName) && oldName[0] !== newName[0]));
  const strip = (name: string): string =>
    (hasPrefixes ? afterSlash(name) : name).replace(/^\/+/, '');
  return { old: strip(oldName), new: strip(newName) };
}

function splitNames(text: string): NamePair | undefined {
  const quoted = QUOTED.exec(text)?.[0];
  if (quoted !== undefined) {
    return { old: unquote(quoted), new: readName(text.slice(quoted.length + 1)) };
  }
  // Git quotes a name with a quotation mark in it, so this one starts the second name.
  const second = text.indexOf(' "');
  if (second !== -1) return { old: text.slice(0, second), new: readName(text.slice(second + 1)) };
  return splitEqualNames(text);
}

function splitEqualNames(text: string): NamePair | undefined {
  const middle = (text.length - 1) / 2;
  if (text[middle] === ' ' && text.slice(0, middle) === text.slice(middle + 1)) {
    return splitAt(text, middle);
  }
  const oldSlash = text.indexOf('/');
  let newSlash = 0;
  for (let space = text.indexOf(' '); space !== -1; space = text.indexOf(' ', space + 1)) {
    if (newSlash < space) newSlash = text.indexOf('/', space);
    if (newSlash === -1) break;
    if (text.slice(oldSlash, space) === text.slice(newSlash)) return splitAt(text, space);
  }
  const only = text.indexOf(' ');
  return only > 0 && only === text.lastIndexOf(' ') ? splitAt(text, only) : undefined;
}

const splitAt = (text: string, space: number): NamePair => ({
  old: text.slice(0, space),
  new: text.slice(space + 1),
});

const afterSlash = (name: string): string => name.slice(name.indexOf('/') + 1);

function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/gs, (_, code: string) =>
      code.length === 3
        ? String.fromCharCode(Number.parseInt(code, 8) & 0xff)
        : (ESCAPES[code] ?? code),
    );
}
