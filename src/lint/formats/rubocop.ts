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
    message: withoutCop(textOf(offense['message']) ?? '', cop),
    line: placeOf(place['start_line']) ?? placeOf(place['line']),
    column: placeOf(place['start_column']) ?? placeOf(place['column']),
    endLine: placeOf(place['last_line']),
    // RuboCop names the last column itself, not the one behind it.
    endColumn: last === undefined ? undefined : last + 1,
    isFixable: typeof offense['correctable'] === 'boolean' ? offense['correctable'] : undefined,
  };
}

/** RuboCop's own threshold for failing is `refactor`; only `info` lies below it. */
const SEVERITY: Readonly<Record<string, Severity>> = {
  info: 'info',
  refactor: 'warning',
  convention: 'warning',
  warning: 'warning',
  error: 'error',
  fatal: 'error',
};

const withoutCop = (message: string, cop: string | null): string =>
  cop !== null && message.startsWith(`${cop}: `) ? message.slice(cop.length + 2) : message;
