import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { hookAfter, hookBefore } from './hook.js';
import { torture } from './torture.js';

const test = suite('torture/hook');

for (const scenario of [hookBefore, hookAfter]) {
  test(`${scenario.name}, killed at 5 moments, harms nothing, and the next run cleans up`, async () => {
    const { killed } = await torture(scenario, { moments: 5, seed: 7, from: 0.2 });
    assert.ok(killed >= 3, `${killed} of 5 were killed in the middle`);
  });
}

test.run();
