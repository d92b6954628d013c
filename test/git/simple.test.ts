import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { gitEnvironment } from '../../src/git/flags.js';
import { runSimpleGit, withoutPassword, withSimpleGit } from '../../src/git/remote.js';
import type { GitContext } from '../../src/git/spawn.js';
import { complaintOf } from '../../src/platform/files.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';
import { failureOf } from './scratch-harness.js';

const test = suite('git/simple');

const contextOf = (repo: Repo, signal = new AbortController().signal): GitContext => ({
  cwd: repo.dir,
  gitDir: join(repo.dir, '.git'),
  env: { ...gitEnvironment(gitEnv(repo.dir), 'clean'), EDITOR: 'vi', PAGER: 'less' },
  signal,
});

const raw = (context: GitContext, ...args: readonly string[]): Promise<string> =>
  withSimpleGit(context, git => git.raw([...args]));

test('simple-git accepts our hardening flags, and git obeys them', () =>
  withRepo(async repo => {
    const program = join(repo.dir, '.git/program');
    await writeFile(program, `#!/bin/sh\ntouch "${repo.dir}/.git/ran"\n`);
    await chmod(program, 0o755);
    await repo.git('config', 'core.fsmonitor', program);
    await writeFile(join(repo.dir, '.git/hooks/reference-transaction'), `#!/bin/sh\n${program}\n`, {
      mode: 0o755,
    });
    const context = contextOf(repo);
    await raw(context, 'update-ref', 'refs/heads/other', 'HEAD');
    assert.is(await raw(context, 'status', '--porcelain'), '');
    assert.not.ok(existsSync(join(repo.dir, '.git/ran')), 'a configured program ran');
    const fetched = withSimpleGit(context, git => git.fetch(`file://${repo.dir}`, 'HEAD'));
    assert.match((await failureOf(fetched)).message, /^git fetch failed: .*'file' not allowed/);
  }));

test('a path with a star in it is not a pattern, and a replaced object is not used', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.txt': 'a\n', 'a*': 'star\n' });
    const other = await repo.commit({ 'a.txt': 'b\n' });
    await repo.git('replace', other, 'HEAD~1');
    const context = contextOf(repo);
    assert.is(await raw(context, 'ls-files', '--', 'a*'), 'a*\n');
    assert.is(await raw(context, 'show', `${other}:a.txt`), 'b\n');
  }));

test('a failure that prints nothing is a failure', () =>
  withRepo(async repo => {
    await repo.write('README.md', 'changed\n');
    for (const args of [
      ['diff', '--quiet'],
      ['config', '--get', 'no.such'],
      ['rev-parse', '--quiet', '--verify', 'nothing'],
    ]) {
      const { message } = await failureOf(raw(contextOf(repo), ...args));
      assert.match(message, new RegExp(`^git ${args[0]} failed`));
      assert.is((await runSimpleGit(contextOf(repo), args)).code, 1);
    }
  }));

test('a git that was killed is a failure, whatever it had printed', () =>
  withRepo(async repo => {
    const path = join(repo.dir, 'bin');
    await repo.write('bin/git', '#!/bin/sh\necho some words\nkill -9 $$\n');
    await chmod(join(path, 'git'), 0o755);
    const env = { PATH: `${path}:/usr/bin:/bin` };
    const { signal } = new AbortController();
    const context = { cwd: repo.dir, gitDir: undefined, env, signal };
    const failure = await failureOf(raw(context, 'status'));
    assert.is(failure.message, 'git status failed: it was killed');
    assert.match(complaintOf(failure), /some words/);
  }));

test('the cause of a failure has all that git printed', () =>
  withRepo(async repo => {
    const failure = await failureOf(raw(contextOf(repo), 'cat-file', '-p', 'no-such-thing'));
    assert.match(complaintOf(failure), /Not a valid object name no-such-thing/);
  }));

test('an abort stops a git that waits, and no other one starts', () =>
  withRepo(async repo => {
    const stop = new AbortController();
    const context = contextOf(repo, stop.signal);
    setTimeout(() => stop.abort(), 150);
    const settings = ['core.sshCommand=sleep 600;', 'protocol.ssh.allow=always'];
    const name = await withSimpleGit(context, git => git.listRemote(['ssh://host/x']), {
      settings,
    }).then(
      () => 'done',
      (error: Error) => error.name,
    );
    assert.is(name, 'AbortError');
    const again = await raw(context, 'status').catch((error: Error) => error.name);
    assert.is(again, 'AbortError');
  }));

test('a command reads the input it is given, or none, and never waits for more', () =>
  withRepo(async repo => {
    const hash = ['hash-object', '--stdin'];
    const context = contextOf(repo);
    assert.match(await raw(context, ...hash), /^e69de29bb2d1/);
    const { stdout } = await runSimpleGit(context, hash, Buffer.from('a\n'));
    assert.match(stdout.toString(), /^78981922613b/);
  }));

test('neither a password nor the query of an address is printed', () => {
  const said = "fatal: unable to access 'https://ada:pw@x.test/a.git?private_token=s3#t': 403";
  assert.is(withoutPassword(said), "fatal: unable to access 'https://x.test/a.git?***': 403");
  assert.is(withoutPassword('is it there? yes'), 'is it there? yes');
});

test.run();
