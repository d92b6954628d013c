import * as assert from 'uvu/assert';
import type { Diagnostic, Fix } from '../../src/core/diagnostic.js';
import { applyFix, conversations, suggested } from '../../src/fix/order.js';
import { suite } from '../support/suite.js';

const test = suite('fix/order');

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
const groupLines = (...diagnostics: Diagnostic[]): unknown[] =>
  conversations(diagnostics).map(group => group.map(({ line, rule }) => `${line} ${rule}`));

test("a linter's fix and a single suggestion are taken, but no choice of several", () => {
  const own = complaint({ line: 2, fix: fix('x'), suggestions: [fix('y')] });
  const clear = complaint({ suggestions: [fix('y'), fix('y')] });
  const choice = complaint({ line: 9, suggestions: [fix('x'), fix('y')] });
  assert.equal(suggested([own, choice, clear, complaint({ isFixable: true })]), [
    { diagnostic: clear, fix: fix('y') },
    { diagnostic: own, fix: fix('x') },
  ]);
});

test('the model is also asked about a diagnostic with suggestions', () => {
  const offered = complaint({ suggestions: [fix('x')] });
  assert.equal(conversations([offered]), [[offered]]);
});

test('a suggestion that is not anchored in the text is not taken', () => {
  const range = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 };
  const loose = complaint({ suggestions: [{ description: 'd', edits: [{ range, text: '' }] }] });
  assert.equal(suggested([loose]), []);
});

test('a diagnostic without a line is not given to the model', () => {
  const { line: _, ...whole } = complaint({});
  assert.equal(conversations([whole]), []);
});

test('diagnostics of the same lines are one conversation, and a long range counts by its first line', () => {
  const result = groupLines(
    complaint({ line: 1, endLine: 80, rule: 'complexity' }),
    complaint({ line: 1, rule: 'same-line' }),
    complaint({ line: 5, endLine: 7, rule: 'tight' }),
    complaint({ line: 7, rule: 'touches' }),
    complaint({ line: 8, endLine: 9, endColumn: 1, rule: 'next' }),
    complaint({ line: 9, rule: 'not included' }),
  );
  assert.equal(result, [
    ['1 complexity', '1 same-line'],
    ['5 tight', '7 touches'],
    ['8 next'],
    ['9 not included'],
  ]);
});

test('a group has one linter, one file and at most five diagnostics', () => {
  const many = Array.from({ length: 7 }, (_, at) => complaint({ column: at + 1 }));
  const others = [complaint({ tool: 'tsc' }), complaint({ path: 'b.js' })];
  assert.equal(
    conversations([...many, ...others]).map(group => group.length),
    [5, 2, 1, 1],
  );
});

test('a syntax error comes first, in its own group', () => {
  const result = groupLines(
    complaint({ rule: 'other' }),
    complaint({ rule: null }),
    complaint({ rule: null, severity: 'warning', line: 4 }),
  );
  assert.equal(result, [['1 null'], ['1 other'], ['4 null']]);
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
    conversations(given).map(([first]) => `${first?.severity} ${first?.path} ${first?.line}`);
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
