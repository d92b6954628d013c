import { countingKey, type Diagnostic, diagnosticKey } from '../core/diagnostic.js';
import { groupBy } from '../core/group-by.js';
import { type LineChange, lineChanges } from '../lint/compare.js';
import type { Linter } from '../lint/sandbox.js';

export type EditSource = 'linter' | 'suggestion' | 'model';

/** What was tried for one diagnostic, and the result. */
export interface EditRecord {
  readonly path: string;
  readonly diagnostic: Diagnostic;
  readonly by: EditSource;
  /** In the commit; undefined for a line that an edit has added. */
  readonly line: number | undefined;
  status: 'kept' | 'rejected';
  reason?: string;
}

/** An edit that passed verification. */
export interface KeptEdit {
  readonly path: string;
  readonly after: string;
  readonly by: EditSource;
  /** The diagnostics it fixed, as they were before. */
  readonly fixed: readonly Diagnostic[];
  /** Which fixed diagnostics a change belongs to; if absent, all of them. */
  readonly causesOf?: (change: LineChange) => readonly Diagnostic[];
}

/** What a commit is about: a rule, and whether its edits need a closer look. */
export const ruleKey = ({ diagnostic: { tool, rule, message }, by }: Tried): string => {
  const name = rule ?? (/unused .*directive/i.test(message) ? 'unused directives' : 'diagnostics');
  return `${tool} ${name}${by === 'linter' ? '' : `\0${by}`}`;
};

type Tried = Pick<EditRecord, 'diagnostic' | 'by'>;
type Owners = ReadonlySet<EditRecord>;

/** The files with the edits so far, what the linters report about them, and what was tried. */
export class EditSession {
  readonly records: EditRecord[] = [];
  readonly #files = new Map<string, EditedFile>();
  readonly #recordOf = new Map<Diagnostic, EditRecord>();
  /** Which line of the commit a reported diagnostic was on. */
  readonly #lineOf = new Map<Diagnostic, number | undefined>();
  readonly #reported = new Map<Linter, Map<string, Diagnostic[]>>();
  /** What each linter reported about the commit. */
  readonly #atFirst = new Map<Linter, ReadonlyMap<string, Diagnostic[]>>();

