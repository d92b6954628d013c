import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('review/what-was-reviewed');

const reviewed = async (repo: Repo, ...args: string[]): Promise<string> => {
  const run = await apfelBot(['review', '--no-model', ...args], { cwd: repo.dir });
  assert.is(run.code, 0, run.stderr);
  return run.stdout;
};

test('the report names what was reviewed: staged changes, a range, a commit, standard input', () =>
  withRepo(async repo => {
    const sha = await repo.commit({ 'a.js': 'one();\n' });
    assert.match(await reviewed(repo), `reviewed: commit ${sha.slice(0, 7)}\n`);
    assert.match(await reviewed(repo, '--commit', 'main'), `reviewed: commit ${sha.slice(0, 7)}\n`);
    assert.match(await reviewed(repo, '--range', 'HEAD~1...'), 'reviewed: HEAD~1...HEAD\n');
    const range = `${sha}..main`;
    assert.match(await reviewed(repo, '--range', range), `reviewed: ${sha.slice(0, 7)}..main\n`);
    await repo.stage('b.js', 'two();\n');
    assert.match(await reviewed(repo), 'reviewed: staged changes\n');
    const args = ['review', '--no-model', '--stdin'];
    const { stdout } = await apfelBot(args, { cwd: repo.dir, input: '' });
    assert.match(stdout, 'reviewed: the diff on standard input\n');
  }));

test('a branch is named with its upstream', () =>
  withFolder(async dir => {
    await withRepo(async origin => {
      const repo = openRepo(dir);
      await repo.git('clone', '--quiet', origin.dir, '.');
      await repo.git('switch', '--quiet', '--create', 'topic');
      await repo.commit({ 'a.js': 'one();\n' });
      await repo.commit({ 'b.js': 'two();\n' });
      assert.match(await reviewed(repo), 'reviewed: origin/main...HEAD\n');
    });
  }));

test('the report says that unstaged edits were not reviewed', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one();\n', 'b.js': 'two();\n' });
    assert.not.match(await reviewed(repo), 'unstaged');
    // Its time alone is another.
    await utimes(join(repo.dir, 'a.js'), 1, 1);
    assert.not.match(await reviewed(repo), 'unstaged');
    await repo.write('a.js', 'debugger;\n');
    await repo.write('untracked.js', 'debugger;\n');
    assert.match(await reviewed(repo), 'not reviewed: unstaged changes in 1 file; git add stages');
    await repo.git('add', 'a.js');
    await repo.write('a.js', 'debugger; // more\n');
    await repo.write('b.js', 'two(2);\n');
    assert.match(await reviewed(repo), /reviewed: staged changes\nnot reviewed: .* in 2 files; /);
  }));

test('what was reviewed is not printed with --quiet, in another format or in a hook', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one();\n' });
    await repo.write('a.js', 'debugger;\n');
    assert.is(await reviewed(repo, '--quiet'), '');
    assert.not.match(await reviewed(repo, '--format', 'markdown'), 'unstaged');
    const hook = await apfelBot(['hook', 'pre-commit', '--no-model'], { cwd: repo.dir });
    assert.not.match(hook.stdout + hook.stderr, 'reviewed:');
  }));

test.run();
