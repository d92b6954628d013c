import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { namedGitDir, whereGitRuns } from '../../src/git/repository.js';
import { apfelBot, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { openRepo, withFolder } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/bare-repository');

test('a bare repository is reviewed by commit and by range', () =>
  withFolder(async dir => {
    await openRepo(dir).git('init', '--quiet', '--initial-branch', 'main', 'work');
    const repo = openRepo(join(dir, 'work'));
    await repo.commit({});
    await repo.commit({ 'a.js': DEBUGGER });
    await repo.git('clone', '--quiet', '--bare', '.', '../bare.git');
    const cwd = join(dir, 'bare.git');
    const commit = await reviewJson(['--commit', 'HEAD'], { cwd });
    assert.equal(placesOf(commit.outcome), ['a.js:1']);
    const range = await reviewJson(['--range', 'HEAD~1..HEAD'], { cwd });
    assert.equal(placesOf(range.outcome), ['a.js:1']);
    const byDefault = await reviewJson([], { cwd });
    assert.equal(placesOf(byDefault.outcome), ['a.js:1']);
  }));

test('a bare repository inside a work tree is reviewed when GIT_DIR names it, and only then', () =>
  withFolder(async dir => {
    const repo = openRepo(dir);
    await repo.git('init', '--quiet', '--initial-branch', 'main');
    await repo.commit({});
    await repo.commit({ 'a.js': DEBUGGER });
    await repo.git('clone', '--quiet', '--bare', '.', 'bare.git');
    const cwd = join(dir, 'bare.git');
    const refused = await apfelBot(['review', '--commit', 'HEAD'], { cwd });
    assert.is(refused.code, 3);
    assert.match(refused.stderr, `${cwd} is a git directory inside the work tree of ${dir}`);
    const named = await reviewJson(['--commit', 'HEAD'], { cwd, env: { GIT_DIR: '.' } });
    assert.equal(placesOf(named.outcome), ['a.js:1']);
    const own = await apfelBot(['review', '--commit', 'HEAD'], { cwd: join(dir, '.git') });
    assert.match(own.stdout, 'a.js:1');
    assert.not.match(own.stdout, 'unstaged', 'a git directory is not a work tree');
  }));

test('a .git file leads to a git directory, but not into the work tree of another repository', () =>
  withFolder(async dir => {
    const [own, outer] = [join(dir, 'own'), join(dir, 'outer')];
    await mkdir(own);
    for (const gitDir of ['.git', '.git/modules/x', 'lib/evil.git']) {
      for (const part of ['objects', 'refs'])
        await mkdir(join(outer, gitDir, part), { recursive: true });
      await writeFile(join(outer, gitDir, 'HEAD'), '');
    }
    const lead = (to: string): Promise<void> => writeFile(join(own, '.git'), `gitdir: ${to}\n`);
    await lead('../outer/.git/modules/x');
    assert.is(namedGitDir(own), undefined);
    await lead('../outer/lib/evil.git');
    assert.throws(() => namedGitDir(own), /evil\.git is a git directory inside the work tree of/);
  }));

test('git runs in the work tree that is named, unless it starts there or there is none', () =>
  withFolder(async dir => {
    await mkdir(join(dir, 'work/deep'), { recursive: true });
    const env = { GIT_DIR: join(dir, 'git'), GIT_WORK_TREE: join(dir, 'work') };
    for (const [cwd, given, expected] of [
      ['', env, 'work'],
      ['work', env, 'work'],
      ['work/deep', env, 'work/deep'],
      ['', { ...env, GIT_WORK_TREE: 'work' }, 'work'],
      ['', { ...env, GIT_WORK_TREE: 'none' }, ''],
      ['', { ...env, GIT_WORK_TREE: '' }, ''],
      ['', { GIT_DIR: env.GIT_DIR }, ''],
      ['', { GIT_WORK_TREE: env.GIT_WORK_TREE }, ''],
    ] as const) {
      assert.is(whereGitRuns(join(dir, cwd), given), join(dir, expected), JSON.stringify(given));
    }
  }));

test('with GIT_DIR and GIT_WORK_TREE the staged change is reviewed from any folder', () =>
  withFolder(async dir => {
    await openRepo(dir).git('init', '--quiet', '--initial-branch', 'main', 'work');
    const repo = openRepo(join(dir, 'work'));
    await repo.commit({});
    await repo.stage('a.js', DEBUGGER);
    const env = { GIT_DIR: 'work/.git', GIT_WORK_TREE: 'work' };
    for (const args of [['--staged'], []]) {
      const { outcome } = await reviewJson(args, { cwd: dir, env });
      assert.equal(placesOf(outcome), ['a.js:1']);
      assert.is(outcome.change.head, 'index');
    }
  }));

test.run();
