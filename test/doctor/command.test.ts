import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { DOCUMENTED_RATES } from '../../fixtures/apfel/rates.js';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { machinePage } from '../../src/doctor/machine.js';
import { withoutApfel } from '../../src/model/apfel-program.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('doctor and calibrate');

interface Check {
  readonly id: string;
  readonly status: string;
  readonly fix?: string;
}

const checksIn = (stdout: string): Map<string, Check> =>
  new Map(JSON.parse(stdout).checks.map((check: Check) => [check.id, check]));

test('doctor exits 0 with a working server, and everything a review needs is ok', () =>
  withRepo(async repo => {
    const server = await startStandIn();
    const args = ['doctor', '--format', 'json', '--base-url', server.baseUrl];
    const run = await apfelBot(args, { cwd: repo.dir });
    await server.close();
    assert.is(run.code, 0, run.stdout + run.stderr);
    const checks = checksIn(run.stdout);
    for (const id of ['node', 'git', 'repository', 'server', 'model']) {
      assert.is(checks.get(id)?.status, 'ok', `${id}: ${JSON.stringify(checks.get(id))}`);
    }
  }));

test('doctor exits 0 without a model, and says how to get one', () =>
  withRepo(async repo => {
    const env = { PATH: '/usr/bin:/bin' };
    const run = await apfelBot(['doctor', '--format', 'json'], { cwd: repo.dir, env });
    assert.is(run.code, 0);
    const { status, fix } = checksIn(run.stdout).get('server') ?? {};
    assert.equal([status, fix], ['attention', withoutApfel(process.platform)]);
  }));

