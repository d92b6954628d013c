import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { openRepo, withFolder, withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/linked-worktree');

test('a linked worktree has its own index', () =>
  withRepo(async repo => {
    await repo.stage('main.js', DEBUGGER);
    const linked = openRepo(join(repo.dir, 'linked'));
    await repo.git('worktree', 'add', '--quiet', 'linked', '-b', 'side');
    await linked.stage('linked.js', DEBUGGER);
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: linked.dir });
    assert.equal(placesOf(outcome), ['linked.js:1']);
  }));

test('worktrees beside a bare clone that a .git file names are reviewed', () =>
  withFolder(async dir => {
    const repo = openRepo(join(dir, 'repo'));
    const project = join(dir, 'project');
    await openRepo(dir).git('init', '--quiet', '--initial-branch', 'main', 'repo');
    await repo.commit({ 'a.js': 'one;\n' });
    await openRepo(dir).git('clone', '--quiet', '--bare', 'repo', 'project/.bare');
    await writeFile(join(project, '.git'), 'gitdir: ./.bare\n');
    const bare = openRepo(join(project, '.bare'));
    await bare.git('worktree', 'add', '--quiet', '../main', 'main');
    for (const cwd of [project, join(project, 'main')]) {
      const { code, stderr } = await apfelBot(['review', '--commit', 'HEAD', '--no-model'], {
        cwd,
      });
      assert.is(code, 0, stderr);
    }
  }));

test.run();
