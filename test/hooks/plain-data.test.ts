import * as assert from 'uvu/assert';
import { sameData, valueAt } from '../../src/hooks/formats.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/plain-data');

test('a hook configuration with its keys in another order is the same', () =>
  assert.ok(sameData({ a: [1, { b: 2, c: 3 }], d: 4 }, { d: 4, a: [1, { c: 3, b: 2 }] })));

test('an empty value in a hook configuration counts as absent', () =>
  assert.ok(sameData({ a: { b: {} }, c: [], d: null }, {})));

test('a hook configuration with another value, key or order of a list differs', () => {
  assert.not(sameData({ a: 1 }, { a: 2 }));
  assert.not(sameData({ a: 1 }, { b: 1 }));
  assert.not(sameData([1, 2], [2, 1]));
});

test('a path through something that is not a mapping gives undefined', () => {
  assert.is(valueAt({ a: ['x'] }, 'a', '0'), undefined);
  assert.is(valueAt(null, 'a'), undefined);
  assert.is(valueAt({ a: { b: 1 } }, 'a', 'b'), 1);
});

test.run();
