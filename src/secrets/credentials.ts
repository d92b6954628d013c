import { isMadeUp, looksRandom } from './placeholder.js';
import { NO_SECRETS, type Probe, type Secret, secretAt } from './secret.js';

/** Parts of names that may belong to a credential; at least three characters, lower case. */
export const CREDENTIAL_ANCHORS: readonly string[] = [
  'pass',
  'pwd',
  'secret',
  'token',
  'key',
  'cred',
  'auth',
];

/** Longer runs of name characters are data, not names. */
const MAX_NAME = 80;
const NAME = /[A-Za-z0-9_.$-]*/y;

/**
 * Reads the assignment whose name is around `place`; names before `from` were already read. Nothing
 * before the end of the name needs to be read again.
 */
export function readAssignment(
  text: string,
  place: number,
  from: number,
): { secret: Secret | undefined; nameEnd: number } {
  let nameStart = place;
  while (nameStart > from && /[\w.-]/.test(text.charAt(nameStart - 1))) nameStart -= 1;
  NAME.lastIndex = place;
  const nameEnd = place + (NAME.exec(text)?.[0].length ?? 0);
  if (nameEnd - nameStart > MAX_NAME) return { secret: undefined, nameEnd };
  return { secret: secretAfter(text, nameStart, nameEnd), nameEnd };
}

