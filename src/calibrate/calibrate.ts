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
  /** Questions for each row. */
  readonly runs: number;
  ask(trial: Trial): Promise<Judgement>;
  now(): number;
  /** Earlier results for the same model, which aren't measured again. */
  readonly remembered: readonly TrialResult[];
  /** Called after each measurement with all results so far. */
  keep(results: readonly TrialResult[]): Promise<void>;
  onProgress?(progress: CalibrationProgress): void;
}

/** What one question has shown. */
export type Judgement =
  | { readonly kind: 'measured'; readonly verdict: TrialVerdict }
  /** The server was too busy, which says nothing about the model. */
  | { readonly kind: 'missed'; readonly message: string }
  /** The server is gone, the time is up, or it was interrupted. */
  | { readonly kind: 'ended'; readonly message: string };

export interface CalibrationProgress {
  readonly done: number;
  readonly total: number;
  readonly trial: Trial;
  /** Undefined when the server had no time for it. */
  readonly verdict: TrialVerdict | undefined;
}

/** What was measured, complete or not. */
export interface CalibrationReport {
  readonly server: Pick<ModelFacts, 'name' | 'baseUrl' | 'isApfel' | 'version'>;
  readonly rows: readonly CalibrationRow[];
  /** Asked for, for each row. */
  readonly wantedRuns: number;
  /** Total measured, including those of an earlier run. */
  readonly done: number;
  readonly remembered: number;
  readonly total: number;
  /** Why it isn't complete; undefined when it is. */
  readonly stopped: string | undefined;
  readonly picked: PickedProtocol | undefined;
}

/** Gives up after so many questions in a row that the server was too busy for. */
const MOST_MISSED = 3;

/**
 * Asks the same questions in every variant, and counts the results. Resumes an earlier calibration
 * that was stopped, or starts over if that one was complete. The caller saves the results.
 */
export async function calibrate(options: CalibrateOptions): Promise<CalibrationReport> {
  const { variants, runs, remembered: known, ask, now, keep, onProgress } = options;
  const trials = schedule(variants, runs);
  const results = new Map(known.map(result => [trialKey(result), result]));
  const isDone = (trial: Trial): boolean => results.has(trialKey(trial));
  if (trials.every(isDone)) for (const trial of trials) results.delete(trialKey(trial));
  const remembered = trials.filter(isDone).length;
  const open = trials.filter(trial => !isDone(trial));
  let done = remembered;
  let stopped: string | undefined;
  let missed = 0;
  // The first question is asked twice: the first time it also loads the model.
  for (const [at, trial] of [...open.slice(0, 1), ...open].entries()) {
    const startedAt = now();
    const judgement = await ask(trial);
    const ms = Math.round(now() - startedAt);
    missed = judgement.kind === 'missed' ? missed + 1 : 0;
    if (judgement.kind === 'ended') stopped = judgement.message;
    if (judgement.kind === 'missed' && missed === MOST_MISSED) {
      stopped = `the server had no time, ${missed} times in a row (${judgement.message})`;
    }
    if (stopped !== undefined) break;
    if (at === 0) continue;
    const verdict = judgement.kind === 'measured' ? judgement.verdict : undefined;
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
  return {
    server: options.server,
    rows,
    wantedRuns: runs,
    done,
    remembered,
    total: trials.length,
    stopped: stopped ?? gaps,
    picked: pickProtocol(rows),
  };
}

/**
 * All trials: one of each variant, then the next of each. Whenever the time is up, all variants have
 * had about as many questions with the same seeds, and a machine that gets hot slows all alike.
 */
const schedule = (variants: readonly Variant[], runs: number): Trial[] =>
  Array.from({ length: runs }, (_, at) => at + 1).flatMap(seed =>
    variants.map(variant => ({ ...variant, seed })),
  );
