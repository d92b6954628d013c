import { type Fix, isOffsetRange, type OffsetRange } from '../core/diagnostic.js';

/** The text with all edits of an anchored fix; undefined when they overlap or do not fit it. */
export function applyFix(text: string, fix: Fix): string | undefined {
  const edits: Array<{ range: OffsetRange; text: string }> = [];
  for (const edit of fix.edits) {
    if (!isOffsetRange(edit.range)) return undefined;
    edits.push({ range: edit.range, text: edit.text });
  }
  // The sort keeps the order of insertions at one place.
  edits.sort((one, other) => one.range.start - other.range.start);
  let result = '';
  let done = 0;
  for (const { range, text: inserted } of edits) {
    if (range.start < done || range.end < range.start || range.end > text.length) return undefined;
    result += text.slice(done, range.start) + inserted;
    done = range.end;
  }
  return edits.length === 0 ? undefined : result + text.slice(done);
}
