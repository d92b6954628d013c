import { type CalibrationProgress, calibrate } from '../../calibrate/calibrate.js';
import type { CalibrationReport } from '../../calibrate/calibration-report.js';
import type { MeasuredProtocol } from '../../calibrate/measured-protocol.js';
import { betterFounded, type Remembered } from '../../calibrate/remembered.js';
import type { TrialResult } from '../../calibrate/trial.js';
import { BotError } from '../../core/failure.js';
import type { FoundModel, Model, ModelFacts } from '../../core/model.js';
import { isTimeUp } from '../../core/time-up.js';
import type { Environment } from '../apfel/apfel-executable.js';
import { type FindModelOptions, findModel } from '../apfel/apfel-server.js';
import type { Pace } from '../openai/openai-pace.js';
import { openUserCache } from '../records/user-cache.js';
import { type CalibrationMemory, openCalibrationMemory } from './calibrate-memory.js';
import { measuredProtocols } from './calibrate-protocols.js';
import { sampleTokens } from './calibrate-tokens.js';

/** Each row of the published experiment had this many runs. */
export const DEFAULT_RUNS = 15;
/** An hour and a half at a second each; nobody means more. */
export const MOST_RUNS = 500;

export interface CalibrationWish {
  readonly runs: number;
  /** All of them unless a test says otherwise. */
  readonly protocols?: readonly MeasuredProtocol[];
  onProgress?(progress: CalibrationProgress): void;
}

/** The command: finds the model that a review would use, measures it, and remembers the result. */
export async function calibrateMachine(
  find: FindModelOptions,
  wish: CalibrationWish,
): Promise<CalibrationReport> {
  checkRuns(wish.runs);
  const found = await findInTime(find);
  if (!found.available) throw new BotError('model-required', `no model: ${found.reason}`);
  const { model } = found;
  try {
    return await calibrateModel({ ...find, ...wish, model });
  } finally {
    await model.close();
  }
}

async function findInTime(find: FindModelOptions): Promise<FoundModel> {
  try {
    return await findModel(find);
  } catch (thrown) {
    if (!isTimeUp(find.signal)) throw thrown;
    return { available: false, reason: 'the time was up before one was found' };
  }
}

function checkRuns(runs: number): void {
  if (Number.isInteger(runs) && runs >= 1 && runs <= MOST_RUNS) return;
  throw new BotError('usage', `--runs must be from 1 to ${MOST_RUNS}, found ${runs}`);
}

export interface ModelCalibration extends CalibrationWish {
  readonly model: Model;
  readonly environment: Environment;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** The same for a model that is already there. Closing it is left to whoever opened it. */
export async function calibrateModel(options: ModelCalibration): Promise<CalibrationReport> {
  const { model, pace, signal } = options;
  const memory = openCalibrationMemory(openUserCache(options.environment));
  // As it is now: its window and address may change while it is asked.
  const { facts } = model;
  const known = await memory.recall(facts);
  const tokens = facts.isApfel ? await sampleTokens(options.environment, countMs(pace)) : [];
  const writer = openWriter(memory, facts);
  const report = await calibrate({
    model,
    protocols: options.protocols ?? measuredProtocols(),
    runs: options.runs,
    clock: { now: () => performance.now(), remainingMs: () => pace.remainingMs() },
    signal,
    remembered: known.trials,
    keep: writer.keep,
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
  const isComplete = report.stopped === undefined;
  const isRemembered = await writer.finish({
    picked: betterFounded(known.picked, report.picked, isComplete),
    ...(tokens.length > 0 && { tokens }),
  });
  return { ...report, isRemembered };
}

/** Before the first question, which programs beside it would slow down; most of the time is for those. */
const countMs = (pace: Pace): number => Math.min(LONGEST_COUNT_MS, pace.remainingMs() / 4);
const LONGEST_COUNT_MS = 2000;

/** A real model takes a second for each answer; a faster one need not wait for the disk each time. */
const WRITE_EVERY_MS = 250;

function openWriter(memory: CalibrationMemory, facts: ModelFacts) {
  let latest: readonly TrialResult[] | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    keep: async (results: readonly TrialResult[]): Promise<void> => {
      latest = results;
      if (performance.now() - writtenAt < WRITE_EVERY_MS) return;
      await memory.remember(facts, { trials: results });
      writtenAt = performance.now();
    },
    finish: (changes: Partial<Remembered>): Promise<boolean> =>
      memory.remember(facts, { ...changes, ...(latest && { trials: latest }) }),
  };
}
