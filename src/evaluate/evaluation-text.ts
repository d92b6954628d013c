import { forTerminal } from '../core/neutralise.js';
import type { Evaluation } from './evaluation.js';
import type { Score } from './score.js';

const percent = (value: number | null): string =>
  value === null ? '-' : `${(100 * value).toFixed(1)} %`;

const ROWS: ReadonlyArray<readonly [title: string, of: (score: Score) => string]> = [
  ['bugs found', score => `${score.found} of ${score.bugs}`],
  ['recall', score => percent(score.recall)],
  ['findings that point at a bug', score => `${score.right} of ${score.findings}`],
  ['precision', score => percent(score.precision)],
  ['beside a bug', score => String(score.wrongLines)],
  ['false alarms', score => `${score.falseAlarms} in ${score.cleanHunks} clean hunks`],
  ['false alarms per 100 clean hunks', score => score.falseAlarmsPer100?.toFixed(1) ?? '-'],
  ['hunks not looked at', score => String(score.missed)],
  ['requests', score => String(score.requests)],
  ['refusals', score => String(score.refusals)],
  ['seconds', score => score.seconds.toFixed(1)],
];

/** A table for people: checks alone beside checks and model. */
export function evaluationText(evaluation: Evaluation): string {
  const { suite, model, rows } = evaluation;
  const name = model === undefined ? '' : `${forTerminal(model.name)}${votesOf(model.votes)}`;
  const heads = rows.map(row => (row.with === 'checks' ? 'checks alone' : name));
  const table = [
    ['', ...heads],
    ...ROWS.map(([title, of]) => [title, ...rows.map(row => of(row.score))]),
  ];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map(cells => cells[column]?.length ?? 0)),
  );
  const lines = table.map(cells =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const cases = rows[0]?.score.cases ?? 0;
  return [`${forTerminal(suite)}: ${cases} cases`, ...lines, ...remarks(evaluation), ''].join('\n');
}

const votesOf = (votes: number): string => (votes === 1 ? '' : `, ${votes} votes`);

function remarks({ reason, unusable, resumed, left }: Evaluation): string[] {
  const first = unusable[0];
  return [
    ...(reason === undefined ? [] : [`without a model: ${forTerminal(reason)}`]),
    ...(resumed > 0 ? [`${resumed} cases were done by an earlier run`] : []),
    ...(left > 0 ? [`${left} cases are left; run it again to go on`] : []),
    ...(first === undefined
      ? []
      : [
          `${unusable.length} cases not used, such as ${forTerminal(first.name)}: ${first.problem}`,
        ]),
  ];
}

/** The same for programs. */
export const evaluationJson = ({ reason, ...evaluation }: Evaluation): string =>
  `${JSON.stringify(
    { ...evaluation, ...(reason !== undefined && { reason }), complete: evaluation.left === 0 },
    null,
    2,
  )}\n`;
