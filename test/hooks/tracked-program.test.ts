import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { callLine } from '../../src/hooks/shim.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';

const exec = promisify(execFile);
const test = suite('hooks/tracked-program');

const LOCAL = 'node_modules/apfel-bot/dist/cli.cjs';
const LOCAL_HOOK = 'node_modules/apfel-bot/hooks/pre-commit';

/** A local and a global installation that say which of them ran. */
async function withPrograms(
  body: (repo: Repo, run: (args: readonly string[], env?: object) => Promise<string>) => unknown,
): Promise<void> {
  await withRepo(repo =>
    withFolder(async bin => {
      await repo.write(LOCAL, 'console.log("local");\n');
      await repo.write(LOCAL_HOOK, 'echo local\n');
      await mkdir(dirname(join(bin, 'apfel-bot')), { recursive: true });
      await writeFile(join(bin, 'apfel-bot'), '#!/bin/sh\necho global\n');
      await chmod(join(bin, 'apfel-bot'), 0o755);
      await body(repo, async (args, env = {}) => {
        const path = `${bin}:${process.env['PATH']}`;
        const options = { cwd: repo.dir, env: { ...gitEnv(repo.dir), PATH: path, ...env } };
        return (await exec('sh', args, options)).stdout.trim();
      });
    }),
  );
}

const SHIM = resolve('hooks/pre-commit');

test('what npm installed is run, in a hook and from a line in another manager’s hook', () =>
  withPrograms(async (_, run) => {
    assert.is(await run([SHIM]), 'local');
    assert.is(await run(['-c', callLine('pre-commit', '')]), 'local');
  }));

test('what is tracked is not run: the global installation is', () =>
  withPrograms(async (repo, run) => {
    await repo.git('add', '--force', 'node_modules');
    await repo.git('commit', '--quiet', '--message', 'evil');
    // As git starts a hook.
    const hook = { GIT_INDEX_FILE: '.git/index', GIT_DIR: '.git' };
    assert.is(await run([SHIM], hook), 'global');
    assert.is(await run(['-e', SHIM], { GIT_INDEX_FILE: join(repo.dir, '.git/other') }), 'global');
    assert.is(await run(['-c', callLine('pre-commit', '')], hook), 'global');
  }));

test('a program is not run in a linked worktree whose main work tree tracks it', () =>
  withPrograms(async (repo, run) => {
    await repo.git('add', '--force', 'node_modules');
    await repo.git('commit', '--quiet', '--message', 'evil');
    await repo.git('worktree', 'add', '--quiet', '--no-checkout', join(repo.dir, 'linked'));
    const gitDir = (await readFile(join(repo.dir, 'linked/.git'), 'utf8')).trim().slice(8);
    const script = `cd linked && sh '${SHIM}'`;
    assert.is(await run(['-c', script], { GIT_DIR: gitDir }), 'global');
  }));

const EMBEDDED = {
  'node_modules/apfel-bot/dist/HEAD': 'ref: refs/heads/main\n',
  'node_modules/apfel-bot/dist/objects/k': '',
  'node_modules/apfel-bot/dist/refs/k': '',
};

for (const [what, files] of Object.entries({
  'one more file of the package': { 'node_modules/apfel-bot/dist/main.cjs': '' },
  'a bare repository beside it': {
    ...EMBEDDED,
    'node_modules/apfel-bot/dist/config': '[core]\nbare\n',
  },
  'a command for git beside it': {
    ...EMBEDDED,
    'node_modules/apfel-bot/dist/config': '[core]\nworktree = .\nfsmonitor = "touch ran; false"\n',
  },
  'the same folder in other letters': { 'Node_Modules/apfel-bot/dist/main.cjs': '' },
})) {
  test(`the program is not run when the branch tracks ${what}, and nothing else is`, () =>
    withPrograms(async (repo, run) => {
      await repo.commit(files);
      const hook = { GIT_INDEX_FILE: '.git/index', GIT_DIR: '.git' };
      assert.is(await run([SHIM], hook), 'global');
      assert.is(await run(['-c', callLine('pre-commit', '')], hook), 'global');
      assert.not.ok((await repo.git('status', '--short', '--ignored')).includes('ran'));
    }));
}

const notRoot = process.getuid?.() === 0 ? undefined : 'only root can give a folder away';

test.unless(
  notRoot,
  'a program above the repository is run only if it is the user’s own or root’s',
  () =>
    withPrograms(async (repo, run) => {
      const inner = join(repo.dir, 'inner');
      await repo.git('init', '--quiet', inner);
      const hook = ['-c', `cd inner && sh '${SHIM}'`];
      assert.is(await run(hook), 'local');
      await chown(join(repo.dir, 'node_modules'), 12_345, 12_345);
      assert.is(await run(hook), 'global');
    }),
);

test('one line says why a program that is there was not run', () =>
  withPrograms(async (repo, run) => {
    await repo.git('add', '--force', 'node_modules');
    const said = await run(['-c', `sh '${SHIM}' 2>&1`], { PATH: process.env['PATH'] });
    assert.match(said, /files in .* are tracked or not yours, so nothing was reviewed/);
    assert.match(said, /git ls-files node_modules/);
  }));

test('a program of the work tree is not run because a package manager put it on the PATH', () =>
  withPrograms(async (repo, run) => {
    await repo.commit({ 'node_modules/.bin/apfel-bot': '#!/bin/sh\necho tracked\n' });
    await chmod(join(repo.dir, 'node_modules/.bin/apfel-bot'), 0o755);
    const PATH = `${join(repo.dir, 'node_modules/.bin')}:${process.env['PATH']}`;
    assert.is(await run([SHIM], { PATH }), '');
    assert.is(await run(['-c', callLine('pre-commit', '')], { PATH }), '');
  }));

test.run();
