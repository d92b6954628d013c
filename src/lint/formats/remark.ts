import type { Severity } from '../../core/finding.js';
import { notThere, placeFromText, withoutColour } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** `1:1-1:9  warning  Message  rule  remark-lint`, below the name of the file; the place may be missing. */
const MESSAGE =
  /^\s{0,20}(?:(\d{1,9}):(\d{1,9})(?:-(\d{1,9}):(\d{1,9}))?)?\s{1,60}(warning|error|info)\s{1,9}(?=\S)/;
const SUMMARY = /^(?:[⚠✖]|\d+ (?:warning|message|error))|: (?:no issues found|written)/;

/** The plain report of `remark`: a line with the file's name, then its messages. */
export function parseRemark(text: string): RawReport {
  const rawDiagnostics: RawDiagnostic[] = [];
  const lines = withoutColour(text).split(/\r?\n/);
  let file: string | undefined;
  let causeIndent = Number.POSITIVE_INFINITY;
  // A name is only at the start, below an empty line or below a file without messages: lines below a
  // message belong to it.
  let mayBeName = true;
  for (const line of lines) {
    const indent = line.search(/\S/);
    const match = MESSAGE.exec(line);
    const isAnnounced = mayBeName;
    mayBeName = indent === -1 || SUMMARY.test(line);
    if (mayBeName) causeIndent = Number.POSITIVE_INFINITY;
    // What is below a cause explains the message above it.
    if (mayBeName || indent > causeIndent) continue;
    causeIndent = line.trim() === '[cause]:' ? indent : Number.POSITIVE_INFINITY;
    if (match !== null) rawDiagnostics.push(messageOf(file, match, line.slice(match[0].length)));
    else if (isAnnounced && indent === 0) file = line.trim();
  }
  const isReport =
    rawDiagnostics.length > 0 || lines.every(line => line.trim() === '' || SUMMARY.test(line));
  if (!isReport) return noReport('remark', notThere(text, 'remark'));
  return rawReport('remark', 'utf16', { rawDiagnostics });
}

function messageOf(
  file: string | undefined,
  [, line, column, endLine, endColumn, level]: RegExpExecArray,
  rest: string,
): RawDiagnostic {
  const words = rest.trim().split(/\s+/);
  const [rule, source] = words.length > 2 ? words.splice(-2) : [];
  return {
    file,
    rule: rule === undefined ? null : `${source === 'remark-lint' ? '' : `${source}/`}${rule}`,
    // The level is one of the three that the pattern allows.
    severity: level as Severity,
    message: words.join(' '),
    line: placeFromText(line),
    column: placeFromText(column),
    endLine: placeFromText(endLine),
    endColumn: placeFromText(endColumn),
    isFixable: false,
  };
}
