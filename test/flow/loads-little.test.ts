import { spawnSync } from 'node:child_process';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { CLI } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('loads little');

test('a review without a model needs no package at all', () =>
  withFolder(async dir => {
    // Where there is no node_modules, any import of a package fails.
    await mkdir(join(dir, 'dist'));
    const alone = join(dir, 'dist', 'cli.cjs');
    await copyFile(CLI, alone);
    await withRepo(async repo => {
      await repo.stage('a.js', 'debugger;\n');
      const run = spawnSync(process.execPath, [alone, 'review', '--staged', '--no-model'], {
        cwd: repo.dir,
        env: gitEnv(repo.dir),
        encoding: 'utf8',
      });
      assert.is(run.status, 0, run.stderr);
      assert.match(run.stdout, /a\.js:1/);
    });
  }));

test('a hook without a model needs none either, simple-git and ajv included', () =>
  withFolder(async dir => {
    await cp(dirname(CLI), join(dir, 'dist'), { recursive: true });
    await withRepo(async repo => {
      await repo.stage('a.js', 'it.only("x", () => {});\n');
      const args = [join(dir, 'dist', 'cli.cjs'), 'hook', 'pre-commit'];
      const env = { ...gitEnv(repo.dir), PATH: '/usr/bin:/bin' };
      const run = spawnSync(process.execPath, args, { cwd: repo.dir, env, encoding: 'utf8' });
      assert.is(run.status, 1, run.stderr);
      assert.not.match(run.stdout + run.stderr, /Cannot find/);
    });
  }));

test.run();
