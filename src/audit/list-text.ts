import { forTerminal, guardLineStart } from '../core/neutralise.js';
import type { Origin } from './audit-run.js';
import { fieldsOf, listOf, textOf } from './plain-fields.js';
import { moment, shortId } from './words.js';

/** A run as a list tells it. */
export interface ListedRun {
  readonly run: string;
  readonly task: string;
  readonly startedAt: string;
  /** The commit it was about, `index` or `stdin`; empty when there was no change. */
  readonly head: string;
  readonly findings: number;
  readonly complete: boolean;
  readonly origin: Origin;
}

/** From an outcome that nobody has checked; undefined when it does not say which run it was. */
export function listedRun(value: unknown, origin: Origin): ListedRun | undefined {
  const outcome = fieldsOf(value);
  const run = textOf(outcome['run']);
  if (!/^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/.test(run)) return undefined;
  return {
    run,
    task: textOf(outcome['task']),
    startedAt: textOf(outcome['startedAt']),
    head: textOf(fieldsOf(outcome['change'])['head']),
    findings: listOf(outcome['findings']).length,
    complete: outcome['complete'] === true,
    origin,
  };
}

/** One line a run, the newest first. */
export function listText(runs: readonly ListedRun[]): string {
  if (runs.length === 0) return 'no run is recorded here yet; make one with: apfel-bot review\n';
  const rows = [
    ['run', 'when', 'task', 'head', 'findings', 'state'],
    ...runs.map(row).map(cells => cells.map(forTerminal)),
  ];
  const widths = rows.reduce<number[]>(
    (most, cells) => cells.map((cell, at) => Math.max(most[at] ?? 0, cell.length)),
    [],
  );
  const lines = rows.map(cells =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${guardLineStart(lines.join('\n'))}\n`;
}

const row = ({ run, task, startedAt, head, findings, complete, origin }: ListedRun): string[] => [
  run,
  moment(startedAt.slice(0, 30)),
  task,
  head === '' ? '-' : shortId(head),
  task === 'ask' || task === 'describe' ? '-' : String(findings),
  stateOf(complete, origin),
];

function stateOf(complete: boolean, origin: Origin): string {
  if (origin === 'transcript') return 'broke off';
  const state = complete ? 'complete' : 'incomplete';
  if (origin === 'hook') return `${state}, by the hook`;
  return origin === 'note' ? `${state}, from a note` : state;
}
