import { type JsonObject, objectsOf, placeOf, textOf, wordsOf } from './json-value.js';
import { readJson } from './read-json.js';
import { noReport, type RawReport, rawReport, type Sighting } from './report.js';

/** `swiftlint lint --reporter json`. */
export function parseSwiftlint(text: string): RawReport {
  const reading = readJson(text, 'swiftlint-json');
  if (!reading.ok) return noReport('swiftlint', reading.problem);
  if (!Array.isArray(reading.value)) {
    return noReport('swiftlint', 'the swiftlint-json report is no list');
  }
  return rawReport('swiftlint', 'utf16', { sightings: objectsOf(reading.value).map(sighting) });
}

const sighting = (value: JsonObject): Sighting => ({
  file: textOf(value['file']),
  rule: wordsOf(value['rule_id']) ?? null,
  severity: value['severity'] === 'Warning' ? 'warning' : 'error',
  message: textOf(value['reason']) ?? '',
  line: placeOf(value['line']),
  column: placeOf(value['character']),
});
