import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { callLine, type Lookup, shim } from '../../src/hooks/shim.js';
import { apfelBot, CLI, type CliRun } from '../support/cli.js';
import { linkPackage } from '../support/packed.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { writeExecutable } from './fake-program.js';

const test = suite('hooks/install-lookup');

/** `install` with one more folder at the front of the PATH. */
const installWith = (repo: Repo, folder: string, env = {}): Promise<CliRun> =>
  apfelBot(['install'], {
    cwd: repo.dir,
    env: { PATH: `${folder}:${process.env['PATH']}`, npm_config_user_agent: 'npm', ...env },
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
      // As npx and yarn leave it on the PATH for one call.
      const npx = await withProgram(join(outside, '_npx/0123/node_modules/.bin'));
      const yarns = await withProgram(join(outside, 'xfs-0123'));
      for (const [bin, env] of [
        [npx, {}],
        [yarns, { BERRY_BIN_FOLDER: yarns }],
      ] as const) {
        const { code, stderr } = await installWith(repo, bin, env);
        assert.is(code, 2);
        assert.match(stderr, `would not find apfel-bot in ${repo.dir}/node_modules or on the PATH`);
        assert.match(
          stderr,
          '  Install it first: npm install --global git+https://github.com/OWNER/apfel-bot.git\n',
        );
        assert.not(existsSync(hookOf(repo)));
      }
    }),
  ));

test('install in a package of a monorepo names the folder that hooks run in', () =>
  withRepo(async repo => {
    await repo.write('package.json', '{}');
    await linkPackage(join(repo.dir, 'packages/one'));
    const { code, stderr } = await apfelBot(['install'], { cwd: join(repo.dir, 'packages/one') });
    assert.is(code, 2);
    assert.match(stderr, '  Install it first: cd ../.. && npm install --save-dev ');
  }));

test('install refuses where only the line in a hook manager’s file would not find the program', () =>
  withRepo(async repo => {
    await repo.write('lefthook.yml', 'pre-commit:\n');
    await repo.write('node_modules/apfel-bot/dist/cli.cjs', '');
    const { code, stderr } = await apfelBot(['install'], { cwd: repo.dir });
    assert.is(code, 2, stderr);
    assert.is(await readFile(join(repo.dir, 'lefthook.yml'), 'utf8'), 'pre-commit:\n');
  }));

test('a program in the work tree does not hide the one further on in the PATH', () =>
  withFolder(async outside => {
    const bin = join(outside, 'bin');
    await mkdir(bin);
    await writeExecutable(join(bin, 'apfel-bot'), '#!/bin/sh\necho global\n');
    await withRepo(async repo => {
      await repo.write('node_modules/.bin/apfel-bot', '#!/bin/sh\necho local\n');
      await chmod(join(repo.dir, 'node_modules/.bin/apfel-bot'), 0o755);
      for (const first of ['node_modules/.bin', `${repo.dir}/node_modules/.bin`]) {
        for (const script of [shim('pre-commit', 'global'), callLine('pre-commit', '')]) {
          const env = { ...gitEnv(repo.dir), PATH: `${first}:${bin}:${process.env['PATH']}` };
          const options = { cwd: repo.dir, env, encoding: 'utf8' } as const;
          assert.is(spawnSync('sh', ['-c', script], options).stdout, 'global\n');
        }
      }
    });
  }));

test('install says which program the hooks run', () =>
  withFolder(outside =>
    withRepo(async repo => {
      const globally = await installWith(repo, await withProgram(join(outside, 'bin')));
      assert.is(globally.code, 0, globally.stderr);
      const lines = globally.stderr.trimEnd().split('\n');
      assert.equal(lines.slice(3, 5), [
        'the hooks run the apfel-bot on the PATH',
        'to draft commit messages too: apfel-bot install --hooks prepare-commit-msg',
      ]);
      assert.match(await readFile(hookOf(repo), 'utf8'), '\nlookup=global;');
      await linkPackage(repo.dir);
      const locally = await installWith(repo, join(outside, 'bin'));
      assert.is(locally.code, 0, locally.stderr);
      assert.match(locally.stderr, 'the hooks run apfel-bot from node_modules\n');
      assert.match(await readFile(hookOf(repo), 'utf8'), '\nlookup=local;');
      const again = await installWith(repo, join(outside, 'bin'));
      assert.match(again.stderr, 'pre-commit is already in place\n');
    }),
  ));

test('install of the hook that drafts messages names the setting for drafts as text', () =>
  withFolder(outside =>
    withRepo(async repo => {
      const folder = await withProgram(join(outside, 'bin'));
      const { stderr } = await apfelBot(['install', '--hooks', 'prepare-commit-msg'], {
        cwd: repo.dir,
        env: { PATH: `${folder}:${process.env['PATH']}` },
      });
      assert.match(stderr, 'in .apfel-bot.json: "hooks": {"draft": "text"}');
    }),
  ));

/** Runs a shim that recorded where the program is, with one that says which it is in both places. */
async function ranBy(lookup: Lookup, left: Lookup): Promise<string> {
  const ran: string[] = [];
  await withFolder(outside =>
    withRepo(async repo => {
      const [local, bin] = [join(repo.dir, 'node_modules/apfel-bot/dist'), join(outside, 'bin')];
      if (left === 'local') {
        await mkdir(local, { recursive: true });
        await writeExecutable(join(local, 'cli.cjs'), 'console.log("local");\n');
      } else {
        await mkdir(bin);
        await writeExecutable(join(bin, 'apfel-bot'), '#!/bin/sh\necho global\n');
      }
      const env = { ...gitEnv(repo.dir), PATH: `${bin}:${process.env['PATH']}` };
      const shell = spawnSync('sh', ['-c', shim('pre-commit', lookup)], {
        cwd: repo.dir,
        env,
        encoding: 'utf8',
      });
      ran.push(shell.stdout.trim() || shell.stderr.slice(0, 20));
    }),
  );
  return ran.join();
}

for (const [lookup, other] of [
  ['local', 'global'],
  ['global', 'local'],
] as const) {
  test(`a hook that was installed for a ${lookup} program runs no other`, async () => {
    assert.is(await ranBy(lookup, lookup), lookup);
    assert.is(await ranBy(lookup, other), 'apfel-bot: not found');
  });
}

test('Yarn without node_modules gets the line that works there', () =>
  withRepo(async repo => {
    await repo.write('.pnp.cjs', '');
    const { code, stderr } = await apfelBot(['install'], { cwd: repo.dir });
    assert.is(code, 2);
    assert.match(stderr, 'npm install --global git+https://github.com/OWNER/apfel-bot.git');
  }));

test('a program that the repository tracks is not run, so install refuses', () =>
  withRepo(async repo => {
    await repo.commit({
      'node_modules/apfel-bot/dist/cli.cjs': 'require("fs").writeFileSync("ran", "")',
      'node_modules/.bin/apfel-bot': '#!/bin/sh\n: > ran\n',
    });
    await chmod(join(repo.dir, 'node_modules/.bin/apfel-bot'), 0o755);
    const { code } = await apfelBot(['install'], { cwd: repo.dir });
    assert.is(code, 2);
    assert.not(existsSync(join(repo.dir, 'ran')));
  }));

test('install --print works where the hooks would not find the program', () =>
  withRepo(async repo => {
    const { code, stdout } = await apfelBot(['install', '--print'], { cwd: repo.dir });
    assert.is(code, 0);
    assert.match(stdout, 'pre-commit');
  }));

test.run();
