import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { findEslint } from '../../src/demo/runner.js';
import { apfelBot, CLI, type CliRun } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('demo/command');

/** An empty home, an empty folder to stand in, and a place for temporary files. */
const withHome = (body: (home: Home) => Promise<void>): Promise<void> =>
  withFolder(async dir => {
    const [cwd, temporary] = [join(dir, 'here'), join(dir, 'tmp')];
    mkdirSync(cwd);
    mkdirSync(temporary);
    await body({ dir, cwd, temporary });
  });

interface Home {
  readonly dir: string;
  readonly cwd: string;
  readonly temporary: string;
}

const environment = ({ dir, temporary }: Home): Record<string, string> => ({
  HOME: dir,
  TMPDIR: temporary,
  GIT_CONFIG_GLOBAL: join(dir, '.gitconfig'),
});

const demo = (home: Home, args: readonly string[] = [], env: Record<string, string> = {}) =>
  apfelBot(['demo', ...args], { cwd: home.cwd, env: { ...environment(home), ...env } });

const folderIn = ({ temporary }: Home): string => {
  const [only = '', ...others] = readdirSync(temporary);
  assert.equal(others, []);
  return join(temporary, only);
};

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: join(folder, 'shop'), encoding: 'utf8' }).trim();

const stepsIn = ({ stdout }: CliRun): string[] => stdout.split(/^── (?=\d of 6 · )/m);

/** Everything that a person's configuration can do to a repository of ours. */
const HOSTILE_CONFIG = `[core]
  hooksPath = /nonexistent/hooks
[commit]
  gpgsign = true
  template = /nonexistent/template
[gpg]
  program = /nonexistent/gpg
[init]
  defaultBranch = trunk
  templateDir = /nonexistent/templates
[user]
  useConfigOnly = true
`;

/** Logs every host that any of the processes connects to. */
const LOG_HOSTS = `const net = require('node:net');
const { appendFileSync } = require('node:fs');
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [given] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof given === 'object' ? (given.path ?? given.host ?? 'localhost') : String(args[1]);
  appendFileSync(process.env.HOSTS_LOG, host + '\\n');
  return connect.apply(this, args);
};
`;

