import { defaultConfig } from '../config/config.js';
import { mustHaveNoWords, workOptions } from '../config/options.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { nodeClock } from '../platform/clock.js';
import { openProgress } from '../platform/progress.js';
import { findOptions } from '../review/model.js';
import type { CommandEnd, Session } from '../session.js';
import { calibrateMachine } from './measure.js';
import { calibrateJson, calibrateText } from './text.js';

/** 21 variants of 15 runs at a second or two each. */
const DEADLINE_MS = 900_000;
/** Each row of the published experiment had this many runs. */
const DEFAULT_RUNS = 15;
/** Three hours at a second each. */
const MAX_RUNS = 500;

export async function calibrate(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
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
