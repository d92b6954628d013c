import { type Diagnostic, diagnosticKey } from '../core/diagnostic.js';
import { TracedText } from './traced-text.js';
import type { Craft, LineChange, Linter } from './workshop.js';

export type Hand = 'linter' | 'suggestion' | 'model';

/** What was tried for one diagnostic, and what became of it. */
export interface EditRecord {
  readonly path: string;
  readonly diagnostic: Diagnostic;
  readonly by: Hand;
  status: 'kept' | 'rejected';
  reason?: string;
}

/** An edit that was found good. */
export interface KeptEdit {
  readonly path: string;
  readonly after: string;
  readonly by: Hand;
  /** What it mended, as it stood before. */
  readonly fixed: readonly Diagnostic[];
  readonly ownersOf: (change: LineChange) => ReadonlySet<string>;
}

/** Whose work an edit is: one commit each. */
export const ownerOf = ({ tool, rule }: Diagnostic): string => `${tool} ${rule ?? 'syntax'}`;

/** The files as the edits have left them, what the linters say of them now, and what was tried. */
export class Bench {
  readonly records: EditRecord[] = [];
  readonly #craft: Pick<Craft, 'lineChanges'>;
  readonly #files = new Map<string, TracedText>();
  readonly #said = new Map<Linter, Map<string, Diagnostic[]>>();

  constructor(craft: Pick<Craft, 'lineChanges'>) {
    this.#craft = craft;
  }

  /** The commit's text, told once for every file that may be edited. */
  open(path: string, base: string): void {
    if (!this.#files.has(path))
      this.#files.set(path, new TracedText(base, this.#craft.lineChanges));
  }

  file(path: string): TracedText | undefined {
    return this.#files.get(path);
  }

  /** Files that are not as they were. */
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

  reject(diagnostics: readonly Diagnostic[], by: Hand, reason: string): void {
    for (const diagnostic of diagnostics) {
      const { path } = diagnostic;
      this.records.push({ path, diagnostic, by, status: 'rejected', reason });
    }
  }

  /** Takes edits back: all of a file, or all that an owner had a hand in. */
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
      const isHit = dropped.has(`${record.path}\0${ownerOf(record.diagnostic)}`);
      if (!isHit || record.status !== 'kept') continue;
      record.status = 'rejected';
      record.reason = reason;
    }
  }

  /** What a linter says now of these files; of all when it looks at everything. */
  note(linter: Linter, paths: readonly string[], diagnostics: readonly Diagnostic[]): void {
    const said = this.#said.get(linter) ?? new Map<string, Diagnostic[]>();
    if (linter.isForAll) said.clear();
    for (const path of paths) said.delete(path);
    for (const diagnostic of diagnostics) {
      const list = said.get(diagnostic.path);
      if (list === undefined) said.set(diagnostic.path, [diagnostic]);
      else list.push(diagnostic);
    }
    this.#said.set(linter, said);
  }

  /** What it said last: of the files, or of all when it looks at everything. */
  said(linter: Linter, paths: readonly string[]): Diagnostic[] {
    const said = this.#said.get(linter);
    const asked = linter.isForAll ? [...(said?.keys() ?? [])] : paths;
    return asked.flatMap(path => said?.get(path) ?? []);
  }

  all(): Diagnostic[] {
    return [...this.#said.values()].flatMap(said => [...said.values()].flat());
  }

  get fixed(): number {
    return this.records.filter(record => record.status === 'kept').length;
  }
}

/** Tells equal complaints on equal lines apart by their order, as nothing else does. */
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
