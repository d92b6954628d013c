import {
  calibrateMachine,
  DEFAULT_RUNS,
  MOST_RUNS,
} from '../adapters/calibrate/calibrate-model.js';
import { nodeClock } from '../adapters/node-clock.js';
import { openProgress } from '../adapters/progress.js';
import { calibrateJson } from '../calibrate/calibrate-json.js';
import { calibrateText } from '../calibrate/calibrate-text.js';
import { defaultConfig } from '../config.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import { mustHaveNoWords, workOptions } from '../trigger/work-options.js';
import type { CommandEnd, Desk } from './desk.js';
import { findOptions } from './open-model.js';

/** 12 variants of 15 runs at a second or two each. */
const DEADLINE_MS = 600_000;

export async function calibrate(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const runs = runsIn(parsed.values.get('runs'));
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  desk.endAfter(deadlineMs);
  const deadlineAt = nodeClock.now() + deadlineMs;
  const find = findOptions(options.model, { config: defaultConfig(), desk, deadlineAt });
  const { isQuiet } = options;
  const progress = openProgress({ isTerminal: desk.isWatched, isQuiet, say: desk.say });
  const report = await progress.stage('Measuring the model', row =>
    calibrateMachine(find, {
      runs,
      onProgress: ({ done, total }) => row.tell(`${done} of ${total} runs`),
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
  if (runs >= 1 && runs <= MOST_RUNS) return runs;
  throw usage(
    `--runs must be a whole number from 1 to ${MOST_RUNS}, found ${JSON.stringify(text)}`,
  );
}
