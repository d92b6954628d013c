import { BotError } from './bot-error.js';

/** The requested change, before git resolves it. */
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
  /** No selector, outside CI: staged, otherwise the branch, otherwise the last commit. */
  | { readonly kind: 'default' };

/** What argv, environment and event ask for. */
export interface Task {
  readonly selector: Selector;
  /** Literal paths relative to the top of the repository; empty for all. */
  readonly paths: readonly string[];
  readonly repository: string | null;
  readonly pull: number | null;
  /** On a pull request: the commit that the configuration was read from. */
  readonly configBase: string | undefined;
  readonly withoutModel: boolean;
  /** This runner's part of the change, counted from 1; undefined for all of it. */
  readonly shard: { readonly index: number; readonly count: number } | undefined;
  readonly deadlineMs: number;
}

export interface ParsedArguments {
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
  readonly positionals: readonly string[];
  /** Everything after `--`. */
  readonly paths: readonly string[];
  /**
   * What is wrong with a hook's arguments: git must not stop because of them, so the hook reports
   * it.
   */
  readonly problem?: unknown;
}

export const usage = (message: string): BotError =>
  new BotError('usage', message, { hint: 'See: apfel-bot --help' });
