import { countingKey, type Diagnostic } from '../core/diagnostic.js';

export interface Comparison {
  /** As they were before. */
  readonly fixed: readonly Diagnostic[];
  /** As they are now. */
  readonly remaining: readonly Diagnostic[];
  /** As they are now. */
  readonly introduced: readonly Diagnostic[];
}

/** Where a line of before stands now; undefined when it was edited. */
export type Moved = (path: string, line: number) => number | undefined;

/**
 * Two runs of one linter, complaint by complaint. How many of a kind are fixed or introduced is a
 * matter of counting equal keys; which of them is decided by place and text. So an edit that trades
 * a complaint for an equal one elsewhere has fixed nothing. Without `moved` only the text decides.
 */
export function compareDiagnostics(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
  moved?: Moved,
): Comparison {
  const [was, is] = [entries(before), entries(after)];
  const now = byKey(is);
  const fixed = new Set<Entry>();
  const introduced = new Set(is);
  for (const [key, old] of byKey(was)) {
    const { gone, kept } = pairUp(old, now.get(key) ?? [], moved);
    for (const each of gone) fixed.add(each);
    for (const each of kept) introduced.delete(each);
  }
  return {
    fixed: diagnosticsOf(was.filter(each => fixed.has(each))),
    remaining: diagnosticsOf(is.filter(each => !introduced.has(each))),
    introduced: diagnosticsOf(is.filter(each => introduced.has(each))),
  };
}

/** A wrapper of its own for each, so that one object given twice is two complaints. */
interface Entry {
  readonly diagnostic: Diagnostic;
}

const entries = (diagnostics: readonly Diagnostic[]): Entry[] =>
  diagnostics.map(diagnostic => ({ diagnostic }));
const diagnosticsOf = (all: readonly Entry[]): Diagnostic[] => all.map(each => each.diagnostic);

function byKey(all: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of all) {
    const key = countingKey(entry.diagnostic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

type Label = (diagnostic: Diagnostic) => string | undefined;
/** What must be equal: asked of the old diagnostic and of the new one. */
type Sign = readonly [then: Label, now: Label];

/** Equal complaints, paired from the surest sign to the weakest; what is left over is gone. */
function pairUp(
  old: readonly Entry[],
  now: readonly Entry[],
  moved: Moved | undefined,
): { gone: readonly Entry[]; kept: readonly Entry[] } {
  let [gone, open] = [old, now];
  for (const sign of signs(moved)) [gone, open] = pairBy(gone, open, sign);
  const unpaired = new Set(open);
  return { gone, kept: now.filter(each => !unpaired.has(each)) };
}

function signs(moved: Moved | undefined): Sign[] {
  const lineNow: Label = ({ line }) => String(line ?? 0);
  const lineThen: Label = each =>
    each.line === undefined || moved === undefined
      ? lineNow(each)
      : String(moved(each.path, each.line));
  const column: Label = each => String(each.column ?? 0);
  const anchor: Sign = [each => each.anchor, each => each.anchor];
  const line: Sign = [lineThen, lineNow];
  const place: Sign = [joined(lineThen, column), joined(lineNow, column)];
  const any: Sign = [() => '', () => ''];
  if (moved !== undefined) return [place, line, anchor, any];
  // Lines that may have moved say less than what stands on them.
  const both: Sign = [joined(lineThen, anchor[0]), joined(lineNow, anchor[1])];
  return [both, anchor, line, any];
}

const joined =
  (one: Label, other: Label): Label =>
  each =>
    `${one(each)}:${other(each)}`;

/** What has no partner with the same label, of either side, in order. */
function pairBy(
  old: readonly Entry[],
  now: readonly Entry[],
  [labelThen, labelNow]: Sign,
): [Entry[], Entry[]] {
  const waiting = new Map<string | undefined, Entry[]>();
  for (const each of now) {
    const label = labelNow(each.diagnostic);
    const queue = waiting.get(label);
    if (queue === undefined) waiting.set(label, [each]);
    else queue.push(each);
  }
  const gone = old.filter(each => {
    const label = labelThen(each.diagnostic);
    return label === undefined || waiting.get(label)?.shift() === undefined;
  });
  const left = new Set([...waiting.values()].flat());
  return [gone, now.filter(each => left.has(each))];
}

/** Where a line of the old text stands in the new one; undefined when it was edited. */
export type LineMap = (line: number) => number | undefined;

/** Exact for one edit in one place: what is before it stays, what is behind it moves as a whole. */
export function lineMap(before: string, after: string): LineMap {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return line => {
    if (line <= head) return line;
    return line > old.length - tail ? line + fresh.length - old.length : undefined;
  };
}

/** Lines of the old text that are gone, and what stands in their place. */
export interface LineChange {
  /** The number of the first old line, or of the one that the new ones stand before. */
  readonly oldLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Past this the middle is told as one change: a comparison of all with all would take too long. */
const MOST_CELLS = 4_000_000;

/** What has to change in `before` to get `after`, top down. */
export function lineChanges(before: string, after: string): LineChange[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  if (removed.length + added.length === 0) return [];
  if (removed.length * added.length === 0 || removed.length * added.length > MOST_CELLS) {
    return [{ oldLine: head + 1, removed, added }];
  }
  return walk(removed, added, head + 1);
}

/** Along a longest common subsequence, computed from the end so that it can be walked from the start. */
function walk(old: readonly string[], fresh: readonly string[], firstLine: number): LineChange[] {
  const common = commonLengths(old, fresh);
  const width = fresh.length + 1;
  const changes: Array<{ oldLine: number; removed: string[]; added: string[] }> = [];
  let isOpen = false;
  for (let i = 0, j = 0; i < old.length || j < fresh.length; ) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      isOpen = false;
      i += 1;
      j += 1;
      continue;
    }
    if (!isOpen) changes.push({ oldLine: firstLine + i, removed: [], added: [] });
    isOpen = true;
    const below = common[(i + 1) * width + j] ?? 0;
    const right = common[i * width + j + 1] ?? 0;
    if (j >= fresh.length || (i < old.length && below >= right)) {
      changes.at(-1)?.removed.push(old[i] ?? '');
      i += 1;
    } else {
      changes.at(-1)?.added.push(fresh[j] ?? '');
      j += 1;
    }
  }
  return changes;
}

function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const cells = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      cells[i * width + j] =
        old[i] === fresh[j]
          ? (cells[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(cells[(i + 1) * width + j] ?? 0, cells[i * width + j + 1] ?? 0);
    }
  }
  return cells;
}
