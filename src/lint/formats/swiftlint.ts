import { type JsonObject, jsonReport, objectsOf, placeOf, textOf, wordsOf } from '../read-json.js';
import { type RawDiagnostic, rawReport } from '../report.js';

/** `swiftlint lint --reporter json`. */
export const parseSwiftlint = jsonReport({ tool: 'swiftlint', format: 'swiftlint-json' }, value => {
  if (!Array.isArray(value)) {
    return "isn't a list";
  }
  return rawReport('swiftlint', 'utf16', { rawDiagnostics: objectsOf(value).map(rawDiagnostic) });
});

const rawDiagnostic = (value: JsonObject): RawDiagnostic => ({
  file: textOf(value['file']),
  rule: wordsOf(value['rule_id']) ?? null,
  severity: value['severity'] === 'Warning' ? 'warning' : 'error',
  message: textOf(value['reason']) ?? '',
  line: placeOf(value['line']),
  column: placeOf(value['character']),
});
