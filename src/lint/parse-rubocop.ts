import type { Severity } from '../core/finding.js';
import {
  countOf,
  type JsonObject,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
  wordsOf,
} from './json-value.js';
import { readJson } from './read-json.js';
import { noReport, type RawReport, rawReport, type Sighting } from './report.js';

/** `rubocop --format json`. */
export function parseRubocop(text: string): RawReport {
  const reading = readJson(text, 'rubocop-json');
  if (!reading.ok) return noReport('rubocop', reading.problem);
  const files = objectOf(reading.value)['files'];
  if (!Array.isArray(files)) return noReport('rubocop', 'the rubocop-json report holds no files');
  const sightings = objectsOf(files).flatMap(file =>
    objectsOf(file['offenses'])
      .filter(offense => offense['corrected'] !== true)
      .map(offense => sighting(textOf(file['path']), offense)),
  );
  return rawReport('rubocop', 'codepoint', { sightings });
}

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
