import { notThere, placeFromText, withoutColour } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** What a formatter prints about the whole run. */
const SUMMARY = /^\d+ files? (?:would be|already|left)|^(?:All checks|warning:)/;
const FAILURE = /^error: (?:Failed to parse )?([^\s:]{1,2000}):(\d{1,9}):(\d{1,9}): (.*)$/;

/**
 * Newer versions of Ruff show what they would change, after the kind of problem and its location.
 */
const SHOWN = /^(unformatted|invalid-syntax): (.*)\n\s*--> (.{1,2000}?):(\d{1,9}):(\d{1,9})$/gm;

/** A formatter's list of the files it would change: `Would reformat: a.py`, or only the path. */
export function parseUnformatted(text: string): RawReport {
  const shown = [...withoutColour(text).matchAll(SHOWN)].map(
    ([, kind, message = '', file, line, column]) =>
      kind === 'unformatted'
        ? notFormatted(file)
        : syntaxError({ file, line: Number(line), column: Number(column), message }),
  );
  if (shown.length > 0) return rawReport('formatter', 'codepoint', { rawDiagnostics: shown });
  const rawDiagnostics: RawDiagnostic[] = [];
  for (const line of withoutColour(text).split(/\r?\n/)) {
    const name = line.replace(/^Would reformat: /, '').trim();
    const failure = FAILURE.exec(line);
    if (failure !== null) {
      const [, file, row, column, message = ''] = failure;
      const place = { line: Number(row), column: Number(column) };
      rawDiagnostics.push(syntaxError({ file, ...place, message }));
    } else if (
      !SUMMARY.test(name) &&
      !/^\S*$|^Would reformat: |^\.?\/|\.\w{1,10}$/.test(line.trim())
    ) {
      return noReport('formatter', notThere(text, 'unformatted'));
    } else if (name !== '' && !SUMMARY.test(name)) {
      rawDiagnostics.push(notFormatted(name));
    }
  }
  return rawReport('formatter', 'codepoint', { rawDiagnostics });
}

const notFormatted = (file: string | undefined, message = 'not formatted'): RawDiagnostic => ({
  file,
  rule: 'format',
  severity: 'warning',
  message,
  isFixable: true,
});

const syntaxError = (
  found: Pick<RawDiagnostic, 'file' | 'line' | 'column' | 'message'>,
): RawDiagnostic => ({ ...found, rule: null, severity: 'error', isFixable: false });

/** Prettier's messages about the whole run. */
const PRETTIER_SUMMARY =
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
    if (level === undefined || PRETTIER_SUMMARY.test(content) || isFrame(content)) continue;
    const [, file, message = '', row, column] = SYNTAX.exec(content) ?? [];
    if (file !== undefined) {
      const place = { line: placeFromText(row), column: placeFromText(column) };
      rawDiagnostics.push(syntaxError({ file, message, ...place }));
    } else if (level === 'warn' && !NOTICE.test(content)) {
      rawDiagnostics.push(notFormatted(content, 'not formatted as Prettier would'));
    } else problems.push(content.trim());
  }
  const isReport =
    lines.length === 0 ||
    lines.some(line => /^\[(warn|error)\] /.test(line) || PRETTIER_SUMMARY.test(line));
  if (!isReport) return noReport('prettier', notThere(text, 'prettier'));
  return rawReport('prettier', 'utf16', {
    rawDiagnostics,
    problems,
    isWhole: problems.length === 0,
  });
}

/** The code around a syntax error, printed below it. */
const isFrame = (content: string): boolean => /^\s*>?\s*\d*\s*\|/.test(content);
