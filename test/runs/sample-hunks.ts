import type { Line } from '../../src/core/change.js';
import type { HunkState } from '../../src/core/ledger.js';
import type { AuditHunk, DiffHunk } from '../../src/runs/run-log.js';

export const CODE = [
  'export function last(list) {',
  '  for (let index = 0; index <= list.length; index += 1) {',
  '    visit(list[index]);',
  '  }',
  '  return list[list.length];',
  '}',
];

export const HUNK: DiffHunk = {
  path: 'src/list/last.js',
  hunk: 1,
  section: 'export function first(list) {',
  lines: [
    { kind: 'context', text: '', oldLine: 9, newLine: 9 },
    { kind: 'removed', text: 'export const last = list => list.at(-1);', oldLine: 10 },
    ...CODE.map((text, at): Line => ({ kind: 'added', text, newLine: 10 + at })),
    { kind: 'context', text: 'export const size = list => list.length;', oldLine: 11, newLine: 16 },
  ],
};

const auditHunk = (
  path: string,
  [hunk, added, removed]: readonly [number, number, number],
  state: HunkState,
  reason = '',
): AuditHunk => ({
  path,
  hunk,
  line: hunk * 20,
  added,
  removed,
  state,
  reason,
  chunk: state === 'reviewed' ? 1 + (hunk % 2) : null,
  tokens: added * 12,
});

/** One of each state. */
export const HUNKS: readonly AuditHunk[] = [
  auditHunk(HUNK.path, [1, 6, 1], 'reviewed'),
  auditHunk(HUNK.path, [2, 40, 12], 'reviewed'),
  auditHunk(HUNK.path, [3, 2, 2], 'cached'),
  auditHunk('src/list/debug.js', [1, 3, 0], 'checked'),
  auditHunk(
    'src/list/a-file-with-a-rather-long-name-in-a-deep-folder.test.js',
    [1, 120, 4],
    'outOfTime',
    'the deadline was reached',
  ),
  auditHunk('src/rude.js', [1, 9, 9], 'refused', 'the guardrail refused it'),
  auditHunk('src/rude.js', [2, 1, 1], 'failed', 'the model is gone'),
  auditHunk('package-lock.json', [1, 800, 300], 'skipped', 'lockfile'),
];
