import * as assert from 'uvu/assert';
import { countingKey, type Diagnostic, diagnosticKey } from '../../src/core/diagnostic.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('core/diagnostic');

const diagnostic = (more: Partial<Diagnostic>): Diagnostic => ({
  tool: 'eslint',
  rule: 'no-x',
  path: 'a.js',
  unit: 'utf16',
  severity: 'error',
  message: "'x' is bad.",
  line: 3,
  ...more,
});

const key = (more: Partial<Diagnostic>): string => countingKey(diagnostic(more));

test('a diagnostic that moved to another line is the same diagnostic', () => {
  assert.is(key({ line: 3, column: 1 }), key({ line: 90, column: 7 }));
});

test('diagnostics differ by tool, rule, path and message', () => {
  const keys = [
    {},
    { tool: 'oxlint' },
    { rule: null },
    { path: 'b.js' },
    { message: "'y' is bad." },
  ];
  assert.is(new Set(keys.map(key)).size, keys.length);
});

test('a diagnostic stays the same if numbers in its message change, but not in a name', () => {
  assert.is(key({ message: 'Too long (130 > 100).' }), key({ message: 'Too long  (101 > 100).' }));
  assert.is.not(key({ message: "'x1' is bad" }), key({ message: "'x2' is bad" }));
});

test('the anchor distinguishes equal diagnostics in records, but not when they are counted', () => {
  const [one, other] = [diagnostic({ anchor: 'f(x);' }), diagnostic({ anchor: 'g(x);' })];
  assert.is(countingKey(one), countingKey(other));
  assert.is.not(diagnosticKey(one), diagnosticKey(other));
});

test('a hostile message is read in linear time', () => {
  mustEnd(() => {
    for (const unit of ['1 ', ' ', '1', '\t\n', '1.']) key({ message: unit.repeat(250_000) });
  });
});

test.run();
