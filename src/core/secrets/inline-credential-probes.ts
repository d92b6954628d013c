import { isInvented } from './placeholder.js';
import { looksRandom } from './randomness.js';
import type { Probe, Secret } from './secret.js';

/** Credentials that stand in a URL, in a header or behind an option instead of being assigned. */
export const inlineCredentialProbes: readonly Probe[] = [
  { anchors: ['://'], find: findInUrl },
  { anchors: ['authorization', 'bearer '], find: findInHeader },
  { anchors: ['-u ', '--user'], find: findInOption },
];

const URL_PASSWORD =
  /:\/\/([^\s:/?#@"'\x60<>]{0,80}):([^\s/@"'\x60<>]{6,160})@([A-Za-z0-9.[-]{1,100})/y;
/** Nobody can reach these from outside, and their passwords are defaults. */
const HARMLESS_HOST =
  /^(?:127\.|0\.0\.0\.0|\[|[a-z0-9-]+$)|(?:^|\.)example\.|\.(?:example|test|invalid|localhost|local)$/i;

function findInUrl(text: string, place: number): Secret | undefined {
  URL_PASSWORD.lastIndex = place;
  const match = URL_PASSWORD.exec(text);
  if (match === null) return undefined;
  const [, user = '', password = '', host = ''] = match;
  const isSecret = looksRandom(password) || (!HARMLESS_HOST.test(host) && /[0-9]/.test(password));
  if (!isSecret || password === user || isVariable(password) || isInvented(password))
    return undefined;
  return found('url-credential', place + 4 + user.length, password.length);
}

const HEADER =
  /(?<![\w=])(?:authorization\\{0,3}["'\x60]?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'\x60]?(?:(bearer|basic|token|api-token|apikey)[ \t]{1,4})?|(bearer)[ \t]{1,4})([\w~.+/-]{8,2000}={0,2})/iy;

function findInHeader(text: string, place: number): Secret | undefined {
  HEADER.lastIndex = place;
  const match = HEADER.exec(text);
  const value = match?.[3];
  if (match === null || value === undefined || isInvented(value)) return undefined;
  const isBasic = match[1]?.toLowerCase() === 'basic';
  if (isBasic ? !holdsPassword(value) : !looksRandom(value)) return undefined;
  return found('authorization-header', place + match[0].length - value.length, value.length);
}

/** The value of a Basic header is the base64 of `user:password`. */
function holdsPassword(value: string): boolean {
  const digits = value.replace(/=+$/, '');
  // One digit over is no base64, and decoding it throws.
  if (!/^[A-Za-z0-9+/]{12,}$/.test(digits) || digits.length % 4 === 1) return false;
  const pair = atob(digits);
  const password = pair.slice(pair.indexOf(':') + 1);
  const isReadable = /^[\x20-\x7e]+$/.test(pair) && pair.includes(':');
  return isReadable && password.length >= 6 && !isInvented(password);
}

const OPTION =
  /(?:-u|--user)[= ][ \t]{0,4}(["']?)([^\s:"'$<{[]{0,80})["']?:(["']?)([^\s"'\x60:]{6,120})/y;

function findInOption(text: string, place: number): Secret | undefined {
  OPTION.lastIndex = place;
  const match = OPTION.exec(text);
  if (match === null) return undefined;
  const password = match[4] ?? '';
  const isStrong = /[0-9]/.test(password) && /[A-Za-z]/.test(password) && password.length >= 8;
  if (!isStrong || isVariable(password) || isInvented(password)) return undefined;
  return found(
    'command-line-credential',
    place + match[0].length - password.length,
    password.length,
  );
}

const isVariable = (value: string): boolean => /^[$%{[<:]|\$\{|\$\(|\{\{/.test(value);

const found = (kind: string, start: number, length: number): Secret => ({
  kind,
  start,
  end: start + length,
  publicLength: 0,
  isContinuation: false,
});
