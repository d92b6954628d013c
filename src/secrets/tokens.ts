import { BASE64, type TokenFamily, type TokenShape } from './formats.js';
import { entropy, hasSequence, isPlaceholder, isPublished } from './placeholder.js';
import { NO_SECRETS, type Probe, type Secret, secretAt } from './secret.js';

/** A shape from the table, compiled. */
interface TokenFormat {
  readonly kind: string;
  readonly anchors: readonly string[];
  /** How far before its anchor a token of this format starts. */
  readonly back: number;
  /** Sticky; group 1 is public text in front, group 2 the secret. */
  readonly pattern: RegExp;
  /** Sticky; matches the rest of a token that was accepted, so that rejecting one stays cheap. */
  readonly tail: RegExp | undefined;
  readonly entropy: number;
  readonly isWeak: boolean;
  readonly proof: TokenShape['proof'];
  /** How many characters of the secret are a fixed public prefix. */
  readonly prefixLength: number;
}

/** Random hexadecimal of 12 characters still has 2.9 on average; repeated fillers stay under 2. */
const DEFAULT_ENTROPY = 2.7;

// A token in an escaped string or a URL follows `\n` or `%3D`, whose last character is a letter.
const START = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))`;
const END = '(?![A-Za-z0-9_])';
const END_ALONE = String.raw`(?=[\s"'\x60;,<>()[\]{}|&\\]|$)`;

export const tokenFormats = (families: readonly TokenFamily[]): readonly TokenFormat[] =>
  families.flatMap(family => family.shapes.map(shape => tokenFormat(family.kind, shape)));

function tokenFormat(kind: string, shape: TokenShape): TokenFormat {
  const prefixes = typeof shape.prefix === 'string' ? [shape.prefix] : shape.prefix;
  const literal = `(?:${prefixes.map(escapeForPattern).join('|')})`;
  const before = shape.before?.source ?? '';
  // The literal alone rules out most places that the index finds.
  const lookahead = shape.before === undefined ? `(?=${literal})` : '';
  const closed = shape.mustStandAlone === true ? END_ALONE : END;
  const end = shape.tail === undefined ? closed : '';
  const core =
    shape.lead === undefined
      ? `()(${before}${literal}${shape.body})`
      : `(${before}${literal}${shape.lead})(${shape.body})`;
  const hasPublicPrefix = shape.lead === undefined && shape.before === undefined;
  return {
    kind,
    anchors: prefixes.map(prefix => prefix.toLowerCase()),
    back: shape.before?.length ?? 0,
    pattern: new RegExp(lookahead + START + core + end, shape.isAnyCase === true ? 'iy' : 'y'),
    tail: shape.tail === undefined ? undefined : new RegExp(`${shape.tail}*={0,3}`, 'y'),
    entropy: shape.entropy ?? DEFAULT_ENTROPY,
    isWeak: shape.isWeak === true,
    proof: shape.proof,
    prefixLength: hasPublicPrefix ? Math.min(...prefixes.map(prefix => prefix.length)) : 0,
  };
}

const escapeForPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

export const tokenProbes = (formats: readonly TokenFormat[]): readonly Probe[] =>
  formats.map(format => ({
    anchors: format.anchors,
    find: (text, place) => findToken(format, text, place),
  }));

function findToken(format: TokenFormat, text: string, place: number): Secret | undefined {
  const { pattern, kind } = format;
  pattern.lastIndex = place - format.back;
  if (pattern.lastIndex < 0) return undefined;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const value = match[2] ?? '';
  const body = value.slice(format.prefixLength);
  if (entropy(body) < format.entropy || isPlaceholder(value)) return undefined;
  const start = match.index + (match[1]?.length ?? 0);
  const end = endOfTail(format, text, start + value.length);
  const token = text.slice(start, end);
  if (isPublished(token) || SIGNED_ADDRESS.test(text.slice(Math.max(0, start - 20), start))) {
    return undefined;
  }
  const proof = format.proof?.(token);
  if (proof === 'public') return undefined;
  const isLookalike = format.isWeak || proof === 'lookalike' || hasSequence(value);
  const publicLength = Math.min(4, format.prefixLength);
  return secretAt(kind, start, token.length, { publicLength, isLookalike });
}

/** What a link to one image or object contains for a few minutes. */
const SIGNED_ADDRESS = /[?&;](?:jwt|X-Amz-Credential|AWSAccessKeyId|GoogleAccessId)=$/;

function endOfTail(format: TokenFormat, text: string, end: number): number {
  if (format.tail === undefined) return end;
  format.tail.lastIndex = end;
  return end + (format.tail.exec(text)?.[0].length ?? 0);
}

// How every encoded RSA, elliptic-curve or OpenSSH private key starts. None of it is a public prefix,
// and the first bytes are always the same, hence no entropy.
const BODIES = [
  { prefix: 'MII', body: `${BASE64}{3}IBA(?:AK[BC]|DANBgkqhkiG9w0)${BASE64}{20}` },
  { prefix: 'MIGHAgEAMBMGByqGSM49AgEG', body: `${BASE64}{20}` },
  { prefix: ['MHcCAQEEI', 'MHQCAQEEI'], body: `${BASE64}{30}` },
  { prefix: 'b3BlbnNzaC1rZXktdjE', body: `${BASE64}{20}` },
].map(shape => ({ ...shape, before: { source: '', length: 0 }, tail: BASE64, entropy: 0 }));

/** Private keys in PEM armour, in base64 of such a file, and key bodies without their armour. */
export const privateKeyProbes = (): readonly Probe[] => [
  { anchors: ['-begin '], find: findArmour },
  { anchors: ['putty-user-key-file-'], find: findPutty },
  { anchors: ['ls0tls1crudjti'], find: findEncodedArmour },
  ...tokenProbes(BODIES.map(shape => tokenFormat('private-key', shape))),
];

const ARMOUR = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
/** What follows the armour of a real key on the same line: nothing, or its body. */
const KEY_FOLLOWS = /[ \t\r]*$|(?:\\{1,4}[nr]|[ \t])*[A-Za-z0-9+/=]{16}/y;
const SAME_LINE_BODY = /(?:\\{1,4}[nrt]|[A-Za-z0-9+/=,:. \t]|-(?!----)){0,20000}/y;

function findArmour(text: string, place: number): Secret | undefined {
  const header = matchAt(ARMOUR, text, place - 4);
  if (header === undefined) return undefined;
  const start = place - 4;
  const bodyStart = start + header.length;
  // A header in the middle of a sentence or a comparison is only a mention.
  const isMention = /(?<!\\)[A-Za-z0-9.)][ \t]*$/.test(text.slice(Math.max(0, start - 8), start));
  if (isMention || matchAt(KEY_FOLLOWS, text, bodyStart) === undefined) return undefined;
  const body = matchAt(SAME_LINE_BODY, text, bodyStart) ?? '';
  const end = bodyStart + body.trimEnd().length;
  if (ELLIPSIS.test(text.slice(end, end + 4)) || isPlaceholder(body)) return undefined;
  const more = { publicLength: header.length, isLookalike: header.includes('ENCRYPTED') };
  return secretAt('private-key', start, end - start, more);
}

const ELLIPSIS = /^ ?(?:\.{2,3}|…|<|\[)/;

/** PuTTY's own format; the private part follows further down. */
const PUTTY = /PuTTY-User-Key-File-[0-9]{1,2}: [a-z]/y;

function findPutty(text: string, place: number): Secret | undefined {
  const header = matchAt(PUTTY, text, place);
  if (header === undefined || !/^[-+ \t]*$/.test(text.slice(0, place))) return undefined;
  const length = text.trimEnd().length - place;
  return secretAt('private-key', place, length, { publicLength: length });
}

const ENCODED = /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{42}/y;
const ENCODED_REST = /[A-Za-z0-9+/]*={0,2}/y;

function findEncodedArmour(text: string, start: number): Secret | undefined {
  const head = matchAt(ENCODED, text, start);
  if (head === undefined || !atob(head).includes('PRIVATE KEY')) return undefined;
  const rest = matchAt(ENCODED_REST, text, start + head.length) ?? '';
  return secretAt('private-key', start, head.length + rest.length);
}

function matchAt(sticky: RegExp, text: string, place: number): string | undefined {
  if (place < 0) return undefined;
  sticky.lastIndex = place;
  return sticky.exec(text)?.[0];
}

// Masked lines count too, so that redacting twice changes nothing. A diff marker, indentation or a
// quote may come first; a quote, a comma or `\n" +` last.
const BODY_LINE =
  /^[-+ \t"'`>|#*/]{0,40}?([A-Za-z0-9+/=*]{4,20000})(?:\\{1,4}[nr])?["'`,; \t+\\\r]{0,12}$/;
const FIELD_LINE =
  /^[-+ \t"'`>|#*/]{0,40}(?:[A-Z][A-Za-z]{2,12}(?:-[A-Z][A-Za-z]{2,12}){0,3}: .{0,200})?\r?$/;

/** A 16,384-bit key on one line has 13,000 characters; longer lines aren't keys. */
const MAX_LINE = 20_000;

/** Reads the lines of a private key after the first one. */
export function pemBody() {
  let isInside = false;
  return {
    /** The part of the key on this line, or undefined if the line isn't part of the key. */
    read: (line: string): readonly Secret[] | undefined => {
      if (!isInside) return undefined;
      const body = line.length > MAX_LINE ? null : BODY_LINE.exec(line);
      if (body?.[1] !== undefined) {
        const start = line.indexOf(body[1]);
        return [secretAt('private-key', start, body[1].length, { isContinuation: true })];
      }
      // `DEK-Info: …` or a blank line belongs to the key, but may contain anything.
      isInside = line.length <= MAX_LINE && FIELD_LINE.test(line);
      return line.includes('-----END ') ? NO_SECRETS : undefined;
    },
    /** Called with the secrets of a line that wasn't part of a key. */
    note: (found: readonly Secret[], line: string): void => {
      isInside = found.some(secret => secret.kind === 'private-key') && !line.includes('-----END ');
    },
    reset: (): void => {
      isInside = false;
    },
  };
}
