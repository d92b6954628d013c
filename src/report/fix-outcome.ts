import type { Diagnostic } from '../core/diagnostic.js';
import { type FindingWithoutId, nameFindings } from '../core/finding.js';
import { ledgerOf } from '../core/ledger.js';
import type {
  ChangeSummary,
  FixEdit,
  FixOutcome,
  LinterRun,
  UsedProtocol,
} from '../core/outcome.js';
import type { FoundModel } from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { redact } from '../secrets/redact.js';
import { concludeRun } from './conclude.js';

/** The results of `fix-lint`'s steps, for the report. */
interface FixParts {
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
    /** The line in the commit. */
    readonly line: number | undefined;
  }>;
  readonly branch: FixOutcome['branch'];
  readonly linters: readonly LinterRun[];
  /** The diagnostics to fix: all of them, and those that remain. */
  readonly before: readonly Diagnostic[];
  readonly remaining: readonly Diagnostic[];
  readonly introduced: number;
  readonly whyLeft: (diagnostic: Diagnostic) => string;
  readonly lineOf: (path: string, line: number) => string | undefined;
  readonly model: FoundModel;
  readonly conversations: {
    readonly protocol: UsedProtocol;
    readonly repairs: number;
    readonly refusals: number;
  };
  readonly notices: readonly string[];
  readonly isOutOfTime: boolean;
  readonly isComplete: boolean;
}

export function concludeFix(parts: FixParts, clock: Clock): FixOutcome {
  const { run, startedAt, before, remaining, model, conversations } = parts;
  return concludeRun(
    {
      task: 'fix-lint',
      run,
      startedAt,
      model: model.available ? model.model : model,
      conversations,
      deadline: { ms: parts.deadlineMs, isHit: parts.isOutOfTime },
      notices: parts.notices.map(redact),
      complete: parts.isComplete,
    },
    {
      change: parts.change,
      findings: nameFindings(remaining.map(each => claimOf(each, parts))),
      rejected: [],
      linters: parts.linters.map(run => ({
        ...run,
        ...(run.reason !== undefined && { reason: redact(run.reason) }),
      })),
      edits: parts.records.map(({ path, diagnostic, status, reason, by, line }) => ({
        path,
        diagnostic: { rule: ruleName(diagnostic), line: line ?? diagnostic.line ?? 1 },
        status,
        ...(reason !== undefined && { reason: redact(reason) }),
        by,
      })),
      ...(parts.branch && { branch: parts.branch }),
      diagnostics: {
        before: before.length,
        after: remaining.length,
        fixed: before.length - remaining.length,
        introduced: parts.introduced,
      },
      // This task counts diagnostics; it doesn't review hunks.
      ledger: ledgerOf([]),
    },
    clock,
  );
}

/**
 * The schema requires a name without spaces; a diagnostic without a rule gets the name of its tool.
 */
const ruleName = ({ rule, tool }: Diagnostic): string =>
  (rule ?? tool).replace(/[\s\p{C}]+/gu, '-').slice(0, 200) || tool;

function claimOf(diagnostic: Diagnostic, { lineOf, whyLeft }: FixParts): FindingWithoutId {
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
    left: redact(whyLeft(diagnostic)),
    ...(evidence === undefined ? {} : { evidence: redact(evidence) }),
  };
}
