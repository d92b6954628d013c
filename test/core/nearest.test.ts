import * as assert from 'uvu/assert';
import { BotError } from '../../src/core/bot-error.js';
import { editDistance, nearest, orHint } from '../../src/core/nearest.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('core/nearest');

for (const [word, meant] of [
  ['reveiw', 'review'],
  ['jsno', 'json'],
  ['sarf', 'sarif'],
  ['rev', 'review'],
  ['pl', 'plan'],
  ['p', undefined],
  ['zebra', undefined],
  ['x', undefined],
] as const) {
  test(`for ${word}, ${meant ?? 'nothing'} is suggested`, () => {
    assert.is(nearest(word, ['review', 'plan', 'json', 'sarif']), meant);
  });
}

test('a prefix of several words suggests none of them', () => {
  assert.is(nearest('pre', ['pre-commit', 'pre-push']), undefined);
});

for (const [one, other, steps] of [
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'abd', 1],
  ['abc', 'bc', 1],
  ['abc', 'abcd', 1],
  ['abcd', 'abdc', 1],
  ['abcd', 'badc', 2],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
] as const) {
  test(`from ${JSON.stringify(one)} to ${JSON.stringify(other)} it takes ${steps} steps`, () => {
    assert.is(editDistance(one, other), steps);
    assert.is(editDistance(other, one), steps);
  });
}

test('a third of the letters of a word may be wrong, and one of a short word', () => {
  assert.is(nearest('abcdxx', ['abcdef']), 'abcdef');
  assert.is(nearest('abcxxx', ['abcdef']), undefined);
  assert.is(nearest('xb', ['ab']), 'ab');
  assert.is(nearest('xy', ['ab']), undefined);
});

test('a hint is added to a failure that has none, and to no other', async () => {
  const caught = (thrown: unknown): Promise<unknown> =>
    orHint(Promise.reject(thrown), 'Try this').catch((error: unknown) => error);
  const bare = (await caught(new BotError('usage', 'wrong'))) as BotError;
  assert.is(bare.message, 'wrong');
  assert.is(bare.hint, 'Try this');
  const hinted = new BotError('usage', 'wrong', { hint: 'Try that' });
  assert.is(await caught(hinted), hinted);
  const surprise = new Error('a surprise');
  assert.is(await caught(surprise), surprise);
  assert.is(await orHint(Promise.resolve(7), ''), 7);
});

test('a word of a megabyte is not compared with any other', () => {
  mustEnd(() => {
    assert.is(nearest('review'.repeat(170_000), ['review', 'plan']), undefined);
  });
});

test.run();
