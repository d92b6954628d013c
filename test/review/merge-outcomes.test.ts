import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import type { Outcome } from '../../src/core/outcome.js';
import { mergeOutcomes } from '../../src/review/merge.js';
import { EMPTY, finding, ledger } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';

const test = suite('review/merge-outcomes');

const MODEL = { ...EMPTY.model, available: true, name: 'apple-foundationmodel', requests: 3 };

/** One of three shards of a change with nine hunks, each shard having reviewed three. */
const shard = (index: number, parts: Partial<Outcome> = {}): Outcome => ({
  ...EMPTY,
  shard: `${index}/3`,
  change: { ...EMPTY.change, head: 'b'.repeat(40), files: 2, hunks: 9, added: 20 },
  ledger: ledger({ total: 3, reviewed: 3 }),
  model: { ...MODEL, promptTokens: 100 * index, completionTokens: 10, repairs: 1 },
  limits: [{ limit: 'deadline', value: '10m', hit: false }],
  ...parts,
});

const merged = (...outcomes: Outcome[]): Outcome =>
  mergeOutcomes(outcomes, { run: 'merged', notices: [] });

test('ledgers, requests and tokens are summed; the whole is complete', () => {
  const whole = merged(shard(1), shard(2), shard(3));
  assert.is(whole.ledger.total, 9);
  assert.is(whole.ledger.reviewed, 9);
  assert.is(whole.model.requests, 9);
  assert.is(whole.model.promptTokens, 600);
  assert.is(whole.model.repairs, 3);
  assert.is(whole.change.hunks, 9);
  assert.is(whole.complete, true);
  assert.is(whole.run, 'merged');
  assert.not.ok('shard' in whole);
});

test('the order of the merged files changes nothing', () => {
  const parts = [
    shard(1, { findings: [finding({ path: 'b' })] }),
    shard(2, { findings: [finding({ path: 'a' })] }),
    shard(3),
  ];
  assert.equal(merged(...parts).findings, merged(...parts.toReversed()).findings);
});

test('a finding of every shard is reported once', () => {
  const same = finding({ path: 'src/a.ts', line: 4, evidence: 'debugger;' });
  const whole = merged(shard(1, { findings: [same] }), shard(2, { findings: [same] }), shard(3));
  assert.equal(whole.findings, [same]);
});

test('equal lines found by different shards stay two findings with two names', () => {
  const at = (line: number) => finding({ path: 'src/a.ts', line, evidence: 'debugger;' });
  assert.is(at(4).id, at(90).id, 'each shard counts from the first');
  const whole = merged(shard(1, { findings: [at(90)] }), shard(2, { findings: [at(4)] }), shard(3));
  assert.equal(
    whole.findings.map(each => each.line),
    [4, 90],
  );
  assert.is(new Set(whole.findings.map(each => each.id)).size, 2);
  assert.is(whole.findings[0]?.id, at(4).id);
});

test('merged findings are ordered by file, line and column', () => {
  const places = [
    ['b', 1, undefined],
    ['a', 9, 3],
    ['a', 9, 1],
    ['a', 9, undefined],
    ['a', 2, 7],
  ] as const;
  const findings = places.map(([path, line, column]) =>
    finding({ path, line, ...(column && { column }) }),
  );
  const whole = merged(shard(1, { findings }), shard(2), shard(3));
  assert.equal(
    whole.findings.map(({ path, line, column }) => [path, line, column]),
    [places[4], places[3], places[2], places[1], places[0]],
  );
});

test('rejections are kept, once each', () => {
  const one = { reason: 'refuted', finding: finding({ line: 3 }) };
  const other = { reason: 'outvoted', finding: finding({ line: 3 }) };
  const whole = merged(
    shard(1, { rejected: [one, other] }),
    shard(2, { rejected: [one] }),
    shard(3),
  );
  assert.equal(whole.rejected, [one, other]);
});

test('the hunks of a lost shard are failed by name, and the rest stands', () => {
  const elsewhere = [
    { path: 'src/a.ts', hunk: 2, shard: 2 },
    { path: 'src/b.ts', hunk: 1, shard: 2 },
    { path: 'src/b.ts', hunk: 5, shard: 2 },
    { path: 'src/c.ts', hunk: 1, shard: 3 },
  ];
  const whole = merged(shard(1, { elsewhere }), shard(3));
  assert.is(whole.ledger.failed, 3);
  assert.is(whole.ledger.reviewed, 6);
  assert.is(whole.ledger.total, 9);
  assert.equal(whole.ledger.items[0], {
    path: 'src/a.ts',
    hunk: 2,
    state: 'failed',
    reason: 'shard 2/3 is missing',
  });
  assert.is(whole.complete, false);
  assert.equal(whole.notices, ['the outcome of shard 2/3 is missing']);
});

