import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { gitEnvironment } from '../../src/git/flags.js';
import { openSimpleGit } from '../../src/git/remote.js';
import { complaintOf } from '../../src/platform/files.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';
import { failureOf } from './scratch-harness.js';

const test = suite('git simple');

const open = (repo: Repo, signal = new AbortController().signal) =>
  openSimpleGit({
    cwd: repo.dir,
    gitDir: join(repo.dir, '.git'),
    env: { ...gitEnvironment(gitEnv(repo.dir), 'clean'), EDITOR: 'vi', PAGER: 'less' },
    signal,
  });

test('our own flags are let through and hold', () =>
  withRepo(async repo => {
    const canary = join(repo.dir, '.git/canary');
    await writeFile(canary, `#!/bin/sh\ntouch "${repo.dir}/.git/sung"\n`);
    await chmod(canary, 0o755);
    await repo.git('config', 'core.fsmonitor', canary);
    await writeFile(join(repo.dir, '.git/hooks/reference-transaction'), `#!/bin/sh\n${canary}\n`, {
      mode: 0o755,
    });
    const handle = await open(repo);
    await handle.run(['update-ref', 'refs/heads/other', 'HEAD']);
    assert.is(await handle.run(['status', '--porcelain']), '');
    assert.not.ok(existsSync(join(repo.dir, '.git/sung')), 'the canary sang');
    const message = (await failureOf(handle.run(['fetch', `file://${repo.dir}`]))).message;
    assert.match(message, /transport 'file' not allowed/);
  }));

test('a failure that prints nothing is a failure', () =>
  withRepo(async repo => {
    const handle = await open(repo);
    await repo.write('README.md', 'changed\n');
    for (const args of [
      ['diff', '--quiet'],
      ['config', '--get', 'no.such'],
      ['rev-parse', '--quiet', '--verify', 'nothing'],
    ]) {
      assert.match(
        (await failureOf(handle.run(args))).message,
        new RegExp(`^git ${args[0]} failed`),
      );
    }
  }));

test('a git that was killed is a failure, whatever it had printed', () =>
  withRepo(async repo => {
    const path = join(repo.dir, 'bin');
    await repo.write('bin/git', '#!/bin/sh\necho some words\nkill -9 $$\n');
    await chmod(join(path, 'git'), 0o755);
    const env = { PATH: `${path}:/usr/bin:/bin` };
    const { signal } = new AbortController();
    const handle = await openSimpleGit({ cwd: repo.dir, gitDir: undefined, env, signal });
    const failure = await failureOf(handle.run(['status']));
    assert.is(failure.message, 'git status failed: it was killed');
    assert.match(complaintOf(failure), /some words/);
  }));

test('all that git said is kept', () =>
  withRepo(async repo => {
    const failure = await failureOf((await open(repo)).run(['cat-file', '-p', 'no-such-thing']));
    assert.match(complaintOf(failure), /Not a valid object name no-such-thing/);
  }));

test('the clock stops a git that waits', () =>
  withRepo(async repo => {
    const stop = new AbortController();
    const handle = await open(repo, stop.signal);
    setTimeout(() => stop.abort(), 150);
    const name = await handle
      .run([
        '-c',
        'core.sshCommand=sleep 600;',
        '-c',
        'protocol.ssh.allow=always',
        'ls-remote',
        'ssh://host/x',
      ])
      .then(
        () => 'done',
        (error: Error) => error.name,
      );
    assert.is(name, 'AbortError');
    const again = await handle.run(['status']).catch((error: Error) => error.name);
    assert.is(again, 'AbortError');
  }));

test('a command that reads its input gets an end instead of waiting', () =>
  withRepo(async repo => {
    const handle = await open(repo);
    assert.is(
      (await handle.run(['hash-object', '--stdin'])).trim(),
      'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
    );
  }));

test.run();
