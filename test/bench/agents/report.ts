import type { Score } from './run-setting.js';
import { SETTINGS, type Setting } from './settings.js';

/** One line of the first table. */
export interface Entrant {
  readonly name: string;
  readonly versions: string;
  readonly importMs: number | undefined;
}

export interface Findings {
  readonly entrants: readonly Entrant[];
  readonly scores: readonly Score[];
  readonly leftOut: readonly string[];
  readonly node: string;
}

/** The whole of RESULTS.md, and what the benchmark prints. */
export const report = (findings: Findings): string =>
  `${[
    INTRODUCTION,
    '## The loops',
    entrantTable(findings.entrants),
    ...findings.leftOut.map(text => `Left out: ${text}`),
    `Import: median of fresh processes (Node ${findings.node}), with what a first request loads. apfel-bot is imported unbundled.`,
    ...SETTINGS.flatMap(setting => settingSection(setting, findings.scores)),
    HOW_TO_READ,
    LIMITS,
  ].join('\n\n')}\n`;

const INTRODUCTION = `# The agent loop, measured against what people would use instead

Written by \`npm run bench -- agent-loop\`, which installs the packages beside this file on its first
run and takes a few minutes. Times depend on the machine and on what else it does.

Every loop gets the same tasks, tools, system and user text, server (the stand-in for apfel 1.8.4 with
a window of 4096 tokens) and at most 12 turns. Each is used as its documentation shows, with its own
defaults otherwise; versions are the newest that support Node 20. Whether a task is done is judged by
code: the edit is in the files, and nothing else is; the right value is in the last words.`;

const entrantTable = (entrants: readonly Entrant[]): string =>
  table(
    ['loop', 'packages', 'import ms'],
    entrants.map(({ name, versions, importMs }) => [
      name,
      versions === '' ? 'none' : versions,
      importMs === undefined ? 'none' : importMs.toFixed(0),
    ]),
  );

function settingSection(setting: Setting, scores: readonly Score[]): string[] {
  const rows = scores
    .filter(score => score.setting === setting.name)
    .toSorted((one, other) => rank(other) - rank(one) || one.overheadMs - other.overheadMs)
    .map(score => [
      score.contender,
      String(score.tasks),
      percent(score.completed, score),
      percent(score.returnedUndone, score),
      percent(score.falselyClaimed, score),
      (score.requests / score.tasks).toFixed(2),
      (score.requests / score.minimal).toFixed(2),
      score.overheadMs.toFixed(1),
    ]);
  return [`## ${setting.name}`, setting.note, table(COLUMNS, rows)];
}

const COLUMNS = [
  'loop',
  'tasks',
  'completed %',
  'returned as done, was not %',
  'without saying so %',
  'requests per task',
  'x minimum',
  'overhead ms per turn',
];

/** Completed first, then as few wrong returns as possible, then as few requests. */
const rank = ({ completed, returnedUndone, requests, tasks }: Score): number =>
  (1e6 * completed - 1e3 * returnedUndone - requests) / tasks;

const percent = (count: number, { tasks }: Score): string => ((100 * count) / tasks).toFixed(1);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n');

const HOW_TO_READ = `## How to read it

- *Returned as done, was not*: the loop came back normally with words of the model, and the work was
  not done. A program that calls the loop cannot tell this from success. The rest of what is missing
  to 100 % ended with an error.
- *Without saying so*: of those, the ones whose words do not admit it. The stand-in has its failing
  model say "I cannot look that up" or the like, so this stays 0 unless a loop adds claims of its own.
- *x minimum*: requests against those of a model that makes no mistake. Less than 1 means that a loop
  gave up before the work was done.
- *Overhead*: wall time outside the server and the tools, per request; the lower quartile of the tasks.
- \`openai runTools\` and the AI SDK send \`tool_choice: "auto"\` unless told to force or forbid calls;
  it is documented to lower the rate of calls from 12 of 15 to 6 of 15. The others leave it out.
- The system text names the tools, which helps every loop: without it 2 of 10 calls are made.
- apfel-bot asks for JSON under a schema first and falls back to native calls; its second row has
  native calls only, as the others do. Code judges when it is done, in both.`;

const LIMITS = `## Limits

- No real model was involved. The stand-in follows published observations, and its rates come from 10
  to 29 observations each; some are estimates (\`fixtures/apfel/rates.ts\` says which).
- The tasks are ours: reading a value, finding one, changing one, in small and in large files. The
  simulated model always opens the file it was told of first, so a read_file that returns more than
  the window leaves a loop without limits of its own no way to go on.
- The stand-in draws failures from what is sent. Loops that send different text meet different ones of
  the same rate: the standard error of a figure near 40 % is 6 points with 60 tasks, 4 with 120.
- Native calls that the server had to mend get a random id, and what follows is drawn anew: the figures
  of the other loops move by a few points from run to run.
- Published failures without a rate are not in these settings, nor are connections that fail.
- Retries, rewording and validation could be built around each of the other loops; what is measured is
  what they do by themselves.`;
