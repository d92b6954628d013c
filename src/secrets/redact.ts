import { findSecrets } from './scan.js';

/** A masked secret can uncover another only where two touch; more rounds than this need malice. */
const MAX_ROUNDS = 8;

/**
 * The text with every secret masked by `*`: same length, same lines, so that columns stay valid.
 * What stays of a token is its fixed public prefix, at most four characters. Redacting twice
 * changes nothing.
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

// A hunk may show the middle of a key without its header. These are the widths that PEM, OpenSSH
// and PGP break lines at; a hash in hexadecimal has no capitals next to small letters.
const KEY_LINE =
  /^([-+ \t"']{0,12})([A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})(?=(?:\\n)?["',+ \t\r]{0,8}$)/gm;

function maskKeyLines(text: string): string {
  return text.replace(KEY_LINE, (whole, lead: string, body: string) =>
    /[a-z]/.test(body) && /[A-Z]/.test(body) && /[0-9]/.test(body)
      ? lead + '*'.repeat(body.length)
      : whole,
  );
}

/** No secret is shorter, and most strings of a record are. */
const LEAST_CHARACTERS = 8;
/** The id of a finding: there are as many as findings, and none of them is a secret. */
const FINGERPRINT = /^[0-9a-f]{16}$/;

/** The same value with the secrets masked in each of its texts. What is no plain data stays as it is. */
export function redactValue<Value>(value: Value, known?: Map<string, string>): Value;
export function redactValue(value: unknown, known = new Map<string, string>()): unknown {
  if (typeof value === 'string') return redactText(value, known);
  if (Array.isArray(value)) return value.map(each => redactValue(each, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, redactValue(each, known)]),
  );
}

/** Masks secrets in text after text. Paths and messages come again and again in a record. */
export function textRedactor(): (text: string) => string {
  const known = new Map<string, string>();
  return text => redactText(text, known);
}

function redactText(text: string, known: Map<string, string>): string {
  if (text.length < LEAST_CHARACTERS || FINGERPRINT.test(text)) return text;
  const before = known.get(text);
  if (before !== undefined) return before;
  const masked = redact(text);
  known.set(text, masked);
  return masked;
}
