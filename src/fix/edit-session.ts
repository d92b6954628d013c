import { type Diagnostic, diagnosticKey } from '../core/diagnostic.js';
import { type LineChange, lineChanges } from '../lint/compare.js';
import type { Linter } from '../lint/sandbox.js';

export type EditSource = 'linter' | 'suggestion' | 'model';

/** What was tried for one diagnostic, and what became of it. */
export interface EditRecord {
  readonly path: string;
  readonly diagnostic: Diagnostic;
  readonly by: EditSource;
  status: 'kept' | 'rejected';
  reason?: string;
}

/** An edit that was found good. */
export interface KeptEdit {
  readonly path: string;
  readonly after: string;
  readonly by: EditSource;
  /** The diagnostics it fixed, as they were before. */
  readonly fixed: readonly Diagnostic[];
  readonly ownersOf: (change: LineChange) => ReadonlySet<string>;
}

/**
 * What an edit belongs to; each gets a commit. Edits that a person should look at are kept apart from
 * those that the linter considers safe.
 */
export const ownerOf = ({ tool, rule, message }: Diagnostic, by: EditSource): string => {
  const name = rule ?? (/unused .*directive/i.test(message) ? 'unused directives' : 'syntax');
  return `${tool} ${name}${by === 'linter' ? '' : `\0${by}`}`;
};

/** The files with the edits so far, what the linters report about them now, and what was tried. */
export class EditSession {
  readonly records: EditRecord[] = [];
  readonly #files = new Map<string, TracedText>();
  readonly #reported = new Map<Linter, Map<string, Diagnostic[]>>();

