import { defaultConfig } from '../config/config.js';
import { rejectPositionals, workOptions } from '../config/options.js';
import { count } from '../core/count.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { type CalibrationRow, isClosed, usable } from '../model/calibration.js';
import { mayRunTools } from '../model/model.js';
import { nodeClock } from '../platform/clock.js';
import { openProgress } from '../platform/progress.js';
import { forTerminal, guardLineStart } from '../platform/safe-text.js';
import { findOptions } from '../review/model.js';
import type { CommandEnd, Session } from '../session.js';
import type { CalibrationReport } from './measure.js';
import { calibrateMachine, type SavedReport } from './measure.js';

/** 21 variants of 15 runs at a second or two each. */
const DEADLINE_MS = 900_000;
/** Each row of the published experiment had this many runs. */
const DEFAULT_RUNS = 15;
/** Three hours at a second each. */
const MAX_RUNS = 500;

export async function calibrate(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed);
  const options = workOptions(parsed);
  const runs = runsIn(parsed.values.get('runs'));
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  session.endAfter(deadlineMs);
  const deadlineAt = nodeClock.now() + deadlineMs;
  // Every protocol is measured, so none is set.
  const wanted = { ...options.model, protocol: undefined };
  const find = findOptions(wanted, { config: defaultConfig(), session, deadlineAt });
  const { isQuiet } = options;
  const progress = openProgress({
    isTerminal: session.isWatched,
    isQuiet,
    say: session.printError,
  });
  const report = await progress.stage('Measuring the model', row =>
    calibrateMachine(find, {
      runs,
      onProgress: ({ done, total, trial, verdict }) => {
        row.update(`${done} of ${total} runs`);
        row.part(`${trial.protocol}, ${trial.prompt} prompt: ${verdict ?? 'no time'}`);
      },
    }),
  );
  const isPartial = report.stopped !== undefined;
  return {
    text: options.format === 'json' ? calibrateJson(report) : calibrateText(report),
    ending: options.isStrict && isPartial ? 'incomplete' : 'done',
  };
}

function runsIn(text: string | undefined): number {
  if (text === undefined) return DEFAULT_RUNS;
  const runs = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (runs >= 1 && runs <= MAX_RUNS) return runs;
  throw usage(`--runs must be a whole number from 1 to ${MAX_RUNS}, found ${JSON.stringify(text)}`);
}

/** `calibrate` as text: the table, what it is based on, and the result. */
export function calibrateText(report: SavedReport): string {
  const lines = [
    ...opening(report),
    '',
    ...table(report),
    '',
    'directive, neutral: a tool is asked for by its name, or without it',
    'review, second look, fix: what reviews and fixes ask, about code with a known answer',
    'faithful: the right tool with exactly the arguments asked for, or the right answer',
    ...(mayRunTools(report.server) ? [NO_TEXT] : []),
    ...(report.stopped === undefined ? [] : [`* partial: ${report.stopped}. ${GO_ON}`]),
    ...chanceLine(report),
    '',
    pickedLine(report),
    ...(report.isRemembered ? [] : [NOT_REMEMBERED]),
  ];
  return `${guardLineStart(lines.map(line => forTerminal(line)).join('\n'))}\n`;
}

const NO_TEXT =
  "text isn't measured, because this apfel may have MCP tools; without it, apfel-bot starts its own";
const GO_ON = 'Run it again to continue from here.';
const NOT_REMEMBERED = "not saved: the cache folder can't be written to";

function opening({ server, rows, ...report }: CalibrationReport): string[] {
  const { wantedRuns, done, remembered, total } = report;
  const version = server.version === undefined ? '' : ` ${server.version}`;
  const who = server.isApfel ? `apfel${version}` : 'the server';
  const earlier = remembered === 0 ? '' : `, ${remembered} of them by an earlier, unfinished run`;
  const replies = rows.reduce((sum, { calls }) => sum + calls, 0);
  return [
    `${server.name} behind ${who} at ${server.baseUrl}`,
    `${runs(wantedRuns)} of each, ${done} of ${total} asked${earlier}, ${count(replies, 'reply', 'replies')}`,
  ];
}

const runs = (amount: number): string => `${amount} ${amount === 1 ? 'run' : 'runs'}`;

const HEADINGS = [
  'protocol',
  'tool_choice',
  'prompt',
  'runs',
  'replies',
  'faithful',
  'misnamed',
  'refused',
  'ms',
];
/** Text is left-aligned, numbers are right-aligned. */
const FIRST_FIGURE = 3;

function table({ rows, wantedRuns }: CalibrationReport): string[] {
  const lines = [HEADINGS, ...rows.map(row => cells(row, wantedRuns))];
  const widths = HEADINGS.map((_, at) => Math.max(...lines.map(line => (line[at] ?? '').length)));
  return lines.map(line =>
    line
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return at < FIRST_FIGURE ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

const cells = (row: CalibrationRow, wantedRuns: number): string[] => [
  row.protocol,
  row.toolChoice ?? '-',
  row.prompt,
  row.runs < wantedRuns ? `${row.runs}*` : `${row.runs}`,
  `${row.calls}`,
  row.runs === 0 ? '-' : `${Math.round((100 * row.faithful) / row.runs)}%`,
  `${row.wrongName}`,
  `${row.refused}`,
  row.runs === 0 ? '-' : `${row.ms}`,
];

/** Half the width of a 95 % interval around one half, where it is widest; for the shortest row. */
function chanceLine({ rows }: CalibrationReport): string[] {
  const made = rows.map(row => row.runs).filter(amount => amount > 0);
  if (made.length === 0) return [];
  const fewest = Math.min(...made);
  const points = Math.round(98 / Math.sqrt(fewest));
  return [`With ${runs(fewest)}, differences under ${points} points may be chance.`];
}

function pickedLine({ picked, rows }: CalibrationReport): string {
  if (picked === undefined) return 'picked: none, because no protocol gave a faithful call';
  const { protocol, toolChoice, faithful, runs: asked, ms } = picked;
  const choice = toolChoice === null ? '' : ` with tool_choice ${toolChoice}`;
  const better = usable(rows).find(row => row.faithful / row.runs > faithful / asked);
  const chance =
    better && `; ${better.protocol} had ${better.faithful} of ${better.runs}, which may be chance`;
  return `picked: ${protocol}${choice} (${faithful} of ${asked} faithful when the tool is named, ${ms} ms)${chance ?? ''}`;
}

/** `calibrate --format json`: `rows` and `picked`, and what they are based on. */
export function calibrateJson(report: CalibrationReport): string {
  const { rows, picked, server, wantedRuns, stopped } = report;
  const value = {
    rows: rows.filter(({ prompt }) => !isClosed(prompt)),
    questions: rows
      .filter(({ prompt }) => isClosed(prompt))
      .map(({ protocol, prompt, runs: asked, calls, faithful, refused, ms }) => ({
        question: prompt,
        protocol,
        runs: asked,
        answered: calls,
        right: faithful,
        refused,
        ms,
      })),
    picked: picked?.protocol ?? null,
    pickedToolChoice: picked?.toolChoice ?? null,
    server: {
      model: forTerminal(server.name),
      baseUrl: server.baseUrl,
      version: server.version === undefined ? null : forTerminal(server.version),
    },
    wantedRuns,
    complete: stopped === undefined,
    reason: stopped === undefined ? null : forTerminal(stopped),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
