import * as assert from 'uvu/assert';
import { formatDuration, parseDuration, TIME_UP, unlessTimeUp } from '../../src/core/deadline.js';
import { suite } from '../support/suite.js';

const test = suite('core/deadline');

for (const [text, expected] of [
  ['8s', 8000],
  ['2m', 120_000],
  ['1.5s', 1500],
  ['500ms', 500],
  ['1h', 3_600_000],
  ['0s', undefined],
  ['8', undefined],
  ['8 s', undefined],
  ['-1s', undefined],
  ['24h', 86_400_000],
  ['99h', undefined],
] as const) {
  test(`the duration ${text} is ${expected}`, () => assert.is(parseDuration(text), expected));
}

for (const [milliseconds, text] of [
  [8000, '8s'],
  [600_000, '10m'],
  [1500, '1500ms'],
] as const) {
  test(`${milliseconds} ms is written as ${text}`, () =>
    assert.is(formatDuration(milliseconds), text));
}

test('work that fails after the deadline gives the late value, any other failure is thrown', async () => {
  const stopped = new AbortController();
  const fail = (): Promise<string> => Promise.reject(new Error('no'));
  const outcome = (work: () => Promise<string>): Promise<string> =>
    unlessTimeUp(stopped.signal, work, () => 'late').catch(({ message }) => message);
  assert.is(await outcome(fail), 'no');
  stopped.abort(TIME_UP);
  assert.is(await outcome(fail), 'late');
  assert.is(await outcome(async () => 'done'), 'done');
});

test.run();
