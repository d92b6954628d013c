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

/** `--format json`; earlier versions wrote the list without anything around it. */
export const parseOxlint = jsonReport({ tool: 'oxlint', format: 'oxlint-json' }, value => {
  const list = Array.isArray(value) ? value : objectOf(value)['diagnostics'];
  if (!Array.isArray(list)) {
    return 'holds no list of diagnostics';
  }
  return rawReport('oxlint', 'byte', { sightings: objectsOf(list).map(sighting) });
});

function sighting(value: JsonObject): Sighting {
  const [label] = objectsOf(value['labels']);
  const span = objectOf(label?.['span']);
  const [offset, length] = [countOf(span['offset']), countOf(span['length'])];
  return {
    file: textOf(value['filename']),
    rule: wordsOf(value['code']) ?? null,
    severity: severityOf(value['severity']),
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

function severityOf(value: unknown): Severity {
  if (value === 'error') return 'error';
  return value === 'warning' ? 'warning' : 'info';
}
