import type { Severity } from '../../core/finding.js';
import { notThere, placeFromText, withoutColour } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** `1:1-1:9  warning  Message  rule  remark-lint`, below the name of the file; the place may be missing. */
const MESSAGE =
  /^\s{0,20}(?:(\d{1,9}):(\d{1,9})(?:-(\d{1,9}):(\d{1,9}))?)?\s{1,60}(warning|error|info)\s{1,9}(?=\S)/;
const SUMMARY = /^(?:[⚠✖]|\d+ (?:warning|message|error))|: (?:no issues found|written)/;

/** What it says instead of messages; the line with the cause is further down. */
const IGNORED = /^Cannot process specified file: it.s ignored/;
const CRASHED = /^(?:Cannot process file\b|\w{0,40}Error: )/;
const CAUSE = /\b\w{0,40}Error: .*/;

/** The plain report of `remark`: a line with the file's name, then its messages. */
export function parseRemark(text: string): RawReport {
  const rows: Row[] = [];
  const lines = withoutColour(text).split(/\r?\n/);
  let file: string | undefined;
  let causeIndent = Number.POSITIVE_INFINITY;
  // A name can only be at the start, after an empty line or after a file without messages: lines
  // after a message belong to it.
  let mayBeName = true;
  for (const line of lines) {
    const indent = line.search(/\S/);
    const match = MESSAGE.exec(line);
    const isAnnounced = mayBeName;
    mayBeName = indent === -1 || SUMMARY.test(line);
    if (mayBeName) causeIndent = Number.POSITIVE_INFINITY;
    const last = rows.at(-1);
    if (match === null && last !== undefined) last.cause = CAUSE.exec(line)?.[0] ?? last.cause;
    // Lines under a cause explain the message above it.
    if (mayBeName || indent > causeIndent) continue;
    causeIndent = line.trim() === '[cause]:' ? indent : Number.POSITIVE_INFINITY;
    if (match !== null) rows.push({ file, match, rest: line.slice(match[0].length), cause: '' });
    else if (isAnnounced && indent === 0) file = line.trim();
  }
  // It has a line for every file, also for one without messages.
  const isReport =
    rows.length > 0 ||
    (text.trim() !== '' && lines.every(line => line.trim() === '' || SUMMARY.test(line)));
  if (!isReport) return noReport('remark', notThere(text, 'remark'));
  const crashed = rows.filter(({ rest }) => CRASHED.test(rest));
  const ignored = rows.filter(({ rest }) => IGNORED.test(rest));
  const isMessage = (row: Row): boolean => !crashed.includes(row) && !ignored.includes(row);
  return rawReport('remark', 'utf16', {
    rawDiagnostics: rows.filter(isMessage).map(messageOf),
    notLinted: ignored.flatMap(row => row.file ?? []),
    unfinished: crashed.flatMap(row => row.file ?? []),
    problems: crashed.map(({ rest, cause }) => `failed: ${cause || rest}`),
  });
}

interface Row {
  readonly file: string | undefined;
  readonly match: RegExpExecArray;
  readonly rest: string;
  /** The last error that the lines below it name. */
  cause: string;
}

function messageOf({ file, match, rest }: Row): RawDiagnostic {
  const [, line, column, endLine, endColumn, level] = match;
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
