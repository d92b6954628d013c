import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/sparse-checkout');

test('a sparse checkout is reviewed whole', () =>
  withRepo(async repo => {
    await repo.commit({ 'in/a.js': 'one;\n', 'out/b.js': 'one;\n' });
    await repo.commit({ 'in/a.js': DEBUGGER, 'out/b.js': DEBUGGER });
    await repo.git('sparse-checkout', 'set', 'in');
    const { outcome } = await reviewJson(['--commit', 'HEAD'], { cwd: repo.dir });
    assert.equal(placesOf(outcome), ['in/a.js:1', 'out/b.js:1']);
  }));

test.run();
