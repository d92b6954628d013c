import * as assert from 'uvu/assert';
import { lineChanges } from '../../src/lint/compare.js';
import { isCode, isMereDeletion } from '../../src/lint/forbid-edit.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('lint/mere-deletion');

const judge = (
  before: string,
  after: string,
  about: { readonly rule: string | null; readonly message?: string },
): boolean => isMereDeletion(lineChanges(before, after), [{ message: 'no', ...about }]);

test('deleting code without a replacement is recognised', () => {
  assert.is(judge('f();\nif (a = 1) launch();\n', 'f();\n', { rule: 'no-cond-assign' }), true);
  assert.is(judge('f();\nlaunch();\n', 'f();\n// launch();\n', { rule: 'no-undef' }), true);
  assert.is(judge('/* globals x */ x();\n', '\n', { rule: 'no-undef' }), true);
});

test('replaced lines, comments and blank lines are not a deletion of code', () => {
  assert.is(judge('if (a = 1) f();\n', 'if (a === 1) f();\n', { rule: 'no-cond-assign' }), false);
  assert.is(judge('f();\n// old\n\n', 'f();\n', { rule: 'no-warning-comments' }), false);
  assert.is(judge('a = [\n1,\n,\n];\n', 'a = [\n1,\n];\n', { rule: 'no-sparse-arrays' }), false);
});

test('unneeded code may be deleted when the rule or, for a numbered rule, the message says so', () => {
  for (const rule of ['no-unused-vars', 'no-unreachable', 'no-debugger', 'lint/noUselessCatch']) {
    assert.is(judge('a();\nb();\n', 'a();\n', { rule }), false, rule);
  }
  for (const [rule, message] of [
    ['F401', '`os` imported but unused'],
    ['TS6133', "'x' is declared but its value is never read."],
    ['SC2034', 'x appears unused. Verify use (or export if used externally).'],
    [null, 'duplicate declaration'],
  ] as const) {
    assert.is(judge('a()\nb()\n', 'a()\n', { rule, message }), false, message);
  }
  const message = "Duplicate flags ('a') supplied to RegExp constructor.";
  assert.is(judge('a()\nb()\n', 'a()\n', { rule: 'no-invalid-regexp', message }), true);
  assert.is(judge('a()\nb()\n', 'a()\n', { rule: 'TS2322', message: 'Type x is not y.' }), true);
});

test('a hostile line is read in linear time', () => {
  mustEnd(() => {
    for (const line of ['/*'.repeat(250_000), `${'*/'.repeat(250_000)} x`, ' '.repeat(500_000)])
      isCode(line);
    judge('a\nb\n', 'a\n', { rule: 'x'.repeat(500_000) });
  });
});

test.run();
