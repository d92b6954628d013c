import * as assert from 'uvu/assert';
import { addJsonMember, removeJsonMember } from '../../src/hooks/lefthook.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/json-member');

test('a new JSON member goes first, indented like the one that was first', () =>
  assert.is(
    addJsonMember('{\n  "a": 1\n}', { inside: 1, isEmpty: false }, '"b": 2'),
    '{\n  "b": 2,\n  "a": 1\n}',
  ));

test('a new JSON member fills an empty object without a comma', () =>
  assert.is(addJsonMember('{ }', { inside: 1, isEmpty: true }, '"b": 2'), '{"b": 2 }'));

const removals: ReadonlyArray<readonly [string, string]> = [
  ['{\n  "b": 2,\n  "a": 1\n}', '{\n  "a": 1\n}'],
  ['{"b": 2 }', '{ }'],
  ['{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1\n}'],
  ['{"c": 3, "b": 2, "a": 1}', '{"c": 3, "a": 1}'],
  ['{"a": 1}', '{"a": 1}'],
];
for (const [from, to] of removals) {
  test(`removing our member turns ${JSON.stringify(from)} into ${JSON.stringify(to)}`, () =>
    assert.is(removeJsonMember(from, '"b": 2'), to));
}

test.run();
