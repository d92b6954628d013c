import * as assert from 'uvu/assert';
import type { Ledger } from '../../src/core/ledger.js';
import { type Fact, factLine, listFacts } from '../../src/report/summary-line.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { EMPTY, ledger } from './sample-outcome.js';

const test = suite('report/facts');

const skipped = (path: string, reason: string, hunk = 1) => ({
  path,
  hunk,
  state: 'skipped' as const,
  reason,
});

const factsOf = (items: Ledger['items']): Fact[] =>
  listFacts({ ...EMPTY, ledger: ledger({ items }) });

test('hunks left out are counted by reason, the most frequent first', () => {
  const [fact] = factsOf([
    skipped('a', 'binary'),
    skipped('b', 'lockfile'),
    skipped('c', 'lockfile', 2),
  ]);
  assert.is(fact?.label, 'skipped 3');
  assert.is(fact?.text, '2 lockfile, 1 binary');
  assert.equal(fact?.items, ['a hunk 1 (binary)', 'b hunk 1 (lockfile)', 'c hunk 2 (lockfile)']);
});

test('why hunks failed is said before the count of each reason', () => {
  const failed = (path: string, reason: string) => ({
    ...skipped(path, reason),
    state: 'failed' as const,
  });
  const [fact] = factsOf([
    failed('a', 'HTTP 500'),
    failed('b', 'not asked'),
    failed('c', 'not asked'),
  ]);
  assert.is(fact?.text, 'HTTP 500 (1), not asked (2)');
});

test('the limit of bad replies is reported in words', () => {
  const limits = [{ limit: 'badReplies', value: '3', hit: true }];
  assert.is(listFacts({ ...EMPTY, limits })[0]?.text, '3 bad replies in a row');
});

test('a file of many hunks is one thing left out', () => {
  const items = Array.from({ length: 40 }, (_, index) => skipped('lock', 'lockfile', index + 1));
  const [fact] = factsOf(items);
  assert.equal(fact?.items, ['lock 40 hunks (lockfile)']);
});

test('more than five things are counted and not listed', () => {
  const items = Array.from({ length: 6 }, (_, index) => skipped(`f${index}`, 'binary'));
  assert.equal(factsOf(items)[0]?.items, []);
  assert.is(factsOf(items)[0]?.text, 'binary');
  assert.is(factsOf(items.slice(1))[0]?.items.length, 5);
});

test('a reason that all things share is said once, others with their thing and their count', () => {
  const two = [skipped('a', 'binary'), skipped('b', 'binary')];
  assert.equal(factsOf(two)[0], {
    label: 'skipped 2',
    text: 'binary',
    items: ['a hunk 1', 'b hunk 1'],
  });
  const [mixed] = factsOf([...two, skipped('c', 'lockfile')]);
  assert.is(mixed?.text, '2 binary, 1 lockfile');
  assert.is(mixed?.items[2], 'c hunk 1 (lockfile)');
});

test('a single hunk is named instead of counted, unless the text should be brief', () => {
  const [fact] = factsOf([skipped('a', 'binary')]);
  assert.ok(fact);
  assert.equal(factLine(fact, false), { text: 'a hunk 1 (binary)', items: [] });
  assert.equal(factLine(fact, true), { text: 'binary', items: [] });
});

test('a missing model is reported only where it was needed', () => {
  assert.equal(listFacts(EMPTY), []);
  assert.is(listFacts({ ...EMPTY, complete: false })[0]?.label, 'no model');
  // Where that was asked for, it isn't why something is missing.
  const model = { ...EMPTY.model, available: false, reason: '--no-model was given' };
  assert.equal(listFacts({ ...EMPTY, model, complete: false }), []);
});

test('ten thousand skipped hunks are counted in linear time', () => {
  mustEnd(() => {
    factsOf(Array.from({ length: 10_000 }, (_, index) => skipped('lock', 'lockfile', index + 1)));
  });
});

test.run();
