import {
  countOf,
  type JsonObject,
  jsonReport,
  levelOf,
  listOf,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
  wordsOf,
} from '../read-json.js';
import { type RawDiagnostic, rawReport } from '../report.js';

/** `--reporter=json`, as Biome 2.4 and later write it and as 1.x and early 2.x did. */
export const parseBiome = jsonReport({ tool: 'biome', format: 'biome-json' }, value => {
  const report = objectOf(value);
  if (!Array.isArray(report['diagnostics'])) {
    return 'holds no list of diagnostics';
  }
  const all = objectsOf(report['diagnostics']);
  const unseen = countOf(objectOf(report['summary'])['diagnosticsNotPrinted']) ?? 0;
  const isAboutRun = (each: JsonObject): boolean => ABOUT_RUN.test(textOf(each['category']) ?? '');
  return rawReport('biome', all.some(hasSpan) ? 'byte' : 'codepoint', {
    rawDiagnostics: all.filter(each => !isAboutRun(each)).map(rawDiagnostic),
    problems: [
      ...all.filter(isAboutRun).map(each => `${fileOf(each) ?? 'no file'}: ${messageOf(each)}`),
      ...(unseen > 0 ? [`the report leaves out ${unseen} diagnostics`] : []),
    ],
    isWhole: unseen === 0,
  });
});

/** A missing file or a crash: about Biome's run, not about the code. */
const ABOUT_RUN = /^(internalError|configuration|flags)\b/;

function rawDiagnostic(value: JsonObject): RawDiagnostic {
  const category = wordsOf(value['category']);
  const location = objectOf(value['location']);
  const [start, end] = [objectOf(location['start']), objectOf(location['end'])];
  const [from, to] = listOf(location['span']);
  const [first, last] = [countOf(from), countOf(to)];
  return {
    file: fileOf(value),
    rule: category === undefined || category === 'parse' ? null : category,
    severity: value['severity'] === 'fatal' ? 'error' : levelOf(value['severity']),
    message: messageOf(value),
    line: placeOf(start['line']),
    column: placeOf(start['column']),
    endLine: placeOf(end['line']),
    endColumn: placeOf(end['column']),
    span: first === undefined || last === undefined ? undefined : { start: first, end: last },
    isFixable: /^(format|assist)\b/.test(category ?? '') ? true : undefined,
  };
}

const hasSpan = (value: JsonObject): boolean => Array.isArray(objectOf(value['location'])['span']);

function fileOf(value: JsonObject): string | undefined {
  const { path } = objectOf(value['location']);
  return textOf(path) ?? textOf(objectOf(path)['file']);
}

/** Plain text, or pieces with mark-up in earlier versions. */
function messageOf(value: JsonObject): string {
  const plain = textOf(value['message']) ?? wordsOf(value['description']);
  if (plain !== undefined) return plain;
  return objectsOf(value['message'])
    .map(piece => textOf(piece['content']) ?? '')
    .join('');
}
