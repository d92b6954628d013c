import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { removeMadeFolders } from '../../src/hooks/install-command.js';
import { apfelBot } from '../support/cli.js';
import { linkPackage } from '../support/packed.js';
import { suite } from '../support/suite.js';
import { type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { factsOf, installIn, uninstallIn } from './install-in.js';
import { photograph } from './snapshot.js';

const test = suite('hooks/hook-folders');

/** Installs and uninstalls; every folder must be as it was. */
async function thereAndBack(repo: Repo): Promise<void> {
  const before = photograph(repo.dir);
  await installIn(repo.dir);
  assert.equal((await installIn(repo.dir)).steps, []);
  await uninstallIn(repo.dir);
  assert.equal(photograph(repo.dir), before);
}

for (const path of ['.myhooks', 'tools/hooks', 'a/b/c/d']) {
  test(`uninstall removes ${path} when install created it`, () =>
    withRepo(async repo => {
      await repo.git('config', 'core.hooksPath', path);
      await thereAndBack(repo);
      assert.not(existsSync(join(repo.dir, path)));
    }));

  test(`uninstall keeps ${path} when it was there before, even empty`, () =>
    withRepo(async repo => {
      await repo.git('config', 'core.hooksPath', path);
      await mkdir(join(repo.dir, path), { recursive: true });
      await thereAndBack(repo);
      assert.ok(existsSync(join(repo.dir, path)));
    }));
}

test('uninstall removes .git/hooks when install created it', () =>
  withRepo(async repo => {
    await rm(join(repo.dir, '.git/hooks'), { recursive: true });
    await thereAndBack(repo);
  }));

test('uninstall keeps a folder it created that has files of the user, and those above', () =>
  withRepo(async repo => {
    await repo.git('config', 'core.hooksPath', 'tools/hooks');
    await installIn(repo.dir);
    await repo.write('tools/hooks/commit-msg', '#!/bin/sh\n');
    await uninstallIn(repo.dir);
    assert.equal(photograph(join(repo.dir, 'tools/hooks')).length, 1);
    assert.not(existsSync(join(repo.dir, '.git/apfel-bot')));
  }));

test('uninstall names the folder it removed', () =>
  withRepo(async repo => {
    await repo.git('config', 'core.hooksPath', 'tools/hooks');
    await linkPackage(repo.dir);
    await apfelBot(['install'], { cwd: repo.dir });
    const { code, stderr } = await apfelBot(['uninstall'], { cwd: repo.dir });
    assert.is(code, 0);
    assert.match(stderr, /removed tools\/hooks, which install had created\nremoved tools, which/);
    assert.not(existsSync(join(repo.dir, 'tools')));
  }));

test('a forged list of folders removes nothing outside the repository', () =>
  withFolder(async outside =>
    withRepo(async repo => {
      await mkdir(join(outside, 'empty'));
      await symlink(outside, join(repo.dir, 'linked'));
      const list = [join(outside, 'empty'), join(repo.dir, 'linked/empty'), '../x', 7, repo.dir];
      const file = '.git/apfel-bot/hook-folders.json';
      await repo.write(file, JSON.stringify(list));
      assert.equal(removeMadeFolders(await factsOf(repo.dir)), []);
      assert.ok(existsSync(join(outside, 'empty')));
      await repo.write(file, '{');
      assert.equal(removeMadeFolders(await factsOf(repo.dir)), []);
    }),
  ));

test('uninstall keeps records, notes and branches of fix-lint, and says how to remove them', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.txt': 'a' });
    const said = async (): Promise<string> =>
      (await apfelBot(['uninstall'], { cwd: repo.dir })).stderr;
    assert.not.match(await said(), 'to remove them');
    await repo.write('.git/apfel-bot/runs/1.json', '{}');
    await repo.git('notes', '--ref=apfel-bot', 'add', '-m', 'x');
    const branches = ['apfel-bot/fix-lint-0123456789ab', 'own/bots/fix-lint-0123456789ab-2'];
    for (const each of [...branches, 'own/fix-lint-later']) await repo.git('branch', each);
    const text = await said();
    assert.match(text, 'records of runs are kept; to remove them: rm -r .git/apfel-bot\n');
    assert.match(text, 'notes are kept; to remove them: git update-ref -d refs/notes/apfel-bot\n');
    assert.match(
      text,
      `branches of fix-lint are kept; to remove them: git branch -D ${branches.join(' ')}\n`,
    );
    await repo.git('update-ref', '-d', 'refs/notes/apfel-bot');
    assert.not.match(await said(), 'notes are kept');
  }));

test.run();
