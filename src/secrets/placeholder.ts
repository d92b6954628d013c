import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isObject, type JsonObject, parseJson } from '../core/json-fields.js';

// Words that documentation uses in place of a value. None of them occurs in a random token by chance:
// four given letters in forty random ones are rarer than one in ten thousand.
const PLACEHOLDER =
  /example|placeholder|sample|dummy|redacted|change.?me|replace.?me|your[_-]|_here|x{5}|\*{3}|\.{3}/i;

// Words and sequences in made-up values, and patterns of values that come from elsewhere.
const MADE_UP =
  /12345|abcde|qwert|foobar|lorem|fake|mock|test|demo|secret|passw|passphr|token|changeit|default|insert|undefined|null|none|admin/i;
const ELSEWHERE =
  /[<>{}]|\$\(|%\(|^\$|^%.*%$|^urn:|^op:|process\.env|environ|getenv|^django-insecure-/i;

/** Prefixes of keys that are meant to be public, such as those of Stripe, Mapbox and Supabase. */
const PUBLISHABLE = /^(?:pk[._]|sb_publishable_|FLWPUBK)/;

/** True if a value in a known token format is a documentation placeholder. */
export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value);

/** True if a value was typed along the keyboard or the alphabet, which proves nothing. */
export const hasSequence = (value: string): boolean => SEQUENCE.test(value);

const SEQUENCE = /12345678|abcdefgh|ABCDEFGH|0{8}|(?:deadbeef){2}/;

/** True if the value of an assignment is a variable, a filler or a made-up sample. */
export const isMadeUp = (value: string): boolean =>
  isPlaceholder(value) ||
  ELSEWHERE.test(value) ||
  PUBLISHABLE.test(value) ||
  MADE_UP.test(value) ||
  MADE_UP.test(withoutLeetspeak(value)) ||
  (value.startsWith('eyJ') && webTokenProof(value) === 'public') ||
  isPublished(value);

/** `P@ssw0rd` is still a password in this sense. */
const withoutLeetspeak = (value: string): string =>
  value.replace(/[@01345$]/g, sign => LEETSPEAK[sign] ?? sign);

const LEETSPEAK: Readonly<Record<string, string>> = {
  '@': 'a',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  $: 's',
};

/**
 * Real-looking values from their issuers' public documentation and sample projects, as the first 16
 * digits of their SHA-256, so that this list doesn't set off other scanners.
 */
const PUBLISHED: ReadonlySet<string> = new Set(
  // Sample keys of the Firebase SDKs, then the fixed keys of the Azure Storage and Cosmos emulators,
  // then what the documentation of Flask and Stripe, RFC 2617, RFC 6749 and RFC 7617 show.
  `0b476bdf9acf2123 2037abcaffb2b777 27a9a42931dff7eb 37f8f09bdf12c2f2 3a8b61d0f636b007
  3f370c9dd8225c63 49f777db995e8260 4c98242dcadc8b29 8731261cb72d8626 a19f89ab3555eac1
  a6c814bc555ae62c dc0fcf046c61640c e4a5542bb7fd7b67 ea9bb1082cf95663 eb540d2b6ee2a0a4
  f56e323494a6ffc2
  0011cc25eb432071 aa6547439583c3a2
  00cf4c781dc37003 2598f7d6adc142d8 2cafc0970149a84f 6c96130f130ab0d6 7e8de44ea9ecf6d5
  9cb335cb7b5fb805 ca7459e2b26776de cf4d418ed3de92d7 e9974c507d2a8021 ee933f65c643eabc
  f2d6ca16515033e5`.split(/\s+/),
);

/** Only values of these lengths need to be hashed. */
const PUBLISHED_LENGTHS = [22, 28, 32, 39, 64, 88];

export const isPublished = (value: string): boolean =>
  PUBLISHED_LENGTHS.includes(value.length) &&
  PUBLISHED.has(createHash('sha256').update(value).digest('hex').slice(0, 16));

/** Reused by each call: a hostile line can have tens of thousands of values. */
const counts = new Uint32Array(128);

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  counts.fill(0);
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    const slot = text.charCodeAt(index) & 127;
    const count = counts[slot] ?? 0;
    counts[slot] = count + 1;
    // What this character adds to the sum of count * log2(count).
    sum += weighted(count + 1) - weighted(count);
  }
  return text.length === 0 ? 0 : Math.log2(text.length) - sum / text.length;
}

