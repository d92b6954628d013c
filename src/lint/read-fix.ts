import type { Fix, TextEdit } from '../core/diagnostic.js';
import { countOf, isObject, listOf, placeOf, textOf } from './json-value.js';

/** The edits of one fix, or nothing when one of them cannot be read: half a fix is none. */
export function wholeFix(
  description: string,
  edits: readonly (TextEdit | undefined)[],
): Fix | undefined {
  const readable = edits.filter(edit => edit !== undefined);
  if (readable.length === 0 || readable.length < edits.length) return undefined;
  return { description, edits: readable };
}

/** `{range: [start, end], text}`, as ESLint and Stylelint write it. */
export function offsetFix(value: unknown, description: string): Fix | undefined {
  if (!isObject(value)) return undefined;
  const [start, end] = listOf(value['range']);
  const [from, to] = [countOf(start), countOf(end)];
  const text = textOf(value['text']);
  if (from === undefined || to === undefined || text === undefined) return undefined;
  return { description, edits: [{ range: { start: from, end: to }, text }] };
}

export interface PlaceClaims {
  readonly startLine: unknown;
  readonly startColumn: unknown;
  readonly endLine: unknown;
  readonly endColumn: unknown;
}

/** An edit between two places; undefined when one of the four numbers is missing. */
export function placeEdit(claims: PlaceClaims, text: unknown): TextEdit | undefined {
  const [startLine, startColumn] = [placeOf(claims.startLine), placeOf(claims.startColumn)];
  const [endLine, endColumn] = [placeOf(claims.endLine), placeOf(claims.endColumn)];
  if (startLine === undefined || startColumn === undefined) return undefined;
  if (endLine === undefined || endColumn === undefined) return undefined;
  return { range: { startLine, startColumn, endLine, endColumn }, text: textOf(text) ?? '' };
}
