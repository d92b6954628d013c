import { formatDuration } from '../core/deadline.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { type Claim, nameFindings } from '../core/finding.js';
import { LedgerBuilder } from '../core/ledger.js';
import type { ChangeSummary, ModelUse, Outcome } from '../core/outcome.js';
import type { FoundModel } from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { redact } from '../secrets/redact.js';

export interface FixEdit {
  readonly path: string;
  readonly diagnostic: { readonly rule: string; readonly line: number };
  readonly status: 'kept' | 'rejected';
  readonly reason?: string;
  readonly by: 'linter' | 'suggestion' | 'model';
}

/** What `fix-lint` did: the fields of any outcome, and the edits. */
export interface FixOutcome extends Outcome {
  readonly edits: readonly FixEdit[];
  readonly branch?: {
    readonly name: string;
    readonly commit: string;
    readonly base: string;
    readonly bundle: string | null;
  };
  readonly diagnostics: {
    readonly before: number;
    readonly after: number;
    readonly fixed: number;
    readonly introduced: number;
  };
}

/** What the steps before have left, as far as the report needs it. */
export interface FixParts {
  readonly run: string;
  readonly startedAt: number;
  readonly change: ChangeSummary;
  readonly deadlineMs: number;
  readonly records: ReadonlyArray<{
    readonly path: string;
    readonly diagnostic: Diagnostic;
    readonly by: FixEdit['by'];
    readonly status: FixEdit['status'];
    readonly reason?: string;
  }>;
  readonly branch: FixOutcome['branch'];
  /** Of the task's own complaints: those there were, and those there still are, as they were. */
  readonly before: readonly Diagnostic[];
  readonly remaining: readonly Diagnostic[];
  readonly introduced: number;
  readonly lineOf: (path: string, line: number) => string | undefined;
  readonly model: FoundModel;
  readonly conversations: {
    readonly protocol: string;
    readonly repairs: number;
    readonly refusals: number;
  };
  readonly notices: readonly string[];
  readonly isOutOfTime: boolean;
  readonly isComplete: boolean;
}

export function toFixOutcome(parts: FixParts, clock: Clock): FixOutcome {
  const { before, remaining } = parts;
  return {
    version: 1,
    run: parts.run,
    task: 'fix-lint',
    startedAt: clock.stamp(parts.startedAt),
    durationMs: clock.now() - parts.startedAt,
    change: parts.change,
    findings: nameFindings(remaining.map(each => claimOf(each, parts))),
    rejected: [],
    edits: parts.records.map(({ path, diagnostic, by, status, reason }) => ({
      path,
      diagnostic: { rule: ruleName(diagnostic), line: diagnostic.line ?? 1 },
      status,
      ...(reason === undefined ? {} : { reason: redact(reason) }),
      by,
    })),
    ...(parts.branch === undefined ? {} : { branch: parts.branch }),
    diagnostics: {
      before: before.length,
      after: remaining.length,
      fixed: before.length - remaining.length,
      introduced: parts.introduced,
    },
    // Diagnostics are what is accounted for here; no hunk was reviewed.
    ledger: new LedgerBuilder().close(),
    model: modelUse(parts),
    limits: [
      { limit: 'deadline', value: formatDuration(parts.deadlineMs), hit: parts.isOutOfTime },
    ],
    notices: parts.notices.map(redact),
    complete: parts.isComplete,
  };
}

/** A name without spaces, as the schema wants it; a complaint without a rule bears its tool's. */
export const ruleName = ({ rule, tool }: Diagnostic): string =>
  (rule ?? tool).replace(/[\s\p{C}]+/gu, '-').slice(0, 200) || tool;

function claimOf(diagnostic: Diagnostic, { lineOf }: FixParts): Claim {
  const { path, line = 1, endLine = line, column, endColumn, severity, message } = diagnostic;
  const evidence = lineOf(path, line);
  return {
    path,
    line,
    endLine,
    ...(column === undefined ? {} : { column }),
    ...(column === undefined || endColumn === undefined ? {} : { endColumn }),
    side: 'new',
    severity,
    rule: ruleName(diagnostic),
    message: redact(message),
    source: 'linter',
    confidence: 1,
    ...(evidence === undefined ? {} : { evidence: redact(evidence) }),
  };
}

function modelUse({ model: found, conversations }: FixParts): ModelUse {
  const { repairs, refusals } = conversations;
  if (!found.available) {
    const nothing = { requests: 0, promptTokens: 0, completionTokens: 0, retries: 0 };
    return { available: false, reason: found.reason, ...nothing, repairs, refusals };
  }
  const { facts } = found.model;
  return {
    available: true,
    name: facts.name,
    baseUrl: facts.baseUrl,
    contextWindow: facts.contextWindow,
    ...(conversations.protocol === '' ? {} : { protocol: conversations.protocol }),
    ...found.model.usage(),
    repairs,
    refusals,
  };
}
