import { mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import type { HookFacts } from '../../src/hooks/facts.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { factsOf } from './install-in.js';

const test = suite('hooks/hook-facts');

/** Where git itself says that it looks, asked at the top as hooks are run there. */
const gitsFolder = async (repo: Repo): Promise<string> =>
  resolve(repo.dir, await repo.git('rev-parse', '--git-path', 'hooks'));

async function agrees(repo: Repo): Promise<HookFacts> {
  const found = await factsOf(repo.dir);
  assert.is(found.folder.path, await gitsFolder(repo));
  return found;
}

test('the hook folder is found from any folder of the work tree', () =>
  withRepo(async repo => {
    const { folder, unused, managers } = await agrees(repo);
    assert.is(folder.setBy, 'none');
    assert.ok(folder.isInside);
    assert.not(folder.isTracked);
    assert.is(unused, undefined);
    assert.equal(managers, []);
    await mkdir(join(repo.dir, 'deep/er'), { recursive: true });
    assert.is((await factsOf(join(repo.dir, 'deep/er'))).folder.path, folder.path);
  }));

test('a linked worktree uses the hook folder of the main one', () =>
  withRepo(async repo => {
    const tree = `${repo.dir}-tree`;
    await repo.git('worktree', 'add', '--quiet', tree);
    try {
      const { folder, top } = await agrees(openRepo(tree));
      assert.is(folder.path, join(repo.dir, '.git/hooks'));
      assert.is(top, tree);
      assert.ok(folder.isInside);
    } finally {
      await rm(tree, { recursive: true });
    }
  }));

test('a submodule has its own hook folder', () =>
  withRepo(async inner =>
    withRepo(async repo => {
      const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'];
      await repo.git(...add, inner.dir, 'inner');
      const { folder } = await agrees(openRepo(join(repo.dir, 'inner')));
      assert.is(folder.path, join(repo.dir, '.git/modules/inner/hooks'));
      assert.ok(folder.isInside);
    }),
  ));

test('a bare repository is recognised by its missing work tree', () =>
  withRepo(async repo => assert.is((await factsOf(repo.dir)).top, undefined), {
    init: ['--bare'],
    isUnborn: true,
  }));

test('a tracked hook folder is recognised', () =>
  withRepo(async repo => {
    await repo.commit({ '.githooks/commit-msg': '#!/bin/sh\n' });
    await repo.git('config', 'core.hooksPath', '.githooks');
    const { folder, unused } = await agrees(repo);
    assert.is(folder.setBy, 'repository');
    assert.ok(folder.isInside && folder.isTracked);
    assert.is(unused?.path, join(repo.dir, '.git/hooks'));
  }));

test('a hook folder outside the repository is recognised, by its path or through a link', () =>
  withFolder(async outside =>
    withRepo(async repo => {
      await repo.git('config', 'core.hooksPath', outside);
      assert.not((await agrees(repo)).folder.isInside);
      await symlink(outside, join(repo.dir, 'linked'));
      await repo.git('config', 'core.hooksPath', 'linked');
      assert.not((await agrees(repo)).folder.isInside);
      await repo.git('config', 'core.hooksPath', 'not/there/yet');
      assert.ok((await agrees(repo)).folder.isInside);
      await repo.git('config', 'core.hooksPath', '');
      assert.not((await factsOf(repo.dir)).folder.isInside);
    }),
  ));

test("the scope of core.hooksPath is known, and the repository's own value wins", () =>
  withRepo(async repo => {
    const config = { GIT_CONFIG_GLOBAL: join(repo.dir, 'global'), GIT_CONFIG_NOSYSTEM: '1' };
    await repo.write('global', '[core]\n\thooksPath = ~/my hooks\n');
    const { folder } = await factsOf(repo.dir, config);
    assert.is(folder.setBy, 'global');
    assert.is(folder.path, join(repo.dir, 'my hooks'));
    await repo.git('config', 'core.hooksPath', '.githooks');
    assert.is((await factsOf(repo.dir, config)).folder.setBy, 'repository');
    await repo.write('system', '[core]\n\thooksPath = /srv/hooks\n');
    await repo.git('config', '--unset', 'core.hooksPath');
    const system = {
      GIT_CONFIG_NOSYSTEM: '0',
      GIT_CONFIG_SYSTEM: join(repo.dir, 'system'),
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
    assert.is((await factsOf(repo.dir, system)).folder.setBy, 'system');
  }));

test('hook managers are found, with the first of several files of lefthook', () =>
  withRepo(async repo => {
    await repo.commit({ 'lefthook.yml': 'a: 1\n', '.husky/pre-commit': 'npm test\n' });
    await repo.write('lefthook.toml', 'a = 1');
    await repo.write('.pre-commit-config.yaml', 'repos: []\n');
    const { managers } = await factsOf(repo.dir);
    assert.equal(
      managers.map(({ manager, path, isTracked }) => [manager, path, isTracked]),
      [
        ['husky', join(repo.dir, '.husky'), true],
        ['lefthook', join(repo.dir, 'lefthook.yml'), true],
        ['pre-commit', join(repo.dir, '.pre-commit-config.yaml'), false],
      ],
    );
  }));

test('a file in place of a folder is not taken for a hook manager', () =>
  withRepo(async repo => {
    await repo.write('.config', '');
    await repo.write('.husky', '');
    await rm(join(repo.dir, '.git/hooks'), { recursive: true });
    await repo.write('.git/hooks', '');
    const { folder, managers } = await agrees(repo);
    assert.equal(managers, []);
    assert.is(folder.files['pre-commit'].now.kind, 'absent');
  }));

test('husky in a deeper folder is found', () =>
  withRepo(async repo => {
    await repo.write('web/.husky/_/h', '');
    await repo.git('config', 'core.hooksPath', 'web/.husky/_');
    const [husky] = (await agrees(repo)).managers;
    assert.is(husky?.path, join(repo.dir, 'web/.husky'));
  }));

test('husky that package.json names is found before its folder exists', () =>
  withRepo(async repo => {
    const found = async (manifest: object | string): Promise<string[]> => {
      const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
      await repo.write('package.json', text);
      return (await factsOf(repo.dir)).managers.map(manager => manager.path);
    };
    for (const manifest of [
      { scripts: { prepare: 'is-ci || husky install' } },
      { scripts: { postinstall: 'husky' } },
      { devDependencies: { husky: '^9.1.7' } },
      { dependencies: { husky: 'latest' } },
    ]) {
      assert.equal(await found(manifest), [join(repo.dir, '.husky')], JSON.stringify(manifest));
    }
    for (const manifest of [
      { scripts: { test: 'husky' } },
      // It has its hooks in package.json.
      { devDependencies: { husky: '^4.3.8' } },
      { description: 'A husky' },
      '{"scripts": {"prepare": "husky"}',
    ]) {
      assert.equal(await found(manifest), [], JSON.stringify(manifest));
    }
  }));

test('a link to a configuration is followed, and one that leads outside is noticed', () =>
  withFolder(async outside =>
    withRepo(async repo => {
      await symlink(join(outside, 'shared.yml'), join(repo.dir, 'lefthook.yml'));
      const [config] = (await factsOf(repo.dir)).managers;
      assert.is(config?.isInside, false);
      assert.is(config?.path, join(outside, 'shared.yml'));
      await symlink('round.yml', join(repo.dir, '.lefthook.yml'));
      await rm(join(repo.dir, 'lefthook.yml'));
      await symlink('.lefthook.yml', join(repo.dir, 'round.yml'));
      assert.is((await factsOf(repo.dir)).managers.length, 1);
    }),
  ));

test('core.hooksPath with an unknown user is reported', () =>
  withRepo(async repo => {
    await repo.git('config', 'core.hooksPath', '~nobody-of-that-name/hooks');
    const failure = await factsOf(repo.dir).then(
      () => 'none',
      (thrown: Error) => thrown.message,
    );
    assert.match(failure, /failed to expand user dir/);
  }));

test.run();
