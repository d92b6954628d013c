import * as assert from 'uvu/assert';
import type { Diagnostic, Fix } from '../../src/core/diagnostic.js';
import { applyFix, type FixOrder, fixOrder } from '../../src/fix/order.js';
import { suite } from '../support/suite.js';

const test = suite('fix-order');

const complaint = (more: Partial<Diagnostic>): Diagnostic => ({
  tool: 'eslint',
  rule: 'r',
  path: 'a.js',
  unit: 'utf16',
  severity: 'error',
  message: 'm',
  line: 1,
  ...more,
});

const fix = (text: string): Fix => ({
  description: text,
  edits: [{ range: { start: 0, end: 1 }, text }],
});
const order = (...diagnostics: Diagnostic[]): FixOrder => fixOrder(diagnostics, () => false);
const groupLines = ({ model }: FixOrder): unknown[] =>
  model.map(group => group.map(({ line, rule }) => `${line} ${rule}`));

test("the linter's own fix comes first, unless the report says that it can't fix it", () => {
  const fixable = complaint({ isFixable: true, fix: fix('x') });
  const unknown = complaint({ line: 2 });
  const not = complaint({ line: 3, isFixable: false, suggestions: [fix('y')] });
  const { own, suggested } = fixOrder([fixable, unknown, not], tool => tool === 'eslint');
  assert.equal(own, [fixable, unknown]);
  assert.equal(
    suggested.map(each => each.fix.description),
    ['y'],
  );
});

test("diagnostics that the linter's own fix leaves go to suggestions and the model", () => {
  const stubborn = complaint({ isFixable: true, fix: fix('x') });
  const formatting = complaint({ rule: 'format', isFixable: true, line: 2 });
  const result = order(stubborn, formatting);
  assert.equal([result.own.length, result.suggested.length, result.model.length], [0, 1, 1]);
});

test('a single suggestion is taken, and a choice of several is left to the model', () => {
  const clear = complaint({ suggestions: [fix('x'), fix('x')] });
  const choice = complaint({ line: 9, suggestions: [fix('x'), fix('y')] });
  const result = order(clear, choice);
  assert.equal(
    result.suggested.map(each => each.diagnostic),
    [clear],
  );
  assert.equal(result.model, [[choice]]);
});

test('a suggestion that is not anchored in the text is not taken', () => {
  const range = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 };
  const loose = complaint({ suggestions: [{ description: 'd', edits: [{ range, text: '' }] }] });
  assert.equal(order(loose).model, [[loose]]);
});

test('a diagnostic without a line is not given to the model', () => {
  const { line: _, ...whole } = complaint({});
  assert.equal(order(whole).left, [{ diagnostic: whole, reason: 'the linter names no line' }]);
});

test('diagnostics of the same lines are one conversation, and a long range counts by its first line', () => {
  const result = order(
    complaint({ line: 1, endLine: 80, rule: 'complexity' }),
    complaint({ line: 1, rule: 'same-line' }),
    complaint({ line: 5, endLine: 7, rule: 'tight' }),
    complaint({ line: 7, rule: 'touches' }),
    complaint({ line: 8, rule: 'next' }),
  );
  assert.equal(groupLines(result), [
    ['1 complexity', '1 same-line'],
    ['5 tight', '7 touches'],
    ['8 next'],
  ]);
});

test('a group has one linter, one file and at most five diagnostics', () => {
  const many = Array.from({ length: 7 }, (_, at) => complaint({ column: at + 1 }));
  const result = order(...many, complaint({ tool: 'tsc' }), complaint({ path: 'b.js' }));
  assert.equal(
    result.model.map(group => group.length),
    [5, 2, 1, 1],
  );
});

test('a syntax error comes first, in its own group', () => {
  const result = order(
    complaint({ rule: 'other' }),
    complaint({ rule: null }),
    complaint({ rule: null, severity: 'warning', line: 4 }),
  );
  assert.equal(groupLines(result), [['1 null'], ['1 other'], ['4 null']]);
});

test('groups are sorted by severity, path and line, whatever the order of the input', () => {
  const all = [
    complaint({ severity: 'info' }),
    complaint({ severity: 'error', path: 'b.js' }),
    complaint({ severity: 'error', line: 30 }),
    complaint({ severity: 'error', line: 4 }),
    complaint({ severity: 'warning' }),
  ];
  const shown = (given: Diagnostic[]): unknown[] =>
    order(...given).model.map(([first]) => `${first?.severity} ${first?.path} ${first?.line}`);
  const expected = ['error a.js 4', 'error a.js 30', 'error b.js 1', 'warning a.js 1'];
  // The info stands on the warning's line and goes with it.
  assert.equal(shown(all), expected);
  assert.equal(shown(all.toReversed()), expected);
});

test('a statement that an edit removes takes its line with it, unless something else is on it', () => {
  const removed = (before: string, statement: string): string | undefined => {
    const start = before.indexOf(statement);
    const range = { start, end: start + statement.length };
    return applyFix(before, { description: 'remove', edits: [{ range, text: '' }] });
  };
  assert.is(removed('{\n  const a = 1;\n  b();\n}\n', 'const a = 1;'), '{\n  b();\n}\n');
  assert.is(removed('a();\r\n\tb();\r\nc();\r\n', 'b();'), 'a();\r\nc();\r\n');
  assert.is(removed('a();\n  b(); // why\n', 'b();'), 'a();\n   // why\n');
  assert.is(removed('a();\n\nb();\n', 'b();'), 'a();\n\n');
  assert.is(removed('a();\nb();', 'b();'), 'a();\n');
});

test.run();
