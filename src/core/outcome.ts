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

/** What `ask` found out; the fields of a change do not apply. */
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

/** Everything a run found out, as `--format json` and `--out` write it. */
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
  /** Things the reader should know that are no findings: what was cut, changed config, and so on. */
  readonly notices: readonly string[];
  /** `I/N` when this was one runner's part; what the others were to do stands in `elsewhere`. */
  readonly shard?: string;
  readonly elsewhere?: ReadonlyArray<{
    readonly path: string;
    readonly hunk: number;
    readonly shard: number;
  }>;
  readonly complete: boolean;
}

/** What `describe` found out: a review's outcome without findings. */
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
