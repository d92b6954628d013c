import * as assert from 'uvu/assert';
import {
  amountOf,
  countOf,
  field,
  objectOf,
  objectsOf,
  parseJson,
  stringOf,
} from '../../src/core/json-fields.js';
import { suite } from '../support/suite.js';

const test = suite('core/json-fields');

test('only an own property of an object is a field', () => {
  assert.is(field({ a: 1 }, 'a'), 1);
  for (const holder of [{}, [], 'text', null, undefined, 7]) {
    assert.is(field(holder, 'constructor'), undefined);
    assert.is(field(holder, 'length'), undefined);
  }
  assert.is(field(parseJson('{"__proto__": 1}'), '__proto__'), 1);
});

test('a value of another type is undefined, and of another shape is empty', () => {
  assert.is(stringOf(1), undefined);
  for (const value of [-1, 1.5, Number.NaN, 2 ** 60, '1', null])
    assert.is(countOf(value), undefined);
  assert.is(countOf(0), 0);
  assert.equal(objectOf([1]), {});
  assert.equal(objectsOf([{ a: 1 }, [], null, 'x']), [{ a: 1 }]);
  assert.equal(objectsOf({ a: 1 }), []);
});

test('text that is not JSON reads as undefined', () => {
  assert.is(parseJson('{'), undefined);
  assert.equal(parseJson('[1]'), [1]);
});

test('JSON that is nested deeper than anything we write is not read', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok(Array.isArray(parseJson(nested(101))));
  assert.is(parseJson(nested(102)), undefined);
});

test('an amount is a finite number above zero; anything else counts as zero', () => {
  assert.equal([0.5, 0, -1, Number.NaN, '1'].map(amountOf), [0.5, 0, 0, 0, 0]);
});

test.run();
