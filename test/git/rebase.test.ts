import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { conflictingMerge, DEBUGGER, placesOf } from './situation.js';

const test = suite('git/rebase');

test('a rebase that stopped is reviewed like any staged change', () =>
  withRepo(async repo => {
    await conflictingMerge(repo);
    await repo.git('merge', '--abort');
    await repo.git('checkout', '--quiet', 'side');
    await repo.git('rebase', '--quiet', 'main').catch(() => undefined);
    await repo.stage('a.js', `one;\ntwo-main;\n${DEBUGGER}three;\n`);
    const { outcome } = await reviewJson([], { cwd: repo.dir });
    assert.equal(placesOf(outcome), ['a.js:3', 'side.js:1']);
  }));

test.run();
