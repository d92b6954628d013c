import { redact } from './redact.js';

/** No secret is shorter, and most strings of a record are. */
const LEAST_CHARACTERS = 8;

/** The same value with the secrets masked in each of its texts. What is no plain data stays as it is. */
export function redactValue<Value>(value: Value): Value;
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return value.length < LEAST_CHARACTERS ? value : redact(value);
  if (Array.isArray(value)) return value.map(each => redactValue(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactValue(each)]));
}
