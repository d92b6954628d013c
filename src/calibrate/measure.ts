import { BotError } from '../core/bot-error.js';
import { isTimeUp } from '../core/deadline.js';
import { countTokens, findApfel } from '../model/apfel-program.js';
import {
  betterFounded,
  type CalibrationRow,
  type PickedProtocol,
  pickProtocol,
  type Remembered,
  recall,
  remember,
  type TokenSample,
  type Trial,
  type TrialResult,
  type TrialVerdict,
  tabulate,
  trialKey,
  type Variant,
} from '../model/calibration.js';
import type { Timing } from '../model/client.js';
import { type FindModelOptions, findModel } from '../model/find.js';
import type { FoundModel, Model, ModelFacts } from '../model/model.js';
import { estimateTokens } from '../model/tokens.js';
import type { Environment } from '../platform/processes.js';
import { openUserCache, type UserCache } from '../platform/user-cache.js';
import { askTrial, variantsFor } from './trial.js';

interface CalibrationOptions {
  readonly runs: number;
  /** All that a review would use, except in tests. */
  readonly variants?: readonly Variant[];
  onProgress?(progress: CalibrationProgress): void;
}

export interface SavedReport extends CalibrationReport {
  /** Whether it was saved, so that `auto` can use it. */
  readonly isRemembered: boolean;
}

/** Finds the model that a review would use, measures it, and saves the result. */
export async function calibrateMachine(
  find: FindModelOptions,
  request: CalibrationOptions,
): Promise<SavedReport> {
  const found = await findInTime(find);
  if (!found.available) throw new BotError('model-required', `no model: ${found.reason}`);
  const { model } = found;
  try {
    return await calibrateModel({ ...find, ...request, model });
  } finally {
    await model.close();
  }
}

async function findInTime(find: FindModelOptions): Promise<FoundModel> {
  try {
    return await findModel(find);
  } catch (thrown) {
    if (!isTimeUp(find.signal)) throw thrown;
    return { available: false, reason: 'time ran out before one was found' };
  }
}

interface ModelCalibration extends CalibrationOptions {
  readonly model: Model;
  readonly environment: Environment;
  readonly pace: Timing;
  readonly signal: AbortSignal;
}

/** The same for a model that is already open. The caller closes it. */
export async function calibrateModel(options: ModelCalibration): Promise<SavedReport> {
  const { model, pace, signal, runs, onProgress } = options;
  const cache = openUserCache(options.environment);
  // Copied now: its window and address may change during the questions.
  const { facts } = model;
  const known = await recall(facts, cache);
  const tokens = facts.isApfel ? await sampleTokens(options.environment, countMs(pace)) : [];
  const writer = openWriter(facts, cache);
  const remainingMs = (): number => pace.remainingMs();
  const report = await calibrate({
    server: facts,
    variants: options.variants ?? variantsFor(facts),
    runs,
    ask: trial => askTrial(trial, { model, remainingMs, signal }),
    now: () => performance.now(),
    remembered: known.trials,
    keep: writer.keep,
    ...(onProgress && { onProgress }),
  });
  const picked = betterFounded(known.picked, report.picked);
  const isRemembered = await writer.finish({ picked, ...(tokens.length > 0 && { tokens }) });
  return { ...report, picked, isRemembered };
}

/** Tokens are counted before the first question, so as not to slow it down. */
const countMs = (pace: Timing): number => Math.min(MAX_COUNT_MS, pace.remainingMs() / 4);
const MAX_COUNT_MS = 10_000;

/**
 * A real model takes a second per answer; with a faster one, not every answer waits for the disk.
 */
const WRITE_EVERY_MS = 250;

function openWriter(facts: ModelFacts, cache: UserCache) {
  let latest: readonly TrialResult[] | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    keep: async (results: readonly TrialResult[]): Promise<void> => {
      latest = results;
      if (performance.now() - writtenAt < WRITE_EVERY_MS) return;
      await remember(facts, { trials: results }, cache);
      writtenAt = performance.now();
    },
    finish: (changes: Partial<Remembered>): Promise<boolean> =>
      remember(facts, { ...changes, ...(latest && { trials: latest }) }, cache),
  };
}

/** Three kinds of text that prompts are made of: a change, prose, and data. */
const TEXTS: readonly string[] = [
  [
    '@@ -12,7 +12,9 @@ export function totalOf(lines: readonly OrderLine[]): number {',
    '   let total = 0;',
    '-  for (const line of lines) total += line.price * line.count;',
    '+  for (const line of lines) {',
    '+    const discount = line.count >= BULK_COUNT ? BULK_DISCOUNT : 0;',
    '+    total += line.price * line.count * (1 - discount);',
    '+  }',
    '   return Math.round(total * 100) / 100;',
    ' }',
  ].join('\n'),
  'The function adds up the lines of an order. An order of ten or more of the same thing gets a discount, which is taken off before the sum is rounded to cents. Negative counts are refused earlier, where the order is read, so that they do not have to be looked for here again.',
  JSON.stringify({
    order: 'A-2041',
    lines: [
      { sku: 'BX-17', count: 12, price: 3.5 },
      { sku: 'BX-18', count: 1, price: 129.99 },
      { sku: 'QZ-4', count: 3, price: 0.75 },
    ],
    customer: { name: 'Ada', country: 'AT', verified: true },
    placedAt: '2026-03-01T09:30:00Z',
  }),
];

