import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot, CLI, type CliRun } from '../support/cli.js';
import { linkPackage } from '../support/packed.js';
import { suite } from '../support/suite.js';
import { type Repo, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('install tries what the hooks will do');

/** `install` with one more folder at the front of the PATH. */
const installWith = (repo: Repo, folder: string): Promise<CliRun> =>
  apfelBot(['install'], {
    cwd: repo.dir,
    env: { PATH: `${folder}:${process.env['PATH']}`, npm_config_user_agent: 'npm' },
  });

async function withProgram(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await symlink(CLI, join(folder, 'apfel-bot'));
  return folder;
}

const hookOf = (repo: Repo): string => join(repo.dir, '.git/hooks/pre-commit');

test('install refuses where the hooks would not find the program, and writes nothing', () =>
  withFolder(outside =>
    withRepo(async repo => {
      // As npx leaves it on the PATH for one call.
      const bin = await withProgram(join(outside, '_npx/0123/node_modules/.bin'));
      const { code, stderr } = await installWith(repo, bin);
      assert.is(code, 2);
      assert.match(stderr, 'would not find apfel-bot in node_modules or on the PATH');
      assert.match(stderr, '  Install it first: npm install --save-dev apfel-bot\n');
      assert.not(existsSync(hookOf(repo)));
    }),
  ));

test('install says which program the hooks run', () =>
  withFolder(outside =>
    withRepo(async repo => {
      const globally = await installWith(repo, await withProgram(join(outside, 'bin')));
      assert.is(globally.code, 0, globally.stderr);
      assert.match(globally.stderr, 'the hooks run the apfel-bot on the PATH\n');
      assert.ok(existsSync(hookOf(repo)));
      await apfelBot(['uninstall'], { cwd: repo.dir });
      await linkPackage(repo.dir);
      const locally = await installWith(repo, join(outside, 'bin'));
      assert.is(locally.code, 0, locally.stderr);
      assert.match(locally.stderr, 'the hooks run apfel-bot from node_modules\n');
    }),
  ));

test('a program that the repository tracks is not run, so install refuses', () =>
  withRepo(async repo => {
    await repo.commit({
      'node_modules/apfel-bot/dist/cli.cjs': 'require("fs").writeFileSync("ran", "")',
    });
    const { code } = await apfelBot(['install'], { cwd: repo.dir });
    assert.is(code, 2);
    assert.not(existsSync(join(repo.dir, 'ran')));
  }));

test('what to add by hand is printed in any case', () =>
  withRepo(async repo => {
    const { code, stdout } = await apfelBot(['install', '--print'], { cwd: repo.dir });
    assert.is(code, 0);
    assert.match(stdout, 'pre-commit');
  }));

test.run();
