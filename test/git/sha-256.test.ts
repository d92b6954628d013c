import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/sha-256');

test('a SHA-256 repository works, also unborn', () =>
  withRepo(
    async repo => {
      await repo.stage('a.js', DEBUGGER);
      const staged = await reviewJson([], { cwd: repo.dir });
      assert.equal(placesOf(staged.outcome), ['a.js:1']);
      const head = await repo.commit({ 'b.js': DEBUGGER });
      const { outcome } = await reviewJson(['--commit', head], { cwd: repo.dir });
      assert.is(outcome.change.head.length, 64);
      assert.equal(placesOf(outcome), ['a.js:1', 'b.js:1']);
    },
    { init: ['--object-format=sha256'], isUnborn: true },
  ));

test.run();