/** Our estimates and apfel's own counts; empty when apfel is missing, gives none, or estimates too. */
export async function sampleTokens(
  environment: Environment,
  timeoutMs: number,
): Promise<TokenSample[]> {
  const executable = await findApfel(environment);
  if (executable === undefined || timeoutMs <= 0) return [];
  const command = { executable, environment, timeoutMs };
  const counted = await Promise.all(
    TEXTS.map(async text => ({ text, count: await countTokens(command, text) })),
  );
  return counted.flatMap(({ text, count }) =>
    count === undefined ? [] : [{ estimated: estimateTokens(text), actual: count }],
  );
}

export interface CalibrateOptions {
  readonly server: CalibrationReport['server'];
  /** The rows of the table, in print order. */
  readonly variants: readonly Variant[];
  /** Questions per row. */
  readonly runs: number;
  ask(trial: Trial): Promise<Judgement>;
  now(): number;
  /** Earlier results for the same model, which aren't measured again. */
  readonly remembered: readonly TrialResult[];
  /** Called after each measurement with all results so far. */
  keep(results: readonly TrialResult[]): Promise<void>;
  onProgress?(progress: CalibrationProgress): void;
}

/** The result of one question. */
export type Judgement =
  | { readonly kind: 'measured'; readonly verdict: TrialVerdict }
  /** An error came back; it counts as a run, but another calibration doesn't continue from it. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The server was too busy, which says nothing about the model. */
  | { readonly kind: 'missed'; readonly message: string }
  /** The server is gone, the time is up, or it was interrupted. */
  | { readonly kind: 'ended'; readonly message: string };

interface CalibrationProgress {
  readonly done: number;
  readonly total: number;
  readonly trial: Trial;
  /** Undefined if the server had no time for it. */
  readonly verdict: TrialVerdict | undefined;
}

/** What was measured, complete or not. */
export interface CalibrationReport {
  readonly server: Pick<ModelFacts, 'name' | 'baseUrl' | 'isApfel' | 'isOwn' | 'version'>;
  readonly rows: readonly CalibrationRow[];
  /** Runs requested per row. */
  readonly wantedRuns: number;
  /** Total measured, including those of an earlier run. */
  readonly done: number;
  readonly remembered: number;
  readonly total: number;
  /** Why it is incomplete; undefined if it is complete. */
  readonly stopped: string | undefined;
  readonly picked: PickedProtocol | undefined;
}

/** Gives up after this many questions in a row for which the server was too busy. */
const MAX_MISSED = 3;

/**
 * Asks the same questions in every variant, and counts the results. Resumes an earlier calibration
 * that was stopped, or starts over if that one was complete. The caller saves the results.
 */
export async function calibrate(options: CalibrateOptions): Promise<CalibrationReport> {
  const { variants, runs, remembered: known, ask, now, keep, onProgress } = options;
  const trials = schedule(variants, runs);
  const results = new Map(known.map(result => [trialKey(result), result]));
  const isDone = (trial: Trial): boolean => results.has(trialKey(trial));
  const isOver = trials.every(isDone);
  for (const trial of trials) {
    const key = trialKey(trial);
    if (isOver || results.get(key)?.verdict === 'failed') results.delete(key);
  }
  const remembered = trials.filter(isDone).length;
  const open = trials.filter(trial => !isDone(trial));
  let done = remembered;
  let stopped: string | undefined;
  let missed = 0;
  let failure = '';
  // The first question is asked twice: the first time it also loads the model.
  for (const [at, trial] of [...open.slice(0, 1), ...open].entries()) {
    const startedAt = now();
    const judgement = await ask(trial);
    const ms = Math.round(now() - startedAt);
    missed = judgement.kind === 'missed' ? missed + 1 : 0;
    if (judgement.kind === 'ended') stopped = judgement.message;
    if (judgement.kind === 'missed' && missed === MAX_MISSED) {
      stopped = `the server had no time, ${missed} times in a row (${judgement.message})`;
    }
    if (stopped !== undefined) break;
    if (at === 0) continue;
    const verdict = verdictOf(judgement);
    if (judgement.kind === 'failed') failure = ` (${judgement.message})`;
    if (verdict !== undefined) {
      results.set(trialKey(trial), { ...trial, verdict, ms });
      done += 1;
      await keep([...results.values()]);
    }
    onProgress?.({ done, total: trials.length, trial, verdict });
  }
  const asked = trials.flatMap(trial => results.get(trialKey(trial)) ?? []);
  const rows = tabulate(variants, asked);
  const missing = trials.length - done;
  const gaps = missing === 0 ? undefined : `the server had no time for ${missing} questions`;
  const silence = rows.some(({ calls }) => calls > 0)
    ? undefined
    : `no question was answered${failure}`;
  return {
    server: options.server,
    rows,
    wantedRuns: runs,
    done,
    remembered,
    total: trials.length,
    stopped: stopped ?? gaps ?? silence,
    picked: pickProtocol(rows),
  };
}

function verdictOf(judgement: Judgement): TrialVerdict | undefined {
  if (judgement.kind === 'measured') return judgement.verdict;
  return judgement.kind === 'failed' ? 'failed' : undefined;
}

/**
 * All trials: one of each variant, then the next of each. Whenever time is up, all variants have
 * had about as many questions with the same seeds, and a machine that gets hot slows down all
 * alike.
 */
const schedule = (variants: readonly Variant[], runs: number): Trial[] =>
  Array.from({ length: runs }, (_, at) => at + 1).flatMap(seed =>
    variants.map(variant => ({ ...variant, seed })),
  );
