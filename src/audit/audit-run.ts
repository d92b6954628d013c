import type { AuditFacts, DiffHunk } from '../core/diary.js';
import type { Finding, Rejection } from '../core/finding.js';
import type { Ledger } from '../core/ledger.js';
import type { ChangeSummary, LimitUse, ModelUse, TaskName } from '../core/outcome.js';

/** Everything there is to show of one run. All of its text may come from anybody. */
export interface AuditRun {
  readonly outcome: ShownOutcome;
  readonly origin: Origin;
  readonly facts: AuditFacts;
  readonly talks: readonly Talk[];
  /** The transcript was too long to be kept to its end. */
  readonly isCut: boolean;
  /** The hunks that findings stand in. */
  readonly hunks: readonly DiffHunk[];
  /** What the kept edits changed. */
  readonly edits: readonly DiffHunk[];
}

/**
 * Where it was found: kept by the run, left by the pre-commit hook, in a note, in a file; or only
 * what was said is there, because the run broke off.
 */
export type Origin = 'run' | 'hook' | 'note' | 'file' | 'transcript';

/** An outcome of any task, as its schema has it: what does not apply is absent. */
export interface ShownOutcome {
  readonly run: string;
  readonly task: TaskName;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly change?: ChangeSummary;
  readonly findings?: readonly Finding[];
  readonly rejected?: readonly Rejection[];
  readonly edits?: readonly ShownEdit[];
  readonly branch?: { readonly name: string; readonly commit: string; readonly base: string };
  readonly diagnostics?: Readonly<Record<'before' | 'after' | 'fixed' | 'introduced', number>>;
  readonly answer?: {
    readonly text: string;
    readonly sources: ReadonlyArray<{ readonly path: string; readonly line: number }>;
  };
  readonly description?: { readonly title: string; readonly body: string };
  readonly ledger?: Ledger;
  readonly model: ModelUse;
  readonly limits: readonly LimitUse[];
  readonly notices?: readonly string[];
  readonly shard?: string;
  readonly complete: boolean;
}

export interface ShownEdit {
  readonly path: string;
  readonly diagnostic: { readonly rule: string; readonly line: number };
  readonly status: 'kept' | 'rejected';
  readonly reason?: string;
  readonly by: 'linter' | 'suggestion' | 'model';
}

/** One conversation. */
export interface Talk {
  readonly number: number;
  readonly title: string;
  readonly turns: readonly Turn[];
  /** Undefined when it broke off. */
  readonly end: { readonly reason: string; readonly message: string } | undefined;
}

/** A request, the reply to it, and what came of that. */
export interface Turn {
  readonly talk: number;
  readonly number: number;
  readonly atMs: number;
  readonly protocol: string;
  readonly compaction: string;
  readonly estimatedTokens: number;
  /** How many the reply might have had. */
  readonly maxTokens: number;
  readonly system: string;
  readonly messages: readonly SeenMessage[];
  /** Tools or schema as they were sent, and the names the model could choose from. */
  readonly offered: { readonly names: readonly string[]; readonly text: string };
  readonly reply: Reply | undefined;
  readonly steps: readonly Step[];
}

export interface SeenMessage {
  readonly role: string;
  readonly text: string;
}

export interface Reply {
  readonly kind: string;
  readonly durationMs: number;
  readonly text: string;
  readonly isCut: boolean;
  readonly calls: ReadonlyArray<{ readonly name: string; readonly input: string }>;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type Step =
  | {
      readonly type: 'call';
      readonly name: string;
      readonly input: string;
      readonly repairs: readonly string[];
    }
  | ToolResult
  | {
      readonly type: 'rung';
      readonly rung: string;
      readonly trouble: string;
      readonly message: string;
    };

export interface ToolResult {
  readonly type: 'result';
  readonly name: string;
  readonly isError: boolean;
  readonly text: string;
  readonly durationMs: number;
  /** For people, by name; values as text. */
  readonly details: ReadonlyMap<string, string>;
}
