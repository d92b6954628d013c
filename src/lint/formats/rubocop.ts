import type { Severity } from '../../core/finding.js';
import {
  countOf,
  type JsonObject,
  jsonReport,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
  wordsOf,
} from '../read-json.js';
import { type RawDiagnostic, rawReport } from '../report.js';

/** `rubocop --format json`. */
export const parseRubocop = jsonReport({ tool: 'rubocop', format: 'rubocop-json' }, value => {
  const files = objectOf(value)['files'];
  if (!Array.isArray(files)) return 'holds no files';
  const rawDiagnostics = objectsOf(files).flatMap(file =>
    objectsOf(file['offenses'])
      .filter(offense => offense['corrected'] !== true)
      .map(offense => rawDiagnostic(textOf(file['path']), offense)),
  );
  return rawReport('rubocop', 'codepoint', { rawDiagnostics });
});

function rawDiagnostic(file: string | undefined, offense: JsonObject): RawDiagnostic {
  const place = objectOf(offense['location']);
  const cop = wordsOf(offense['cop_name']) ?? null;
  const last = countOf(place['last_column']);
  return {
    file,
    rule: cop === 'Lint/Syntax' ? null : cop,
    severity: SEVERITY[textOf(offense['severity']) ?? ''] ?? 'error',
    message: textOf(offense['message']) ?? '',
    line: placeOf(place['start_line']) ?? placeOf(place['line']),
    column: placeOf(place['start_column']) ?? placeOf(place['column']),
    endLine: placeOf(place['last_line']),
    // RuboCop gives the last column itself, not the one after it.
    endColumn: last === undefined ? undefined : last + 1,
    isFixable: typeof offense['correctable'] === 'boolean' ? offense['correctable'] : undefined,
  };
}

/** RuboCop fails from `refactor` on; only `info` is lower. */
const SEVERITY: Readonly<Record<string, Severity>> = {
  info: 'info',
  refactor: 'warning',
  convention: 'warning',
  warning: 'warning',
  error: 'error',
  fatal: 'error',
};
