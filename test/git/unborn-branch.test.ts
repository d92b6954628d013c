import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/unborn-branch');

test('an unborn branch is reviewed against nothing', () =>
  withRepo(
    async repo => {
      await repo.stage('a.js', DEBUGGER);
      const { outcome } = await reviewJson(['--no-model'], { cwd: repo.dir });
      assert.equal(placesOf(outcome), ['a.js:1']);
      assert.is(outcome.change.base, null);
    },
    { isUnborn: true },
  ));

test('an empty repository has nothing to review', () =>
  withRepo(
    async repo => {
      const { code, outcome } = await reviewJson(['--no-model'], { cwd: repo.dir });
      assert.is(outcome.change.files, 0);
      assert.is(code, 0);
    },
    { isUnborn: true },
  ));

test.run();
