import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withFolder } from '../support/with-repo.js';
import { commit, commitUnseen, git, recordOf, withQuickHooks } from './hooked-repo.js';

const GRAVE = 'it.only("x", () => {});\n';
const QUIET = { hooks: { background: false } };
/** Git asks for every text; what it offers is taken. */
const ACCEPT = { GIT_EDITOR: 'true' };

const test = suite('hooks/whole-file');

/** A repository whose base is pushed, and where only the push itself can find out. */
const withRemote = (
  body: (repo: Repo, push: () => Promise<CliRun>) => Promise<void>,
): Promise<void> =>
  withQuickHooks(
    repo =>
      withFolder(async folder => {
        await repo.git('init', '--quiet', '--bare', folder);
        await repo.git('remote', 'add', 'origin', folder);
        await repo.git('push', '--quiet', '--no-verify', 'origin', 'main');
        await body(repo, () => git(repo, ['push', '--quiet', 'origin', 'main']));
      }),
    QUIET,
  );

const mustStop = ({ code, stdout, stderr }: CliRun): void => {
  assert.is(code, 1, stdout + stderr);
  assert.match(stdout + stderr, 'focused-test');
};

const queued = (repo: Repo): Promise<string[]> =>
  readdir(join(repo.dir, '.git/apfel-bot/queue')).catch(() => []);

test('a reviewed amend does not make an unreviewed commit reviewed', () =>
  withRemote(async (repo, push) => {
    await repo.stage('a.test.js', GRAVE);
    await commitUnseen(repo);
    await repo.stage('b.js', 'fine();\n');
    assert.is((await commit(repo, '--amend')).code, 0);
    assert.is(await recordOf(repo), null);
    mustStop(await push());
    assert.is((await recordOf(repo))?.ledger.total, 2);
  }));

test('an unreviewed commit stays unreviewed after a reword', () =>
  withRemote(async (repo, push) => {
    await repo.stage('a.test.js', GRAVE);
    await commitUnseen(repo);
    assert.is((await commit(repo, '--amend', '--message', 'other words')).code, 0);
    assert.is(await recordOf(repo), null);
    mustStop(await push());
  }));

test('findings of the amend itself are reported, though the rest is unknown', () =>
  withRemote(async (repo, push) => {
    await repo.stage('a.test.js', GRAVE);
    await commitUnseen(repo);
    await repo.stage('b.js', 'debugger;\n');
    await commit(repo, '--amend');
    const record = await recordOf(repo);
    assert.equal(
      record?.findings.map(({ rule }) => rule),
      ['debugger'],
    );
    assert.is(record?.complete, false);
    assert.is(record?.ledger.total, 0);
    mustStop(await push());
  }));

test('a reviewed fixup does not make the commit it went into reviewed', () =>
  withRemote(async (repo, push) => {
    await repo.stage('a.test.js', GRAVE);
    await commitUnseen(repo);
    await repo.stage('b.js', 'debugger;\n');
    await git(repo, ['commit', '--quiet', '--fixup', 'HEAD']);
    assert.is((await recordOf(repo))?.ledger.total, 1);
    const args = ['rebase', '--quiet', '--interactive', '--autosquash', 'origin/main'];
    const rebase = await git(repo, args, ACCEPT);
    assert.is(rebase.code, 0, rebase.stderr);
    assert.is((await recordOf(repo))?.ledger.total, 0);
    mustStop(await push());
    assert.is((await recordOf(repo))?.ledger.total, 2);
  }));

test('an amend of a reviewed commit is whole, and a push asks nothing', () =>
  withRemote(async (repo, push) => {
    await repo.stage('a.js', 'fine();\n');
    await commit(repo);
    await repo.stage('b.js', 'fine();\n');
    await commit(repo, '--amend');
    const record = await recordOf(repo);
    assert.is(record?.ledger.total, 2);
    assert.equal(await push(), { code: 0, stdout: '', stderr: '' });
    assert.is((await recordOf(repo))?.run, record?.run);
  }));

