import { formatDuration } from '../core/deadline.js';
import type { Finding, Rejection } from '../core/finding.js';
import {
  HunkMap,
  type HunkState,
  isComplete,
  type Ledger,
  LedgerBuilder,
  type LedgerItem,
} from '../core/ledger.js';
import type { ChangeSummary, ModelUse, Outcome } from '../core/outcome.js';
import type { Task } from '../core/task.js';
import type { Clock } from '../platform/clock.js';
import type { Bound, FoundAgent, PartResult, ReviewDraft } from './chunk.js';

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
  /** What became of each hunk. */
  readonly states: readonly LedgerItem[];
  readonly draft: ReviewDraft | undefined;
  /** Of one conversation, as configured. */
  readonly bounds: Readonly<Record<Bound, number>>;
  readonly found: FoundAgent;
  readonly elsewhere: NonNullable<Outcome['elsewhere']>;
  readonly verdict: {
    readonly findings: readonly Finding[];
    readonly rejected: readonly Rejection[];
  };
}

/** Files that steer a review; a pull request may edit them, but not for its own review. */
const STEERING = /^(\.apfel-bot\.json|\.apfel-bot\/.*)$/;

/** Everything a run found out, put together. */
export function conclude(all: Concluding, clock: Clock): Outcome {
  const { task, work, verdict } = all;
  const ledger = account(all.states);
  const isOutOfTime = work.isCut || ledger.outOfTime > 0;
  return {
    version: 1,
    run: clock.runId(),
    task: 'review',
    startedAt: clock.stamp(all.startedAt),
    durationMs: clock.now() - all.startedAt,
    change: { ...work.change, repository: task.repository, pull: task.pull },
    findings: verdict.findings,
    rejected: verdict.rejected,
    ledger,
    model: modelUse(all),
    limits: [
      { limit: 'deadline', value: formatDuration(task.deadlineMs), hit: isOutOfTime },
      ...(all.draft?.limits ?? []).map(limit => ({
        limit,
        value: String(all.bounds[limit]),
        hit: true,
      })),
    ],
    notices: [...work.notices, ...steeringNotice(task, work)],
    ...(task.shard && {
      shard: `${task.shard.index}/${task.shard.count}`,
      elsewhere: all.elsewhere,
    }),
    complete: isComplete(ledger, task.withoutModel),
  };
}

function modelUse({ found, draft }: Concluding): ModelUse {
  if (!found.available) return { available: false, reason: found.reason, ...NOTHING_ASKED };
  const { facts } = found.agent;
  return {
    available: true,
    name: facts.name,
    baseUrl: facts.baseUrl,
    contextWindow: facts.contextWindow,
    ...(draft === undefined || draft.protocol === '' ? {} : { protocol: draft.protocol }),
    ...found.agent.usage(),
    repairs: draft?.repairs ?? 0,
    refusals: draft?.refusals ?? 0,
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

/** The worst thing that happened to any part of a hunk is what happened to the hunk. */
const WORST_FIRST: readonly HunkState[] = ['failed', 'refused', 'outOfTime', 'reviewed', 'cached'];

function account(states: readonly LedgerItem[]): Ledger {
  const book = new LedgerBuilder();
  for (const item of states) book.add(item);
  return book.close();
}

/** What became of each hunk of the plan, in its order. */
export function hunkStates({
  work,
  parts,
  found,
}: Pick<Concluding, 'work' | 'found'> & {
  /** What the model, or an earlier answer of its, said of each part. */
  readonly parts: readonly PartResult[];
}): LedgerItem[] {
  const byHunk = new HunkMap<PartResult>();
  for (const result of parts) {
    const { path, hunk } = result.part;
    const known = byHunk.get(path, hunk);
    if (known === undefined || isWorse(result, known)) byHunk.set(path, hunk, result);
  }
  return work.items.map(({ path, hunk, state: planned, reason: why }) => {
    if (planned !== 'planned') return { path, hunk, state: planned, reason: why };
    const { state, reason } = stateOf(byHunk.get(path, hunk), found);
    return { path, hunk, state, reason };
  });
}

const isWorse = (one: PartResult, other: PartResult): boolean =>
  WORST_FIRST.indexOf(one.state) < WORST_FIRST.indexOf(other.state);

function stateOf(
  result: PartResult | undefined,
  found: FoundAgent,
): { state: HunkState; reason: string } {
  if (result !== undefined) return { state: result.state, reason: result.reason };
  if (!found.available) return { state: 'checked', reason: '' };
  // The model is asked about new lines only, and there was something to ask about every one of them.
  return { state: 'skipped', reason: 'only removals' };
}

function steeringNotice(task: Task, work: Concluding['work']): string[] {
  if (task.configBase === undefined) return [];
  const edited = new Set(work.items.map(item => item.path).filter(path => STEERING.test(path)));
  return [...edited].map(
    path => `this change edits ${path}; the version at the base commit was used for it`,
  );
}
