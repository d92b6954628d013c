import * as assert from 'uvu/assert';
import { startEstimate } from '../../src/fix/fix-lint.js';
import { suite } from '../support/suite.js';

const test = suite('fix/time-estimate');

test('after a few steps the pace gives the time for the rest in readable units', () => {
  let now = 0;
  const pace = startEstimate(() => now, 10_000_000);
  assert.equal(pace.left(100), [], 'a guess is not shown');
  for (let at = 0; at < 3; at += 1) pace.step();
  now = 6000;
  assert.equal(pace.left(10), ['about 20 s to go']);
  assert.equal(pace.left(300), ['about 10 min to go']);
  assert.equal(pace.left(3600), ['about 2.0 h to go']);
  assert.equal(pace.left(0), []);
});

test('when the time is too short, the pace says when the deadline is', () => {
  let now = 0;
  const pace = startEstimate(() => now, 66_000);
  for (let at = 0; at < 3; at += 1) pace.step();
  now = 6000;
  assert.equal(pace.left(300), ['the deadline is in 60 s, before the last of them']);
});

test.run();
