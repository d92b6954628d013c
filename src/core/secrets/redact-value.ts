import { redact } from './redact.js';

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
