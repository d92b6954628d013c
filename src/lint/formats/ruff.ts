import type { Fix, TextEdit } from '../../core/diagnostic.js';
import type { Severity } from '../../core/finding.js';
import { placeEdit, wholeFix } from '../read-fix.js';
import {
  type JsonObject,
  jsonReport,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
  wordsOf,
} from '../read-json.js';
import { type RawDiagnostic, rawReport } from '../report.js';

/** `ruff check --output-format json`. */
export const parseRuff = jsonReport({ tool: 'ruff', format: 'ruff-json' }, value => {
  if (!Array.isArray(value)) return "isn't a list";
  return rawReport('ruff', 'codepoint', { rawDiagnostics: objectsOf(value).map(rawDiagnostic) });
});

function rawDiagnostic(value: JsonObject): RawDiagnostic {
  const [start, end] = [objectOf(value['location']), objectOf(value['end_location'])];
  // In a notebook, lines count from the start of the cell, so they don't match lines of the file.
  const isNotebook = typeof value['cell'] === 'number';
  const fix = isNotebook ? undefined : fixFrom(value['fix']);
  const isSafe = objectOf(value['fix'])['applicability'] === 'safe';
  return {
    file: textOf(value['filename']),
    rule: ruleOf(value['code']),
    severity: severityOf(value['severity']),
    message: textOf(value['message']) ?? '',
    ...(isNotebook
      ? {}
      : {
          line: placeOf(start['row']),
          column: placeOf(start['column']),
          endLine: placeOf(end['row']),
          endColumn: placeOf(end['column']),
        }),
    docs: wordsOf(value['url']),
    isFixable: isSafe,
    fix: isSafe ? fix : undefined,
    suggestions: isSafe || fix === undefined ? [] : [fix],
  };
}

/** Syntax errors used to have no code and now have this one. */
const ruleOf = (code: unknown): string | null =>
  code === 'invalid-syntax' ? null : (wordsOf(code) ?? null);

const severityOf = (value: unknown): Severity =>
  value === 'warning' || value === 'info' ? value : 'error';

function fixFrom(value: unknown): Fix | undefined {
  const fix = objectOf(value);
  return wholeFix(wordsOf(fix['message']) ?? 'fix', objectsOf(fix['edits']).map(editFrom));
}

function editFrom(value: JsonObject): TextEdit | undefined {
  const [start, end] = [objectOf(value['location']), objectOf(value['end_location'])];
  return placeEdit(
    {
      startLine: start['row'],
      startColumn: start['column'],
      endLine: end['row'],
      endColumn: end['column'],
    },
    value['content'],
  );
}
