import type { Ending } from '../core/bot-error.js';
import { guardLineStart } from '../platform/safe-text.js';

type Status = 'ok' | 'attention' | 'problem';

/** What a check is about, which decides the exit code of a problem. */
type Area = 'git' | 'config' | 'machine';

export interface Check {
  readonly id: string;
  readonly area: Area;
  readonly status: Status;
  readonly message: string;
  /** The command or step that fixes it; undefined when there is nothing to fix. */
  readonly fix: string | undefined;
}

export interface DoctorReport {
  readonly checks: readonly Check[];
  /** `done` when a review would work, with or without a model. */
  readonly ending: Extract<Ending, 'done' | 'findings' | 'git' | 'config'>;
}

/** The most basic first: without git nothing else matters. */
const ENDINGS = [
  ['git', 'git'],
  ['config', 'config'],
  ['machine', 'findings'],
] as const;

export function endingOf(checks: readonly Check[]): DoctorReport['ending'] {
  const problems = new Set(
    checks.filter(({ status }) => status === 'problem').map(({ area }) => area),
  );
  return ENDINGS.find(([area]) => problems.has(area))?.[1] ?? 'done';
}

export const checksOf = (area: Area) => {
  const check =
    (status: Status) =>
    (id: string, message: string, fix?: string): Check => ({ id, area, status, message, fix });
  return { ok: check('ok'), attention: check('attention'), problem: check('problem') };
};

/** `doctor --format json`. */
export function doctorJson({ checks }: DoctorReport): string {
  const printed = checks.map(({ id, status, message, fix }) => ({
    id,
    status,
    message,
    fix: fix ?? null,
  }));
  return `${JSON.stringify({ checks: printed }, undefined, 2)}\n`;
}

const MIN_COLUMNS = 60;
const STATUS_WIDTH = 'attention'.length;

/** `doctor` for people: status, name, what was found, and the fix below it. */
export function doctorText(
  { checks }: DoctorReport,
  options: { readonly color: boolean; readonly columns: number },
): string {
  const idWidth = Math.max(0, ...checks.map(({ id }) => id.length));
  const indent = STATUS_WIDTH + idWidth + 4;
  const width = Math.max(MIN_COLUMNS, options.columns) - indent;
  const lines = checks.flatMap(check => {
    const status = paint(check.status, options.color);
    const fix = check.fix === undefined ? [] : wrap(`fix: ${check.fix}`, width);
    const message = check.message.split('\n').flatMap(line => wrap(line, width));
    const [first = '', ...rest] = [...message, ...fix];
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

/** Wraps at spaces; a long word stays whole, so that commands can be copied. */
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
    return `${problems} ${problems === 1 ? 'problem prevents' : 'problems prevent'} a review`;
  }
  const rest = attentions === 0 ? '' : `; ${attentions} marked attention`;
  const hasModel = checks.some(({ id, status }) => id === 'model' && status === 'ok');
  return `${hasModel ? 'a review with the model will work' : 'a review will work, with checks only'}${rest}`;
}
