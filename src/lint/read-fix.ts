import type { Diagnostic, Fix, TextEdit } from '../core/diagnostic.js';
import { countOf, isObject, listOf, placeOf, textOf } from './read-json.js';

/** The edits of one fix; undefined if one of them can't be read, because half a fix is useless. */
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

interface PlaceClaims {
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

/**
 * The rule's name in a message, for a format without a field for it. Tools put it at the end in
 * brackets — `(errcheck)`, `[-Wunused]` — or in front — `E501 line too long`, `[F401] …`,
 * `Style/Semicolon: …`.
 */
export function guessRule(message: string): string | null {
  const tail = /[[(]([^\s()[\]]{2,80})[\])]\s{0,9}$/.exec(message.slice(-100))?.[1];
  if (tail !== undefined && NAME.test(tail) && !tail.includes('//')) return tail;
  const front = [CODE_IN_FRONT, NAME_IN_FRONT, BRACKETS_IN_FRONT, PARENTHESES_IN_FRONT];
  for (const form of front) {
    const name = form.exec(message)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

/** Has letters, and isn't something like `(82>79)` or `[83/80]`. */
const NAME = /^(?=[^a-z]*[a-z])[@\w][\w@/:.-]*[a-z\d]$|^-W[\w=+-]+$/i;
const CODE_IN_FRONT = /^\[?([A-Z]{1,4}\d{2,5})\]?:?\s/;
const NAME_IN_FRONT =
  /^([A-Z][A-Za-z]{1,40}\/[A-Za-z/]{2,60}|[A-Z][a-z]{1,30}[A-Z][A-Za-z]{1,60}): /;

/** swift-format and SwiftFormat. */
const BRACKETS_IN_FRONT = /^\[([A-Z][A-Za-z]{2,60})\]:? \S/;
const PARENTHESES_IN_FRONT = /^\(([a-z][A-Za-z]{2,60})\) [A-Z]/;

/**
 * Some linters report more in another format: suggestions of `richer` for the same rule at the same
 * place are added. Both lists must be anchored, or neither.
 */
export function addSuggestions(
  diagnostics: readonly Diagnostic[],
  richer: readonly Diagnostic[],
): Diagnostic[] {
  const known = new Map(richer.map(each => [placeKey(each), each]));
  return diagnostics.map(diagnostic => {
    const offered = known.get(placeKey(diagnostic));
    if (offered === undefined || diagnostic.fix !== undefined) return diagnostic;
    const suggestions = diagnostic.suggestions ?? offered.suggestions;
    const docs = diagnostic.docs ?? offered.docs;
    return {
      ...diagnostic,
      ...(suggestions === undefined ? {} : { suggestions }),
      ...(docs === undefined ? {} : { docs }),
    };
  });
}

const placeKey = ({ path, rule, line, column }: Diagnostic): string =>
  [path, rule, line, column].join('\0');
