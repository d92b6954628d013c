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

/** What became of one hunk. */
export interface LedgerItem {
  readonly path: string;
  readonly hunk: number;
  readonly state: HunkState;
  readonly reason: string;
}

export type Ledger = { readonly [state in HunkState]: number } & {
  readonly total: number;
  readonly items: readonly LedgerItem[];
};

const COUNTED_ONLY: ReadonlySet<HunkState> = new Set(['reviewed', 'cached', 'checked']);

/** Counts hunks by state, and lists each one that wasn't reviewed, cached or checked. */
export class LedgerBuilder {
  readonly #counts = new Map<HunkState, number>();
  readonly #items: LedgerItem[] = [];

  add(item: LedgerItem): void {
    this.#counts.set(item.state, (this.#counts.get(item.state) ?? 0) + 1);
    if (!COUNTED_ONLY.has(item.state)) this.#items.push(item);
  }

  close(): Ledger {
    const counts = Object.fromEntries(
      HUNK_STATES.map(state => [state, this.#counts.get(state) ?? 0]),
    ) as Record<HunkState, number>;
    const total = HUNK_STATES.reduce((sum, state) => sum + counts[state], 0);
    return { total, ...counts, items: this.#items };
  }
}

/** Contract: no hunk is left out, and none is only checked unless only checks were asked for. */
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
