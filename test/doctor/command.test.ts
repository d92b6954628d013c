import { chmod, mkdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { DOCUMENTED_RATES } from '../../fixtures/apfel/rates.js';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { withoutApfel } from '../../src/model/apfel-program.js';
import { withServer } from '../model/openai-harness.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('doctor/command');

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

test('doctor --report does not quote a base URL that is refused', () =>
  withFolder(async dir => {
    for (const url of ['http://jane-mac.acme.test:1234/v1', 'http://jane-mac', 'jane-mac:1/v1']) {
      const env = { USER: 'jane' };
      const run = await apfelBot(['doctor', '--report', '--base-url', url], { cwd: dir, env });
      assert.match(run.stdout, /^- server: problem\. the base URL is refused \(/m);
      assert.not.match(run.stdout, /jane|-mac|acme/);
    }
  }));

test('doctor --report with --format json is a usage error', () =>
  withFolder(async dir => {
    const run = await apfelBot(['doctor', '--report', '--format', 'json'], { cwd: dir });
    assert.is(run.code, 2);
    assert.match(run.stderr, 'doctor --report is Markdown, so --format json has no effect');
  }));

/** The user's name, folders, hosts and addresses, as a program or server may print them. */
const PRIVATE =
  "Ada Love's-Mac.local: /Users/Ada Love/My Disk, ~/My Own/x, ada@love.example, jane-mac:1234, 0123456789abcdef0123456789abcdef";
const NOT_SHOWN = [/ada/i, /love/i, 'Disk', 'Own', /jane/i, '0123456789abcdef'];

test('doctor --report repeats nothing that the programs of the machine print', () =>
  withFolder(async dir => {
    const home = join(dir, 'Ada Love');
    await mkdir(join(home, 'bin'), { recursive: true });
    const says = `'${PRIVATE.replaceAll("'", "'\\''")}'`;
    const programs = {
      apfel: `[ "$1" = --version ] && echo ${says}
        [ "$1" = --model-info ] && echo "├ available:  no ("${says}")"
        echo ${says} >&2; [ "$1" != --serve ]`,
      brew: `echo apfel ${says}`,
      lsof: `echo ${says} ada-mac:11434 '(LISTEN)'`,
      swiftlint: `echo ${says}`,
      git: `echo ${says} >&2; exit 1`,
    };
    for (const [name, script] of Object.entries(programs)) {
      await writeFile(join(home, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    const env = {
      HOME: home,
      USER: 'adal',
      LANG: PRIVATE,
      PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
      GITHUB_API_URL: PRIVATE,
    };
    const run = await apfelBot(['doctor', '--report'], { cwd: home, env });
    assert.match(run.stdout, /^- model: not available, in words that /m);
    assert.match(run.stdout, /^- model: attention\. apfel --serve ended with 1$/m);
    assert.match(run.stdout, /^- git: problem\. git can't be run/m);
    assert.match(run.stdout, /^- apfel as a service: no$/m);
    assert.match(run.stdout, /^- listening on 11434: another address$/m);
    assert.match(run.stdout, /^- SwiftLint: unknown, reports no paths$/m);
    for (const word of NOT_SHOWN) assert.not.match(run.stdout, word);
  }));

test('doctor --report repeats nothing that a server says, nor where it is or what its model is called', () =>
  withRepo(async repo => {
    for (const status of [200, 500]) {
      const answer = (request: IncomingMessage, response: ServerResponse): void => {
        const health = { model: PRIVATE, model_available: true, version: `v${PRIVATE}` };
        const list = { data: [{ id: PRIVATE }], supported_languages: ['en', PRIVATE] };
        const isChat = request.method === 'POST';
        response.statusCode = isChat ? status : 200;
        const choices = [{ index: 0, finish_reason: 'stop', message: { content: PRIVATE } }];
        const reply = status === 200 ? { choices } : { error: { message: PRIVATE } };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(isChat ? reply : { ...health, ...list }));
      };
      await withServer(answer, async url => {
        const args = ['doctor', '--report', '--base-url', url.replace('/v1', '/ada/v1')];
        const run = await apfelBot(args, { cwd: repo.dir });
        assert.match(
          run.stdout,
          /^- server: ok\. apfel of unknown version answers at http:\/\/127\.0\.0\.1:\d+\/v1$/m,
        );
        assert.match(
          run.stdout,
          status === 200
            ? /^- model: ok\. the model answered/m
            : /^- model: attention\. the model did not answer a small question \(/m,
        );
        assert.match(run.stdout, /^- language: ok\. the model supports en/m);
        for (const word of NOT_SHOWN) assert.not.match(run.stdout, word);
        const wrong = await apfelBot([...args, '--model', 'ada/x'], { cwd: repo.dir });
        assert.match(wrong.stdout, /^- model: attention\. /m);
        for (const word of NOT_SHOWN) assert.not.match(wrong.stdout, word);
      });
    }
  }));

test('doctor --report does not name a server on another machine', () =>
  withRepo(async repo => {
    const args = ['doctor', '--report', '--allow-remote', '--base-url', 'http://ada.invalid/v1'];
    const run = await apfelBot(args, { cwd: repo.dir });
    assert.match(run.stdout, /^- server: attention\. .* https:\/\/another-machine\/v1/m);
    assert.not.match(run.stdout, /ada/i);
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