test('the demo shows every step, whatever git and the environment are set to', () =>
  withHome(async home => {
    const [logger, contacted] = [join(home.dir, 'log-hosts.cjs'), join(home.dir, 'hosts')];
    writeFileSync(logger, LOG_HOSTS);
    const config = join(home.dir, '.gitconfig');
    writeFileSync(config, HOSTILE_CONFIG);
    const run = await demo(home, [], {
      NODE_OPTIONS: `--require ${logger}`,
      HOSTS_LOG: contacted,
      GIT_DIR: '/nonexistent/.git',
      GIT_INDEX_FILE: '/nonexistent/index',
      GITHUB_EVENT_PATH: '/nonexistent/event.json',
      APFEL_BOT: '0',
      APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1',
      CI: 'true',
    });
    assert.is(run.code, 0, run.stdout + run.stderr);
    assert.is(run.stderr, '');
    assert.is(readFileSync(config, 'utf8'), HOSTILE_CONFIG);
    assert.equal([...new Set(readFileSync(contacted, 'utf8').trim().split('\n'))], ['127.0.0.1']);
    assert.equal(readdirSync(home.cwd), []);

    const [opening = '', installed, blocked, passed, fixed, pull, audit] = stepsIn(run);
    assert.match(opening, /THE MODEL IS SCRIPTED/);
    assert.match(installed ?? '', /scripted model ──[\s\S]*wrote \.git\/hooks\/pre-commit/);
    assert.match(blocked ?? '', /src\/cart\.js:4:20 {2}error {2}model\/off-by-one/);
    assert.match(blocked ?? '', /focused-test[\s\S]*blocked this commit: 2 findings/);
    assert.match(passed ?? '', /clean · 2 hunks: 2 reviewed/);
    for (const by of ['the linter', 'a suggestion', 'the model']) {
      assert.match(fixed ?? '', `1 by ${by}\n`);
    }
    assert.match(pull ?? '', /rejected 1: 1 quote-not-found/);
    assert.match(pull ?? '', /│ -.*\? price : price \* 0\.9;\n│ \+.*\? price \* 0\.9 : price;/);
    assert.match(pull ?? '', /│ apfel-bot: 1 error\n/);
    assert.match(audit ?? '', /wrote \.\.\/audit\.html/);
    for (const part of stepsIn(run).slice(1)) assert.match(part.split('\n')[0] ?? '', /scripted/);
    for (const line of run.stdout.split('\n')) {
      assert.ok(line.length <= 80 || line.includes(home.dir), line);
    }

    const folder = folderIn(home);
    assert.ok(run.stdout.includes(`${folder}/audit.html\n`));
    assert.ok(run.stdout.includes(`rm -rf ${folder}\n`));
    assert.match(readFileSync(join(folder, 'audit.html'), 'utf8'), /scripted-demo/);
    assert.match(readFileSync(join(folder, 'comment.md'), 'utf8'), /```suggestion/);
    assert.equal(git(folder, 'log', '--format=%s', 'cart').split('\n'), [
      'Discounts for members',
      'Add up the cart',
      'Open a shop',
    ]);
    assert.match(git(folder, 'notes', '--ref', 'apfel-bot', 'show', 'cart~1'), /"complete":true/);
    const [branch = ''] = git(
      folder,
      'branch',
      '--list',
      'apfel-bot/*',
      '--format=%(refname)',
    ).split('\n');
    assert.is(git(folder, 'rev-list', '--count', `cart~1..${branch}`), '3');
    assert.equal(readdirSync(join(folder, 'tmp')), []);
    assert.is(git(folder, 'status', '--porcelain'), '');
  }));

test('the demo leaves out an ESLint that is too old for what it shows', () =>
  withHome(async ({ cwd }) => {
    const folder = join(cwd, 'node_modules', 'eslint');
    mkdirSync(folder, { recursive: true });
    for (const [version, isUsed] of [
      ['8.57.1', false],
      ['9.25.1', false],
      ['9.26.0', true],
      ['10.0.0', true],
    ] as const) {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'eslint', version }));
      assert.is((await findEslint(cwd))?.version, isUsed ? version : undefined, version);
    }
  }));

test.long('the demo uses ESLint where the folder has it', () =>
  withHome(async home => {
    mkdirSync(join(home.cwd, 'node_modules'));
    symlinkSync(resolve('node_modules/eslint'), join(home.cwd, 'node_modules', 'eslint'));
    const run = await demo(home);
    assert.is(run.code, 0, run.stdout + run.stderr);
    assert.match(run.stdout, /The linter is ESLint \d+\.\d+\.\d+ from this folder/);
    assert.match(run.stdout, /Fix eslint no-var/);
    assert.not.ok(existsSync(join(folderIn(home), 'shop', 'tools')));
  }),
);

test.long('--live shows a model that misses real bugs and reports false ones as it is', () =>
  withHome(async home => {
    const server = await startStandIn({ policy: reviewer({ sees: ['let sum = 0'] }) });
    try {
      const run = await demo(home, ['--live', '--base-url', server.baseUrl]);
      assert.is(run.code, 0, run.stdout + run.stderr);
      assert.not.match(run.stdout, /scripted/i);
      const [, ...parts] = stepsIn(run);
      assert.is(parts.length, 6);
      for (const part of parts) assert.match(part.split('\n')[0] ?? '', /live: apple-foundation/);
      assert.match(run.stdout, /did not find the planted mistake in line 4 of src\/cart\.js/);
      assert.match(run.stdout, /2 of 3 problems are fixed, none of them by the model/);
      assert.match(run.stdout, /did not find the planted mistake in src\/discount\.js/);
      assert.match(run.stdout, /reports something in fixed code[\s\S]*--no-verify/);
      assert.match(run.stdout, /│ error src\/cart\.js:3\n/);
      assert.ok(server.requests.length > 0);
    } finally {
      await server.close();
    }
  }),
);

test('--live needs a model, and without --live no model can be chosen', () =>
  withHome(async home => {
    const gone = await demo(home, ['--live', '--base-url', 'http://127.0.0.1:9/v1']);
    assert.is(gone.code, 4);
    assert.match(gone.stderr, /no model for --live: nothing answers at/);
    const mixed = await demo(home, ['--model', 'x']);
    assert.is(mixed.code, 2);
    assert.match(mixed.stderr, /without --live the model is scripted/);
    assert.equal(readdirSync(home.temporary), []);
  }));

test('a step that fails is named, and the folder is kept', () =>
  withHome(async home => {
    const late = await demo(home, ['--deadline', '1500ms']);
    assert.is(late.code, 2, late.stdout);
    assert.match(late.stderr, /out of time in step \d \(/);
    assert.ok(late.stderr.includes(folderIn(home)), late.stderr);
    const none = join(home.dir, 'bin');
    mkdirSync(none);
    const bare = spawnSync(process.execPath, [CLI, 'demo'], {
      cwd: home.cwd,
      env: { ...environment(home), TMPDIR: none, PATH: '' },
      encoding: 'utf8',
    });
    // Where node and git share a folder, git is found all the same.
    if (bare.status !== 0) {
      assert.is(bare.status, 3);
      assert.match(bare.stderr, /step 1 \(.*git can't be started/);
    }
    const lost = await demo(home, [], { TMPDIR: join(home.dir, 'nowhere') });
    assert.is(lost.code, 2);
    assert.match(lost.stderr, /can't create a folder in/);
  }));

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test.long(`${signal} in the middle of the demo leaves no folder and no process`, () =>
    withHome(async home => {
      const child = spawn(process.execPath, [CLI, 'demo'], {
        cwd: home.cwd,
        env: { ...environment(home), PATH: process.env['PATH'] ?? '' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', text => (output += text));
      child.stderr.setEncoding('utf8').on('data', text => (output += text));
      const ended = new Promise<number | null>(done => child.on('close', done));
      while (!output.includes('$ git commit') && child.exitCode === null) await wait(20);
      // The hook has just begun.
      await wait(300);
      const folder = folderIn(home);
      child.kill(signal);
      assert.is(await ended, code, output);
      assert.match(output, /interrupted, and its folder was removed/);
      assert.equal(readdirSync(home.temporary), []);
      await wait(500);
      assert.not.ok(existsSync(folder));
      const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
      assert.not.ok(running.includes(folder), running);
    }),
  );
}

test.run();
