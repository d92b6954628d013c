import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { fixLint } from './fix-lint.js';
import { torture } from './torture.js';

const test = suite('torture/fix-lint-end');

test('fix-lint, killed at 10 moments near its end, harms nothing, and the next run cleans up', async () => {
  const { killed } = await torture(fixLint, { moments: 10, seed: 7, from: 0.6, to: 1 });
  assert.ok(killed >= 8, `${killed} of 10 were killed in the middle`);
});

test.run();
