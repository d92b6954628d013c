import * as assert from 'uvu/assert';
import { summarise, summaryLine } from '../../src/report/summary-line.js';
import { suite } from '../support/suite.js';
import { CLEAN, EMPTY, finding, INCOMPLETE, ledger } from './sample-outcome.js';

const test = suite('report/summary-line');

test('counts use the singular and the plural', () => {
  const findings = [
    finding({ severity: 'error' }),
    finding({ severity: 'error' }),
    finding({ severity: 'warning' }),
    finding({ severity: 'info' }),
  ];
  assert.is(summarise({ ...CLEAN, findings }).verdict, '2 errors, 1 warning, 1 info');
});

test('a run that looked at anything is clean if nothing was found', () => {
  for (const counts of [
    { reviewed: 1 },
    { cached: 1 },
    { checked: 1 },
    { reviewed: 1, cached: 1 },
    { cached: 1, checked: 1 },
  ]) {
    assert.is(summarise({ ...CLEAN, ledger: ledger(counts) }).verdict, 'clean');
  }
});

test('the summary counts the hunks of every state', () => {
  const states = '4 reviewed, 2 cached, 1 skipped, 1 out of time, 1 refused';
  assert.match(summaryLine(INCOMPLETE), ` · 9 hunks in 3 files: ${states} · `);
});

test('the summary of a shard says which one it is', () => {
  assert.match(summaryLine({ ...CLEAN, shard: '1/2' }), /^clean · shard 1\/2 · \d+ hunk/);
});

test('a run that looked at nothing is not clean', () => {
  const skipped = { ...CLEAN, ledger: ledger({ total: 2, skipped: 2 }) };
  assert.is(summarise(skipped).verdict, 'nothing to check');
  assert.is(summarise(EMPTY).verdict, 'nothing to check');
  assert.match(summaryLine({ ...EMPTY, change: CLEAN.change }), /no changed lines/);
});

test('the summary says checks only when the model saw nothing, though it was there', () => {
  const outcome = { ...CLEAN, model: { ...CLEAN.model, available: true } };
  assert.match(summaryLine(outcome), / · checks only · /);
});

test('the summary says checks only of the part that the model did not see', () => {
  const part = { ...CLEAN, complete: false, ledger: ledger({ total: 9, cached: 5, checked: 4 }) };
  assert.match(
    summaryLine(part),
    /^incomplete: no model · .*5 cached, 4 checked · checks only for 4 hunks · /,
  );
});

test('the summary does not say checks only of a review by the model', () => {
  assert.not.match(summaryLine(INCOMPLETE), /checks only/);
});

test('an incomplete run without any count is still called incomplete', () => {
  const cut = { ...CLEAN, complete: false, ledger: ledger({ total: 1, reviewed: 1 }) };
  assert.is(summarise(cut).verdict, 'incomplete');
  assert.is(summarise(cut).tone, 'warning');
});

test('the verdict names both findings and incompleteness', () => {
  const both = { ...INCOMPLETE, findings: [finding({})] };
  assert.is(summarise(both).verdict, '1 warning · incomplete: 2 hunks not done');
});

test('time is given in the unit that fits', () => {
  const timed = (durationMs: number): string | undefined =>
    summarise({ ...EMPTY, durationMs }).coverage.at(-1);
  assert.is(timed(41), '0.04 s');
  assert.is(timed(312), '0.3 s');
  assert.is(timed(59_940), '59.9 s');
  assert.is(timed(59_990), '1 min 0 s');
  assert.is(timed(125_000), '2 min 5 s');
});

test.run();
