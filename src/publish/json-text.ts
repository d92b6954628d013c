import { replaceHidden } from '../core/neutralise.js';

/**
 * A value as JSON with a newline at its end. Same value, but characters that JSON would let through
 * and a terminal would obey (C1 controls, bidi overrides, line separators) are escaped.
 */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  // A glance that spares nearly every outcome the search with Unicode's tables.
  if (!/[^\n -~]/.test(json)) return `${json}\n`;
  return `${replaceHidden(json, char => (char === '\n' ? char : escaped(char)))}\n`;
}

const escaped = (char: string): string =>
  char
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
