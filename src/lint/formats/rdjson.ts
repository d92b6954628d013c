import type { Fix, PlaceRange, Unit } from '../../core/diagnostic.js';
import type { Severity } from '../../core/finding.js';
import {
  isObject,
  type JsonObject,
  jsonReport,
  objectOf,
  objectsOf,
  placeOf,
  readJson,
  textOf,
  whatIsThere,
  wordsOf,
} from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** Reviewdog Diagnostic Format: one document with a list of diagnostics. */
export const parseRdjson = jsonReport({ tool: 'rdjson', format: 'rdjson' }, value => {
  const report = objectOf(value);
  if (!Array.isArray(report['diagnostics'])) {
    return 'holds no list of diagnostics';
  }
  const tool = sourceName(report) ?? 'rdjson';
  const severity = severityOf(report['severity']) ?? 'warning';
  return rawReport(tool, unitOf(tool), {
    rawDiagnostics: objectsOf(report['diagnostics']).map(each => rawDiagnostic(each, severity)),
  });
});

/** The same, one diagnostic per line. */
export function parseRdjsonl(text: string): RawReport {
  const rawDiagnostics: RawDiagnostic[] = [];
  const broken: string[] = [];
  let tool = 'rdjsonl';
  for (const line of text.replace(/^\ufeff/, '').split('\n')) {
    if (line.trim() === '') continue;
    const reading = readJson(line, 'rdjsonl');
    if (reading.ok && isDiagnostic(reading.value)) {
      tool = sourceName(reading.value) ?? tool;
      rawDiagnostics.push(rawDiagnostic(reading.value, 'warning'));
    } else broken.push(line);
  }
  const [first] = broken;
  if (first === undefined) return rawReport(tool, unitOf(tool), { rawDiagnostics });
  if (rawDiagnostics.length === 0) return noReport(tool, whatIsThere(first, 'rdjsonl'));
  const problem = `${broken.length} of ${broken.length + rawDiagnostics.length} lines of the rdjsonl report cannot be read`;
  return rawReport(tool, unitOf(tool), { rawDiagnostics, problems: [problem], isWhole: false });
}

const isDiagnostic = (value: unknown): value is JsonObject =>
  isObject(value) && (isObject(value['location']) || typeof value['message'] === 'string');

const sourceName = (value: JsonObject): string | undefined =>
  wordsOf(objectOf(value['source'])['name']);

/** The format requires bytes; these two write characters. */
const unitOf = (tool: string): Unit => (/^(biome|ruff)$/i.test(tool) ? 'codepoint' : 'byte');

function rawDiagnostic(value: JsonObject, usual: Severity): RawDiagnostic {
  const location = objectOf(value['location']);
  const range = objectOf(location['range']);
  const [start, end] = [objectOf(range['start']), objectOf(range['end'])];
  const code = objectOf(value['code']);
  return {
    file: textOf(location['path']),
    rule: wordsOf(code['value']) ?? null,
    severity: severityOf(value['severity']) ?? usual,
    message: textOf(value['message']) ?? '',
    line: placeOf(start['line']),
    column: placeOf(start['column']),
    endLine: placeOf(end['line']),
    endColumn: placeOf(end['column']),
    docs: wordsOf(code['url']),
    suggestions: objectsOf(value['suggestions']).flatMap(each => suggestion(each) ?? []),
  };
}

function suggestion(value: JsonObject): Fix | undefined {
  const range = placeRange(objectOf(value['range']));
  const text = textOf(value['text']);
  if (range === undefined || text === undefined) return undefined;
  return { description: 'suggestion', edits: [{ range, text }] };
}

function placeRange(range: JsonObject): PlaceRange | undefined {
  const [start, end] = [objectOf(range['start']), objectOf(range['end'])];
  const startLine = placeOf(start['line']);
  if (startLine === undefined) return undefined;
  const startColumn = placeOf(start['column']);
  // Whole lines if there are no columns, including the end line.
  if (startColumn === undefined) {
    const last = placeOf(end['line']) ?? startLine;
    return { startLine, startColumn: 1, endLine: last + 1, endColumn: 1 };
  }
  const endLine = placeOf(end['line']) ?? startLine;
  return { startLine, startColumn, endLine, endColumn: placeOf(end['column']) ?? startColumn };
}

function severityOf(value: unknown): Severity | undefined {
  if (value === 'ERROR' || value === 1) return 'error';
  if (value === 'WARNING' || value === 2) return 'warning';
  return value === 'INFO' || value === 3 ? 'info' : undefined;
}
