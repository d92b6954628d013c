import type { Severity } from '../../core/finding.js';
import { notThere, placeFromText, withoutColour } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** `1:1-1:9  warning  Message  rule  remark-lint`, below the name of the file. */
const MESSAGE =
  /^\s{0,20}(\d{1,9}):(\d{1,9})(?:-(\d{1,9}):(\d{1,9}))?\s{1,9}(warning|error|info)\s{1,9}(.{1,2000}?)(?:\s{1,200}(\S{1,100})\s{1,20}(\S{1,100}))?$/;
const SUMMARY = /^(?:[⚠✖]|\d+ (?:warning|message|error))|: (?:no issues found|written)/;

/** The plain report of `remark`: a line with the file's name, then its messages. */
export function parseRemark(text: string): RawReport {
  const rawDiagnostics: RawDiagnostic[] = [];
  const lines = withoutColour(text)
    .split(/\r?\n/)
    .filter(line => line.trim() !== '');
  let file: string | undefined;
  let causeIndent = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const indent = line.search(/\S/);
    // What is below a cause explains the message above it.
    if (indent > causeIndent) continue;
    causeIndent = line.trim() === '[cause]:' ? indent : Number.POSITIVE_INFINITY;
    const match = MESSAGE.exec(line.trimEnd());
    if (match !== null) rawDiagnostics.push(messageOf(file, match));
    else if (/^\S/.test(line) && !SUMMARY.test(line)) file = line.trim();
  }
  const isReport = rawDiagnostics.length > 0 || lines.every(line => SUMMARY.test(line));
  if (!isReport) return noReport('remark', notThere(text, 'remark'));
  return rawReport('remark', 'utf16', { rawDiagnostics });
}

function messageOf(file: string | undefined, match: RegExpExecArray): RawDiagnostic {
  const [, line, column, endLine, endColumn, level, message = '', rule, source] = match;
  return {
    file,
    rule: rule === undefined ? null : `${source === 'remark-lint' ? '' : `${source}/`}${rule}`,
    // The level is one of the three that the pattern allows.
    severity: level as Severity,
    message: message.trim(),
    line: placeFromText(line),
    column: placeFromText(column),
    endLine: placeFromText(endLine),
    endColumn: placeFromText(endColumn),
    isFixable: false,
  };
}