  /** Registers a file that may be edited, with the commit's text. */
  open(path: string, base: string): void {
    if (!this.#files.has(path)) this.#files.set(path, new TracedText(base));
  }

  file(path: string): TracedText | undefined {
    return this.#files.get(path);
  }

  /** Files that differ from the commit. */
  edited(): Array<[path: string, file: TracedText]> {
    return [...this.#files].filter(([, file]) => file.text !== file.base);
  }

  keep(edit: KeptEdit): void {
    const { path, by } = edit;
    this.#files.get(path)?.edit(edit.after, edit.ownersOf);
    for (const diagnostic of edit.fixed) {
      this.records.push({ path, diagnostic, by, status: 'kept' });
    }
  }

  reject(diagnostics: readonly Diagnostic[], by: EditSource, reason: string): void {
    for (const diagnostic of diagnostics) {
      const { path } = diagnostic;
      this.records.push({ path, diagnostic, by, status: 'rejected', reason });
    }
  }

  /** Reverts edits: all of a file, or all that an owner took part in. */
  drop(isDropped: (path: string, owners: ReadonlySet<string>) => boolean, reason: string): void {
    const dropped = new Set<string>();
    for (const [path, file] of this.edited()) {
      for (const { owners } of file.changes()) {
        if (isDropped(path, owners)) for (const owner of owners) dropped.add(`${path}\0${owner}`);
      }
      const text = file.textWith(owners => !isDropped(path, owners));
      file.edit(text, () => new Set());
    }
    for (const record of this.records) {
      const isHit = dropped.has(`${record.path}\0${ownerOf(record.diagnostic, record.by)}`);
      if (!isHit || record.status !== 'kept') continue;
      record.status = 'rejected';
      record.reason = reason;
    }
  }

  /** Stores what a linter reports now about these files; about all when it checks everything. */
  setReported(linter: Linter, paths: readonly string[], diagnostics: readonly Diagnostic[]): void {
    const byFile = this.#reported.get(linter) ?? new Map<string, Diagnostic[]>();
    if (linter.isForAll) byFile.clear();
    for (const path of paths) byFile.delete(path);
    for (const diagnostic of diagnostics) {
      const list = byFile.get(diagnostic.path);
      if (list === undefined) byFile.set(diagnostic.path, [diagnostic]);
      else list.push(diagnostic);
    }
    this.#reported.set(linter, byFile);
  }

  /** What it reported last about the files, or about all when it checks everything. */
  reported(linter: Linter, paths: readonly string[]): Diagnostic[] {
    const byFile = this.#reported.get(linter);
    const asked = linter.isForAll ? [...(byFile?.keys() ?? [])] : paths;
    return asked.flatMap(path => byFile?.get(path) ?? []);
  }

  all(): Diagnostic[] {
    return [...this.#reported.values()].flatMap(byFile => [...byFile.values()].flat());
  }

  get fixed(): number {
    return this.records.filter(record => record.status === 'kept').length;
  }
}

/** Equal diagnostics on equal lines get different keys by their order. */
export function withKeys(
  diagnostics: readonly Diagnostic[],
): Array<{ diagnostic: Diagnostic; key: string }> {
  const seen = new Map<string, number>();
  return diagnostics.map(diagnostic => {
    const key = diagnosticKey(diagnostic);
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return { diagnostic, key: `${key}\0${ordinal}` };
  });
}

/** A part of the difference to the base, and its owners. */
interface TracedChange {
  readonly change: LineChange;
  readonly owners: ReadonlySet<string>;
}

interface TracedLine {
  /** Its number in the base; undefined for a new line. */
  readonly origin: number | undefined;
  readonly owners: ReadonlySet<string>;
}

/** A text that records who changed which line, so that edits can be separated again. */
export class TracedText {
  readonly base: string;
  readonly #removedBy = new Map<number, ReadonlySet<string>>();
  #text: string;
  #lines: TracedLine[];
  #changes: readonly TracedChange[] | undefined;

  constructor(base: string) {
    this.base = base;
    this.#text = base;
    this.#lines = base.split('\n').map((_, at) => ({ origin: at + 1, owners: NO_OWNERS }));
  }

  get text(): string {
    return this.#text;
  }

  get isEdited(): boolean {
    return this.#text !== this.base;
  }

  /** One more edit; `ownersOf` returns the owners of each change. */
  edit(after: string, ownersOf: (change: LineChange) => ReadonlySet<string>): void {
    for (const change of lineChanges(this.#text, after).flatMap(singleLines).reverse()) {
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
    this.#changes = undefined;
  }

  /** The number of a line of the base now; undefined when it was edited. */
  lineNow(line: number): number | undefined {
    const at = this.#lines.findIndex(each => each.origin === line);
    return at === -1 ? undefined : at + 1;
  }

  /** The line's number in the base; undefined for a line that was edited. */
  originOf(line: number): number | undefined {
    return this.#lines[line - 1]?.origin;
  }

  /** The difference to the base in its smallest parts. Any subset of them can be applied. */
  changes(): readonly TracedChange[] {
    this.#changes ??= this.#changesNow();
    return this.#changes;
  }

  #changesNow(): TracedChange[] {
    const now = this.#text.split('\n').length;
    let shift = 0;
    return lineChanges(this.base, this.#text)
      .flatMap(singleLines)
      .map(change => {
        const from = change.oldLine - 1 + shift;
        shift += change.added.length - change.removed.length;
        const added = this.#lines.slice(from, Math.min(now, from + change.added.length));
        const removed = change.removed.map((_, at) => this.#removedBy.get(change.oldLine + at));
        const owners = union([...added.map(line => line.owners), ...removed]);
        return { change, owners: owners.size > 0 ? owners : this.#anyOwners() };
      });
  }

  /** The base with those changes only. */
  textWith(isWanted: (owners: ReadonlySet<string>) => boolean): string {
    return applyChanges(
      this.base,
      this.changes().flatMap(({ change, owners }) => (isWanted(owners) ? [change] : [])),
    );
  }

  /** Equal lines may be matched with the wrong ones; then the first owner in the file counts. */
  #anyOwners(): ReadonlySet<string> {
    const edited = [...this.#removedBy.values(), ...this.#lines.map(line => line.owners)];
    return edited.find(owners => owners.size > 0) ?? NO_OWNERS;
  }
}

const NO_OWNERS: ReadonlySet<string> = new Set();

const union = (sets: ReadonlyArray<ReadonlySet<string> | undefined>): ReadonlySet<string> =>
  new Set(sets.flatMap(each => [...(each ?? NO_OWNERS)]));

/** Neighbouring lines that were each replaced by one line are separate changes. */
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

/** Without the lines that an edit has emptied: a statement that goes takes its line with it. */
export function withoutEmptied(before: string, after: string): string {
  const changes = lineChanges(before, after);
  if (!changes.some(isEmptied)) return after;
  const result = applyChanges(
    before,
    changes.map(change => (isEmptied(change) ? { ...change, added: [] } : change)),
  );
  // The last line break of a file belongs to it.
  return after.endsWith('\n') && !result.endsWith('\n') ? after : result;
}

const isEmptied = ({ removed, added }: LineChange): boolean =>
  removed.length > 0 && added.length > 0 && !removed.some(isBlank) && added.every(isBlank);

const isBlank = (line: string): boolean => line.trim() === '';
