import * as assert from 'uvu/assert';
import { below, sameData } from '../../src/hooks/formats.js';
import { suite } from '../support/suite.js';

const test = suite('plain data');

test('the same in another order is the same', () =>
  assert.ok(sameData({ a: [1, { b: 2, c: 3 }], d: 4 }, { d: 4, a: [1, { c: 3, b: 2 }] })));

test('what is empty counts as absent', () =>
  assert.ok(sameData({ a: { b: {} }, c: [], d: null }, {})));

test('another value, key or order of a list is not the same', () => {
  assert.not(sameData({ a: 1 }, { a: 2 }));
  assert.not(sameData({ a: 1 }, { b: 1 }));
  assert.not(sameData([1, 2], [2, 1]));
});

test('a way through something that is not a mapping leads nowhere', () => {
  assert.is(below({ a: ['x'] }, 'a', '0'), undefined);
  assert.is(below(null, 'a'), undefined);
  assert.is(below({ a: { b: 1 } }, 'a', 'b'), 1);
});

test.run();
