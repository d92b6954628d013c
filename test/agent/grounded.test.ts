import * as assert from 'uvu/assert';
import { isGrounded } from '../../src/agent/judge.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('grounded');
const from = {
  shown: [
    'src/limits.ts: lines 1-2 of 2\nexport const maxTurns = 8;\n// bounded conversations never overrun',
  ],
  asked: 'What is maxTurns in src/limits.ts?',
};

test('a value, a name or a path from the result shows where the answer comes from', () => {
  assert.ok(isGrounded('It is 8.', from));
  assert.ok(isGrounded('Conversations are bounded and never overrun their limits.', from));
});

test('the words of the question and of any prose do not', () => {
  assert.not.ok(isGrounded('maxTurns in src/limits.ts is a number.', from));
  assert.not.ok(isGrounded('In general that depends on the time and the place.', from));
  assert.not.ok(isGrounded('success', from));
  assert.not.ok(isGrounded('', from));
});

test('a long hostile text is searched in linear time', () => {
  mustEnd(() => {
    const long = `${'./-'.repeat(150_000)} ${'a1_'.repeat(150_000)}`;
    isGrounded(long, { shown: [long], asked: long });
  });
});

test.run();