  /** Registers a file that may be edited, with the commit's text. */
  open(path: string, base: string): void {
    if (!this.#files.has(path)) this.#files.set(path, new EditedFile(base));
  }

  file(path: string): EditedFile | undefined {
    return this.#files.get(path);
  }

  /** Files that differ from the commit. */
  edited(): Array<[path: string, file: EditedFile]> {
    return [...this.#files].filter(([, file]) => file.isEdited);
  }

  keep({ path, after, by, fixed, causesOf = () => fixed }: KeptEdit): void {
    for (const diagnostic of fixed) {
      this.#recordOf.set(diagnostic, this.#record(path, { diagnostic, by, status: 'kept' }));
    }
    const ownersOf = (change: LineChange): Owners =>
      new Set(causesOf(change).flatMap(each => this.#recordOf.get(each) ?? []));
    this.#files.get(path)?.edit(after, ownersOf, by === 'linter');
  }

  reject(diagnostics: readonly Diagnostic[], by: EditSource, reason: string): void {
    for (const diagnostic of diagnostics) {
      this.#record(diagnostic.path, { diagnostic, by, status: 'rejected', reason });
    }
  }

  #record(path: string, tried: Omit<EditRecord, 'path' | 'line'>): EditRecord {
    const { diagnostic } = tried;
    const line = this.#lineOf.get(diagnostic) ?? this.#lineBefore(diagnostic);
    const record = { ...tried, path, line };
    this.records.push(record);
    return record;
  }

  /** The line in the commit; for an added line, the one after the nearest line above it. */
  #lineBefore({ path, line }: Diagnostic): number | undefined {
    const file = this.#files.get(path);
    if (line === undefined || file === undefined) return line;
    for (let at = line; at > 0; at -= 1) {
      const known = file.lineBefore(at);
      if (known === undefined) continue;
      const last = file.base.replace(/\n$/, '').split('\n').length;
      return at === line ? known : Math.min(known + 1, last);
    }
    return 1;
  }

  /** Reverts edits: all of a file, or all that a rule took part in. */
  drop(isDropped: (path: string, owners: Owners) => boolean, reason: string): void {
    const dropped = new Set<EditRecord>();
    for (const [path, file] of this.edited()) {
      for (const each of file.drop(owners => isDropped(path, owners))) dropped.add(each);
    }
    for (const record of this.records) {
      const isMeant = isDropped(record.path, new Set([record]));
      if (record.status !== 'kept' || !(isMeant || dropped.has(record))) continue;
      record.status = 'rejected';
      record.reason = isMeant ? reason : 'it builds on an edit that was dropped';
      dropped.add(record);
    }
    this.#bringBack(dropped);
  }

  /** Until a linter says otherwise, what dropped edits had fixed is there again. */
  #bringBack(dropped: Owners): void {
    for (const [linter, atFirst] of this.#atFirst) {
      const byFile = this.#reported.get(linter) ?? new Map<string, Diagnostic[]>();
      for (const path of new Set([...byFile.keys(), ...atFirst.keys()])) {
        const file = this.#files.get(path);
        const again = [...dropped].filter(
          ({ diagnostic }) => diagnostic.path === path && diagnostic.tool === linter.name,
        );
        if (file?.isEdited !== true) byFile.set(path, atFirst.get(path) ?? []);
        else byFile.set(path, [...(byFile.get(path) ?? []), ...again.map(each => each.diagnostic)]);
      }
      this.#reported.set(linter, byFile);
    }
  }

  /**
   * Stores a linter's current report about these files, or about all files if it checks everything.
   */
  setReported(linter: Linter, paths: readonly string[], diagnostics: readonly Diagnostic[]): void {
    const byFile = this.#reported.get(linter) ?? new Map<string, Diagnostic[]>();
    this.#followLines(this.reported(linter, paths), diagnostics);
    if (linter.isForAll) byFile.clear();
    for (const path of paths) byFile.delete(path);
    for (const [path, list] of groupBy(diagnostics, each => each.path)) {
      byFile.set(path, [...(byFile.get(path) ?? []), ...list]);
    }
    this.#reported.set(linter, byFile);
    if (!this.#atFirst.has(linter)) this.#atFirst.set(linter, new Map(byFile));
  }

  /** What isn't fixed is reported in the same order again, even if its line was split. */
  #followLines(before: readonly Diagnostic[], now: readonly Diagnostic[]): void {
    const isLeft = (each: Diagnostic): boolean => this.#recordOf.get(each)?.status !== 'kept';
    const left = groupBy(before.filter(isLeft), countingKey);
    for (const [key, group] of groupBy(now, countingKey)) {
      const known = left.get(key) ?? [];
      for (const [at, each] of group.entries()) {
        if (this.#lineOf.has(each)) continue;
        const same = known.length === group.length ? known[at] : undefined;
        this.#lineOf.set(each, same ? this.#lineOf.get(same) : this.#lineBefore(each));
      }
    }
  }

  /** The linter's last report about the files, or about all files if it checks everything. */
  reported(linter: Linter, paths: readonly string[]): Diagnostic[] {
    const byFile = this.#reported.get(linter);
    const asked = linter.isForAll ? [...(byFile?.keys() ?? [])] : paths;
    return asked.flatMap(path => byFile?.get(path) ?? []);
  }

  /** What two runs of one linter report about the same place counts once. */
  all(): Diagnostic[] {
    const found = new Map<string, Linter>();
    return [...this.#reported].flatMap(([linter, byFile]) =>
      [...byFile.values()].flat().filter(each => {
        const key = placeKey(each);
        if (!found.has(key)) found.set(key, linter);
        return found.get(key) === linter;
      }),
    );
  }

  /** Whether this linter's last report has the diagnostic. */
  isReportedBy(linter: Linter, diagnostic: Diagnostic): boolean {
    return this.#reported.get(linter)?.get(diagnostic.path)?.includes(diagnostic) === true;
  }

  get fixed(): number {
    return this.records.filter(record => record.status === 'kept').length;
  }
}

/** Equal for the same diagnostic in the reports of two runs. */
export const placeKey = (diagnostic: Diagnostic): string =>
  `${countingKey(diagnostic)}\0${diagnostic.line}:${diagnostic.column}`;

/** Diagnostics whose keys aren't in `tried`; equal ones on equal lines get different keys. */
export function untried(
  diagnostics: readonly Diagnostic[],
  tried: ReadonlySet<string>,
): Map<Diagnostic, string> {
  const groups = [...groupBy(diagnostics, diagnosticKey)];
  const keys = new Map(
    groups.flatMap(([key, equal]) => equal.map((each, at) => [each, `${key}\0${at}`] as const)),
  );
  return new Map([...keys].filter(([, key]) => !tried.has(key)));
}

/**
 * A file in two layers: the linters' own fixes, and on top of them the edits that need a look. Each
 * layer gets its own commits, even where both change the same line.
 */
class EditedFile {
  #safe: TracedText<EditRecord>;
  #look: TracedText<EditRecord>;

  constructor(base: string) {
    this.#safe = new TracedText(base);
    this.#look = new TracedText(base);
  }

  get base(): string {
    return this.#safe.base;
  }

  get text(): string {
    return this.#look.text;
  }

  get isEdited(): boolean {
    return this.text !== this.base;
  }

  edit(after: string, ownersOf: (change: LineChange) => Owners, isSafe: boolean): void {
    if (isSafe && !this.#look.isEdited) {
      this.#safe.edit(after, ownersOf);
      this.#look = new TracedText(after);
    } else this.#look.edit(after, ownersOf);
  }

  /**
   * The current number of a line of the base, or of the line that replaced it; undefined if there
   * is none.
   */
  lineNow(line: number): number | undefined {
    const safe = this.#safe.lineNow(line);
    return safe === undefined ? undefined : this.#look.lineNow(safe);
  }

  /** The number of the base line that this one is or replaced; undefined for an added line. */
  lineBefore(line: number): number | undefined {
    const safe = this.#look.lineBefore(line);
    return safe === undefined ? undefined : this.#safe.lineBefore(safe);
  }

  /** The same, but undefined for an edited line. */
  originOf(line: number): number | undefined {
    const safe = this.#look.originOf(line);
    return safe === undefined ? undefined : this.#safe.originOf(safe);
  }

  layer(name: Layer): TracedText<EditRecord> {
    return name === 'safe' ? this.#safe : this.#look;
  }

  /** The base with those edits only; the upper layer needs all of the lower one. */
  textWith(isWanted: (owners: Owners) => boolean): string {
    const safe = this.#safe.textWith(isWanted);
    return safe === this.#safe.text ? this.#look.textWith(isWanted) : safe;
  }

  /** Reverts edits and those that build on them; returns their records. */
  drop(isDropped: (owners: Owners) => boolean): EditRecord[] {
    const [safe, look] = [this.#safe.changes(), this.#look.changes()];
    const isHit = safe.some(({ owners }) => isDropped(owners));
    const isLeft = (owners: Owners): boolean => !isDropped(owners);
    this.#safe = this.#safe.only(isLeft);
    this.#look = isHit ? new TracedText(this.#safe.text) : this.#look.only(isLeft);
    const gone = [
      ...safe.filter(({ owners }) => isDropped(owners)),
      ...look.filter(({ owners }) => isHit || isDropped(owners)),
    ];
    return gone.flatMap(({ owners }) => [...owners]);
  }
}

export const LAYERS = ['safe', 'look'] as const;
type Layer = (typeof LAYERS)[number];

/** A part of the difference to the base, and its owners. */
interface TracedChange<Owner> {
  readonly change: LineChange;
  readonly owners: ReadonlySet<Owner>;
}

interface TracedLine<Owner> {
  /** The number of the base line that it is or replaced; undefined for a new line. */
  readonly origin: number | undefined;
  readonly isEdited: boolean;
  readonly owners: ReadonlySet<Owner>;
}

/** A text that records who changed which line, so that edits can be separated again. */
export class TracedText<Owner> {
  readonly base: string;
  readonly #removedBy = new Map<number, ReadonlySet<Owner>>();
  #text: string;
  #lines: Array<TracedLine<Owner>>;
  #changes: ReadonlyArray<TracedChange<Owner>> | undefined;

  constructor(base: string) {
    this.base = base;
    this.#text = base;
    this.#lines = base.split('\n').map((_, at) => ({
      origin: at + 1,
      isEdited: false,
      owners: new Set(),
    }));
  }

