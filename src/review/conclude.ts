import type { Bound, End } from '../agent/question.js';
import type { Finding, Rejection } from '../core/finding.js';
import { HunkMap, type HunkState, isComplete, type LedgerItem, ledgerOf } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import type { Task } from '../core/task.js';
import type { Clock } from '../platform/clock.js';
import { concludeRun, hitLimits } from '../report/conclude.js';
import type { FoundAgent } from './agent.js';
import type { PartResult, ReviewDraft } from './chunk.js';
import type { WorkPlan } from './plan.js';

/** Files that configure a review; a pull request may edit them, but not for its own review. */
const CONFIGURATION = /^(\.apfel-bot\.json|\.apfel-bot\/.*)$/;

/** Combines everything that a review found. */
export function conclude(
  review: {
    readonly task: Task;
    readonly startedAt: number;
    readonly work: WorkPlan;
    readonly notices: readonly string[];
    readonly states: readonly LedgerItem[];
    readonly draft: ReviewDraft | undefined;
    /** The limits of one conversation, as configured. */
    readonly bounds: Readonly<Record<Bound, number>>;
    readonly found: FoundAgent;
    readonly elsewhere: NonNullable<Outcome['elsewhere']>;
    readonly findings: readonly Finding[];
    readonly rejected: readonly Rejection[];
  },
  clock: Clock,
): Outcome {
  const { task, work, draft, found, bounds, findings, rejected } = review;
  const ledger = ledgerOf(review.states);
  return concludeRun(
    {
      task: 'review',
      run: clock.runId(),
      startedAt: review.startedAt,
      model: found.available ? found.agent : found,
      conversations: draft ?? { repairs: 0, refusals: 0, protocol: '' },
      deadline: { ms: task.deadlineMs, isHit: work.isCut || ledger.outOfTime > 0 },
      limits: hitLimits(draft?.limits ?? [], bounds),
      notices: [...review.notices, ...configurationNotices(task, work)],
      complete: isComplete(ledger, task.withoutModel),
    },
    {
      change: { ...work.change, repository: task.repository, pull: task.pull },
      findings,
      rejected,
      ledger,
      ...(task.shard && {
        shard: `${task.shard.index}/${task.shard.count}`,
        elsewhere: review.elsewhere,
      }),
    },
    clock,
  );
}

/** The state of a hunk is the worst state of any of its parts. */
const WORST_FIRST: readonly HunkState[] = ['failed', 'refused', 'outOfTime', 'reviewed', 'cached'];

/** The state of each hunk in the plan, in order. */
export function hunkStates(
  { items }: Pick<WorkPlan, 'items'>,
  parts: readonly PartResult[],
  hasModel: boolean,
): LedgerItem[] {
  const byHunk = new HunkMap<PartResult>();
  for (const result of parts) {
    const { path, hunk } = result.part;
    const known = byHunk.get(path, hunk);
    if (known === undefined || isWorse(result.state, known.state)) byHunk.set(path, hunk, result);
  }
  return items.map(({ path, hunk, state: planned, reason: why }) => {
    if (planned !== 'planned') return { path, hunk, state: planned, reason: why };
    const result = byHunk.get(path, hunk);
    if (result !== undefined) return { path, hunk, state: result.state, reason: result.reason };
    if (!hasModel) return { path, hunk, state: 'checked', reason: '' };
    // In a merge, lines that differ from one parent only.
    return { path, hunk, state: 'skipped', reason: 'nothing to ask about' };
  });
}

/** What the end of a question means for the hunks it was about. */
export function stateOf({ reason }: Pick<End, 'reason'>): HunkState {
  if (reason === 'finished') return 'reviewed';
  if (reason === 'refused' || reason === 'blocked') return 'refused';
  return reason === 'deadline' || reason === 'aborted' ? 'outOfTime' : 'failed';
}

export const isWorse = (one: HunkState, other: HunkState): boolean =>
  WORST_FIRST.indexOf(one) < WORST_FIRST.indexOf(other);

function configurationNotices(task: Task, { items }: WorkPlan): string[] {
  if (task.configBase === undefined) return [];
  const edited = new Set(items.map(item => item.path).filter(path => CONFIGURATION.test(path)));
  return [...edited].map(
    path => `this change edits ${path}; the version at the base commit was used for it`,
  );
}
