import type { Severity } from '../../core/finding.js';
import { guessRule } from '../read-fix.js';
import { notThere, placeFromText, readLines } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/**
 * `file:line:col: message`, the column optional. Indented by up to two columns it still counts
 * (standard does that); deeper it belongs to the line above.
 */
const LINE = /^ {0,2}([^\s:][^:]{0,2000}):(\d{1,9})(?::(\d{1,9}))?:(?!\d) ?(.*)$/;
const LEVEL =
  /^(?:\[(error|warning|info|note)\]|(fatal error|error|warning|note|info|style|hint)(?=:| -))[: -]{0,3}/i;
/** `[error] path` is the output of a build tool; `[id].tsx` is a path. */
const NO_PATH = /^\[\w{1,20}\] /;

/** What standard prints for a file that its configuration excludes. */
const IGNORED = /^File ignored (?:because of a matching ignore pattern|by default)/;

/** No output means no problems. */
export function parseGcc(text: string): RawReport {
  const all = readLines(text, readLine);
  if (all === undefined) return noReport('gcc', notThere(text, 'gcc'));
  return rawReport('gcc', 'byte', {
    rawDiagnostics: all.filter(({ message }) => !IGNORED.test(message)),
    notLinted: all.flatMap(({ file, message }) => (IGNORED.test(message) ? (file ?? []) : [])),
  });
}

function readLine(line: string): RawDiagnostic | undefined {
  const [, file = '', row, column, rest = ''] = LINE.exec(line) ?? [];
  // Without a letter it is a time of day or the like.
  if (rest === '' || !/\p{L}/u.test(file) || NO_PATH.test(file)) return undefined;
  const level = LEVEL.exec(rest);
  // standard puts the level after the rule.
  const [, whole = rest, behind] = /^(.*\(\S+\)) \((warning)\)$/.exec(rest) ?? [];
  const message = level === null ? whole : whole.slice(level[0].length);
  return {
    file,
    rule: guessRule(message),
    severity: severityOf((level?.[1] ?? level?.[2] ?? behind)?.toLowerCase()),
    message,
    line: placeFromText(row),
    column: placeFromText(column),
  };
}

function severityOf(level: string | undefined): Severity {
  if (level === 'warning') return 'warning';
  return level === undefined || level.endsWith('error') ? 'error' : 'info';
}
