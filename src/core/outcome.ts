import type { ChangeEnds } from './change.js';
import type { Finding, Rejection } from './finding.js';
import type { Ledger } from './ledger.js';

export type TaskName = 'review' | 'fix-lint' | 'ask' | 'describe';

export interface ChangeSummary extends ChangeEnds {
  readonly repository: string | null;
  readonly pull: number | null;
  readonly files: number;
  readonly hunks: number;
  readonly added: number;
  readonly removed: number;
}

export interface ModelUse {
  readonly available: boolean;
  readonly reason?: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly contextWindow?: number;
  readonly protocol?: string;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly repairs: number;
  readonly retries: number;
  readonly refusals: number;
}

export interface LimitUse {
  readonly limit: string;
  readonly value: string;
  readonly hit: boolean;
}

/** The outcome of `ask`, without the fields of a change. */
export interface AnswerOutcome {
  readonly version: 1;
  readonly run: string;
  readonly task: 'ask';
  readonly startedAt: string;
  readonly durationMs: number;
  readonly answer: {
    readonly text: string;
    readonly sources: ReadonlyArray<{ readonly path: string; readonly line: number }>;
  };
  readonly model: ModelUse;
  readonly limits: readonly LimitUse[];
  readonly notices: readonly string[];
  readonly complete: boolean;
}

/** The outcome of a run, as `--format json` and `--out` write it. */
export interface Outcome {
  readonly version: 1;
  readonly run: string;
  readonly task: TaskName;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly change: ChangeSummary;
  readonly findings: readonly Finding[];
  readonly rejected: readonly Rejection[];
  readonly ledger: Ledger;
  readonly model: ModelUse;
  readonly limits: readonly LimitUse[];
  /** What the reader should know besides the findings: cut lines, changed configuration and so on. */
  readonly notices: readonly string[];
  /** `I/N` if this was one runner's part; `elsewhere` lists the hunks of the others. */
  readonly shard?: string;
  readonly elsewhere?: ReadonlyArray<{
    readonly path: string;
    readonly hunk: number;
    readonly shard: number;
  }>;
  readonly complete: boolean;
}

/** The outcome of `describe`: a review's without findings. */
export interface DescriptionOutcome {
  readonly version: 1;
  readonly run: string;
  readonly task: 'describe';
  readonly startedAt: string;
  readonly durationMs: number;
  readonly change: ChangeSummary;
  readonly description: { readonly title: string; readonly body: string };
  readonly ledger: Ledger;
  readonly model: ModelUse;
  readonly limits: readonly LimitUse[];
  readonly notices: readonly string[];
  readonly complete: boolean;
}
