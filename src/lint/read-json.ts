import type { Severity } from '../core/finding.js';
import {
  countOf,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  parseJson,
  stringOf,
} from '../core/json-fields.js';
import { noReport, type RawReport, type ReportFormat, type ReportParser } from './report.js';

type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** Wrappers such as npm print a few lines before and after the report. */
const MAX_STARTS = 5;
const MAX_QUOTED = 120;

/** The JSON document in a linter's output, or one line that says what was found instead. */
export function readJson(output: string, format: string): JsonReading {
  const text = output.replace(/^\ufeff/, '').trim();
  if (text === '') return { ok: false, problem: notThere(text, format) };
  const whole = parseJson(text);
  if (whole !== undefined) return { ok: true, value: whole };
  for (const start of documentStarts(text)) {
    const value = parseJson(text.slice(start, documentEnd(text)));
    if (typeof value === 'object') return { ok: true, value };
  }
  return { ok: false, problem: whatIsThere(text, format) };
}

/** Describes a text that isn't a report, by its first line. */
export function whatIsThere(text: string, format: string): string {
  if (/^\s*[[{]/.test(text) && !/^\s*\[[a-z]{1,20}\] /i.test(text)) {
    return `the ${format} report is damaged or ends in the middle (${text.length} characters)`;
  }
  return notThere(text, format);
}

export const notThere = (text: string, format: string): string =>
  text.trim() === ''
    ? `printed nothing instead of a ${format} report`
    : `printed no ${format} report; it begins: ${firstLine(text)}`;

export function firstLine(text: string): string {
  const line = wordsIn(text).trimStart().split('\n', 1)[0]?.trim() ?? '';
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}

/** Without colours, and without the line of source that Node prints before an uncaught error. */
export const wordsIn = (text: string): string =>
  withoutColour(text).replace(/^\S[^\n]*:\d+\n[^\n]*\n\s*\^+\n/m, '');

/** Some tools print colours even when there is no terminal. */
export const withoutColour = (text: string): string => text.replace(/\u001b\[[0-9;]{0,20}m/g, '');

/** What the lines of a text are about; undefined if none is about anything. No text is fine. */
export function readLines<T>(text: string, read: (line: string) => T | undefined): T[] | undefined {
  const all = withoutColour(text)
    .split(/\r?\n/)
    .flatMap(line => read(line) ?? []);
  return all.length === 0 && text.trim() !== '' ? undefined : all;
}

/** The places where a line starts with a bracket, as a document does. */
const documentStarts = (text: string): number[] =>
  [...text.matchAll(/^[[{]/gm)].slice(0, MAX_STARTS).map(({ index }) => index);

const documentEnd = (text: string): number =>
  Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;

/**
 * A parser for reports that are one JSON document. `read` returns what it found, or what is wrong,
 * as the rest of a sentence that starts with "the report".
 */
export const jsonReport =
  (
    { tool, format }: { readonly tool: string; readonly format: ReportFormat },
    read: (value: unknown) => RawReport | string,
  ): ReportParser =>
  text => {
    const reading = readJson(text, format);
    if (!reading.ok) return noReport(tool, reading.problem);
    const report = read(reading.value);
    return typeof report === 'string' ? noReport(tool, `the ${format} report ${report}`) : report;
  };

export { countOf, isObject, type JsonObject, listOf, objectOf, objectsOf, stringOf as textOf };

/** A non-empty string. */
export const wordsOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A line or column counted from 1; tools write 0 or null for "none". */
export const placeOf = (value: unknown): number | undefined => countOf(value) || undefined;

/** The four fields that most reports name alike. */
export const linesOf = (value: JsonObject) => ({
  line: placeOf(value['line']),
  column: placeOf(value['column']),
  endLine: placeOf(value['endLine']),
  endColumn: placeOf(value['endColumn']),
});

/** What is neither an error nor a warning is information. */
export const levelOf = (level: unknown): Severity =>
  level === 'error' || level === 'warning' ? level : 'info';

/** The same as `placeOf` for a number written as text, as in XML and workflow commands. */
export const placeFromText = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) || undefined : undefined;
