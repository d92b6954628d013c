import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/partial-staging');

test('partial staging is reviewed from the index, not from the work tree', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'one;\n');
    await repo.write('a.js', `one;\n${DEBUGGER}`);
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    assert.equal(placesOf(outcome), []);
  }));

test.run();
