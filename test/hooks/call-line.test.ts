import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { callLine, callsUs, quietCallLine } from '../../src/hooks/shim.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('hooks/call-line');

const run = (line: string, cwd: string, path = '/usr/bin:/bin') => {
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', line, 'hook', 'a b', 'c'], {
    cwd,
    env: { PATH: path },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

test('the line for other hooks prints one message and lets git go on where the program is missing', () =>
  withFolder(async dir => {
    const { status, stdout, stderr } = run(callLine('pre-commit', '"$@"'), dir);
    assert.is(status, 0);
    assert.is(stdout, '');
    assert.is(stderr, 'apfel-bot is not installed here, so nothing was reviewed\n');
    assert.is(run(callLine('post-commit', '"$@"'), dir).stderr, '', 'pre-commit has said so');
  }));

test('the line for other hooks is silent without the program when it serves many repositories', () =>
  withFolder(async dir =>
    assert.equal(run(quietCallLine('pre-commit', '"$@"'), dir), {
      status: 0,
      stdout: '',
      stderr: '',
    }),
  ));

test("the line for other hooks calls the package's shim with git's arguments and returns its exit code", () =>
  withRepo(async ({ dir }) => {
    mkdirSync(join(dir, 'node_modules/apfel-bot/hooks'), { recursive: true });
    const shim = join(dir, 'node_modules/apfel-bot/hooks/pre-push');
    writeFileSync(shim, 'printf "<%s>" "$@"; exit 3\n');
    const { status, stdout } = run(callLine('pre-push', '"$@"'), dir);
    assert.is(stdout, '<a b><c>');
    assert.is(status, 3);
  }));

test('the line for other hooks calls the program on the PATH when the package is not installed', () =>
  withFolder(bin =>
    withRepo(async ({ dir }) => {
      writeFileSync(join(bin, 'apfel-bot'), '#!/bin/sh\necho "$@"\n');
      chmodSync(join(bin, 'apfel-bot'), 0o755);
      const { stdout } = run(callLine('post-rewrite', 'amend'), dir, `${bin}:/usr/bin:/bin`);
      assert.is(stdout, 'hook post-rewrite amend\n');
    }),
  ));

test('the line for other hooks needs no escaping in YAML, TOML or a quoted shell word', () =>
  assert.not.match(callLine('pre-push', '"$@"'), /'|: | #|\n/));

test('the line for other hooks is recognised, also when written by hand, but not in a comment', () => {
  assert.ok(callsUs(`set -e\n${callLine('pre-commit', '')}\n`, 'pre-commit'));
  assert.ok(callsUs('npx apfel-bot hook pre-commit\n', 'pre-commit'));
  assert.not(callsUs('  # apfel-bot hook pre-commit\n', 'pre-commit'));
  assert.not(callsUs('apfel-bot hook pre-push\n', 'pre-commit'));
});

test.run();
