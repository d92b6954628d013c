import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { forbidEdit, type ProposedEdit } from '../../src/lint/forbid-edit.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('lint/forbid-edit-limits');

const at = (line: number, endLine = line): Diagnostic => ({
  tool: 't',
  rule: 'r',
  path: 'a.js',
  unit: 'utf16',
  severity: 'error',
  message: 'm',
  line,
  endLine,
});

const judge = (more: Partial<ProposedEdit>): string | undefined =>
  forbidEdit({ path: 'a.js', before: 'a();\n', after: 'b();\n', diagnostics: [at(1)], ...more });

const lines = (count: number, text = 'call'): string =>
  Array.from({ length: count }, (_, number) => `${text}(${number + 1});\n`).join('');

test('an edit may delete three lines outside the diagnostic, but not four', () => {
  const without = (count: number): string =>
    `call(1);\n${lines(20)
      .split('\n')
      .slice(1 + count)
      .join('\n')}`;
  assert.is(judge({ before: lines(20), after: without(3) }), undefined);
  assert.is(
    judge({ before: lines(20), after: without(4) }),
    'it deletes 4 lines outside the diagnostic; at most 3 are allowed',
  );
});

test('an edit may delete the lines of the diagnostic itself', () => {
  assert.is(
    judge({ before: lines(20), after: 'call(20);\n', diagnostics: [at(1, 19)] }),
    undefined,
  );
});

test('a diagnostic about the whole file covers no line', () => {
  const { line: _, endLine, ...whole } = at(1);
  assert.ok(judge({ before: lines(9), after: 'call(1);\n', diagnostics: [whole] }));
});

test('several diagnostics cover their lines together', () => {
  const before = `${lines(8)}end();\n`;
  const diagnostics = [at(1, 3), at(6, 8)];
  assert.is(judge({ before, after: 'end();\n', diagnostics }), undefined);
  assert.ok(judge({ before, after: 'end();\n', diagnostics: [at(1, 3)] }));
});

test('commenting code out or leaving blank lines counts as deleting', () => {
  const before = lines(9);
  assert.ok(judge({ before, after: before.replaceAll('call', '// call'), diagnostics: [at(99)] }));
  assert.ok(judge({ before, after: `x();${'\n'.repeat(9)}`, diagnostics: [at(99)] }));
});

test('deletions in several places are added up', () => {
  const before = lines(30);
  const gone = [3, 9, 15, 21].reduce(
    (text, number) => text.replace(`call(${number});\n`, ''),
    before,
  );
  assert.match(judge({ before, after: gone, diagnostics: [at(30)] }) ?? '', /^it deletes 4 lines/);
});

test('an edit may change forty lines, but not more', () => {
  const change = (count: number): string | undefined =>
    judge({
      before: lines(count),
      after: lines(count, 'other'),
      diagnostics: [at(1, count)],
    });
  assert.is(change(40), undefined);
  assert.is(change(41), 'it changes 41 lines; at most 40 are allowed');
});

test('an edit may not empty, delete or create a file', () => {
  assert.is(judge({ after: ' \n\n' }), 'it empties a.js');
  assert.is(judge({ before: '\n\n', after: '\n' }), undefined);
});

test('any edit of a protected path is refused', () => {
  assert.match(
    judge({ path: 'package.json', before: '{}\n', after: '{"a": 1}\n' }) ?? '',
    /^package\.json is protected \(a manifest\)/,
  );
});

const EVERYWHERE = ['"', '\\"\n', '/*'];
const UNITS: Readonly<Record<string, readonly string[]>> = {
  'a.ts': [
    'export ',
    'export function ',
    '`',
    '`${',
    '=/',
    '=/[',
    'it(',
    'eslint-disable ',
    '\n',
    ' ',
  ],
  '__init__.py': ['def ', 'import (', 'class '],
  'a.go': ['func (', 'const ('],
  'a.rs': ['pub ', 'pub use ', '#[cfg_attr('],
  'a.swift': ['public a '],
  'a.rb': ['def '],
  'a.sh': ['test_a() '],
  'A.java': ['public a '],
};

for (const [path, units] of Object.entries(UNITS)) {
  test(`hostile text in ${path} is checked in linear time`, () => {
    for (const unit of [...EVERYWHERE, ...units]) {
      const before = unit.repeat(250_000 / unit.length);
      mustEnd(() => judge({ path, before, after: `${before}x` }));
    }
  });
}

test.run();
