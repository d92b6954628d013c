import { type ChangeObject, diffArrays } from 'diff';
import { countingKey, type Diagnostic } from '../core/diagnostic.js';
import { groupBy } from '../core/group-by.js';

interface Comparison {
  /** From the old run. */
  readonly fixed: readonly Diagnostic[];
  /** From the new run. */
  readonly introduced: readonly Diagnostic[];
}

/** The line's new number; undefined if it was edited. */
export type Moved = (path: string, line: number) => number | undefined;

/**
 * Compares two runs of one linter. Counting equal keys shows how many of a kind are fixed or
 * introduced; place and text show which ones. So an edit that trades a diagnostic for an equal one
 * elsewhere has fixed nothing.
 */
export function compareDiagnostics(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
  moved: Moved,
): Comparison {
  const [was, is] = [entries(before), entries(after)];
  const keyOf = ({ diagnostic }: Entry): string => countingKey(diagnostic);
  const now = groupBy(is, keyOf);
  const fixed = new Set<Entry>();
  const introduced = new Set(is);
  for (const [key, old] of groupBy(was, keyOf)) {
    let gone = old;
    let open = now.get(key) ?? [];
    for (const each of open) introduced.delete(each);
    for (const sign of signs(moved)) [gone, open] = pairBy(gone, open, sign);
    for (const each of gone) fixed.add(each);
    for (const each of open) introduced.add(each);
  }
  return {
    fixed: diagnosticsOf(was.filter(each => fixed.has(each))),
    introduced: diagnosticsOf(is.filter(each => introduced.has(each))),
  };
}

/** A wrapper for each, so that one object given twice counts as two diagnostics. */
interface Entry {
  readonly diagnostic: Diagnostic;
}

const entries = (diagnostics: readonly Diagnostic[]): Entry[] =>
  diagnostics.map(diagnostic => ({ diagnostic }));
const diagnosticsOf = (all: readonly Entry[]): Diagnostic[] => all.map(each => each.diagnostic);

type Label = (diagnostic: Diagnostic) => string | undefined;
/** The labels that must be equal, of the old and of the new diagnostic. */
type Sign = readonly [then: Label, now: Label];

/** The most reliable first. */
function signs(moved: Moved): Sign[] {
  const lineNow: Label = ({ line }) => String(line ?? 0);
  const lineThen: Label = each =>
    each.line === undefined ? lineNow(each) : String(moved(each.path, each.line));
  const column: Label = each => String(each.column ?? 0);
  const anchor: Sign = [each => each.anchor, each => each.anchor];
  const line: Sign = [lineThen, lineNow];
  const place: Sign = [joined(lineThen, column), joined(lineNow, column)];
  // Numbers in a message don't count, but equal ones show which diagnostic is meant.
  const message: Sign = [each => each.message, each => each.message];
  const any: Sign = [() => '', () => ''];
  return [place, line, anchor, message, any];
}

const joined =
  (one: Label, other: Label): Label =>
  each =>
    `${one(each)}:${other(each)}`;

/** Pairs entries with equal labels, in order; returns those without a partner on both sides. */
function pairBy(
  old: readonly Entry[],
  now: readonly Entry[],
  [labelThen, labelNow]: Sign,
): [Entry[], Entry[]] {
  const waiting = groupBy(now, ({ diagnostic }) => labelNow(diagnostic));
  const gone = old.filter(each => {
    const label = labelThen(each.diagnostic);
    return label === undefined || waiting.get(label)?.shift() === undefined;
  });
  const left = new Set([...waiting.values()].flat());
  return [gone, now.filter(each => left.has(each))];
}

/**
 * The line's number in the new text, or that of the line that replaced it; undefined if there is
 * none.
 */
export type LineMap = (line: number) => number | undefined;

export function lineMap(before: string, after: string): LineMap {
  const numbers = new Map<number, number>();
  const count = before.split('\n').length;
  let [line, shift] = [1, 0];
  for (const { oldLine, removed, added } of lineChanges(before, after)) {
    const end = oldLine + (removed.length === added.length ? removed.length : 0);
    for (; line < end; line += 1) numbers.set(line, line + shift);
    line = oldLine + removed.length;
    shift += added.length - removed.length;
  }
  for (; line <= count; line += 1) numbers.set(line, line + shift);
  return each => numbers.get(each);
}

/** How many lines are equal at the start and at the end. */
function commonEnds(
  old: readonly string[],
  fresh: readonly string[],
): { head: number; tail: number } {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return { head, tail };
}

/** Lines of the old text and the lines that replace them; either list may be empty. */
export interface LineChange {
  /** The number of the first removed line, or of the line before which lines were added. */
  readonly oldLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Lines removed and added. Time grows with the square, so beyond this all is one change. */
const MAX_EDIT_LENGTH = 2000;

/** What has to change in `before` to get `after`, top down. */
export function lineChanges(before: string, after: string): LineChange[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const { head, tail } = commonEnds(old, fresh);
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  if (removed.length + added.length === 0) return [];
  const oldLine = head + 1;
  if (removed.length === 0 || added.length === 0) return [{ oldLine, removed, added }];
  const parts = diffArrays(removed, added, { maxEditLength: MAX_EDIT_LENGTH });
  return parts === undefined ? [{ oldLine, removed, added }] : changesIn(parts, oldLine);
}

function changesIn(parts: ReadonlyArray<ChangeObject<string[]>>, firstLine: number): LineChange[] {
  const changes: LineChange[] = [];
  let open: { oldLine: number; removed: string[]; added: string[] } | undefined;
  let oldLine = firstLine;
  for (const part of parts) {
    if (!part.removed && !part.added) open = undefined;
    else {
      if (open === undefined) {
        open = { oldLine, removed: [], added: [] };
        changes.push(open);
      }
      open[part.removed ? 'removed' : 'added'].push(...part.value);
    }
    if (!part.added) oldLine += part.value.length;
  }
  return changes;
}