test('an amend of the first commit is whole', () =>
  withQuickHooks(async repo => {
    await repo.git('checkout', '--quiet', '--orphan', 'fresh');
    await repo.stage('a.js', 'fine();\n');
    await commit(repo);
    assert.is((await recordOf(repo))?.ledger.total, 2);
    await repo.stage('b.js', 'debugger;\n');
    await commit(repo, '--amend');
    const record = await recordOf(repo);
    assert.is(record?.ledger.total, 3);
    assert.is(record?.findings.length, 1);
  }, QUIET));

test('hunks are counted once, however often a commit is reworded', () =>
  withRemote(async repo => {
    await repo.stage('a.js', 'fine();\n');
    await commit(repo);
    for (const words of ['one', 'two', 'three']) {
      const rebase = await git(repo, ['rebase', '--quiet', '--interactive', 'HEAD~1'], {
        GIT_SEQUENCE_EDITOR: "sed -i.old 's/^pick/reword/'",
        GIT_EDITOR: `echo ${words} >`,
      });
      assert.is(rebase.code, 0, rebase.stderr);
      assert.is(await repo.git('log', '-1', '--format=%s'), words);
      assert.is((await recordOf(repo))?.ledger.total, 1, words);
    }
  }));

for (const kind of ['fixup', 'squash']) {
  test(`a ${kind} of the commit before it gives the sum of both records`, () =>
    withRemote(async (repo, push) => {
      await repo.stage('a.js', 'debugger;\n');
      await commit(repo);
      await repo.stage('b.js', 'fine();\n');
      await git(repo, ['commit', '--quiet', `--${kind}`, 'HEAD'], ACCEPT);
      const args = ['rebase', '--quiet', '--interactive', '--autosquash', 'origin/main'];
      assert.is((await git(repo, args, ACCEPT)).code, 0);
      const record = await recordOf(repo);
      assert.is(record?.ledger.total, 2);
      assert.is(record?.findings.length, 1);
      await push();
      assert.is((await recordOf(repo))?.run, record?.run, 'nothing was left to look at');
    }));
}

test('commits combined by hand in a rebase are reviewed before a push', () =>
  withRemote(async (repo, push) => {
    await repo.stage('README.md', '# one\n');
    await repo.stage('b.js', 'debugger;\n');
    await commit(repo);
    await repo.git('checkout', '--quiet', '-b', 'side', 'origin/main');
    await repo.stage('README.md', '# two\n');
    await commit(repo);
    await repo.git('checkout', '--quiet', 'main');
    assert.is((await git(repo, ['rebase', '--quiet', 'side'])).code, 1, 'a conflict');
    await repo.stage('README.md', '# both\n');
    await repo.stage('a.test.js', GRAVE);
    await commit(repo, '--no-verify');
    const resolved = await git(repo, ['rebase', '--continue'], ACCEPT);
    assert.is(resolved.code, 0, resolved.stderr);
    mustStop(await push());
  }));

for (const back of ['HEAD~1', 'HEAD~2']) {
  test(`a hand-over for a commit that was never made does not count for one on ${back}`, () =>
    withRemote(async (repo, push) => {
      await repo.stage('a.js', 'fine();\n');
      await commit(repo);
      await repo.stage('a.test.js', GRAVE);
      await commitUnseen(repo);
      await repo.stage('b.js', 'fine();\n');
      const refuses = join(repo.dir, '.git/hooks/commit-msg');
      await writeFile(refuses, '#!/bin/sh\nexit 1\n');
      await chmod(refuses, 0o755);
      assert.is((await commit(repo)).code, 1);
      await repo.git('reset', '--quiet', '--soft', back);
      assert.is((await commit(repo, '--no-verify')).code, 0);
      assert.is(await recordOf(repo), null);
      mustStop(await push());
    }));
}

test('a rewrite queues nothing when hooks.background is false', () =>
  withRemote(async repo => {
    await repo.stage('a.js', 'fine();\n');
    await commitUnseen(repo);
    for (const name of ['b.js', 'c.js', 'd.js']) {
      await repo.stage(name, 'fine();\n');
      await commit(repo, '--amend');
      assert.equal(await queued(repo), [], name);
    }
  }));

test.run();
