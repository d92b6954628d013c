import { guardLineStart } from '../core/neutralise.js';
import type { Check, DoctorReport, Status } from './doctor-report.js';

export interface DoctorTextOptions {
  readonly color: boolean;
  readonly columns: number;
}

const MIN_COLUMNS = 60;
const STATUS_WIDTH = 'attention'.length;

/** `doctor` for people: status, thing, what was found, and below it what mends it. */
export function doctorText({ checks }: DoctorReport, options: DoctorTextOptions): string {
  const idWidth = Math.max(0, ...checks.map(({ id }) => id.length));
  const indent = STATUS_WIDTH + idWidth + 4;
  const width = Math.max(MIN_COLUMNS, options.columns) - indent;
  const lines = checks.flatMap(check => {
    const status = paint(check.status, options.color);
    const fix = check.fix === undefined ? [] : wrap(`fix: ${check.fix}`, width);
    const [first = '', ...rest] = [...wrap(check.message, width), ...fix];
    return [
      `${status}  ${check.id.padEnd(idWidth)}  ${first}`,
      ...rest.map(line => `${' '.repeat(indent)}${line}`),
    ];
  });
  return `${guardLineStart([...lines, '', summary(checks)].join('\n'))}\n`;
}

const COLORS: Readonly<Record<Status, number>> = { ok: 32, attention: 33, problem: 31 };

function paint(status: Status, isOn: boolean): string {
  const word = status.padEnd(STATUS_WIDTH);
  return isOn ? `\x1b[${COLORS[status]}m${word}\x1b[39m` : word;
}

/** Breaks at spaces; a word too long stays whole, so that commands can be copied. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function summary(checks: readonly Check[]): string {
  const count = (status: Status): number => checks.filter(each => each.status === status).length;
  const [problems, attentions] = [count('problem'), count('attention')];
  if (problems > 0) {
    return `${problems} ${problems === 1 ? 'problem stands' : 'problems stand'} in the way of a review with the model`;
  }
  const rest = attentions === 0 ? '' : `; ${attentions} to look at`;
  return `a review with the model would work${rest}`;
}