  get text(): string {
    return this.#text;
  }

  get isEdited(): boolean {
    return this.#text !== this.base;
  }

  /** One more edit; `ownersOf` returns the owners of each change. */
  edit(after: string, ownersOf: (change: LineChange) => ReadonlySet<Owner>): void {
    for (const change of lineChanges(this.#text, after).flatMap(singleLines).reverse()) {
      const from = change.oldLine - 1;
      const gone = this.#lines.slice(from, from + change.removed.length);
      const owners = union([ownersOf(change), ...gone.map(line => line.owners)]);
      for (const { origin } of gone) if (origin !== undefined) this.#removedBy.set(origin, owners);
      const [only] = change.removed.length === change.added.length ? gone : [];
      const fresh = change.added.map(() => ({ origin: only?.origin, isEdited: true, owners }));
      this.#lines.splice(from, gone.length, ...fresh);
    }
    this.#text = after;
    this.#changes = undefined;
  }

  lineNow(line: number): number | undefined {
    const at = this.#lines.findIndex(each => each.origin === line);
    return at === -1 ? undefined : at + 1;
  }

  lineBefore(line: number): number | undefined {
    return this.#lines[line - 1]?.origin;
  }

  originOf(line: number): number | undefined {
    const known = this.#lines[line - 1];
    return known?.isEdited === false ? known.origin : undefined;
  }

  /** The difference to the base in its smallest parts. Any subset of them can be applied. */
  changes(): ReadonlyArray<TracedChange<Owner>> {
    this.#changes ??= this.#changesNow();
    return this.#changes;
  }

  #changesNow(): Array<TracedChange<Owner>> {
    const found: Array<TracedChange<Owner>> = [];
    let shift = 0;
    for (const whole of lineChanges(this.base, this.#text)) {
      for (const change of this.#parts(whole, whole.oldLine - 1 + shift)) {
        const from = change.oldLine - 1 + shift;
        shift += change.added.length - change.removed.length;
        const added = this.#lines.slice(from, from + change.added.length);
        const removed = change.removed.map((_, at) => this.#removedBy.get(change.oldLine + at));
        const owners = union([...added.map(line => line.owners), ...removed]);
        found.push({ change, owners: owners.size > 0 ? owners : this.#anyOwners() });
      }
    }
    return found;
  }

  /**
   * A line that replaced a base line is a separate change, and so is the text between two of them.
   */
  #parts(whole: LineChange, from: number): LineChange[] {
    const { oldLine, removed, added } = whole;
    if (removed.length === added.length) return singleLines(whole);
    const parts: LineChange[] = [];
    let [old, fresh] = [0, 0];
    const take = (oldEnd: number, freshEnd: number): void => {
      const part = { removed: removed.slice(old, oldEnd), added: added.slice(fresh, freshEnd) };
      if (oldEnd > old || freshEnd > fresh) parts.push({ oldLine: oldLine + old, ...part });
      [old, fresh] = [oldEnd, freshEnd];
    };
    for (const at of added.keys()) {
      const replaced = (this.#lines[from + at]?.origin ?? 0) - oldLine;
      if (replaced < old || replaced >= removed.length) continue;
      take(replaced, at);
      take(replaced + 1, at + 1);
    }
    take(removed.length, added.length);
    return parts;
  }

  /** The base with those changes only. */
  textWith(isWanted: (owners: ReadonlySet<Owner>) => boolean): string {
    const wanted = this.changes().filter(({ owners }) => isWanted(owners));
    return applyChanges(
      this.base,
      wanted.map(({ change }) => change),
    );
  }

  /** A text with those changes only. */
  only(isWanted: (owners: ReadonlySet<Owner>) => boolean): TracedText<Owner> {
    const wanted = this.changes().filter(({ owners }) => isWanted(owners));
    const result = new TracedText<Owner>(this.base);
    result.edit(this.textWith(isWanted), ({ oldLine }) => {
      const known = wanted.findLast(({ change }) => change.oldLine <= oldLine) ?? wanted[0];
      return known?.owners ?? new Set();
    });
    return result;
  }

  /** Equal lines may be matched wrongly; then the first owner in the file is used. */
  #anyOwners(): ReadonlySet<Owner> {
    const edited = [...this.#removedBy.values(), ...this.#lines.map(line => line.owners)];
    return edited.find(owners => owners.size > 0) ?? new Set();
  }
}

const union = <Owner>(sets: ReadonlyArray<ReadonlySet<Owner> | undefined>): ReadonlySet<Owner> =>
  new Set(sets.flatMap(each => [...(each ?? [])]));

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

/** Removes lines that an edit emptied: deleting a statement deletes its line. */
export function withoutEmptied(before: string, after: string): string {
  const changes = lineChanges(before, after);
  if (!changes.some(isEmptied)) return after;
  const result = applyChanges(
    before,
    changes.map(change => (isEmptied(change) ? { ...change, added: [] } : change)),
  );
  // Keep the newline at the end of the file.
  return after.endsWith('\n') && !result.endsWith('\n') ? after : result;
}

const isEmptied = ({ removed, added }: LineChange): boolean =>
  removed.length > 0 && added.length > 0 && !removed.some(isBlank) && added.every(isBlank);

const isBlank = (line: string): boolean => line.trim() === '';
