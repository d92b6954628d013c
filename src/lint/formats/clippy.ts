import type { Fix, TextEdit } from '../../core/diagnostic.js';
import type { Severity } from '../../core/finding.js';
import { placeEdit, wholeFix } from '../read-fix.js';
import {
  isObject,
  type JsonObject,
  objectOf,
  objectsOf,
  placeOf,
  readJson,
  textOf,
  whatIsThere,
  wordsOf,
} from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** `cargo clippy --message-format=json`: one message per line; the last marks the end of the build. */
export function parseClippy(text: string): RawReport {
  const messages = text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .flatMap(line => {
      const reading = readJson(line, 'clippy-json');
      return reading.ok && isObject(reading.value) ? [reading.value] : [];
    });
  if (messages.length === 0) {
    const isSilent = text.trim() === '';
    const problem = isSilent ? 'printed nothing instead of a clippy-json report' : undefined;
    return noReport('clippy', problem ?? whatIsThere(text, 'clippy-json'));
  }
  const isWhole = messages.some(each => each['reason'] === 'build-finished');
  return rawReport('clippy', 'codepoint', {
    rawDiagnostics: onceEach(messages.flatMap(rawDiagnosticsIn)),
    problems: isWhole ? [] : ['the clippy-json report ends before the build does'],
    isWhole,
  });
}

function rawDiagnosticsIn(line: JsonObject): RawDiagnostic[] {
  const message = objectOf(line['message']);
  const primary = objectsOf(message['spans']).find(span => span['is_primary'] === true);
  // "3 warnings emitted" and the like have no location.
  if (line['reason'] !== 'compiler-message' || primary === undefined) return [];
  const children = objectsOf(message['children']);
  const fixes = children.flatMap(child => fixIn(child, primary['file_name']) ?? []);
  const safe = fixes.filter(({ isSafe }) => isSafe);
  return [
    {
      file: textOf(primary['file_name']),
      rule: wordsOf(objectOf(message['code'])['code']) ?? null,
      severity: severityOf(message['level']),
      message: textOf(message['message']) ?? '',
      line: placeOf(primary['line_start']),
      column: placeOf(primary['column_start']),
      endLine: placeOf(primary['line_end']),
      endColumn: placeOf(primary['column_end']),
      docs: children.flatMap(child => helpAddress(child) ?? [])[0],
      isFixable: safe.length > 0,
      fix: safe.length === 1 ? safe[0]?.fix : undefined,
      suggestions: safe.length === 1 ? [] : fixes.map(({ fix }) => fix),
    },
  ];
}

/** A child whose spans have replacements is a fix, unless it has placeholders. */
function fixIn(child: JsonObject, file: unknown): { fix: Fix; isSafe: boolean } | undefined {
  const spans = objectsOf(child['spans']).filter(
    span => typeof span['suggested_replacement'] === 'string',
  );
  const applicability = spans.map(span => span['suggestion_applicability']);
  if (applicability.includes('HasPlaceholders')) return undefined;
  if (spans.some(span => span['file_name'] !== file)) return undefined;
  const fix = wholeFix(textOf(child['message']) ?? 'fix', spans.map(editIn));
  return fix && { fix, isSafe: applicability.every(each => each === 'MachineApplicable') };
}

const editIn = (span: JsonObject): TextEdit | undefined =>
  placeEdit(
    {
      startLine: span['line_start'],
      startColumn: span['column_start'],
      endLine: span['line_end'],
      endColumn: span['column_end'],
    },
    span['suggested_replacement'],
  );

const helpAddress = (child: JsonObject): string | undefined =>
  /https:\/\/\S{1,300}/.exec(textOf(child['message']) ?? '')?.[0];

function severityOf(level: unknown): Severity {
  if (level === 'warning') return 'warning';
  return level === 'note' || level === 'help' ? 'info' : 'error';
}

/** A file compiled for both the library and its tests is reported twice. */
function onceEach(rawDiagnostics: readonly RawDiagnostic[]): RawDiagnostic[] {
  const known = new Map(rawDiagnostics.map(each => [JSON.stringify(each), each]));
  return [...known.values()];
}
