import type { OutcomeFile } from '../generated/shapes.js';

export const HUNK_STATES = [
  'reviewed',
  'cached',
  'checked',
  'skipped',
  'outOfTime',
  'refused',
  'failed',
] as const;
export type HunkState = (typeof HUNK_STATES)[number];

export type Ledger = Required<OutcomeFile>['ledger'];
type Listed = Ledger['items'][number];

/** What became of one hunk. */
export interface LedgerItem extends Omit<Listed, 'state'> {
  readonly state: HunkState;
}

const COUNTED_ONLY: ReadonlySet<HunkState> = new Set(['reviewed', 'cached', 'checked']);

const isListed = (item: LedgerItem): item is Listed => !COUNTED_ONLY.has(item.state);

/** Counts hunks by state, and lists each one that wasn't reviewed, cached or checked. */
export function ledgerOf(hunks: readonly LedgerItem[]): Ledger {
  const counts = Object.fromEntries(HUNK_STATES.map(state => [state, 0])) as Record<
    HunkState,
    number
  >;
  for (const { state } of hunks) counts[state] += 1;
  return { total: hunks.length, ...counts, items: hunks.filter(isListed) };
}

/** All hunks that a ledger counts; `total` may come from a file. */
export const totalOf = (ledger: Omit<Ledger, 'total' | 'items'>): number =>
  HUNK_STATES.reduce((sum, state) => sum + ledger[state], 0);

export function addLedgers(one: Ledger, other: Ledger): Ledger {
  const counts = HUNK_STATES.map(state => [state, one[state] + other[state]]);
  const total = one.total + other.total;
  return { ...one, ...Object.fromEntries(counts), total, items: [...one.items, ...other.items] };
}

/** No hunk is left out, and none is only checked unless only checks were requested. */
export const isComplete = (ledger: Ledger, withoutModel: boolean): boolean =>
  ledger.outOfTime + ledger.refused + ledger.failed === 0 && (withoutModel || ledger.checked === 0);

/** A value for each hunk. Two maps, because a joined key would be built for every lookup. */
export class HunkMap<Value> {
  readonly #files = new Map<string, Map<number, Value>>();

  get(path: string, hunk: number): Value | undefined {
    return this.#files.get(path)?.get(hunk);
  }

  set(path: string, hunk: number, value: Value): void {
    const file = this.#files.get(path);
    if (file === undefined) this.#files.set(path, new Map([[hunk, value]]));
    else file.set(hunk, value);
  }
}
