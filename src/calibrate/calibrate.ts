import {
  type CalibrationRow,
  type PickedProtocol,
  pickProtocol,
  type Trial,
  type TrialResult,
  type TrialVerdict,
  tabulate,
  trialKey,
  type Variant,
} from '../model/calibration.js';
import type { ModelFacts } from '../model/model.js';

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

export interface CalibrationProgress {
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