// The value may follow a type, an operator of any language or a comma between two strings, or be
// inside an element.
const OPERATOR =
  /(?:\\{0,3}["'\x60]|\])?\]?[ \t]{0,8}(?:(?::[ \t]{0,2})?(?:string|String|str|&str|char\[\])[ \t]{0,3})?(?:=>|[:?.|+]{0,3}={1,3}|\|\||:|,|>)[ \t]{0,8}/y;
const QUOTED = /[bfrLu@]?(\\{0,3}["'\x60])([^"'\x60\s\\]{8,2000})(\\{0,3}["'\x60])/y;
// No `=` or `:` inside, or a run of assignments would be read again from each of its names.
const BARE = /[A-Za-z0-9][A-Za-z0-9_.~!@#%^&*+/-]{9,2000}={0,2}(?=[\s;,<"'\x60)}\]\\]|$)/y;

function secretAfter(text: string, nameStart: number, nameEnd: number): Secret | undefined {
  const operator = operatorAt(text, nameStart, nameEnd);
  if (operator === undefined) return undefined;
  const sign = operator.trim().at(-1);
  const wantsQuotedName = sign === ',' && !/["'\x60]/.test(operator);
  const wantsElement = sign === '>' && !operator.includes('=') && text[nameStart - 1] !== '<';
  if (wantsQuotedName || wantsElement) return undefined;
  const value = readValue(text, nameEnd + operator.length);
  // Without quotes, what follows a comma is the next argument.
  if (value === undefined || (sign === ',' && !value.isQuoted)) return undefined;
  return credentialValue(text.slice(nameStart, nameEnd), value);
}

function operatorAt(text: string, nameStart: number, nameEnd: number): string | undefined {
  const isMacro = MACRO.test(text.slice(Math.max(0, nameStart - 16), nameStart));
  const pattern = isMacro ? BLANKS : OPERATOR;
  pattern.lastIndex = nameEnd;
  return pattern.exec(text)?.[0];
}

// `#define API_KEY @"…"`, as C and Objective-C have it.
const MACRO = /#[ \t]?define[ \t]{1,8}$/;
const BLANKS = /[ \t]{1,20}/y;

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

/**
 * What a setting's name says about its value: a password that a person chose, a generated value, or
 * (undefined) not a credential.
 */
export function credentialName(name: string): 'password' | 'generated' | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && NEUTRAL_ENDS.test(words.at(-1) ?? '')) words.pop();
  if (words.some(word => MADE_UP_NAMES.has(word))) return undefined;
  const last = words.at(-1) ?? '';
  if (PASSWORD.test(last)) return 'password';
  // Of these two, the word before them says which it is.
  const owner = words.at(-2) ?? '';
  const isQualified = KEY_QUALIFIERS.has(owner) || SERVICES.has(owner);
  if (last === 'key') return isQualified ? 'generated' : undefined;
  if (last === 'token' && !isQualified && words.some(word => TOKENS_OF.has(word))) return undefined;
  return GENERATED.test(last) ? 'generated' : undefined;
}

/** `AWS_SECRET_ACCESS_KEY`, `awsSecretAccessKey` and `aws-secret.access-key` are the same words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '');

const NEUTRAL_ENDS =
  /^(?:[0-9]+|v[0-9]|value|string|str|default|prod|production|dev|live|staging|base64|b64|env|raw|plain|text|here)$/;

const PASSWORD = /(?:password|passwd|passphrase|passcode|pwd)$/;

const GENERATED =
  /(?:token|secret|credentials?|creds|apikey|accesskey|secretkey|privatekey|authkey|signingkey|encryptionkey)$|^auth$/;

/** Which key or token is a secret; a sort key, a primary key or a page token is not. */
const KEY_QUALIFIERS: ReadonlySet<string> = new Set(
  `api access secret private auth encryption encrypt signing master account storage subscription
  service license licence admin client session webhook deploy shared consumer security cipher hmac
  jwt aes app application integration write user developer`.split(/\s+/),
);

/** With one of these in the name, the value is meant to be public or made up. */
const MADE_UP_NAMES: ReadonlySet<string> = new Set(
  'public publishable placeholder example sample dummy fake mock invalid wrong'.split(' '),
);

/** A page token, a CSRF token or the token of a revision is not a credential. */
const TOKENS_OF: ReadonlySet<string> = new Set(
  `pub csrf xsrf antiforgery authenticity page next continuation cursor cancellation cancel hash sha
  sha1 sha256 digest checksum integrity commit revision rev version partition cache`.split(/\s+/),
);

/** Services whose key is named after them alone, as in `HEROKU_KEY`. */
const SERVICES: ReadonlySet<string> = new Set(
  `adafruit adobe airtable algolia alibaba artifactory asana atlassian bintray bitbucket bittrex
  cloudflare codecov cohere coinbase confluence confluent contentful datadog discord droneci
  dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless heroku hubspot
  intercom jfrog jira kraken kucoin launchdarkly linear linkedin lob looker mailchimp mailgun mapbox
  mattermost meraki messagebird netlify newrelic nytimes okta plaid privateai rapidapi sendbird
  sentry snyk sonar sourcegraph squarespace sumologic telegram travis twitch twitter
  typeform yandex zendesk`.split(/\s+/),
);

/** An assigned value, and where it is. */
interface Value {
  readonly text: string;
  readonly start: number;
  readonly isQuoted: boolean;
}

/** The value as a secret if both its name and its form suggest one. */
function credentialValue(name: string, value: Value): Secret | undefined {
  const meaning = credentialName(name);
  if (meaning === undefined) return undefined;
  const isPassword = meaning === 'password';
  if (!isGenerated(value) && !(isPassword && isChosen(value))) return undefined;
  return found(isPassword ? 'password' : 'generic-credential', value.start, value.text.length);
}

const NOT_GENERATED = /[()<>[\]{}]|:\/\/|\.[a-z]{2,4}$|^\//;
/** `module.Ed25519Key`: the parts of a member access are shorter than generated values. */
const MEMBER = /^[A-Za-z_]\w{0,19}(?:\.[A-Za-z_]\w{0,19}){1,8}$/;
/** `Fido2CredentialView`: mostly words, each with a capital, as types are called. */
const isTypeName = (text: string): boolean =>
  text.replace(/[A-Z][a-z]{3,}/g, '').length < text.length / 2;

function isGenerated({ text, isQuoted }: Value): boolean {
  const isName = !isQuoted && (MEMBER.test(text) || isTypeName(text));
  if (NOT_GENERATED.test(text) || isName) return false;
  return looksRandom(text) && !isMadeUp(text);
}

/** A password a person chose to satisfy a policy: three kinds of characters. */
function isChosen({ text, isQuoted }: Value): boolean {
  if (APPLE_APP_PASSWORD.test(text)) return !isMadeUp(text);
  const minimum = isQuoted ? 8 : 10;
  if (text.length < minimum || text.length > 64) return false;
  if (/^[/~]|[a-z]\.[a-z]|[()<>[\]{};,]|:\/\/|%[0-9a-f]{2}/i.test(text)) return false;
  // A letter with an accent is a letter: translations of the word have them.
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!-,/:-@[-^`{-~]/];
  return kinds.filter(kind => kind.test(text)).length >= 3 && !isMadeUp(text);
}

/** What Apple generates for one app, as `notarytool` needs it. */
const APPLE_APP_PASSWORD = /^[a-z]{4}(?:-[a-z]{4}){3}$/;

// The indentation may start with the marker of a diff line.
const OPENING = /^[-+ \t]{0,80}<([A-Za-z][\w.-]{0,79})>[ \t]{0,20}\r?$/;
const PLIST_KEY =
  /^[-+ \t]{0,80}<key>([A-Za-z][\w. -]{0,79})<\/key>[ \t]{0,20}(?:<string>([^\s<>]{8,2000})<\/string>)?[ \t]{0,20}\r?$/;
const PLIST_VALUE = /^[-+ \t]{0,80}<string>([^\s<>]{8,2000})<\/string>[ \t]{0,20}\r?$/;
const VALUE = /^([-+ \t]{0,80})([^\s<>]{10,2000})[ \t]{0,20}\r?$/;

/** Finds the value on the line after `<apiToken>`, or after `<key>apiToken</key>` in a plist. */
export function elementReader() {
  let name: string | undefined;
  return {
    isOpen: (): boolean => name !== undefined,
    /** For lines that may name a credential, and the line after one that opened an element. */
    read: (line: string): readonly Secret[] => {
      const key = PLIST_KEY.exec(line);
      const secret =
        key?.[2] === undefined ? name && secretOf(name, line) : valueAt(key[1] ?? '', key[2], line);
      name = key?.[1] ?? OPENING.exec(line)?.[1];
      return secret ? [secret] : NO_SECRETS;
    },
    reset: (): void => {
      name = undefined;
    },
  };
}

function secretOf(name: string, line: string): Secret | undefined {
  const text = PLIST_VALUE.exec(line)?.[1] ?? VALUE.exec(line)?.[2];
  return text === undefined ? undefined : valueAt(name, text, line);
}

const valueAt = (name: string, text: string, line: string): Secret | undefined =>
  credentialValue(name, { text, start: line.lastIndexOf(text), isQuoted: true });

/** Credentials in a URL, in a header or after a command-line option. */
export const inlineCredentialProbes: readonly Probe[] = [
  { anchors: ['://'], find: findInUrl },
  { anchors: ['authorization', 'bearer '], find: findInHeader },
  { anchors: ['-u ', '--user'], find: findInOption },
  { anchors: ['password '], find: findAfterPassword },
];

const URL_PASSWORD =
  /:\/\/([^\s:/?#@"'\x60<>]{0,80}):([^\s/@"'\x60<>]{6,160})@([A-Za-z0-9.[-]{1,100})/y;
/** Not reachable from outside, and their passwords are defaults. */
const HARMLESS_HOST =
  /^(?:127\.|0\.0\.0\.0|\[|[a-z0-9-]+$)|(?:^|\.)example\.|\.(?:example|test|invalid|localhost|local)$/i;

const EXAMPLE_HOST = /(?:^|\.)example(?:\.|$)|\.(?:test|invalid)$/i;

function findInUrl(text: string, place: number): Secret | undefined {
  URL_PASSWORD.lastIndex = place;
  const match = URL_PASSWORD.exec(text);
  if (match === null) return undefined;
  const [, user = '', password = '', host = ''] = match;
  if (EXAMPLE_HOST.test(host)) return undefined;
  // GitHub takes a token as the name, with this in place of a password.
  if (password === 'x-oauth-basic' && looksRandom(user) && !isMadeUp(user)) {
    return found('url-credential', place + 3, user.length);
  }
  const isSecret = looksRandom(password) || (!HARMLESS_HOST.test(host) && /[0-9]/.test(password));
  if (!isSecret || password === user || isVariable(password) || isMadeUp(password))
    return undefined;
  return found('url-credential', place + 4 + user.length, password.length);
}

const HEADER =
  /(?<![\w=])(?:authorization\\{0,3}["'\x60]?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'\x60]?(?:(bearer|basic|token|api-token|apikey)[ \t]{1,4})?|(bearer)[ \t]{1,4})([\w~.+/-]{8,2000}={0,2})/iy;

function findInHeader(text: string, place: number): Secret | undefined {
  HEADER.lastIndex = place;
  const match = HEADER.exec(text);
  const value = match?.[3];
  if (match === null || value === undefined || isMadeUp(value)) return undefined;
  const isBasic = match[1]?.toLowerCase() === 'basic';
  if (isBasic ? !holdsPassword(value) : !looksRandom(value)) return undefined;
  return found('authorization-header', place + match[0].length - value.length, value.length);
}

/** The value of a Basic header is the base64 of `user:password`. */
function holdsPassword(value: string): boolean {
  const digits = value.replace(/=+$/, '');
  // With one digit too many it isn't base64, and decoding it throws.
  if (!/^[A-Za-z0-9+/]{12,}$/.test(digits) || digits.length % 4 === 1) return false;
  const pair = atob(digits);
  const password = pair.slice(pair.indexOf(':') + 1);
  const isReadable = /^[\x20-\x7e]+$/.test(pair) && pair.includes(':');
  return isReadable && password.length >= 6 && !isMadeUp(password);
}

const OPTION =
  /(?:-u|--user)[= ][ \t]{0,4}(["']?)([^\s:"'$<{[]{0,80})["']?:(["']?)([^\s"'\x60:]{6,120})/y;

function findInOption(text: string, place: number): Secret | undefined {
  OPTION.lastIndex = place;
  const match = OPTION.exec(text);
  if (match === null) return undefined;
  const password = match[4] ?? '';
  const isStrong = /[0-9]/.test(password) && /[A-Za-z]/.test(password) && password.length >= 8;
  if (!isStrong || isVariable(password) || isMadeUp(password)) return undefined;
  return found(
    'command-line-credential',
    place + match[0].length - password.length,
    password.length,
  );
}

// `machine HOST login NAME password VALUE` of a .netrc, on one line or one per line, and the option
// of Apple's command-line tools.
const NETRC = /(?:^|[ \t])password[ \t]{1,8}(\S{6,120})[ \t]{0,8}\r?$/;
const APPLE_OPTION = /--password[ =][ \t]{0,4}["']?([a-z]{4}(?:-[a-z]{4}){3})(?![\w-])/;
/** Longer lines are neither. */
const MAX_PASSWORD_LINE = 400;

function findAfterPassword(text: string, place: number): Secret | undefined {
  if (text.length > MAX_PASSWORD_LINE) return undefined;
  const isNetrc = /^[-+ \t]{0,20}(?:machine[ \t]|login[ \t]|default[ \t]|password[ \t])/.test(text);
  const value = (isNetrc ? NETRC : APPLE_OPTION).exec(text)?.[1];
  if (value === undefined || text.indexOf(value, place) === -1) return undefined;
  const isStrong = /[0-9]/.test(value) && /[A-Za-z]/.test(value);
  if (isVariable(value) || isMadeUp(value) || (isNetrc && !isStrong)) return undefined;
  return found('password', text.indexOf(value, place), value.length);
}

const isVariable = (value: string): boolean => /^[$%{[<:]|\$\{|\$\(|\{\{/.test(value);

const found = (kind: string, start: number, length: number): Secret =>
  secretAt(kind, start, length, { isLookalike: true });