test('a lost shard that had nothing to do still leaves the whole incomplete', () => {
  const whole = merged(shard(1, { elsewhere: [] }), shard(3));
  assert.is(whole.ledger.failed, 0);
  assert.is(whole.complete, false);
});

test('where no outcome lists the hunks of a lost shard, as many are failed as are missing', () => {
  const whole = merged(shard(1));
  assert.is(whole.ledger.failed, 6);
  assert.is(whole.ledger.total, 9);
  assert.is(whole.ledger.items[0]?.reason, 'shard 2/3, 3/3 is missing');
  assert.equal(
    whole.ledger.items.map(({ hunk }) => hunk),
    [1, 2, 3, 4, 5, 6],
  );
  assert.is(whole.complete, false);
});

test('a lost shard is at least one failed hunk, and a hostile count does not make a long list', () => {
  const none = merged(shard(1, { ledger: ledger({ total: 9, reviewed: 9 }) }), shard(2));
  assert.is(none.ledger.failed, 1);
  const change = { ...shard(1).change, hunks: 9e15 };
  assert.is(merged(shard(1, { change })).ledger.failed, 10_000);
});

test('hunks that a shard left out are listed, and make the whole incomplete', () => {
  const item = { path: 'x.ts', hunk: 1, state: 'outOfTime', reason: 'deadline' } as const;
  const late = shard(2, {
    ledger: ledger({ total: 3, reviewed: 2, outOfTime: 1, items: [item] }),
    limits: [{ limit: 'deadline', value: '2s', hit: true }],
    notices: ['late'],
    complete: false,
  });
  const whole = merged(shard(1), late, shard(3));
  assert.equal(whole.ledger.items, [item]);
  assert.equal(whole.limits, [{ limit: 'deadline', value: '2s', hit: true }]);
  assert.equal(whole.notices, ['late']);
  assert.is(whole.complete, false);
});

test('a shard without a model is reported; the others still count', () => {
  const whole = merged(shard(1, { model: EMPTY.model }), shard(2), shard(3));
  assert.is(whole.model.available, true);
  assert.is(whole.model.name, 'apple-foundationmodel');
  assert.match(whole.notices.join(), /shard 1\/3 had no model: nothing answers/);
  assert.is(merged(shard(1, { model: EMPTY.model })).model.available, false);
});

test('the later outcome of a shard that ran twice counts', () => {
  const early = shard(2, { startedAt: '2026-01-01T00:00:00Z', notices: ['early'] });
  const late = shard(2, { startedAt: '2026-01-02T00:00:00Z', notices: ['late'] });
  for (const pair of [
    [early, late],
    [late, early],
  ]) {
    const whole = merged(shard(1), ...pair, shard(3));
    assert.is(whole.ledger.total, 9);
    assert.equal(whole.notices, ['late']);
  }
});

test('merging one outcome without shards gives it unchanged', () => {
  const { shard: _shard, ...alone } = shard(1);
  const whole = merged(alone);
  assert.equal({ ...whole, run: alone.run }, alone);
});

const change = shard(2).change;
const { shard: _none, ...unsharded } = shard(2);
const STRANGERS: ReadonlyArray<readonly [what: string, other: Outcome, word: RegExp]> = [
  ['head', shard(2, { change: { ...change, head: 'c'.repeat(40) } }), /head is b{40} and c{40}/],
  ['base', shard(2, { change: { ...change, base: null } }), /base is a{40} and null/],
  ['pull request', shard(2, { change: { ...change, pull: 7 } }), /pull is null and 7/],
  ['task', shard(2, { task: 'fix-lint' }), /task is review and fix-lint/],
  ['number of shards', shard(2, { shard: '2/4' }), /of 3 shards, others of 4/],
  ['number of shards, one having none', unsharded, /of 3 shards, others of 1/],
];
for (const [what, other, word] of STRANGERS) {
  test(`outcomes that differ in their ${what} are not merged`, () =>
    assert.throws(
      () => merged(shard(1), other),
      (thrown: unknown) =>
        isBotError(thrown) && thrown.code === 'usage' && word.test(thrown.message),
    ));
}

test('two outcomes without a shard are not parts of one review', () => {
  assert.throws(() => merged(unsharded, unsharded), /have no shard/);
});

test.run();
