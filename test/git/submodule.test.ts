import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { openRepo, withFolder, withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/submodule');

test('a submodule change is skipped, not opened', () =>
  withRepo(async repo => {
    await withFolder(async dir => {
      const other = openRepo(dir);
      await other.git('init', '--quiet');
      await other.commit({ 'x.js': DEBUGGER });
      await repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', dir, 'sub');
      const { outcome } = await reviewJson(['--staged'], { cwd: repo.dir });
      assert.equal(placesOf(outcome), []);
      const item = outcome.ledger.items.find(({ path }) => path === 'sub');
      assert.is(item?.reason, 'submodule');
    });
  }));

test.run();
