import { count } from '../core/count.js';
import type { Finding } from '../core/finding.js';
import { NO_MODEL_WANTED } from '../core/outcome.js';
import { reasonInOwnWords } from '../model/apfel-program.js';
import { forMarkdown } from '../platform/safe-markdown.js';
import { forTerminal, oneLine } from '../platform/safe-text.js';
import { STATE_WORDS } from '../report/summary-line.js';

import type { BugLocation, EvalCase, PlantedBug } from './suite.js';

/** What is counted for each case. */
export const COUNTS = [
  'bugs',
  // Bugs in hunks that were reviewed; only these can be found.
  'reviewedBugs',
  // Bugs that a finding points at.
  'found',
  // All findings in reviewed hunks, and those that point at a bug.
  'findings',
  'right',
  'hunks',
  'reviewed',
  // Why others weren't.
  'refused',
  'failed',
  'outOfTime',
  'skipped',
  // Chunks that the model was asked about.
  'chunks',
  'requests',
  'refusals',
  'promptTokens',
  'completionTokens',
  'milliseconds',
] as const;
type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

/** The result of reviewing one case. */
export type CaseResult = Counts & { readonly name: string; readonly protocol?: string };

/** The results of many cases, added up. Null if there is nothing to divide by. */
type Score = ReturnType<typeof addUp>;

type Reviewed = Omit<
  CaseResult,
  'name' | 'bugs' | 'reviewedBugs' | 'found' | 'findings' | 'right'
> & {
  readonly findings: readonly Pick<Finding, 'path' | 'line' | 'endLine'>[];
  /** Whether a line is in a hunk that was reviewed. */
  readonly isReviewed: (path: string, line: number) => boolean;
};

/** What is in hunks that weren't reviewed says nothing about a model, so it isn't counted. */
export function judgeCase({ name, bugs }: EvalCase, reviewed: Reviewed): CaseResult {
  const { findings: all, isReviewed, ...rest } = reviewed;
  const findings = all.filter(({ path, line }) => isReviewed(path, line));
  const seen = bugs.filter(bug =>
    bug.some(({ path, lines }) => lines.some(line => isReviewed(path, line))),
  );
  return {
    ...rest,
    name,
    bugs: bugs.length,
    reviewedBugs: seen.length,
    found: seen.filter(bug => findings.some(finding => pointsAt(finding, bug))).length,
    findings: findings.length,
    right: findings.filter(finding => bugs.some(bug => pointsAt(finding, bug))).length,
  };
}

/** Hunks that should have been reviewed, but weren't. */
export const missedIn = ({
  refused,
  failed,
  outOfTime,
}: Pick<Counts, 'refused' | 'failed' | 'outOfTime'>): number => refused + failed + outOfTime;

const pointsAt = (
  { path, line, endLine }: Pick<Finding, 'path' | 'line' | 'endLine'>,
  bug: PlantedBug,
): boolean =>
  bug.some(
    (place: BugLocation) =>
      place.path === path && place.lines.some(each => each >= line && each <= endLine),
  );

export function addUp(results: readonly CaseResult[]) {
  const total = sum(results);
  const { bugs, reviewedBugs, found, findings, right, chunks, ...all } = total;
  // Any finding in a case without a bug is a false alarm.
  const { findings: falseAlarms, reviewed: cleanHunks } = sum(
    results.filter(each => each.bugs === 0),
  );
  return {
    cases: results.length,
    bugs,
    reviewedBugs,
    found,
    findings,
    right,
    /** In a case with a bug, but on other lines. */
    wrongLines: findings - right - falseAlarms,
    falseAlarms,
    /** Those that were reviewed. */
    cleanHunks,
    hunks: all.hunks,
    reviewed: all.reviewed,
    missed: missedIn(total),
    refused: all.refused,
    failed: all.failed,
    outOfTime: all.outOfTime,
    skipped: all.skipped,
    precision: share(right, findings),
    recall: share(found, reviewedBugs),
    falseAlarmsPer100: share(100 * falseAlarms, cleanHunks),
    chunks,
    requests: all.requests,
    refusals: all.refusals,
    seconds: Math.round(all.milliseconds / 100) / 10,
    secondsPerChunk: share(all.milliseconds / 1000, chunks),
    promptTokensPerChunk: share(all.promptTokens, chunks),
    completionTokensPerChunk: share(all.completionTokens, chunks),
  };
}

