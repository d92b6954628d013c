import { jsonReport } from './json-report.js';
import { type JsonObject, objectsOf, placeOf, textOf, wordsOf } from './json-value.js';
import { rawReport, type Sighting } from './report.js';

/** `swiftlint lint --reporter json`. */
export const parseSwiftlint = jsonReport({ tool: 'swiftlint', format: 'swiftlint-json' }, value => {
  if (!Array.isArray(value)) {
    return 'is no list';
  }
  return rawReport('swiftlint', 'utf16', { sightings: objectsOf(value).map(sighting) });
});

const sighting = (value: JsonObject): Sighting => ({
  file: textOf(value['file']),
  rule: wordsOf(value['rule_id']) ?? null,
  severity: value['severity'] === 'Warning' ? 'warning' : 'error',
  message: textOf(value['reason']) ?? '',
  line: placeOf(value['line']),
  column: placeOf(value['character']),
});
