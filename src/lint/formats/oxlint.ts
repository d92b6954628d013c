import {
  countOf,
  type JsonObject,
  jsonReport,
  levelOf,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
  wordsOf,
} from '../read-json.js';
import { type RawDiagnostic, rawReport } from '../report.js';

/** `--format json`; earlier versions wrote only the list. */
export const parseOxlint = jsonReport({ tool: 'oxlint', format: 'oxlint-json' }, value => {
  const list = Array.isArray(value) ? value : objectOf(value)['diagnostics'];
  if (!Array.isArray(list)) {
    return 'holds no list of diagnostics';
  }
  return rawReport('oxlint', 'byte', { rawDiagnostics: objectsOf(list).map(rawDiagnostic) });
});

function rawDiagnostic(value: JsonObject): RawDiagnostic {
  const [label] = objectsOf(value['labels']);
  const span = objectOf(label?.['span']);
  const [offset, length] = [countOf(span['offset']), countOf(span['length'])];
  return {
    file: textOf(value['filename']),
    rule: wordsOf(value['code']) ?? null,
    severity: levelOf(value['severity']),
    message: textOf(value['message']) ?? '',
    line: placeOf(span['line']),
    column: placeOf(span['column']),
    span:
      offset === undefined || length === undefined
        ? undefined
        : { start: offset, end: offset + length },
    docs: wordsOf(value['help']) ?? wordsOf(value['url']),
  };
}
