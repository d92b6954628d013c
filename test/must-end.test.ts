import * as assert from 'uvu/assert';
import { mustEnd } from './support/must-end.js';
import { suite } from './support/suite.js';

const test = suite('must-end');

test('the result of work that ends is given, and what it throws is thrown', () => {
  assert.is(
    mustEnd(() => 3),
    3,
  );
  const fail = (): void => {
    throw new Error('wrong');
  };
  assert.throws(() => mustEnd(fail), /wrong/);
});

for (const [title, work] of [
  ['a regular expression that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(60)}b`)],
  ['a pattern that is tried again at each character', () => /a*b/.test('a'.repeat(250_000))],
  [
    'a loop without an end',
    () => {
      for (;;);
    },
  ],
] as const) {
  test(`${title} is stopped`, () =>
    assert.throws(() => mustEnd<unknown>(work, 100), /does not come to an end/));
}

test.run();
