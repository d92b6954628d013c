import type { FailOn } from '../config.js';
import { type Finding, SEVERITIES } from '../core/finding.js';
import { forTerminal, guardLineStart } from '../core/neutralise.js';
import { count } from './count.js';
import { isGrave } from './hook-message.js';
import { placeOf } from './order-findings.js';
import { paint } from './paint.js';
import type { NotedCommit } from './to-note-text.js';

export interface PushWish {
  readonly failOn: FailOn;
  readonly color: boolean;
  readonly columns: number;
  /** Commits beyond what was looked at. */
  readonly isCut: boolean;
}

/** A screen has twenty-four lines; the prompt and git's own words need some. */
const MOST_LINES = 16;

/** What the notes of outgoing commits say, on one screen. Empty when there is nothing to say. */
export function toNotePush(
  noted: readonly NotedCommit[],
  wish: PushWish,
): { readonly text: string; readonly blocks: boolean } {
  const told = noted.filter(({ record }) => (record?.findings.length ?? 0) > 0);
  const grave = told.flatMap(({ record }) =>
    (record?.findings ?? []).filter(finding => isGrave(finding, wish.failOn)),
  );
  const silent = noted.filter(({ record }) => record === undefined).length;
  if (told.length + silent === 0) return { text: '', blocks: false };
  const rows = told.flatMap(each => commitRows(each, wish));
  const shown = rows.slice(0, MOST_LINES);
  const rest = rows.length - shown.length;
  const lines = [
    ...shown,
    ...(rest > 0 ? [`  … ${count(rest, 'line')} more: apfel-bot show COMMIT`] : []),
    summary(noted, { told: told.length, silent }, wish),
    ...(grave.length > 0 ? waysOn(grave.length, wish) : []),
  ];
  return { text: `${guardLineStart(lines.join('\n'))}\n`, blocks: grave.length > 0 };
}

function commitRows({ commit, subject, record }: NotedCommit, wish: PushWish): string[] {
  const { bold } = paint(wish.color);
  const findings = (record?.findings ?? []).toSorted(
    (one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity),
  );
  const head = cut(`${commit.slice(0, 12)} ${forTerminal(subject)}`, wish.columns);
  return [bold(head), ...findings.map(finding => findingRow(finding, wish))];
}

function findingRow(finding: Finding, { color, columns }: PushWish): string {
  const { severity, rule, message } = finding;
  const place = forTerminal(placeOf(finding));
  const row = cut(`${place}  ${forTerminal(rule)}  ${forTerminal(message)}`, columns - 12);
  return `  ${paint(color)[severity](severity)} ${row}`;
}

/** Counted in code units; a wide character too many only wraps. */
const cut = (text: string, most: number): string =>
  text.length > most
    ? `${text.slice(0, Math.max(1, most - 1)).replace(/\p{Surrogate}$/u, '')}…`
    : text;

function summary(
  noted: readonly NotedCommit[],
  { told, silent }: { told: number; silent: number },
  { isCut }: PushWish,
): string {
  const words = [
    `${count(noted.length, 'outgoing commit')}${isCut ? ' looked at, of more' : ''}`,
    `${told} with findings`,
    ...(silent > 0 ? [`${silent} not reviewed`] : []),
  ];
  return `apfel-bot: ${words.join(', ')}`;
}

const waysOn = (amount: number, { color }: PushWish): string[] => [
  paint(color).bold(`apfel-bot stopped this push: ${count(amount, 'finding')} to settle.`),
  '  see them in full with:  apfel-bot show COMMIT',
  '  mend them, or push without asking:  git push --no-verify',
];
