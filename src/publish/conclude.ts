import { formatDuration } from '../core/duration.js';
import type { Finding, Rejection } from '../core/finding.js';
import { isComplete, type Ledger, LedgerBook } from '../core/ledger.js';
import type { ChangeSummary, Outcome } from '../core/outcome.js';
import type { Task } from '../core/task.js';
import type { Clock } from '../world.js';

/** What the stages before have left, as far as the report needs it. */
export interface Concluding {
  readonly task: Task;
  readonly startedAt: number;
  readonly work: {
    readonly change: ChangeSummary;
    readonly items: ReadonlyArray<{
      readonly path: string;
      readonly hunk: number;
      readonly state: 'planned' | 'skipped' | 'failed' | 'outOfTime';
      readonly reason: string;
    }>;
    readonly notices: readonly string[];
    readonly isCut: boolean;
  };
  readonly verdict: {
    readonly findings: readonly Finding[];
    readonly rejected: readonly Rejection[];
  };
}

/** Files that steer a review; a pull request may edit them, but not for its own review. */
const STEERING = /^(\.apfel-bot\.json|\.apfel-bot\/.*)$/;

/** Everything a run found out, put together. */
export function conclude({ task, startedAt, work, verdict }: Concluding, clock: Clock): Outcome {
  const ledger = account(work.items);
  return {
    version: 1,
    run: clock.runId(),
    task: 'review',
    startedAt: clock.stamp(startedAt),
    durationMs: clock.now() - startedAt,
    change: { ...work.change, repository: task.repository, pull: task.pull },
    findings: verdict.findings,
    rejected: verdict.rejected,
    ledger,
    model: {
      available: false,
      reason: task.withoutModel
        ? '--no-model was given'
        : 'reviews are made by checks alone so far',
      ...NOTHING_ASKED,
    },
    limits: [{ limit: 'deadline', value: formatDuration(task.deadlineMs), hit: work.isCut }],
    notices: [...work.notices, ...steeringNotice(task, work)],
    complete: isComplete(ledger, task.withoutModel),
  };
}

const NOTHING_ASKED = {
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  repairs: 0,
  retries: 0,
  refusals: 0,
};

function account(items: Concluding['work']['items']): Ledger {
  const book = new LedgerBook();
  for (const { path, hunk, state, reason } of items) {
    book.add({ path, hunk, state: state === 'planned' ? 'checked' : state, reason });
  }
  return book.close();
}

function steeringNotice(task: Task, work: Concluding['work']): string[] {
  if (task.configBase === undefined) return [];
  const edited = new Set(work.items.map(item => item.path).filter(path => STEERING.test(path)));
  return [...edited].map(
    path => `this change edits ${path}; the version at the base commit was used for it`,
  );
}