function sum(results: readonly CaseResult[]): Counts {
  const total = (name: keyof Counts): number => results.reduce((all, each) => all + each[name], 0);
  return Object.fromEntries(COUNTS.map(name => [name, total(name)])) as unknown as Counts;
}

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((10_000 * part) / whole) / 10_000;

/** The result of an evaluation: a row for the checks alone, and one with the model. */
export interface Evaluation {
  readonly suite: string;
  readonly isShipped: boolean;
  /** Undefined if there was none; the reason says why. */
  readonly model:
    | { readonly name: string; readonly votes: number; readonly protocol?: string }
    | undefined;
  readonly reason: string | undefined;
  /** Where it was measured, so that others can compare. */
  readonly machine: {
    readonly system: string;
    /** The version of apfel-bot. */
    readonly version: string;
    /** `apfel 1.8.4`; absent for servers that don't say. */
    readonly server?: string;
    readonly contextWindow?: number;
  };
  readonly rows: ReadonlyArray<{ readonly with: 'checks' | 'model'; readonly score: Score }>;
  /** Cases that couldn't be used, and why. */
  readonly unusable: ReadonlyArray<{ readonly name: string; readonly problem: string }>;
  /** Cases that an earlier run did with the model. */
  readonly resumed: number;
  /** Cases still to do with the model; another run continues. */
  readonly left: number;
}

const percent = (value: number | null): string =>
  value === null ? '-' : `${(100 * value).toFixed(1)} %`;

/** `-` where nothing was reviewed. */
const unlessNone = (whole: number, text: string): string => (whole === 0 ? '-' : text);

const ROWS: ReadonlyArray<readonly [title: string, of: (score: Score) => string]> = [
  ['hunks reviewed', score => `${score.reviewed} of ${score.hunks}`],
  ['hunks not reviewed', notReviewed],
  [
    'bugs found',
    score => unlessNone(score.reviewedBugs, `${score.found} of ${score.reviewedBugs} reviewed`),
  ],
  ['recall', score => percent(score.recall)],
  [
    'findings that point at a bug',
    score => unlessNone(score.reviewed, `${score.right} of ${score.findings}`),
  ],
  ['precision', score => percent(score.precision)],
  ['near a bug, on other lines', score => unlessNone(score.reviewed, String(score.wrongLines))],
  [
    'false alarms',
    score =>
      unlessNone(
        score.cleanHunks,
        `${score.falseAlarms} in ${score.cleanHunks} reviewed clean hunks`,
      ),
  ],
  ['false alarms per 100 clean hunks', score => score.falseAlarmsPer100?.toFixed(1) ?? '-'],
  ['requests', score => String(score.requests)],
  ['refusals', score => String(score.refusals)],
  ['seconds', score => score.seconds.toFixed(1)],
  ['seconds per chunk', score => score.secondsPerChunk?.toFixed(1) ?? '-'],
  ['tokens in per chunk', score => score.promptTokensPerChunk?.toFixed(0) ?? '-'],
  ['tokens out per chunk', score => score.completionTokensPerChunk?.toFixed(0) ?? '-'],
];

/** `3: 2 refused, 1 failed`. */
function notReviewed(score: Score): string {
  const reasons = (['refused', 'failed', 'outOfTime', 'skipped'] as const)
    .filter(state => score[state] > 0)
    .map(state => `${score[state]} ${STATE_WORDS[state]}`);
  const missed = score.missed + score.skipped;
  return missed === 0 ? '0' : `${missed}: ${reasons.join(', ')}`;
}

