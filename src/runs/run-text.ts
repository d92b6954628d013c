import type { WorkOptions } from '../config/options.js';
import { listOf, objectOf, textOf } from '../core/json-fields.js';
import type {
  AnswerOutcome,
  DescriptionOutcome,
  FixOutcome,
  Outcome,
  SavedOutcome,
} from '../core/outcome.js';
import { asRun } from '../platform/own-command.js';
import { forTerminal, guardLineStart } from '../platform/safe-text.js';
import { answerText, descriptionText } from '../report/answer.js';
import { fixText } from '../report/fix.js';

import { jsonText } from '../report/json.js';
import { moment, paint } from '../report/style.js';
import { toText } from '../report/text.js';
import type { Session } from '../session.js';
import type { AuditRun, Origin } from './audit-run.js';
import { count, duration, fullestRequest, isThisMachine, shortId } from './page/words.js';

/** A run in short: the command, the result, how it went, and where to see more. */
export function runText(
  run: AuditRun,
  { session, options }: { readonly session: Session; readonly options: WorkOptions },
): string {
  const { bold, dim } = paint(session.color);
  const [first = '', ...rest] = runHead(run);
  const head = [bold(first), ...rest.map(line => dim(`  ${line}`))];
  const facts = options.isQuiet ? [] : ['', ...runFacts(run).map(dim)];
  const { color, columns } = session;
  const body = outcomeText(run.outcome, { color, columns, isQuiet: options.isQuiet }).trimEnd();
  return `${guardLineStart([...head, '', body, ...facts].join('\n'))}\n`;
}

/** The same as JSON. */
export const runJson = (run: AuditRun): string => jsonText(runData(run));

export const runData = ({ outcome, origin, facts, conversations, isCut }: AuditRun): object => ({
  origin,
  outcome,
  facts,
  conversations: conversations.map(({ number, title, turns, end }) => ({
    number,
    title,
    turns: turns.length,
    end: end ?? null,
  })),
  isCut,
});

/** As the task itself prints it. The schema has validated the fields that each needs. */
function outcomeText(outcome: SavedOutcome, options: Parameters<typeof toText>[1]): string {
  const notices = outcome.notices ?? [];
  const { answer, description, edits, diagnostics } = outcome;
  if (answer !== undefined) return answerText({ ...outcome, notices } as AnswerOutcome);
  if (description !== undefined) {
    return descriptionText({ ...outcome, notices } as DescriptionOutcome);
  }
  if (edits !== undefined && diagnostics !== undefined) {
    return fixText({ ...EMPTY, ...outcome, notices } as FixOutcome, options);
  }
  return toText({ ...EMPTY, ...outcome, notices } as Outcome, options);
}

/** Fields that don't apply are absent from an outcome; a review prints them as nothing. */
const EMPTY = {
  findings: [],
  rejected: [],
  change: {
    base: null,
    head: 'index',
    repository: null,
    pull: null,
    files: 0,
    hunks: 0,
    added: 0,
    removed: 0,
  },
  ledger: {
    total: 0,
    reviewed: 0,
    cached: 0,
    checked: 0,
    skipped: 0,
    outOfTime: 0,
    refused: 0,
    failed: 0,
    items: [],
  },
};

/** More conversations than this are only counted; the page has them all. */
const MAX_CONVERSATIONS = 8;

/** Which run, when, and with what command: one line each, safe for a terminal. */
export function runHead({ outcome, facts, origin }: AuditRun): string[] {
  const { run, task, startedAt, durationMs } = outcome;
  const took = durationMs > 0 ? `, took ${duration(durationMs)}` : '';
  return [
    `run ${run} ${task}`,
    `${moment(startedAt)}${took}${origin === 'run' ? '' : ` (${ORIGINS[origin]})`}`,
    ...(facts.asked === '' ? [] : [facts.asked]),
  ].map(forTerminal);
}

const ORIGINS = {
  hook: 'by the pre-commit hook',
  note: 'from a note',
  file: 'from a file',
  transcript: 'broke off',
  running: 'still running',
};

/** The conversations, the hosts that were contacted, and where to see everything. */
export function runFacts(run: AuditRun): string[] {
  const { conversations, facts, outcome } = run;
  const lines = conversations.slice(0, MAX_CONVERSATIONS).map(({ number, title, turns, end }) => {
    const how = `${count(turns.length, 'turn')}, ${end?.reason ?? 'broke off'}`;
    return `conversation ${number}: ${forTerminal(title)} (${forTerminal(how)})`;
  });
  const more = conversations.length - lines.length;
  const max = fullestRequest(conversations, outcome.model.contextWindow);
  return [
    ...lines,
    ...(more > 0 ? [`… ${count(more, 'more conversation')}`] : []),
    ...(max === undefined ? [] : [`window: ${max}`]),
    ...hostLine(facts.hosts),
    forTerminal(asRun(`page: apfel-bot show ${outcome.run} --html`)),
  ];
}

function hostLine(hosts: AuditRun['facts']['hosts']): string[] {
  if (hosts.length === 0) return [];
  const uses = hosts.map(({ host, times }) => {
    const where = isThisMachine(host) ? 'this machine' : 'another machine';
    return `${forTerminal(host)} (${where}, ${count(times, 'request')})`;
  });
  return [`hosts: ${uses.join(', ')}`];
}

/** A run in a list. */
interface ListedRun {
  readonly run: string;
  readonly task: string;
  readonly startedAt: string;
  /** The commit it was about, `index` or `stdin`; empty if there was no change. */
  readonly head: string;
  readonly findings: number;
  readonly complete: boolean;
  readonly origin: Origin;
}

/** From an unchecked outcome; undefined if it doesn't say which run it was. */
export function listedRun(value: unknown, origin: Origin): ListedRun | undefined {
  const outcome = objectOf(value);
  const run = textOf(outcome['run']);
  if (!/^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/.test(run)) return undefined;
  return {
    run,
    task: textOf(outcome['task']),
    startedAt: textOf(outcome['startedAt']),
    head: textOf(objectOf(outcome['change'])['head']),
    findings: listOf(outcome['findings']).length,
    complete: outcome['complete'] === true,
    origin,
  };
}

/** One line per run, newest first. */
export function listText(runs: readonly ListedRun[]): string {
  if (runs.length === 0)
    return asRun('no runs are recorded here yet; start one with: apfel-bot review\n');
  const rows = [
    ['run', 'when (UTC)', 'task', 'head', 'found', 'state'],
    ...runs.map(row).map(cells => cells.map(forTerminal)),
  ];
  const widths = rows.reduce<number[]>(
    (max, cells) => cells.map((cell, at) => Math.max(max[at] ?? 0, cell.length)),
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

/** The time and some chance: enough to name a run. A row must fit 80 columns. */
const SHOWN_OF_RUN = 12;

const row = ({ run, task, startedAt, head, findings, complete, origin }: ListedRun): string[] => [
  run.slice(0, SHOWN_OF_RUN),
  moment(startedAt).slice(0, 16),
  task,
  head === '' ? '-' : shortId(head),
  task === 'ask' || task === 'describe' ? '-' : String(findings),
  stateOf(complete, origin),
];

function stateOf(complete: boolean, origin: Origin): string {
  if (origin === 'transcript') return 'broke off';
  if (origin === 'running') return 'running';
  const state = complete ? 'complete' : 'incomplete';
  return origin === 'hook' || origin === 'note' ? `${state} (${origin})` : state;
}
