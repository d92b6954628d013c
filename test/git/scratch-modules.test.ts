import { spawnSync } from 'node:child_process';
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { scratchModules } from '../../src/git/scratch-modules.js';
import { suite } from '../support/suite.js';
import { type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { withScratch } from './scratch-harness.js';

const test = suite('git/scratch-modules');

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};

const link = async (target: string, path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
};

/** A workspace with installed packages and uncommitted edits. */
async function plantWorkspace({ dir, commit, write }: Repo): Promise<void> {
  await commit({
    '.gitignore': 'node_modules\n',
    'package.json': '{ "name": "root", "workspaces": ["packages/*"] }',
    'packages/core/package.json': '{ "name": "core" }',
    'packages/core/index.js': `module.exports = 'committed';\n`,
    'packages/core/cli.js': '#!/usr/bin/env node\n',
    'packages/app/package.json': '{ "name": "app" }',
    'packages/app/main.js': `module.exports = require('core');\n`,
  });
  await write('packages/core/index.js', `module.exports = 'dirty';\n`);
  const modules = join(dir, 'node_modules');
  await put(join(modules, 'left/index.js'), `module.exports = 'left';\n`);
  await put(join(modules, 'left/cli.js'), `#!/usr/bin/env node\n`);
  await put(join(modules, '@scope/right/index.js'), `module.exports = 'right';\n`);
  await put(join(modules, '.cache/tool/state'), 'cached');
  await put(
    join(modules, '.store/deep@1/node_modules/deep/index.js'),
    `module.exports = 'deep';\n`,
  );
  await link('.store/deep@1/node_modules/deep', join(modules, 'deep'));
  await link('../packages/core', join(modules, 'core'));
  await link('../../packages/app', join(modules, '@scope/app'));
  await link('../left/cli.js', join(modules, '.bin/left'));
  await link('../core/cli.js', join(modules, '.bin/core'));
  await link('../nowhere', join(modules, 'broken'));
  await put(join(modules, '.bin/script'), '#!/bin/sh\n');
  await put(join(modules, '.pnpm/tool@1/node_modules/tool/cli.sh'), 'echo of pnpm\n');
  const start = 'exec sh "$(dirname "$0")/../.pnpm/tool@1/node_modules/tool/cli.sh"\n';
  await put(join(modules, '.bin/tool'), `#!/bin/sh\n${start}`);
  await put(join(dir, 'packages/app/node_modules/own/index.js'), `module.exports = 'own';\n`);
  await put(join(dir, 'generated/index.js'), `module.exports = 'untracked';\n`);
  await link('../generated', join(modules, 'generated'));
}

test('packages are found, and those of the workspace are the committed ones', () =>
  withRepo(async repo => {
    await plantWorkspace(repo);
    await withScratch(repo.dir, async ({ scratch }) => {
      const require = createRequire(join(scratch.dir, 'packages/app/main.js'));
      assert.is(require('./main.js'), 'committed');
      assert.is(require('left'), 'left');
      assert.is(require('deep'), 'deep');
      assert.is(require('@scope/right'), 'right');
      assert.is(require('own'), 'own');
      assert.is(
        await realpath(join(scratch.dir, 'node_modules/@scope/app')),
        join(scratch.dir, 'packages/app'),
      );
    });
  }));

test('programs of packages are found through the copy', () =>
  withRepo(async repo => {
    await plantWorkspace(repo);
    await withScratch(repo.dir, async ({ scratch }) => {
      const programs = join(scratch.dir, 'node_modules/.bin');
      assert.is(await readlink(join(programs, 'left')), '../left/cli.js');
      assert.is(await realpath(join(programs, 'core')), join(scratch.dir, 'packages/core/cli.js'));
      assert.is(await readFile(join(programs, 'script'), 'utf8'), '#!/bin/sh\n');
      const { stdout } = spawnSync('sh', [join(programs, 'tool')], { encoding: 'utf8' });
      assert.is(stdout, 'of pnpm\n', 'what pnpm installs starts in its store');
    });
  }));

test('caches stay out of the user’s folder, and what isn’t committed is reported and left out', () =>
  withRepo(async repo => {
    await plantWorkspace(repo);
    await withScratch(repo.dir, async ({ scratch }) => {
      const modules = join(scratch.dir, 'node_modules');
      assert.not.ok((await lstat(modules)).isSymbolicLink());
      await put(join(modules, '.cache/tool/state'), 'of the scratch copy');
      await put(join(modules, '@scope/.cache'), 'of the scratch copy');
      assert.is(await readFile(join(repo.dir, 'node_modules/.cache/tool/state'), 'utf8'), 'cached');
      assert.equal(scratch.remarks, [
        "node_modules/generated links to generated, which isn't in the commit",
      ]);
    });
    assert.is(
      await readFile(join(repo.dir, 'packages/core/index.js'), 'utf8'),
      `module.exports = 'dirty';\n`,
    );
  }));

test('removing the copy does not follow its links', () =>
  withRepo(async repo => {
    await plantWorkspace(repo);
    await withScratch(repo.dir, async () => undefined);
    const left = await readFile(join(repo.dir, 'node_modules/left/index.js'), 'utf8');
    assert.is(left, `module.exports = 'left';\n`);
  }));

test('a committed node_modules stays as committed', () =>
  withRepo(async repo => {
    await repo.commit({ 'package.json': '{}', 'node_modules/left/index.js': 'committed' });
    await repo.write('node_modules/left/index.js', 'dirty');
    await repo.write('node_modules/right/index.js', 'installed');
    await withScratch(repo.dir, async ({ scratch }) => {
      const modules = join(scratch.dir, 'node_modules');
      assert.is(await readFile(join(modules, 'left/index.js'), 'utf8'), 'committed');
      assert.is(await readFile(join(modules, 'right/index.js'), 'utf8'), 'installed');
    });
  }));

test('a committed link called node_modules stays a link, and nothing is put behind it', () =>
  withRepo(async repo => {
    await link('../shared', join(repo.dir, 'app/node_modules'));
    await repo.git('add', '.');
    await repo.commit({ 'app/package.json': '{}', 'shared/left/index.js': 'committed' });
    await repo.write('shared/right/index.js', 'installed');
    await withScratch(repo.dir, async ({ scratch }) => {
      assert.is(await readlink(join(scratch.dir, 'app/node_modules')), '../shared');
      assert.equal(await readdir(join(scratch.dir, 'shared')), ['left']);
    });
  }));

test('a committed link in place of a folder is not followed', () =>
  withFolder(async folder => {
    const top = join(folder, 'top');
    const dir = join(folder, 'copy');
    await put(join(top, 'package/node_modules/left/index.js'), 'left');
    await mkdir(join(folder, 'elsewhere'));
    await link('../elsewhere', join(dir, 'package'));
    const { links } = await scratchModules({ top, dir, folders: ['', 'package'] });
    assert.is(links, 0);
  }));

test.run();
