import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { callLine, callsUs, quietCallLine } from '../../src/hooks/shim.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('the line for other hooks');

const run = (line: string, cwd: string, path = '/usr/bin:/bin') => {
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', line, 'hook', 'a b', 'c'], {
    cwd,
    env: { PATH: path },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

test('says one line and lets git go on where the program is missing', () =>
  withFolder(async dir => {
    const { status, stdout, stderr } = run(callLine('pre-commit', '"$@"'), dir);
    assert.is(status, 0);
    assert.is(stdout, '');
    assert.is(stderr, 'apfel-bot is not installed here, so nothing was reviewed\n');
  }));

test('says nothing there when it serves many repositories', () =>
  withFolder(async dir =>
    assert.equal(run(quietCallLine('pre-commit', '"$@"'), dir), {
      status: 0,
      stdout: '',
      stderr: '',
    }),
  ));

test("calls the package's own shim with what git passed, and takes over its exit code", () =>
  withRepo(async ({ dir }) => {
    mkdirSync(join(dir, 'node_modules/apfel-bot/hooks'), { recursive: true });
    const shim = join(dir, 'node_modules/apfel-bot/hooks/pre-push');
    writeFileSync(shim, 'printf "<%s>" "$@"; exit 3\n');
    const { status, stdout } = run(callLine('pre-push', '"$@"'), dir);
    assert.is(stdout, '<a b><c>');
    assert.is(status, 3);
  }));

test('calls the program on the PATH when the package is not here', () =>
  withFolder(bin =>
    withRepo(async ({ dir }) => {
      writeFileSync(join(bin, 'apfel-bot'), '#!/bin/sh\necho "$@"\n');
      chmodSync(join(bin, 'apfel-bot'), 0o755);
      const { stdout } = run(callLine('post-rewrite', 'amend'), dir, `${bin}:/usr/bin:/bin`);
      assert.is(stdout, 'hook post-rewrite amend\n');
    }),
  ));

test('holds nothing that YAML, TOML or a quoted shell word would stumble over', () =>
  assert.not.match(callLine('pre-push', '"$@"'), /'|: | #|\n/));

test('is recognised, also when written by hand, but not in a comment', () => {
  assert.ok(callsUs(`set -e\n${callLine('pre-commit', '')}\n`, 'pre-commit'));
  assert.ok(callsUs('npx apfel-bot hook pre-commit\n', 'pre-commit'));
  assert.not(callsUs('  # apfel-bot hook pre-commit\n', 'pre-commit'));
  assert.not(callsUs('apfel-bot hook pre-push\n', 'pre-commit'));
});

test.run();
