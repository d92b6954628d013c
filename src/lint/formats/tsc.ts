import { notThere, withoutColour } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

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
    const found = readLine(line);
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

function readLine(line: string): RawDiagnostic | undefined {
  const [, file, row, column, level, rule = null, message = ''] = AT_PLACE.exec(line) ?? [];
  if (file === undefined) return undefined;
  const severity = level === 'error' || level === 'warning' ? level : 'info';
  return { file, rule, severity, message, line: Number(row), column: Number(column) };
}