test('doctor --report is one page about the machine, without names, paths or tokens', () =>
  withRepo(async repo => {
    const server = await startStandIn();
    const secret = `ghp_${'a1'.repeat(18)}`;
    await repo.git('remote', 'add', 'origin', 'https://example.test/somebody/something.git');
    // As a Mac would have them: SwiftLint names files in another way than they are found.
    const programs = {
      swiftlint: `[ "$1" = version ] && echo 0.57.0 || echo '[{"file":"/var/a.swift"}]'`,
      lsof: `echo 'apfel 7 ada-lovelace 9u IPv4 0t0 TCP 127.0.0.1:11434 (LISTEN)'`,
      brew: `echo 'Name Status User'; echo 'apfel started ada-lovelace'`,
    };
    for (const [name, script] of Object.entries(programs)) {
      await repo.write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
      await chmod(join(repo.dir, 'bin', name), 0o755);
    }
    const env = {
      PATH: `${join(repo.dir, 'bin')}:${process.env['PATH']}`,
      HOME: join(repo.dir, 'home-of-ada'),
      USER: 'ada-lovelace',
      GITHUB_TOKEN: secret,
      GITHUB_API_URL: 'http://127.0.0.1:1',
    };
    const args = ['doctor', '--report', '--base-url', server.baseUrl];
    const run = await apfelBot(args, { cwd: repo.dir, env });
    await server.close();
    assert.is(run.code, 0, run.stdout + run.stderr);
    for (const word of [secret, 'ada', 'somebody', 'something', repo.dir, tmpdir(), hostname()]) {
      assert.not.match(run.stdout, word);
    }
    assert.match(run.stdout, /^### apfel-bot \d/);
    assert.match(run.stdout, /^- temporary disk: (?:ignores|minds) case, /m);
    assert.match(run.stdout, /^- server: ok\. apfel 1\.8\.4 answers at http:\/\/127\.0\.0\.1/m);
    assert.match(run.stdout, /^- repository: ok$/m);
    assert.match(run.stdout, /^- started: (?:a CI job, )?no terminal$/m);
    assert.match(run.stdout, /^- SwiftLint: 0\.57\.0, reports other paths$/m);
    assert.match(run.stdout, /^- apfel as a service: started$/m);
    assert.match(run.stdout, /^- listening on 11434: 127\.0\.0\.1$/m);
    assert.match(run.stdout, /^- model: no apfel$/m);
    assert.match(run.stdout, /^- git there: /m);
    assert.ok(run.stdout.split('\n').length < 50);
  }));

test('doctor --report hides a server on another machine and what its messages quote', () => {
  const check = (id: string, message: string) =>
    ({ id, area: 'machine', status: 'problem', message, fix: 'see ~/notes/a.txt' }) as const;
  const checks = [
    check('server', "nothing answers at https://mac.corp.test:8443/v1, tried '/Users/ada/bin/x'"),
    check('model', 'the key 0123456789abcdef0123456789abcdef is wrong'),
  ];
  const machine = { lines: [], names: ['ada'] };
  const page = machinePage(machine, { checks, ending: 'findings' }, '9.9.9');
  for (const word of ['corp', 'ada', 'notes', '0123456789']) assert.not.match(page, word);
  assert.match(page, 'nothing answers at [address]');
});

test('doctor --report hides hosts and e-mail addresses whole, also with a name in them', () => {
  const check = (message: string) =>
    ({ id: 'model', area: 'machine', status: 'problem', message, fix: undefined }) as const;
  const checks = [
    'nothing answers at http://jane-mac.acme.test:1234/v1',
    'the server jane-mac.acme.test:1234 and jane-mac:1234 failed',
    'getaddrinfo ENOTFOUND jane-mac',
    'ask jane-mac.local or 192.168.7.5:80 or http://localhost.acme.test/',
    'ask jane.doe+x@acme.example, or Jane <o@acme.museum>',
    'apfel 1.8.4 answers at http://127.0.0.1:11434/v1, localhost:1234 and model.start',
  ].map(check);
  const machine = { lines: [], names: ['jane'] };
  const page = machinePage(machine, { checks, ending: 'findings' }, '9.9.9');
  for (const word of [/jane/i, 'mac', 'acme', '192', 'doe', 'museum']) assert.not.match(page, word);
  assert.match(page, 'the server [address] and [address] failed');
  assert.match(page, 'ENOTFOUND [address]');
  assert.match(page, 'ask [e-mail], or [hidden] <[e-mail]>');
  assert.match(page, '1.8.4 answers at http://127.0.0.1:11434/v1, localhost:1234 and model.start');
});

test('doctor --report does not quote a base URL that is refused', () =>
  withFolder(async dir => {
    for (const url of ['http://jane-mac.acme.test:1234/v1', 'http://jane-mac', 'jane-mac:1/v1']) {
      const env = { USER: 'jane' };
      const run = await apfelBot(['doctor', '--report', '--base-url', url], { cwd: dir, env });
      assert.match(run.stdout, /^- server: problem\. \(/m);
      assert.not.match(run.stdout, /jane|-mac|acme/);
    }
  }));

test('doctor --report names a model that is a path without its folder', () =>
  withRepo(async repo => {
    const server = await startStandIn();
    try {
      for (const id of ['models/secret/x.gguf', '/Users/secret/x.gguf', 'C:\\secret\\x.gguf']) {
        const args = ['doctor', '--report', '--base-url', server.baseUrl, '--model', id];
        const run = await apfelBot(args, { cwd: repo.dir });
        assert.match(run.stdout, /^- model: .*\bx\.gguf/m);
        assert.not.match(run.stdout, 'secret');
      }
    } finally {
      await server.close();
    }
  }));

test('doctor --report with --format json is a usage error', () =>
  withFolder(async dir => {
    const run = await apfelBot(['doctor', '--report', '--format', 'json'], { cwd: dir });
    assert.is(run.code, 2);
    assert.match(run.stderr, 'doctor --report is Markdown, so --format json has no effect');
  }));

test('doctor --report hides paths with spaces, and names in what apfel says', () =>
  withFolder(async dir => {
    const home = join(dir, 'Ada Love');
    await mkdir(join(home, 'bin'), { recursive: true });
    const says = 'Ada-Love-Mac of ada love and ADA, at /Volumes/My Disk/Model Files or ~/My Own/x';
    const script = `#!/bin/sh
      [ "$1" = --version ] && echo 'apfel v1.8.4'
      [ "$1" = --model-info ] && echo '├ available:  no (${says})'
      echo "cannot serve in /Users/Ada Love/my folder" >&2; [ "$1" != --serve ]\n`;
    await writeFile(join(home, 'bin/apfel'), script, { mode: 0o755 });
    const env = { HOME: home, USER: 'adal', PATH: `${join(home, 'bin')}:${process.env['PATH']}` };
    const run = await apfelBot(['doctor', '--report'], { cwd: home, env });
    assert.match(run.stdout, '- model: [hidden]-[hidden]-Mac of [hidden] and [hidden], at [path]');
    assert.match(run.stdout, /^- model: attention\..*\(cannot serve in \[path\]/m);
    for (const word of [/ada/i, 'Love', 'Disk', 'Files', 'Own', 'folder']) {
      assert.not.match(run.stdout, word);
    }
  }));

test('doctor --report describes the machine outside a repository too', () =>
  withFolder(async dir => {
    const run = await apfelBot(['doctor'], { cwd: dir, env: { PATH: '/usr/bin:/bin' } });
    assert.match(run.stdout, /^ok +node /m);
    assert.not.match(run.stderr, /bug/);
  }));

test('calibrate measures, prints its table, and saves its pick for auto', () =>
  withRepo(async repo => {
    const server = await startStandIn({ quirks: DOCUMENTED_RATES, seed: 4 });
    const env = { XDG_CACHE_HOME: join(repo.dir, 'cache') };
    const args = ['calibrate', '--runs', '3', '--base-url', server.baseUrl];
    const json = await apfelBot([...args, '--format', 'json'], { cwd: repo.dir, env });
    assert.is(json.code, 0, json.stderr);
    const { rows, picked } = JSON.parse(json.stdout);
    assert.is(picked, 'guided');
    for (const key of 'protocol toolChoice prompt runs calls faithful wrongName refused ms'.split(
      ' ',
    )) {
      assert.ok(key in rows[0], `${key} is missing`);
    }
    const text = await apfelBot(args, { cwd: repo.dir, env });
    await server.close();
    assert.match(text.stdout, /guided/);
  }));

test('calibrate without a model exits 4', () =>
  withRepo(async repo => {
    const run = await apfelBot(['calibrate'], { cwd: repo.dir, env: { PATH: '/usr/bin:/bin' } });
    assert.is(run.code, 4);
    assert.is(run.stdout, '');
  }));

test('calibrate keeps to its deadline and reports what it has', () =>
  withRepo(async repo => {
    const server = await startStandIn({ latencyMs: 2000 });
    const env = { XDG_CACHE_HOME: join(repo.dir, 'cache') };
    const args = ['calibrate', '--deadline', '8s', '--base-url', server.baseUrl, '--strict'];
    const run = await apfelBot(args, { cwd: repo.dir, env });
    await server.close();
    assert.is(run.code, 6, run.stderr);
    assert.match(run.stdout, /partial|stopped|of \d+/i);
  }));

test.run();
