import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { starterFor } from '../../src/platform/own-command.js';
import { linkPackage } from '../support/packed.js';
import { suite } from '../support/suite.js';
import { gitEnv, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('platform/own-command');

for (const [lockfile, starter] of [
  ['package-lock.json', 'npx '],
  ['pnpm-lock.yaml', 'pnpm exec '],
  ['yarn.lock', 'yarn '],
  ['bun.lock', 'bunx '],
] as const) {
  test(`a project with ${lockfile} starts it with ${starter.trim()}`, () =>
    withFolder(async dir => {
      await writeFile(join(dir, lockfile), '');
      for (const script of [
        'node_modules/.bin/apfel-bot',
        'node_modules/apfel-bot/dist/cli.cjs',
        'node_modules/.pnpm/apfel-bot@1/node_modules/apfel-bot/dist/cli.cjs',
      ]) {
        assert.is(starterFor(join(dir, script), dir), starter);
        assert.is(starterFor(join(dir, script), join(dir, 'packages/one')), starter);
      }
    }));
}

test('a global installation needs nothing before its name', () => {
  const script = '/usr/local/lib/node_modules/apfel-bot/dist/cli.cjs';
  assert.is(starterFor(script, '/home/ada/project'), '');
  assert.is(starterFor('/usr/local/bin/apfel-bot', '/home/ada/project'), '');
});

test('what npx fetched for one run is started by npx again', () => {
  const script = '/home/ada/.npm/_npx/0123/node_modules/.bin/apfel-bot';
  assert.is(starterFor(script, '/home/ada/project'), 'npx ');
});

test('a blocked commit and an error name commands that the shell of a project finds', () =>
  withRepo(async repo => {
    await linkPackage(repo.dir);
    await writeFile(join(repo.dir, 'pnpm-lock.yaml'), '');
    await repo.stage('a.js', 'it.only("x", () => {});\n');
    const run = (...args: string[]) => {
      const options = { cwd: repo.dir, env: gitEnv(repo.dir), encoding: 'utf8' } as const;
      const script = 'node_modules/apfel-bot/dist/cli.cjs';
      return spawnSync(process.execPath, [script, ...args], options);
    };
    const hook = run('hook', 'pre-commit', '--no-model');
    assert.match(hook.stdout, 'check again:  pnpm exec apfel-bot review --staged\n');
    assert.match(run('reveiw').stderr, '  See: pnpm exec apfel-bot --help\n');
    assert.match(run('show', 'HEAD').stdout, 'review it with: pnpm exec apfel-bot review');
    const init = run('init', '--workflows').stdout;
    assert.match(init, 'names a commit of apfel-bot on github.com');
    assert.match(init, 'name one: pnpm exec apfel-bot init --workflows');
    assert.match(run('doctor', '--format', 'json').stdout, '"fix": "pnpm exec apfel-bot install"');
    assert.match(run('install').stderr, 'to remove the hooks: pnpm exec apfel-bot uninstall\n');
    assert.match(
      run('doctor', '--format', 'json').stdout,
      'post-rewrite run apfel-bot (.git/hooks)',
    );
  }));

test.run();