const WEIGHTED = Float64Array.from({ length: 512 }, (_, count) =>
  count < 2 ? 0 : count * Math.log2(count),
);

const weighted = (count: number): number => WEIGHTED[count] ?? count * Math.log2(count);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SEPARATORS = /[^A-Za-z0-9]+/;

/**
 * Distinguishes a random value from one a person wrote. Names, versions and paths consist of words
 * and numbers, so they rarely switch between letters and digits; random text does so all the time,
 * in at least one stretch without separators.
 */
export function looksRandom(value: string): boolean {
  if (value.length < 14 || entropy(value) < leastEntropy(value)) return false;
  // Far more often an id than a secret.
  if (UUID.test(value)) return false;
  if (/^[0-9]+$/.test(value)) return value.length >= 24;
  if (!/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const stretches = value.split(SEPARATORS);
  const switches = stretches.map(countSwitches);
  const total = switches.reduce((sum, count) => sum + count, 0);
  const isMixed = stretches.some(
    (stretch, index) => stretch.length >= 8 && (switches[index] ?? 0) >= 2,
  );
  // Random letters and digits switch at 0.4 of all positions; few fall below a third of that by
  // chance.
  return isMixed && total / value.length >= 0.13;
}

/** Sixteen random letters and digits reach 3.6 on average; hexadecimal never exceeds 4. */
const leastEntropy = (value: string): number =>
  value.length < 20 && /[g-z]/i.test(value) ? 3.5 : 3;

/** Switches between lower case, upper case and digits; a capital before a small letter isn't one. */
function countSwitches(stretch: string): number {
  let switches = 0;
  for (let index = 1; index < stretch.length; index += 1) {
    const before = characterClass(stretch.charCodeAt(index - 1));
    const now = characterClass(stretch.charCodeAt(index));
    if (before !== now && !(before === 'upper' && now === 'lower')) switches += 1;
  }
  return switches;
}

function characterClass(code: number): 'digit' | 'upper' | 'lower' {
  if (code < 58) return 'digit';
  return code < 91 ? 'upper' : 'lower';
}

/** Whether a token in the right format is real: `public` means that nobody keeps it secret. */
export type Proof = 'certain' | 'lookalike' | 'public';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;

/** GitHub and npm end their tokens with the CRC-32 of the random part, in base 62. */
export function tokenChecksum(token: string): Proof {
  const body = token.slice(token.indexOf('_') + 1);
  let rest = crc32(body.slice(0, -CHECKSUM_LENGTH));
  let checksum = '';
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit += 1) {
    checksum = (BASE62[rest % BASE62.length] ?? '') + checksum;
    rest = Math.floor(rest / BASE62.length);
  }
  return body.endsWith(checksum) ? 'certain' : 'lookalike';
}

/**
 * GitLab ends a routable token with the length of its payload and the CRC-32 of everything before
 * it, in base 36.
 */
export function routableChecksum(token: string): Proof {
  const checksum = crc32(token.slice(0, -ROUTABLE_CHECKSUM)).toString(36);
  return token.endsWith(checksum.padStart(ROUTABLE_CHECKSUM, '0')) ? 'certain' : 'lookalike';
}

const ROUTABLE_CHECKSUM = 7;

/** Reads the claims of a JSON web token. */
export function webTokenProof(token: string): Proof {
  const [header, payload] = token.split('.', 2).map(decoded);
  if (header === undefined || typeof header['alg'] !== 'string') return 'lookalike';
  if (payload === undefined) return 'lookalike';
  return isPublicPayload(payload) ? 'public' : 'certain';
}

/** Keys that every visitor of a web page gets, and the samples of jwt.io and RFC 7519. */
const isPublicPayload = ({ role, iss, sub, name }: JsonObject): boolean =>
  role === 'anon' ||
  iss === 'supabase-demo' ||
  iss === 'joe' ||
  sub === '1234567890' ||
  name === 'John Doe';

function decoded(part: string): JsonObject | undefined {
  const value = parseJson(Buffer.from(part, 'base64url').toString());
  return isObject(value) ? value : undefined;
}
