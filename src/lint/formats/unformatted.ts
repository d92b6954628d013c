import { notThere, withoutColour } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** What a formatter prints about the whole run. */
const SUMMARY = /^\d+ files? (?:would be|already|left)|^(?:All checks|warning:)/;
const FAILURE = /^error: (?:Failed to parse )?([^\s:]{1,2000}):(\d{1,9}):(\d{1,9}): (.*)$/;

/** A formatter's list of the files it would change: `Would reformat: a.py`, or only the path. */
export function parseUnformatted(text: string): RawReport {
  const rawDiagnostics: RawDiagnostic[] = [];
  for (const line of withoutColour(text).split(/\r?\n/)) {
    const name = line.replace(/^Would reformat: /, '').trim();
    const failure = FAILURE.exec(line);
    if (failure !== null) rawDiagnostics.push(syntaxError(failure));
    else if (
      !SUMMARY.test(name) &&
      !/^\S*$|^Would reformat: |^\.?\/|\.\w{1,10}$/.test(line.trim())
    ) {
      return noReport('formatter', notThere(text, 'unformatted'));
    } else if (name !== '' && !SUMMARY.test(name)) {
      rawDiagnostics.push({
        file: name,
        rule: 'format',
        severity: 'warning',
        message: 'not formatted',
        isFixable: true,
      });
    }
  }
  return rawReport('formatter', 'codepoint', { rawDiagnostics });
}

const syntaxError = ([, file, line, column, message = '']: RegExpExecArray): RawDiagnostic => ({
  file,
  rule: null,
  severity: 'error',
  message,
  line: Number(line),
  column: Number(column),
  isFixable: false,
});
