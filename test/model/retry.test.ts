import * as assert from 'uvu/assert';
import { decideRetry, POLICY } from '../../src/model/client.js';
import type { ModelFailure } from '../../src/model/model.js';
import { suite } from '../support/suite.js';

const test = suite('model/retry');
const failures = Object.keys(POLICY) as ModelFailure[];
const ample = { retriesDone: 0, remainingMs: 600_000, random: 0.5 };

test('a failure that may pass is retried, and any other is returned at once', () => {
  const again = failures.filter(failure => decideRetry({ failure, ...ample }).again);
  const expected = ['rate-limited', 'busy', 'loading', 'unreachable', 'died', 'malformed'];
  assert.equal(again.sort(), expected.sort());
});

test('only a server that is gone is started again', () => {
  const restarting = failures.filter(failure => POLICY[failure].restartsServer);
  assert.equal(restarting, ['unreachable', 'died']);
});

test('every failure is returned after a bounded number of retries', () => {
  for (const failure of failures) {
    let retriesDone = 0;
    while (decideRetry({ ...ample, failure, retriesDone }).again) retriesDone += 1;
    assert.is(retriesDone, POLICY[failure].retries);
    assert.ok(retriesDone <= 6);
  }
});

test('retry delays grow, stay under their cap and vary by a quarter', () => {
  const delay = (retriesDone: number, random: number): number => {
    const retry = decideRetry({ ...ample, failure: 'rate-limited', retriesDone, random });
    return retry.again ? retry.delayMs : 0;
  };
  assert.is(delay(0, 0.5), 1500);
  assert.is(delay(1, 0.5), 3000);
  assert.is(delay(0, 0), 1125);
  assert.ok(delay(0, 0.999_999) <= 1875);
  assert.ok(delay(2, 0.999_999) <= 8000 * 1.25);
});

test('no retry starts that would run into the deadline', () => {
  const state = { ...ample, failure: 'rate-limited' as const };
  assert.is(decideRetry({ ...state, remainingMs: 1600 }).again, false);
  assert.is(decideRetry({ ...state, remainingMs: 2000 }).again, true);
  assert.is(decideRetry({ ...state, remainingMs: 0 }).again, false);
  assert.is(decideRetry({ ...state, remainingMs: -5 }).again, false);
});

test.run();
