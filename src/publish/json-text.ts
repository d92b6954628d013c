import { jsonPieces } from '../core/json-pieces.js';
import { replaceHidden } from '../core/neutralise.js';

/**
 * A value as JSON with a newline at its end. Same value, but characters that JSON would let through
 * and a terminal would obey (C1 controls, bidi overrides, line separators) are escaped.
 */
export const jsonText = (value: unknown): string => [...jsonTextPieces(value)].join('');

/** The same in pieces. */
export function* jsonTextPieces(value: unknown): Generator<string> {
  for (const piece of jsonPieces(value, { indent: 2 })) yield harmless(piece);
  yield '\n';
}

function harmless(json: string): string {
  // A glance that spares nearly every outcome the search with Unicode's tables.
  if (!/[^\n -~]/.test(json)) return json;
  return replaceHidden(json, char => (char === '\n' ? char : escaped(char)));
}

const escaped = (char: string): string =>
  char
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
