import { findSecrets } from './scan.js';

/** Masking a secret can reveal another only where two touch; only hostile text needs more rounds. */
const MAX_ROUNDS = 8;

/**
 * The text with every secret masked by `*`: same length, same lines, so that columns stay valid. Of
 * a token only its fixed public prefix is kept, at most four characters. Redacting twice changes
 * nothing.
 */
export function redact(text: string): string {
  let redacted = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = maskKeyLines(maskSecrets(redacted));
    if (next === redacted) return next;
    redacted = next;
  }
  return redacted;
}

function maskSecrets(text: string): string {
  let masked = '';
  let done = 0;
  for (const secret of findSecrets(text)) {
    const from = Math.max(done, Math.min(secret.end, secret.start + secret.publicLength));
    masked += text.slice(done, from) + '*'.repeat(secret.end - from);
    done = secret.end;
  }
  return masked + text.slice(done);
}

// A hunk may show the middle of a key without its header. PEM, OpenSSH and PGP wrap lines at these
// widths; a hash in hexadecimal doesn't mix capitals and small letters.
const KEY_LINE =
  /^([-+ \t"']{0,12})([A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})(?=(?:\\n)?["',+ \t\r]{0,8}$)/gm;

function maskKeyLines(text: string): string {
  return text.replace(KEY_LINE, (whole, lead: string, body: string) =>
    /[a-z]/.test(body) && /[A-Z]/.test(body) && /[0-9]/.test(body)
      ? lead + '*'.repeat(body.length)
      : whole,
  );
}

/** No secret is shorter; most strings of a record are. */
const MIN_CHARACTERS = 8;
/** The id of a finding, which is never a secret. */
const FINGERPRINT = /^[0-9a-f]{16}$/;

/** A copy of plain data with the secrets masked in all of its strings. */
export function redactValue<Value>(value: Value, known?: Map<string, string>): Value;
export function redactValue(value: unknown, known = new Map<string, string>()): unknown {
  if (typeof value === 'string') return redactText(value, known);
  if (Array.isArray(value)) return value.map(each => redactValue(each, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'path' && typeof each === 'string' ? redactPath(each) : redactValue(each, known),
    ]),
  );
}

/** Name by name: a long path without a dot could look like a line of a key. */
export const redactPath = (path: string): string =>
  path.split('/').some(name => name.length >= MIN_IN_NAME)
    ? path.split('/').map(redact).join('/')
    : path;

/** No fixed format is shorter. */
const MIN_IN_NAME = 16;

/** Redacts many texts. Remembers results, as the same paths and messages recur in a record. */
export function textRedactor(): (text: string) => string {
  const known = new Map<string, string>();
  return text => redactText(text, known);
}

function redactText(text: string, known: Map<string, string>): string {
  if (text.length < MIN_CHARACTERS || FINGERPRINT.test(text)) return text;
  const before = known.get(text);
  if (before !== undefined) return before;
  const masked = redact(text);
  known.set(text, masked);
  return masked;
}
