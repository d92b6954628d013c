import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { linterEnvironment, type RunRequest, runLinter } from '../../src/lint/run.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('lint/run-linter');

const run = (root: string, argv: readonly string[], more: Partial<RunRequest> = {}) =>
  runLinter({
    argv,
    root,
    folder: '',
    env: linterEnvironment(process.env, []),
    timeoutMs: 5000,
    signal: new AbortController().signal,
    ...more,
  });

test('both streams and the exit code are returned, and arguments never go through a shell', () =>
  withFolder(async dir => {
    const script = 'printf "%s" "$1"; echo bad >&2; exit 3';
    const done = await run(dir, ['sh', '-c', script, 'sh', '$(touch pwned); *']);
    assert.equal(done.end, { kind: 'exit', code: 3 });
    assert.is(done.stdout, '$(touch pwned); *');
    assert.is(done.stderr, 'bad\n');
  }));

test("the project's own program is found in the folder or above it, and nowhere else", () =>
  withFolder(async dir => {
    await mkdir(join(dir, 'node_modules', '.bin'), { recursive: true });
    await mkdir(join(dir, 'packages', 'one'), { recursive: true });
    const path = join(dir, 'node_modules', '.bin', 'lint');
    await writeFile(path, '#!/bin/sh\npwd\n');
    await chmod(path, 0o755);
    const folder = 'packages/one';
    const done = await run(dir, ['node_modules/.bin/lint'], { folder });
    assert.is(done.stdout.trim(), join(dir, folder));
    const missing = await run(dir, ['node_modules/.bin/other'], { folder });
    assert.equal(missing.end, { kind: 'missing' });
    assert.equal((await run(dir, ['no-such-program-here'])).end, { kind: 'missing' });
  }));

test('a linter that runs too long is killed together with its children', () =>
  withFolder(async dir => {
    const done = await run(dir, ['sh', '-c', 'sleep 600 & sleep 600'], { timeoutMs: 300 });
    assert.equal(done.end, { kind: 'time-up', afterMs: 300 });
  }));

test('a child that keeps the output open does not block the run', () =>
  withFolder(async dir => {
    const done = await run(dir, ['sh', '-c', 'sleep 600 & echo done']);
    assert.equal(done.end, { kind: 'exit', code: 0 });
    assert.is(done.stdout, 'done\n');
  }));

test('endless output is cut, and the result says so', () =>
  withFolder(async dir => {
    const done = await run(dir, ['sh', '-c', 'yes']);
    assert.is(done.isCut, true);
  }));

test('without a locale a linter gets one with UTF-8, and any other stays', () => {
  assert.match(linterEnvironment({ PATH: '/bin' }, [])['LC_CTYPE'] ?? '', /UTF-8$/);
  assert.match(linterEnvironment({ PATH: '/bin', LANG: '' }, [])['LC_CTYPE'] ?? '', /UTF-8$/);
  assert.is(linterEnvironment({ LANG: 'C' }, [])['LC_CTYPE'], undefined);
});

test('no secret of the environment reaches the linter', () => {
  const env = {
    PATH: '/bin',
    GITHUB_TOKEN: 't',
    NPM_TOKEN: 'n',
    AWS_SECRET_ACCESS_KEY: 's',
    LC_ALL: 'C',
  };
  const clean = linterEnvironment({ ...env, SSH_AUTH_SOCK: '/x', ACTIONS_RUNTIME_TOKEN: 'a' }, [
    '/own',
  ]);
  assert.is(clean['PATH'], '/own:/bin');
  assert.is(clean['LC_ALL'], 'C');
  assert.equal(
    Object.keys(clean).filter(name => /TOKEN|SECRET|SOCK/.test(name)),
    [],
  );
});

test.run();
