import { notThere, withoutColour } from './read-json.js';
import { noReport, type RawReport, rawReport, type Sighting } from './report.js';

/** `file(line,col): error TS1234: message`; the lines below that are indented go on with it. */
const AT_PLACE =
  /^(\S.{0,2000}?)\((\d{1,9}),(\d{1,9})\): (error|warning|message) (TS\d{1,6}): (.*)$/;
/** About the configuration as a whole. */
const NOWHERE = /^(?:error|warning) (TS\d{1,6}: .*)$/;

/** `tsc --pretty false`. Nothing at all means that nothing is wrong. */
export function parseTsc(text: string): RawReport {
  const sightings: Sighting[] = [];
  const problems: string[] = [];
  for (const line of withoutColour(text).split(/\r?\n/)) {
    const found = readLine(line);
    if (found !== undefined) sightings.push(found);
    const nowhere = NOWHERE.exec(line)?.[1];
    if (nowhere !== undefined) problems.push(nowhere);
    const last = sightings.at(-1);
    if (/^ {2,}\S/.test(line) && last !== undefined) {
      sightings[sightings.length - 1] = { ...last, message: `${last.message}\n${line.trimEnd()}` };
    }
  }
  if (sightings.length + problems.length === 0 && text.trim() !== '') {
    return noReport('tsc', notThere(text, 'tsc'));
  }
  return rawReport('tsc', 'utf16', { sightings, problems, isWhole: problems.length === 0 });
}

function readLine(line: string): Sighting | undefined {
  const match = AT_PLACE.exec(line);
  if (match === null) return undefined;
  const [, file, row, column, level, rule = null, message = ''] = match;
  return {
    file,
    rule,
    severity: level === 'error' ? 'error' : level === 'warning' ? 'warning' : 'info',
    message,
    line: Number(row),
    column: Number(column),
  };
}
