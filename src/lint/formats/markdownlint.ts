import type { Fix } from '../../core/diagnostic.js';
import {
  countOf,
  isObject,
  type JsonObject,
  jsonReport,
  listOf,
  notThere,
  objectsOf,
  placeFromText,
  placeOf,
  textOf,
  withoutColour,
  wordsOf,
} from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** `markdownlint --json`, which prints nothing if there are no problems. */
export function parseMarkdownlintJson(text: string): RawReport {
  return text.trim() === '' ? rawReport('markdownlint', 'utf16', {}) : parseList(text);
}

const parseList = jsonReport({ tool: 'markdownlint', format: 'markdownlint-json' }, value =>
  Array.isArray(value)
    ? rawReport('markdownlint', 'utf16', { rawDiagnostics: objectsOf(value).map(rawDiagnostic) })
    : "isn't a list",
);

function rawDiagnostic(value: JsonObject): RawDiagnostic {
  const line = placeOf(value['lineNumber']);
  const [start, length] = listOf(value['errorRange']);
  const [column, width] = [placeOf(start), countOf(length)];
  const fix = line === undefined ? undefined : fixFrom(value['fixInfo'], line);
  const detail = wordsOf(value['errorDetail']);
  return {
    file: textOf(value['fileName']),
    rule: wordsOf(listOf(value['ruleNames'])[0]) ?? null,
    severity: value['severity'] === 'warning' ? 'warning' : 'error',
    message: `${textOf(value['ruleDescription']) ?? ''}${detail === undefined ? '' : ` [${detail}]`}`,
    line,
    column,
    endLine: column === undefined ? undefined : line,
    endColumn: column === undefined || width === undefined ? undefined : column + width,
    docs: wordsOf(value['ruleInformation']),
    isFixable: fix !== undefined,
    fix,
  };
}

/** A negative count deletes the line; a missing column means the first one. */
function fixFrom(value: unknown, line: number): Fix | undefined {
  if (!isObject(value)) return undefined;
  const startLine = placeOf(value['lineNumber']) ?? line;
  const startColumn = placeOf(value['editColumn']) ?? 1;
  const isWholeLine = value['deleteCount'] === -1;
  const endColumn = startColumn + (countOf(value['deleteCount']) ?? 0);
  const range = isWholeLine
    ? { startLine, startColumn: 1, endLine: startLine + 1, endColumn: 1 }
    : { startLine, startColumn, endLine: startLine, endColumn };
  return { description: 'fix', edits: [{ range, text: textOf(value['insertText']) ?? '' }] };
}

/** `file:line[:column] [error|warning] MD001/name text [Context: "…"]` */
const LINE =
  /^([^\s:][^:]{0,2000}):(\d{1,9})(?::(\d{1,9}))? (?:(error|warning) )?([A-Za-z][\w-]{0,60})(?:\/[\w/-]{1,200})? (.*)$/;
const PROGRESS = /^(markdownlint-cli2 v|Finding: |Linting: |Summary: |Usage|https:)/;

/** What markdownlint-cli2 prints: it has no JSON unless the project's configuration asks for it. */
export function parseMarkdownlintText(text: string): RawReport {
  const lines = withoutColour(text)
    .split(/\r?\n/)
    .filter(line => line.trim() !== '');
  const rawDiagnostics = lines.flatMap(line => readLine(line) ?? []);
  const [other] = lines.filter(line => !PROGRESS.test(line));
  if (rawDiagnostics.length === 0 && other !== undefined) {
    return noReport('markdownlint', notThere(other, 'markdownlint-text'));
  }
  return rawReport('markdownlint', 'utf16', { rawDiagnostics });
}

function readLine(line: string): RawDiagnostic | undefined {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, file, row, column, severity, rule = null, message = ''] = match;
  return {
    file,
    rule,
    severity: severity === 'warning' ? 'warning' : 'error',
    message: withoutContext(message),
    line: placeFromText(row),
    column: placeFromText(column),
  };
}

/** The context quotes the line, so every edit of the line would change the diagnostic. */
function withoutContext(message: string): string {
  const at = message.lastIndexOf(' [Context: ');
  return at === -1 ? message : message.slice(0, at);
}
