import type { Severity } from '../../core/finding.js';
import { guessRule } from '../read-fix.js';
import { levelOf, notThere, placeFromText, readLines, withoutColour } from '../read-json.js';
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

/** `file(line,col): error TS1234: message`; indented lines after it continue the message. */
const AT_PLACE =
  /^(\S.{0,2000}?)\((\d{1,9}),(\d{1,9})\): (error|warning|message) (TS\d{1,6}): (.*)$/;
/** About the configuration as a whole. */
const NOWHERE = /^(?:error|warning) (TS\d{1,6}: .*)$/;

/** `tsc --pretty false`. No output means no problems. */
export function parseTsc(text: string): RawReport {
  const rawDiagnostics: RawDiagnostic[] = [];
  const problems: string[] = [];
  for (const line of withoutColour(text).split(/\r?\n/)) {
    const found = readTscLine(line);
    if (found !== undefined) rawDiagnostics.push(found);
    const nowhere = NOWHERE.exec(line)?.[1];
    if (nowhere !== undefined) problems.push(nowhere);
    if (/^ {2,}\S/.test(line)) {
      const last = rawDiagnostics.pop();
      if (last) rawDiagnostics.push({ ...last, message: `${last.message}\n${line.trimEnd()}` });
    }
  }
  if (rawDiagnostics.length + problems.length === 0 && text.trim() !== '') {
    return noReport('tsc', notThere(text, 'tsc'));
  }
  return rawReport('tsc', 'utf16', { rawDiagnostics, problems, isWhole: problems.length === 0 });
}

function readTscLine(line: string): RawDiagnostic | undefined {
  const [, file, row, column, level, rule = null, message = ''] = AT_PLACE.exec(line) ?? [];
  if (file === undefined) return undefined;
  return {
    file,
    rule,
    severity: levelOf(level),
    message,
    line: Number(row),
    column: Number(column),
  };
}
