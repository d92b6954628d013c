import { BotError } from './failure.js';
import { HUNK_STATES, type HunkState, type Ledger, type LedgerItem } from './ledger.js';
import { mergeFindings, mergeRejected } from './merge-findings.js';
import { mergeModelUse } from './merge-model-use.js';
import type { LimitUse, Outcome } from './outcome.js';

/** An outcome of one shard. `elsewhere` names what the others were to do, should one get lost. */
export type ShardOutcome = Outcome & {
  readonly shard?: string;
  readonly elsewhere?: ReadonlyArray<{
    readonly path: string;
    readonly hunk: number;
    readonly shard: number;
  }>;
};

export interface MergeWish {
  readonly run: string;
  /** What could not be read, for the reader. */
  readonly notices: readonly string[];
}

interface Part {
  readonly index: number;
  readonly count: number;
  readonly outcome: ShardOutcome;
}

/** Outcomes of several shards → the outcome of the whole. What is missing counts as failed. */
export function mergeOutcomes(
  outcomes: readonly ShardOutcome[],
  { run, notices }: MergeWish,
): Outcome {
  const [first, ...others] = outcomes;
  if (first === undefined) throw mismatch('there is no outcome to merge');
  for (const other of others) mustBeOfOneChange(first, other);
  const parts = onePerShard(outcomes.map(toPart));
  const count = parts[0]?.count ?? 1;
  const lost = lostHunks(parts, count);
  const all = parts.map(part => part.outcome);
  const missing = missingShards(parts, count);
  const { shard: _shard, elsewhere: _elsewhere, ...whole } = first;
  return {
    ...whole,
    run,
    startedAt: all.map(each => each.startedAt).toSorted()[0] ?? first.startedAt,
    // They ran side by side.
    durationMs: Math.max(...all.map(each => each.durationMs)),
    change: widest(all),
    findings: mergeFindings(all.flatMap(each => each.findings)),
    rejected: mergeRejected(all.flatMap(each => each.rejected)),
    ledger: mergeLedgers(
      all.map(each => each.ledger),
      lost,
    ),
    model: mergeModelUse(all.map(each => each.model)),
    limits: mergeLimits(all.flatMap(each => each.limits)),
    notices: [
      ...new Set([
        ...notices,
        ...missing.map(index => `the outcome of shard ${index}/${count} is missing`),
        ...noModelNotices(parts),
        ...all.flatMap(each => each.notices ?? []),
      ]),
    ],
    complete: missing.length === 0 && lost.length === 0 && all.every(each => each.complete),
  };
}

const mismatch = (message: string): BotError =>
  new BotError('usage', message, {
    hint: 'merge takes the outcomes of one `plan --shards N`: apfel-bot merge shard-*.json',
  });

function mustBeOfOneChange(one: Outcome, other: Outcome): void {
  const pairs = [
    ['task', one.task, other.task],
    ['base', one.change.base, other.change.base],
    ['head', one.change.head, other.change.head],
    ['repository', one.change.repository, other.change.repository],
    ['pull', one.change.pull, other.change.pull],
  ] as const;
  for (const [name, first, second] of pairs) {
    if (first !== second) {
      throw mismatch(`the outcomes are not of one change: ${name} is ${first} and ${second}`);
    }
  }
}

function toPart(outcome: ShardOutcome): Part {
  const [, index = '1', count = '1'] = /^(\d{1,3})\/(\d{1,3})$/.exec(outcome.shard ?? '1/1') ?? [];
  return { index: Number(index), count: Number(count), outcome };
}

/** A runner that was started again leaves two; the later one stands. */
function onePerShard(parts: readonly Part[]): Part[] {
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    const [known] = byIndex.values();
    if (known !== undefined && known.count !== part.count) {
      throw mismatch(`the outcomes are of ${known.count} shards and of ${part.count}`);
    }
    const earlier = byIndex.get(part.index);
    if (earlier !== undefined && part.outcome.shard === undefined) {
      throw mismatch('two outcomes are of no shard; only parts of one review can be merged');
    }
    if (earlier === undefined || earlier.outcome.startedAt <= part.outcome.startedAt) {
      byIndex.set(part.index, part);
    }
  }
  return [...byIndex.values()].toSorted((one, other) => one.index - other.index);
}

const missingShards = (parts: readonly Part[], count: number): number[] =>
  Array.from({ length: count }, (_, at) => at + 1).filter(
    index => !parts.some(part => part.index === index),
  );

/** What a lost shard was to do, as another one knows it; else as many as are not accounted for. */
function lostHunks(parts: readonly Part[], count: number): LedgerItem[] {
  const missing = missingShards(parts, count);
  if (missing.length === 0) return [];
  const failed = (path: string, hunk: number, shard: string): LedgerItem => ({
    path,
    hunk,
    state: 'failed',
    reason: `shard ${shard} is missing`,
  });
  const known = parts.find(part => part.outcome.elsewhere !== undefined)?.outcome.elsewhere;
  if (known !== undefined) {
    return known
      .filter(({ shard }) => missing.includes(shard))
      .map(({ path, hunk, shard }) => failed(path, hunk, `${shard}/${count}`));
  }
  const accounted = parts.reduce((sum, { outcome }) => sum + totalOf(outcome.ledger), 0);
  const hunks = Math.max(...parts.map(({ outcome }) => outcome.change.hunks));
  const name = missing.map(index => `${index}/${count}`).join(', ');
  // Never none: a shard that is missing must be seen. Nor without end: the file may say anything.
  const amount = Math.min(MOST_UNNAMED, Math.max(1, hunks - accounted));
  return Array.from({ length: amount }, (_, at) => failed('-', at + 1, name));
}

const MOST_UNNAMED = 10_000;

const totalOf = (ledger: Ledger): number =>
  HUNK_STATES.reduce((sum, state) => sum + ledger[state], 0);

/** The same in all, unless a runner was cut short. */
const widest = (outcomes: readonly Outcome[]): Outcome['change'] =>
  outcomes
    .map(each => each.change)
    .reduce((widest, change) => (change.hunks > widest.hunks ? change : widest));

function mergeLedgers(ledgers: readonly Ledger[], lost: readonly LedgerItem[]): Ledger {
  const sumOf = (state: HunkState): number =>
    ledgers.reduce((sum, ledger) => sum + ledger[state], 0) +
    (state === 'failed' ? lost.length : 0);
  // Object.fromEntries forgets which keys there were.
  const counts = Object.fromEntries(HUNK_STATES.map(state => [state, sumOf(state)])) as Record<
    HunkState,
    number
  >;
  const items = [...ledgers.flatMap(ledger => ledger.items), ...lost];
  return { total: HUNK_STATES.reduce((sum, state) => sum + counts[state], 0), ...counts, items };
}

function mergeLimits(limits: readonly LimitUse[]): LimitUse[] {
  const byName = new Map<string, LimitUse>();
  for (const each of limits) {
    const known = byName.get(each.limit);
    if (known === undefined || (each.hit && !known.hit)) byName.set(each.limit, each);
  }
  return [...byName.values()];
}

const noModelNotices = (parts: readonly Part[]): string[] =>
  parts.some(({ outcome }) => outcome.model.available)
    ? parts
        .filter(({ outcome }) => !outcome.model.available)
        .map(
          ({ index, count, outcome }) =>
            `shard ${index}/${count} had no model: ${outcome.model.reason ?? 'no reason given'}`,
        )
    : [];
