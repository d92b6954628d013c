import { notThere, placeFromText, withoutColour } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';
import { notFormatted, syntaxError } from './unformatted.js';

/** Prettier's messages about the whole run. */
const SUMMARY =
  /^(Checking formatting|All matched files|Code style issues|Error occurred when checking|Run Prettier)/;
/** A message about an option or a pattern, not a file name. */
const NOTICE = /^(Ignored unknown option|Invalid |No files matching|No parser could|Explicitly )/;
const SYNTAX = /^(.{1,2000}?): (SyntaxError: .*) \((\d{1,9}):(\d{1,9})\)$/;

/** `--check`: `[warn] file` for each unformatted file. */
export function parsePrettier(text: string): RawReport {
  const rawDiagnostics: RawDiagnostic[] = [];
  const problems: string[] = [];
  const lines = withoutColour(text)
    .split(/\r?\n/)
    .filter(line => line.trim() !== '');
  for (const line of lines) {
    const [, level, content = ''] = /^\[(warn|error)\] (.*)$/.exec(line) ?? [];
    if (level === undefined || SUMMARY.test(content) || isFrame(content)) continue;
    const [, file, message = '', row, column] = SYNTAX.exec(content) ?? [];
    if (file !== undefined) {
      const place = { line: placeFromText(row), column: placeFromText(column) };
      rawDiagnostics.push(syntaxError({ file, message, ...place }));
    } else if (level === 'warn' && !NOTICE.test(content)) {
      rawDiagnostics.push(notFormatted(content, 'not formatted as Prettier would'));
    } else problems.push(content.trim());
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
const isFrame = (content: string): boolean => /^\s*>?\s*\d*\s*\|/.test(content);
