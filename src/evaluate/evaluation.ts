import type { Score } from './score.js';

/** What an evaluation found out: a row for the checks alone, and one with the model. */
export interface Evaluation {
  readonly suite: string;
  /** Undefined when there was none; the reason says why. */
  readonly model: { readonly name: string; readonly votes: number } | undefined;
  readonly reason: string | undefined;
  readonly rows: ReadonlyArray<{ readonly with: 'checks' | 'model'; readonly score: Score }>;
  /** Cases that could not be used, and why. */
  readonly unusable: ReadonlyArray<{ readonly name: string; readonly problem: string }>;
  /** Cases with the model that an earlier run had done. */
  readonly resumed: number;
  /** Cases with the model that are left; run it again to go on. */
  readonly left: number;
}
