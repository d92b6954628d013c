import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { openRepo, withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git: linked-worktree');

test('a linked worktree has its own index', () =>
  withRepo(async repo => {
    await repo.stage('main.js', DEBUGGER);
    const linked = openRepo(join(repo.dir, 'linked'));
    await repo.git('worktree', 'add', '--quiet', 'linked', '-b', 'side');
    await linked.stage('linked.js', DEBUGGER);
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: linked.dir });
    assert.equal(placesOf(outcome), ['linked.js:1']);
  }));

test.run();