/** Checks alone next to checks and model. */
function tableOf({ model, rows }: Evaluation): string[][] {
  const name = model === undefined ? '' : `${oneLine(model.name)}${votesOf(model.votes)}`;
  const heads = rows.map(row => (row.with === 'checks' ? 'checks alone' : name));
  const protocols = rows.map(row => (row.with === 'model' && model?.protocol) || '-');
  return [
    ['', ...heads],
    ['protocol', ...protocols],
    ...ROWS.map(([title, of]) => [title, ...rows.map(row => of(row.score))]),
  ];
}

/** Without what a program or server said, which may name somebody. */
function withoutModel(reason: string): string {
  const own = reasonInOwnWords(reason);
  return own === undefined ? 'without a model' : `without a model: ${own}`;
}

/** The last part of a model's id that is a path; `owner/model` isn't one. */
const withoutFolder = (id: string): string =>
  /^[~.]{0,2}[/\\]|\\|\/.*\/|\.(?:gguf|bin|safetensors)$/.test(id)
    ? (id.match(/[^/\\]+(?=[/\\]*$)/)?.[0] ?? '')
    : id;

/** A page for an issue, without paths of this machine. */
export function evaluationMarkdown(evaluation: Evaluation): string {
  const { machine, isShipped, rows, reason, resumed, left } = evaluation;
  const { system, version, server, contextWindow } = machine;
  const { model } = evaluation;
  const [heads = [], ...cells] = tableOf({
    ...evaluation,
    model: model && { ...model, name: withoutFolder(model.name) },
  });
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`;
  const about = [
    `apfel-bot ${version} on ${system}`,
    ...(server === undefined ? [] : [server]),
    ...(contextWindow === undefined ? [] : [`a window of ${contextWindow} tokens`]),
    `${count(rows[0]?.score.cases ?? 0, 'case')} of ${isShipped ? 'the bundled suite' : 'another suite'}`,
    ...(resumed > 0 ? [`${resumed} of them done by an earlier run`] : []),
    ...(left > 0 ? [`${left} of them left to do`] : []),
    ...(reason === undefined ? [] : [withoutModel(reason)]),
  ];
  return [
    '### apfel-bot eval',
    '',
    `${about.map(forMarkdown).join(', ')}.`,
    '',
    line(heads.map(forMarkdown)),
    line(heads.map(() => '---')),
    ...cells.map(line),
    '',
  ].join('\n');
}

/** The results as a table. */
export function evaluationText(evaluation: Evaluation): string {
  const { suite, rows } = evaluation;
  const table = tableOf(evaluation);
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
  return [
    `${forTerminal(suite)}: ${count(cases, 'case')}`,
    ...lines,
    ...remarks(evaluation),
    '',
  ].join('\n');
}

const votesOf = (votes: number): string => (votes === 1 ? '' : `, ${votes} votes`);

function remarks({ reason, unusable, resumed, left }: Evaluation): string[] {
  const first = unusable[0];
  return [
    ...(reason === undefined ? [] : [`without a model: ${forTerminal(reason)}`]),
    ...(resumed > 0 ? [`${resumed} cases were done by an earlier run`] : []),
    ...(left > 0 ? [`${left} cases are left; run it again to continue`] : []),
    ...(first === undefined
      ? []
      : [
          `${unusable.length} cases not used, such as ${forTerminal(first.name)}: ${first.problem}`,
        ]),
  ];
}

/** Whether every hunk was reviewed, by the model too unless it wasn't wanted. */
export const isComplete = ({ reason, rows, left }: Evaluation): boolean =>
  left === 0 &&
  (reason === undefined || reason === NO_MODEL_WANTED) &&
  rows.every(({ score }) => score.missed === 0);

/** The same as JSON. */
export const evaluationJson = ({ reason, ...evaluation }: Evaluation): string =>
  `${JSON.stringify(
    {
      ...evaluation,
      ...(reason !== undefined && { reason }),
      complete: isComplete({ reason, ...evaluation }),
    },
    null,
    2,
  )}\n`;
