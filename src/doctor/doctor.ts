import { forTerminal, guardLineStart } from '../platform/safe-text.js';
import type { DoctorFacts } from './facts.js';
import { judgeEgress, judgeMachine, judgeRepository } from './judge.js';
import { judgeModel } from './judge-model.js';
import { judgeServer } from './judge-server.js';
import { type Check, type DoctorReport, endingOf, type Status } from './report.js';

/** From what was found out to what it means: one line for each thing, and what mends it. */
export function doctor(facts: DoctorFacts): DoctorReport {
  const servers = judgeServer(facts);
  const hasServer = servers.every(({ status }) => status !== 'problem');
  const checks = [
    ...judgeMachine(facts),
    ...judgeRepository(facts),
    ...servers,
    ...judgeModel(facts, hasServer),
    ...judgeEgress(facts),
  ].map(harmless);
  return { checks, ending: endingOf(checks) };
}

/** Configuration, servers and the environment have their say in messages; none may steer a terminal. */
const harmless = (check: Check): Check => ({
  ...check,
  message: forTerminal(check.message),
  fix: check.fix === undefined ? undefined : forTerminal(check.fix),
});

/** `doctor --format json`, as the contract has it. */
export function doctorJson({ checks }: DoctorReport): string {
  const printed = checks.map(({ id, status, message, fix }) => ({
    id,
    status,
    message,
    fix: fix ?? null,
  }));
  return `${JSON.stringify({ checks: printed }, undefined, 2)}\n`;
}

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
