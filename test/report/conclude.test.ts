import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import type { FixOutcome } from '../../src/core/outcome.js';
import { NOTHING_USED } from '../../src/model/model.js';
import { concludeRun } from '../../src/report/conclude.js';
import { concludeFix } from '../../src/report/fix-outcome.js';
import { suite } from '../support/suite.js';
import { EMPTY } from './sample-outcome.js';

const test = suite('report/conclude');

/** Half a second after a run that began at zero. */
const clock = {
  now: () => 500,
  stamp: (milliseconds: number) => `at ${milliseconds}`,
  runId: () => '',
  yieldToEventLoop: () => undefined,
};
const facts = {
  name: 'm',
  baseUrl: 'http://127.0.0.1:1/v1',
  isApfel: true,
  version: undefined,
  contextWindow: 4096,
};
const usage = () => ({ ...NOTHING_USED, requests: 3, retries: 2 });

const END = {
  task: 'ask' as const,
  run: 'r',
  startedAt: 200,
  model: { facts, usage },
  conversations: { repairs: 4, refusals: 5, retries: 1, protocol: 'guided' as const },
  deadline: { ms: 8000, isHit: true },
  notices: [],
  complete: true,
};

test('an outcome has the time from the start to now', () => {
  const { startedAt, durationMs } = concludeRun(END, {}, clock);
  assert.equal({ startedAt, durationMs }, { startedAt: 'at 200', durationMs: 300 });
});

test('retries of the client and of the conversations are added up', () => {
  const { model, limits } = concludeRun(END, {}, clock);
  assert.is(model.retries, 3);
  assert.is(model.protocol, 'guided');
  assert.equal(limits, [{ limit: 'deadline', value: '8s', hit: true }]);
  const conversations = { repairs: 0, refusals: 0, protocol: '' as const };
  const silent = concludeRun({ ...END, conversations }, {}, clock).model;
  assert.is(silent.retries, 2);
  assert.not.ok('protocol' in silent);
});

test('a run without a model has zero requests and the reason', () => {
  const { model } = concludeRun({ ...END, model: { reason: 'none there' } }, {}, clock);
  assert.equal(model, {
    available: false,
    reason: 'none there',
    requests: 0,
    promptTokens: 0,
    completionTokens: 0,
    repairs: 4,
    retries: 1,
    refusals: 5,
  });
});

const DIAGNOSTIC: Diagnostic = {
  tool: 'eslint',
  rule: 'semi',
  path: 'a.js',
  unit: 'utf16',
  severity: 'warning',
  message: 'Missing semicolon.',
};

/** What became of one diagnostic that is left, and of one edit. */
function conclude(diagnostic: Partial<Diagnostic>, line?: number): FixOutcome {
  const left = { ...DIAGNOSTIC, ...diagnostic };
  return concludeFix(
    {
      run: 'r',
      startedAt: 0,
      change: EMPTY.change,
      deadlineMs: 1,
      records: [{ path: 'a.js', diagnostic: left, by: 'linter', status: 'kept', line }],
      branch: undefined,
      linters: [
        { name: 'a', command: 'a', folder: '', files: 1, source: 's', finished: true },
        {
          name: 'b',
          command: 'b',
          folder: '',
          files: 1,
          source: 's',
          finished: false,
          reason: 'x',
        },
      ],
      before: [left, left, left],
      remaining: [left],
      introduced: 0,
      whyLeft: () => 'no fix',
      lineOf: (_, wanted) => (wanted === 7 ? undefined : `line ${wanted}`),
      model: { available: false, reason: 'none' },
      conversations: { repairs: 0, refusals: 0, protocol: '' },
      notices: [],
      isOutOfTime: false,
      isComplete: true,
    },
    clock,
  );
}

test('what is left of a fix is a finding of the linter, on the lines that it named', () => {
  const { id: _, ...whole } = conclude({}).findings[0] ?? {};
  assert.equal(whole, {
    path: 'a.js',
    line: 1,
    endLine: 1,
    side: 'new',
    severity: 'warning',
    rule: 'semi',
    message: 'Missing semicolon.',
    source: 'linter',
    confidence: 1,
    left: 'no fix',
    evidence: 'line 1',
  });
  for (const [named, expected] of [
    [{ line: 3 }, { line: 3, endLine: 3 }],
    [
      { line: 3, endLine: 5 },
      { line: 3, endLine: 5 },
    ],
    [
      { line: 3, column: 2 },
      { line: 3, endLine: 3, column: 2 },
    ],
    [
      { line: 3, endColumn: 9 },
      { line: 3, endLine: 3 },
    ],
    [
      { line: 3, column: 2, endColumn: 9 },
      { line: 3, endLine: 3, column: 2, endColumn: 9 },
    ],
  ] as const) {
    const { line, endLine, column, endColumn } = conclude(named).findings[0] ?? {};
    const shown = { line, endLine, ...(column && { column }), ...(endColumn && { endColumn }) };
    assert.equal(shown, expected);
  }
  assert.not.ok('evidence' in (conclude({ line: 7 }).findings[0] ?? {}));
});

test('the name of a rule has no spaces, at most 200 characters, and is never empty', () => {
  const ruleOf = (rule: string | null): string | undefined => conclude({ rule }).findings[0]?.rule;
  assert.is(ruleOf(null), 'eslint');
  assert.is(ruleOf(''), 'eslint');
  assert.is(ruleOf('no \t\x1b semi'), 'no-semi');
  assert.is(ruleOf(`a${'b'.repeat(300)}`), `a${'b'.repeat(199)}`);
});

test('an edit is listed on its line in the commit, or else where the linter reported it', () => {
  const lineOf = (...args: Parameters<typeof conclude>): number | undefined =>
    conclude(...args).edits[0]?.diagnostic.line;
  assert.is(lineOf({ line: 3 }, 5), 5);
  assert.is(lineOf({ line: 3 }), 3);
  assert.is(lineOf({}), 1);
});

test('a fix counts its diagnostics, and has a reason only for the linter that failed', () => {
  const { diagnostics, linters } = conclude({});
  assert.equal(diagnostics, { before: 3, after: 1, fixed: 2, introduced: 0 });
  assert.equal(
    linters?.map(linter => ('reason' in linter ? linter.reason : 'none')),
    ['none', 'x'],
  );
});

test.run();
