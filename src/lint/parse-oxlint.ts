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

/** `--format json`; earlier versions wrote the list without anything around it. */
export function parseOxlint(text: string): RawReport {
  const reading = readJson(text, 'oxlint-json');
  if (!reading.ok) return noReport('oxlint', reading.problem);
  const list = Array.isArray(reading.value)
    ? reading.value
    : objectOf(reading.value)['diagnostics'];
  if (!Array.isArray(list)) {
    return noReport('oxlint', 'the oxlint-json report holds no list of diagnostics');
  }
  return rawReport('oxlint', 'byte', { sightings: objectsOf(list).map(sighting) });
}

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
