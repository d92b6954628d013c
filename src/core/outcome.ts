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

/** What the outcome of every task has. */
interface RunOutcome {
  readonly version: 1;
  readonly run: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly model: ModelUse;
  readonly limits: readonly LimitUse[];
  /** What the reader should know besides the result: cut lines, changed configuration and so on. */
  readonly notices: readonly string[];
  readonly complete: boolean;
}

/** The outcome of `review` or `fix-lint`, as `--format json` and `--out` write it. */
export interface Outcome extends RunOutcome {
  readonly task: 'review' | 'fix-lint';
  readonly change: ChangeSummary;
  readonly findings: readonly Finding[];
  readonly rejected: readonly Rejection[];
  readonly ledger: Ledger;
  /** `I/N` if this was one runner's part; `elsewhere` lists the hunks of the others. */
  readonly shard?: string;
  readonly elsewhere?: ReadonlyArray<{
    readonly path: string;
    readonly hunk: number;
    readonly shard: number;
  }>;
}

/** The outcome of `fix-lint`: what is left as findings, and the edits. */
export interface FixOutcome extends Outcome {
  readonly task: 'fix-lint';
  readonly linters: readonly LinterRun[];
  readonly edits: readonly FixEdit[];
  readonly branch?: FixBranch;
  readonly diagnostics: {
    readonly before: number;
    readonly after: number;
    readonly fixed: number;
    readonly introduced: number;
  };
}

export interface FixEdit {
  readonly path: string;
  readonly diagnostic: { readonly rule: string; readonly line: number };
  readonly status: 'kept' | 'rejected';
  readonly reason?: string;
  readonly by: 'linter' | 'suggestion' | 'model';
}

export interface FixBranch {
  readonly name: string;
  readonly commit: string;
  readonly base: string;
  readonly bundle: string | null;
}

/** A linter that applies, and how it ended. */
export interface LinterRun {
  readonly name: string;
  /** As it was run, without the names of files. */
  readonly command: string;
  /** Where, from the top. */
  readonly folder: string;
  /** How many files it looked at. */
  readonly files: number;
  /** Where the command was found. */
  readonly source: string;
  readonly finished: boolean;
  /** Why it did not finish. */
  readonly reason?: string;
}

/** The outcome of `ask`. */
export interface AnswerOutcome extends RunOutcome {
  readonly task: 'ask';
  readonly answer: {
    readonly text: string;
    readonly sources: ReadonlyArray<{ readonly path: string; readonly line: number }>;
  };
}

/** The outcome of `describe`. */
export interface DescriptionOutcome extends RunOutcome {
  readonly task: 'describe';
  readonly change: ChangeSummary;
  readonly description: { readonly title: string; readonly body: string };
  readonly ledger: Ledger;
}

export type AnyOutcome = Outcome | AnswerOutcome | DescriptionOutcome;

type PartsOf<One extends RunOutcome> = Partial<Omit<One, keyof RunOutcome | 'task'>>;

/** An outcome of any task as its schema has it: parts that don't apply are missing. */
export type SavedOutcome = Omit<RunOutcome, 'version' | 'notices'> &
  Partial<Pick<RunOutcome, 'notices'>> & { readonly task: TaskName } & PartsOf<FixOutcome> &
  PartsOf<AnswerOutcome> &
  PartsOf<DescriptionOutcome>;
