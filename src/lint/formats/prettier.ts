import { notThere, placeFromText, withoutColour } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** Prettier's remarks on the run as a whole. */
const SUMMARY =
  /^(Checking formatting|All matched files|Code style issues|Error occurred when checking|Run Prettier)/;
/** A remark about an option or a pattern, not the name of a file. */
const REMARK = /^(Ignored unknown option|Invalid |No files matching|No parser could|Explicitly )/;
const SYNTAX = /^(.{1,2000}?): (SyntaxError: .*) \((\d{1,9}):(\d{1,9})\)$/;

/** `--check`: `[warn] file` for each that is not formatted. */
export function parsePrettier(text: string): RawReport {
  const rawDiagnostics: RawDiagnostic[] = [];
  const problems: string[] = [];
  const lines = withoutColour(text)
    .split(/\r?\n/)
    .filter(line => line.trim() !== '');
  for (const line of lines) {
    const [, level, said = ''] = /^\[(warn|error)\] (.*)$/.exec(line) ?? [];
    if (level === undefined || SUMMARY.test(said) || isFrame(said)) continue;
    const broken = SYNTAX.exec(said);
    if (broken !== null) rawDiagnostics.push(syntaxError(broken));
    else if (level === 'warn' && !REMARK.test(said)) rawDiagnostics.push(unformatted(said));
    else problems.push(said.trim());
  }
  const isReport =
    lines.length === 0 || lines.some(line => /^\[(warn|error)\] /.test(line) || SUMMARY.test(line));
  if (!isReport) return noReport('prettier', notThere(text, 'prettier'));
  return rawReport('prettier', 'utf16', {
    rawDiagnostics,
    problems,
    isWhole: problems.length === 0,
  });
}

/** The code around a syntax error, printed below it. */
const isFrame = (said: string): boolean => /^\s*>?\s*\d*\s*\|/.test(said);

const unformatted = (file: string): RawDiagnostic => ({
  file,
  rule: 'format',
  severity: 'warning',
  message: 'not formatted as Prettier would',
  isFixable: true,
});

function syntaxError(match: RegExpExecArray): RawDiagnostic {
  const [, file, message = '', line, column] = match;
  return {
    file,
    rule: null,
    severity: 'error',
    message,
    line: placeFromText(line),
    column: placeFromText(column),
    isFixable: false,
  };
}
