import { isTimeUp } from '../core/deadline.js';
import {
  type CalibrationRow,
  type PickedProtocol,
  type PromptName,
  pickProtocol,
  type Trial,
  type TrialResult,
  tabulate,
  trialKey,
  type Variant,
  type Verdict,
} from '../model/calibration.js';
import type { Model, ModelFacts } from '../model/model.js';
import { questionFor } from './questions.js';
import { type Judgement, judgeReply, type MeasuredProtocol } from './trial.js';

export interface CalibrateOptions {
  readonly model: Pick<Model, 'ask' | 'facts'>;
  readonly protocols: readonly MeasuredProtocol[];
  /** Questions for each row of the table. */
  readonly runs: number;
  readonly clock: { now(): number; remainingMs(): number };
  /** Aborted when the time is up; the result is what was measured until then. */
  readonly signal: AbortSignal;
  /** Earlier results for the same model, which aren't measured again. */
  readonly remembered: readonly TrialResult[];
  /** Called after each measurement with all results so far. */
  keep(results: readonly TrialResult[]): Promise<void>;
  onProgress?(progress: CalibrationProgress): void;
}

export interface CalibrationProgress {
  readonly done: number;
  readonly total: number;
  readonly trial: Trial;
  /** Undefined when the server had no time for it. */
  readonly verdict: Verdict | undefined;
}

/** Gives up after so many questions in a row that the server was too busy for. */
const MOST_MISSED = 3;

/**
 * Asks the same questions in every protocol and variant, and counts the results. Resumes an
 * earlier calibration that was stopped, or starts over if that one was complete. The caller saves the
 * results.
 */
export async function calibrate(options: CalibrateOptions): Promise<CalibrationReport> {
  const trials = schedule(options.protocols, options.runs);
  const results = startingPoint(trials, options.remembered);
  const isDone = (trial: Trial): boolean => results.has(trialKey(trial));
  const remembered = trials.filter(isDone).length;
  const open = trials.filter(trial => !isDone(trial));
  let stopped: string | undefined;
  let missed = 0;
  // The first question is asked twice: the first time it also loads the model.
  for (const [at, trial] of [...open.slice(0, 1), ...open].entries()) {
    const { judgement, ms } = await measure(trial, options);
    missed = judgement.kind === 'missed' ? missed + 1 : 0;
    stopped = whyStop(judgement, missed);
    if (stopped !== undefined) break;
    if (at === 0) continue;
    if (judgement.kind === 'measured') {
      results.set(trialKey(trial), { ...trial, verdict: judgement.verdict, ms });
      await options.keep([...results.values()]);
    }
    const verdict = judgement.kind === 'measured' ? judgement.verdict : undefined;
    const done = trials.filter(isDone).length;
    options.onProgress?.({ done, total: trials.length, trial, verdict });
  }
  return report({ trials, results, remembered, stopped }, options);
}

function startingPoint(
  trials: readonly Trial[],
  remembered: readonly TrialResult[],
): Map<string, TrialResult> {
  const results = new Map(remembered.map(result => [trialKey(result), result]));
  const isComplete = trials.every(trial => results.has(trialKey(trial)));
  if (isComplete) for (const trial of trials) results.delete(trialKey(trial));
  return results;
}

type Ended = Judgement | { readonly kind: 'ended'; readonly message: string };

/** A timeout this close to the deadline is the deadline's, not the model's. */
const NEARLY_OVER_MS = 50;

async function measure(
  trial: Trial,
  { model, protocols, clock, signal }: CalibrateOptions,
): Promise<{ judgement: Ended; ms: number }> {
  const protocol = protocols.find(({ name }) => name === trial.protocol);
  if (protocol === undefined) throw new Error(`no protocol ${trial.protocol}`);
  const question = questionFor(trial.seed);
  const startedAt = clock.now();
  try {
    signal.throwIfAborted();
    const reply = await model.ask(protocol.request(trial, question), signal);
    const ms = Math.round(clock.now() - startedAt);
    if (reply.kind === 'timed-out' && clock.remainingMs() < NEARLY_OVER_MS) {
      return { judgement: TIME_IS_UP, ms };
    }
    return { judgement: judgeReply(reply, question, protocol), ms };
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    const judgement = isTimeUp(signal) ? TIME_IS_UP : INTERRUPTED;
    return { judgement, ms: 0 };
  }
}

const TIME_IS_UP: Ended = { kind: 'ended', message: 'the time was up' };
const INTERRUPTED: Ended = { kind: 'ended', message: 'it was interrupted' };

function whyStop(judgement: Ended, missed: number): string | undefined {
  switch (judgement.kind) {
    case 'measured':
      return undefined;
    case 'missed':
      return missed < MOST_MISSED
        ? undefined
        : `the server had no time, ${missed} times in a row (${judgement.message})`;
    case 'gone':
      return `the server is gone (${judgement.message})`;
    case 'ended':
      return judgement.message;
    default: {
      const never: never = judgement;
      return never;
    }
  }
}

interface Measured {
  readonly trials: readonly Trial[];
  readonly results: ReadonlyMap<string, TrialResult>;
  readonly remembered: number;
  readonly stopped: string | undefined;
}

function report(measured: Measured, options: CalibrateOptions): CalibrationReport {
  const { trials, results, remembered, stopped } = measured;
  const asked = trials.flatMap(trial => results.get(trialKey(trial)) ?? []);
  const rows = tabulate(variantsOf(options.protocols), asked);
  const { name, baseUrl, isApfel, version } = options.model.facts;
  const total = trials.length;
  const missing = total - asked.length;
  const gaps = missing === 0 ? undefined : `the server had no time for ${missing} questions`;
  return {
    server: { name, baseUrl, isApfel, version },
    rows,
    wantedRuns: options.runs,
    done: asked.length,
    remembered,
    total,
    stopped: stopped ?? gaps,
    picked: pickProtocol(rows),
    // The caller, which saves the results, fills this in.
    isRemembered: false,
  };
}

const PROMPTS: readonly PromptName[] = ['directive', 'neutral'];

/** The rows of the table, in print order. */
export const variantsOf = (protocols: readonly MeasuredProtocol[]): Variant[] =>
  protocols.flatMap(({ name, toolChoices }) =>
    PROMPTS.flatMap(prompt =>
      [null, ...toolChoices].map(toolChoice => ({ protocol: name, toolChoice, prompt })),
    ),
  );

/**
 * All trials: one of each variant, then the next of each. Whenever the time is up, all variants have
 * had about as many questions with the same seeds, and a machine that gets hot slows all alike.
 */
export function schedule(protocols: readonly MeasuredProtocol[], runs: number): Trial[] {
  const variants = variantsOf(protocols);
  const seeds = Array.from({ length: runs }, (_, at) => at + 1);
  return seeds.flatMap(seed => variants.map(variant => ({ ...variant, seed })));
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
  /** Whether it was saved, so that `auto` can use it. */
  readonly isRemembered: boolean;
}
