import type { Severity } from '../../core/finding.js';
import {
  isObject,
  type JsonObject,
  jsonReport,
  listOf,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
  wordsOf,
} from '../read-json.js';
import { type RawDiagnostic, rawReport } from '../report.js';

/**
 * golangci-lint's JSON, versions 1 and 2. Its suggested fixes count bytes across all files, so they
 * can't be used.
 */
export const parseGolangci = jsonReport(
  { tool: 'golangci-lint', format: 'golangci-json' },
  value => {
    const report = objectOf(value);
    // Null if there are none.
    if (!('Issues' in report)) {
      return 'holds no issues';
    }
    const problems = objectsOf(objectOf(report['Report'])['Warnings']).flatMap(
      each => wordsOf(each['Text']) ?? [],
    );
    const failure = wordsOf(objectOf(report['Report'])['Error']);
    return rawReport('golangci-lint', 'byte', {
      rawDiagnostics: objectsOf(report['Issues']).map(rawDiagnostic),
      problems: failure === undefined ? problems : [...problems, failure],
      isWhole: failure === undefined,
    });
  },
);

function rawDiagnostic(issue: JsonObject): RawDiagnostic {
  const place = objectOf(issue['Pos']);
  const linter = wordsOf(issue['FromLinter']) ?? null;
  return {
    file: textOf(place['Filename']),
    // golangci-lint's name for "doesn't compile".
    rule: linter === 'typecheck' ? null : linter,
    severity: severityOf(issue['Severity']),
    message: textOf(issue['Text']) ?? '',
    line: placeOf(place['Line']),
    column: placeOf(place['Column']),
    endLine: placeOf(objectOf(issue['LineRange'])['To']),
    isFixable: isObject(issue['Replacement']) || listOf(issue['SuggestedFixes']).length > 0,
  };
}

function severityOf(value: unknown): Severity {
  if (value === 'warning' || value === 'medium') return 'warning';
  return value === 'info' || value === 'low' ? 'info' : 'error';
}
