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

export const isListed = (item: LedgerItem): item is Listed => !COUNTED_ONLY.has(item.state);

/** Counts hunks by state, and lists each one that wasn't reviewed, cached or checked. */
export class LedgerBuilder {
  readonly #counts = new Map<HunkState, number>();
  readonly #items: Listed[] = [];

  add(item: LedgerItem): void {
    this.#counts.set(item.state, (this.#counts.get(item.state) ?? 0) + 1);
    if (isListed(item)) this.#items.push(item);
  }

  close(): Ledger {
    const counts = Object.fromEntries(
      HUNK_STATES.map(state => [state, this.#counts.get(state) ?? 0]),
    ) as Record<HunkState, number>;
    const total = HUNK_STATES.reduce((sum, state) => sum + counts[state], 0);
    return { total, ...counts, items: this.#items };
  }
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
