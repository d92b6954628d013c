import type { LineChange } from './workshop.js';

/** A piece of the difference to the base, and whose work it is. */
export interface TracedChange {
  readonly change: LineChange;
  readonly owners: ReadonlySet<string>;
}

interface TracedLine {
  /** The line of the base that it is; undefined for a new one. */
  readonly origin: number | undefined;
  readonly owners: ReadonlySet<string>;
}

type Compare = (before: string, after: string) => LineChange[];

/** A file that remembers what it was and who changed which line, so that work can be told apart. */
export class TracedText {
  readonly base: string;
  readonly #compare: Compare;
  readonly #removedBy = new Map<number, ReadonlySet<string>>();
  #text: string;
  #lines: TracedLine[];

  constructor(base: string, compare: Compare) {
    this.base = base;
    this.#compare = compare;
    this.#text = base;
    this.#lines = base.split('\n').map((_, at) => ({ origin: at + 1, owners: NOBODY }));
  }

  get text(): string {
    return this.#text;
  }

  /** One more edit; `ownersOf` says whose each change is. */
  edit(after: string, ownersOf: (change: LineChange) => ReadonlySet<string>): void {
    for (const change of this.#compare(this.#text, after).flatMap(singleLines).reverse()) {
      const gone = this.#lines.slice(
        change.oldLine - 1,
        change.oldLine - 1 + change.removed.length,
      );
      const owners = union([ownersOf(change), ...gone.map(line => line.owners)]);
      for (const { origin } of gone) if (origin !== undefined) this.#removedBy.set(origin, owners);
      const fresh = change.added.map(() => ({ origin: undefined, owners }));
      this.#lines.splice(change.oldLine - 1, gone.length, ...fresh);
    }
    this.#text = after;
  }

  /** Where a line of the base stands now; undefined when it was edited. */
  lineNow(line: number): number | undefined {
    const at = this.#lines.findIndex(each => each.origin === line);
    return at === -1 ? undefined : at + 1;
  }

  /** The line of the base that stands there now; undefined for one of ours. */
  originOf(line: number): number | undefined {
    return this.#lines[line - 1]?.origin;
  }

  /** The difference to the base in its smallest pieces. Any choice of them can be applied. */
  changes(): TracedChange[] {
    const now = this.#text.split('\n').length;
    let shift = 0;
    return this.#compare(this.base, this.#text)
      .flatMap(singleLines)
      .map(change => {
        const from = change.oldLine - 1 + shift;
        shift += change.added.length - change.removed.length;
        const added = this.#lines.slice(from, Math.min(now, from + change.added.length));
        const removed = change.removed.map((_, at) => this.#removedBy.get(change.oldLine + at));
        const owners = union([...added.map(line => line.owners), ...removed]);
        return { change, owners: owners.size > 0 ? owners : this.#anybody() };
      });
  }

  /** The base with those changes only. */
  textWith(isWanted: (owners: ReadonlySet<string>) => boolean): string {
    return applyChanges(
      this.base,
      this.changes().flatMap(({ change, owners }) => (isWanted(owners) ? [change] : [])),
    );
  }

  /** Equal lines may be matched otherwise than they came about; then the file's first editor stands for all. */
  #anybody(): ReadonlySet<string> {
    const edited = [...this.#removedBy.values(), ...this.#lines.map(line => line.owners)];
    return edited.find(owners => owners.size > 0) ?? NOBODY;
  }
}

const NOBODY: ReadonlySet<string> = new Set();

const union = (sets: ReadonlyArray<ReadonlySet<string> | undefined>): ReadonlySet<string> =>
  new Set(sets.flatMap(each => [...(each ?? NOBODY)]));

/** Neighbouring lines that were each replaced by one are separate pieces of work. */
export function singleLines(change: LineChange): LineChange[] {
  const { oldLine, removed, added } = change;
  if (removed.length !== added.length) return [change];
  return removed.map((line, at) => ({
    oldLine: oldLine + at,
    removed: [line],
    added: [added[at] ?? ''],
  }));
}

/** Changes of the same base, in its order. */
export function applyChanges(base: string, changes: readonly LineChange[]): string {
  const lines = base.split('\n');
  for (const { oldLine, removed, added } of [...changes].reverse()) {
    lines.splice(oldLine - 1, removed.length, ...added);
  }
  return lines.join('\n');
}
