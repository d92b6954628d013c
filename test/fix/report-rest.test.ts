import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { groupBy } from '../../src/core/group-by.js';
import { reportRest, restNotices } from '../../src/fix/initial-lint.js';
import { isListed, type Scope } from '../../src/fix/scope.js';
import { suite } from '../support/suite.js';

const test = suite('fix/report-rest');

const at = (more: Partial<Diagnostic>): Diagnostic => ({
  tool: 'eslint',
  rule: 'semi',
  path: 'a.js',
  line: 3,
  unit: 'utf16',
  severity: 'error',
  message: 'Missing semicolon.',
  ...more,
});
const ready = (...listed: Diagnostic[]) => ({
  file: 'report',
  byPath: groupBy(listed, ({ path }) => path),
  isWhole: true,
});
const scope = (more: Partial<Scope>): Scope => ({
  changed: undefined,
  paths: [],
  rules: [],
  only: undefined,
  maxFixes: 9,
  ...more,
});

test('a diagnostic is listed when its path, line and rule are in the report', () => {
  const listed = (report: Partial<Diagnostic>, line: number | undefined = 3): boolean =>
    isListed(at({}), ready(at(report)), line);
  assert.is(listed({}), true);
  assert.is(listed({ path: 'b.js' }), false);
  assert.is(listed({ line: 4 }), false);
  assert.is(isListed(at({}), ready(at({ line: 4 })), undefined), true, 'a line that was edited');
  assert.is(listed({ rule: 'no-var' }), false);
  assert.is(listed({ rule: null }), false);
});

test('a diagnostic about the whole file matches each of its lines', () => {
  const { line: _, ...whole } = at({});
  assert.is(isListed(at({ line: 7 }), ready(whole), 7), true);
});

test('in a report of another tool, the end of the rule or the start of the message identifies a diagnostic', () => {
  const listed = (report: Partial<Diagnostic>): boolean =>
    isListed(at({}), ready(at({ tool: 'gcc', ...report })), 3);
  for (const rule of ['semi', 'eslint.rules.semi', 'Error/semi']) assert.is(listed({ rule }), true);
  for (const rule of ['no-semi', 'semi-style']) assert.is(listed({ rule }), false);
  assert.is(listed({ rule: null }), true);
  assert.is(listed({ rule: null, message: 'Missing semicolon. (semi)' }), true);
  assert.is(listed({ rule: null, message: 'Missing' }), false);
  assert.is(
    isListed(at({}), ready(at({ rule: 'plugin/semi' })), 3),
    false,
    'a report of the same linter has to spell the rule the same',
  );
});

test('every diagnostic of a report is repeated by a linter, listed, or counted as outside', () => {
  const only = ready(
    at({}),
    at({ line: 4 }),
    at({ line: 9 }),
    at({ line: 3, rule: 'other' }),
    at({ path: 'b.js' }),
  );
  const changed = new Map([['a.js', new Set([3, 4])]]);
  const limits = scope({ only, changed, paths: ['a.js'], rules: ['semi'] });
  const { unconfirmed, outside } = reportRest(limits, [at({}), at({ line: 9 })]);
  assert.equal(
    unconfirmed.map(({ line }) => line),
    [4],
  );
  assert.equal(
    [...outside],
    [
      ['change', 1],
      ['rules', 1],
      ['paths', 1],
    ],
  );
});

test('--rule compares with the name that the linter here uses', () => {
  const limits = scope({ only: ready(at({ tool: 'gcc' })), rules: ['gcc'] });
  const { unconfirmed, outside } = reportRest(limits, [at({})]);
  assert.equal([unconfirmed, [...outside]], [[], [['rules', 1]]]);
});

test('without a report nothing is listed or counted', () => {
  assert.equal(reportRest(scope({}), [at({})]), { unconfirmed: [], outside: new Map() });
});

test('notices about the rest have the number, an example, the reason and the next step', () => {
  const unconfirmed = [at({}), at({ line: 4 }), at({ path: 'b.js', rule: null })];
  const outside = new Map([['change', 2] as const]);
  const notices = restNotices({ unconfirmed, outside }, 'x.gcc', path => path === 'a.js');
  assert.is(notices.length, 3);
  assert.match(notices[0] ?? '', /^x\.gcc: 1 diagnostic is listed, but not tried \(b\.js:3\): no /);
  assert.match(notices[1] ?? '', /^x\.gcc: 2 diagnostics are .*\(for example a\.js:3 semi\): the /);
  assert.match(notices[2] ?? '', /^x\.gcc: 2 diagnostics are outside the change.*--all/);
});

test.run();
