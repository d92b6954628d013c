import * as assert from 'uvu/assert';
import type { DiffEvent, FileChange } from '../../src/core/change.js';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { changedLines, isInScope, type Scope } from '../../src/fix/scope.js';
import { suite } from '../support/suite.js';

const test = suite('fix/scope');

const ALL: Scope = {
  changed: undefined,
  paths: [],
  rules: [],
  only: undefined,
  maxFixes: Number.POSITIVE_INFINITY,
};
const at = (more: Partial<Diagnostic>): Diagnostic => ({
  tool: 'eslint',
  rule: 'semi',
  path: 'src/a.js',
  line: 3,
  unit: 'utf16',
  severity: 'error',
  message: 'Missing semicolon.',
  ...more,
});
const holds = (scope: Partial<Scope>, more: Partial<Diagnostic> = {}): boolean =>
  isInScope(at(more), { ...ALL, ...scope }, (_path, line) => line);

test('only diagnostics on changed lines are in scope; a range that only touches such a line is not', () => {
  const changed = new Map([['src/a.js', new Set([4])]]);
  assert.is(holds({ changed }, { line: 4 }), true);
  assert.is(holds({ changed }, { line: 3 }), false);
  assert.is(holds({ changed }, { line: 3, endLine: 4, endColumn: 1 }), false);
  assert.is(holds({ changed }, { line: 3, endLine: 4, endColumn: 2 }), true);
  assert.is(holds({ changed }, { line: 1, endLine: 40 }), false);
  assert.is(holds({ changed }, { path: 'src/b.js', line: 4 }), false);
});

test('a diagnostic about the whole of a changed file is in scope', () => {
  const { line: _, ...whole } = at({});
  const changed = new Map([['src/a.js', new Set([9])]]);
  assert.is(
    isInScope(whole, { ...ALL, changed }, (_path, line) => line),
    true,
  );
});

test('paths are folders or files, never prefixes of names', () => {
  assert.is(holds({ paths: ['src'] }), true);
  assert.is(holds({ paths: ['.'] }), true);
  assert.is(holds({ paths: ['sr'] }), false);
  assert.is(holds({ paths: ['src/a.js'] }), true);
});

test('--rule takes a rule, a tool and a rule, or a tool', () => {
  for (const rule of ['semi', 'eslint/semi', 'eslint']) assert.is(holds({ rules: [rule] }), true);
  assert.is(holds({ rules: ['no-var'] }), false);
});

test('the size of a change is its files, hunks, added lines and removed lines', async () => {
  const file = (path: string, status: FileChange['status']): DiffEvent => ({
    type: 'file',
    file: {
      path,
      oldPath: path,
      status,
      ...{ oldMode: '100644', newMode: '100644', oldBlob: undefined, newBlob: undefined },
      isBinary: false,
    },
  });
  const hunk: DiffEvent = {
    type: 'hunk',
    hunk: { number: 1, oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, section: '' },
  };
  const lines: DiffEvent = {
    type: 'lines',
    lines: [
      { kind: 'context', text: 'a', oldLine: 1, newLine: 1 },
      { kind: 'removed', text: 'b', oldLine: 2 },
      { kind: 'added', text: 'c', newLine: 2 },
      { kind: 'added', text: 'd', newLine: 3 },
    ],
  };
  const gone: DiffEvent = { type: 'lines', lines: [{ kind: 'removed', text: 'x', oldLine: 1 }] };
  async function* events() {
    yield [file('a', 'modified'), hunk, lines];
    yield [hunk, gone, file('b', 'deleted'), hunk, gone];
  }
  const changed = await changedLines(events());
  assert.equal(changed.size, { files: 2, hunks: 3, added: 2, removed: 3 });
  assert.equal([...changed.lines], [['a', new Set([2, 3])]]);
});

test.run();
