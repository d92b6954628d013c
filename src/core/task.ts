import { BotError } from './bot-error.js';

/** Which change was asked for, before git has said what it is. */
export type Selector =
  | { readonly kind: 'staged' }
  /** `symmetric` is `A...B`: from the merge base of both. */
  | {
      readonly kind: 'range';
      readonly from: string;
      readonly to: string;
      readonly symmetric: boolean;
    }
  | { readonly kind: 'commit'; readonly revision: string }
  | { readonly kind: 'stdin' }
  /** At a desk, nothing said: staged, else the branch, else the last commit. */
  | { readonly kind: 'default' };

/** What was asked, with all that argv, environment and event had to say. */
export interface Task {
  readonly selector: Selector;
  /** Literal paths from the top of the repository; empty for all. */
  readonly paths: readonly string[];
  readonly repository: string | null;
  readonly pull: number | null;
  /** On a pull request: the commit whose configuration counted. */
  readonly configBase: string | undefined;
  readonly withoutModel: boolean;
  /** This runner's part of the change, counted from 1; undefined for all of it. */
  readonly shard: { readonly index: number; readonly count: number } | undefined;
  readonly deadlineMs: number;
}

export interface Parsed {
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
  readonly words: readonly string[];
  /** What stands behind `--`. */
  readonly paths: readonly string[];
}

export const usage = (message: string): BotError =>
  new BotError('usage', message, { hint: 'See: apfel-bot --help' });
