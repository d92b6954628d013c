import type { Severity } from '../core/finding.js';
import { jsonReport } from './json-report.js';
import {
  countOf,
  type JsonObject,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
  wordsOf,
} from './json-value.js';
import { rawReport, type Sighting } from './report.js';

/** `rubocop --format json`. */
export const parseRubocop = jsonReport({ tool: 'rubocop', format: 'rubocop-json' }, value => {
  const files = objectOf(value)['files'];
  if (!Array.isArray(files)) return 'holds no files';
  const sightings = objectsOf(files).flatMap(file =>
    objectsOf(file['offenses'])
      .filter(offense => offense['corrected'] !== true)
      .map(offense => sighting(textOf(file['path']), offense)),
  );
  return rawReport('rubocop', 'codepoint', { sightings });
});

function sighting(file: string | undefined, offense: JsonObject): Sighting {
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
