import { type Diagnostic, type Fix, isOffsetRange, type OffsetRange } from '../core/diagnostic.js';
import { SEVERITIES } from '../core/finding.js';
import { withoutEmptied } from './edit-session.js';
import { linesOf } from './scope.js';

/** More diagnostics than this don't fit into one small conversation. */
const MAX_GROUP = 5;

/** Diagnostics for which exactly one edit is suggested, the most urgent first. */
export const suggested = (
  diagnostics: Iterable<Diagnostic>,
): Array<{ diagnostic: Diagnostic; fix: Fix }> =>
  [...diagnostics].sort(byUrgency).flatMap(diagnostic => {
    const fix = onlyOffer(diagnostic);
    return fix === undefined ? [] : [{ diagnostic, fix }];
  });

/** The only edit on offer; undefined if there is none or a choice. */
export function onlyOffer({ fix, suggestions = [] }: Diagnostic): Fix | undefined {
  const offers = fix === undefined ? suggestions : [fix];
  const distinct = new Map(offers.map(offer => [JSON.stringify(offer.edits), offer]));
  const [only, another] = [...distinct.values()];
  if (only === undefined || another !== undefined) return undefined;
  return only.edits.every(({ range }) => isOffsetRange(range)) ? only : undefined;
}

/**
 * One conversation with the model each: a diagnostic, or a few of one linter on the same lines,
 * whatever their severity. The most urgent first; one without a line is left out.
 */
export function conversations(diagnostics: Iterable<Diagnostic>): Diagnostic[][] {
  const result: Diagnostic[][] = [];
  for (const diagnostic of [...diagnostics].sort(byPlace)) {
    if (diagnostic.line === undefined) continue;
    const last = result.at(-1);
    if (last !== undefined && belongs(diagnostic, last)) last.push(diagnostic);
    else result.push([diagnostic]);
  }
  for (const group of result) group.sort(byUrgency);
  return result.sort(([one], [other]) => (one && other ? byUrgency(one, other) : 0));
}

function belongs(diagnostic: Diagnostic, group: readonly Diagnostic[]): boolean {
  const [first] = group;
  if (first === undefined || group.length >= MAX_GROUP) return false;
  if (first.tool !== diagnostic.tool || first.path !== diagnostic.path) return false;
  // In a file with a syntax error, other diagnostics may be caused by it.
  if (isBroken(diagnostic) || isBroken(first)) return false;
  return (diagnostic.line ?? 0) <= Math.max(...group.flatMap(linesOf));
}

const isBroken = ({ rule, severity }: Diagnostic): boolean => rule === null && severity === 'error';

/** Syntax errors first, then by severity, then by place. */
function byUrgency(one: Diagnostic, other: Diagnostic): number {
  return (
    Number(isBroken(other)) - Number(isBroken(one)) ||
    SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity) ||
    byPlace(one, other)
  );
}

function byPlace(one: Diagnostic, other: Diagnostic): number {
  return (
    compare(one.path, other.path) ||
    compare(one.tool, other.tool) ||
    (one.line ?? 0) - (other.line ?? 0) ||
    (one.column ?? 0) - (other.column ?? 0) ||
    compare(one.rule ?? '', other.rule ?? '') ||
    compare(one.message, other.message)
  );
}

/** By code units, so that the order is the same on every machine. */
const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

/** The text with all edits of an anchored fix; undefined when they overlap or don't fit. */
export function applyFix(text: string, fix: Fix): string | undefined {
  const edits: Array<{ range: OffsetRange; text: string }> = [];
  for (const edit of fix.edits) {
    if (!isOffsetRange(edit.range)) return undefined;
    edits.push({ range: edit.range, text: edit.text });
  }
  // A stable sort keeps the order of insertions at one place.
  edits.sort((one, other) => one.range.start - other.range.start);
  let result = '';
  let done = 0;
  for (const { range, text: inserted } of edits) {
    if (range.start < done || range.end < range.start || range.end > text.length) return undefined;
    result += text.slice(done, range.start) + inserted;
    done = range.end;
  }
  return edits.length === 0 ? undefined : withoutEmptied(text, result + text.slice(done));
}
