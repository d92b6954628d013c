import type { Hit, LineCheck } from '../../src/checks/check.js';
import { viewCode } from '../../src/checks/lexer.js';
import type { FileChange } from '../../src/core/change.js';

interface Seen extends Hit {
  readonly line: number;
}

export const changedFile = (path: string, more: Partial<FileChange> = {}): FileChange => ({
  path,
  oldPath: undefined,
  status: 'added',
  oldMode: undefined,
  newMode: '100644',
  oldBlob: undefined,
  newBlob: undefined,
  isBinary: false,
  ...more,
});

/** What a check says about a new file. */
export const judgeText = (check: LineCheck, path: string, text: string): Seen[] =>
  judgeHunks(
    check,
    path,
    text.split('\n').map(line => `+${line}`),
  );

/** Rows as in a diff: `+` added, a space for context, `@` with a line number starts a hunk. */
export function judgeHunks(
  check: LineCheck,
  path: string,
  rows: readonly string[],
  more: Partial<FileChange> = {},
): Seen[] {
  const view = viewCode(path);
  const judge = check.open(changedFile(path, more), view);
  const seen: Seen[] = [];
  let number = 1;
  let startsHunk = true;
  for (const row of rows) {
    if (row.startsWith('@')) {
      number = Number(row.slice(1));
      startsHunk = true;
      continue;
    }
    const isAdded = row.startsWith('+');
    const line = { text: row.slice(1), number, isAdded, startsHunk };
    view?.advance(line);
    const hits = judge?.(line) ?? [];
    for (const { at = line, ...hit } of hits) {
      if (at.isAdded) seen.push({ ...hit, line: at.number });
    }
    number += 1;
    startsHunk = false;
  }
  for (const { at, ...hit } of judge?.end?.() ?? []) {
    if (at?.isAdded) seen.push({ ...hit, line: at.number });
  }
  return seen;
}

export const linesOf = (seen: readonly Seen[]): number[] => seen.map(({ line }) => line);
