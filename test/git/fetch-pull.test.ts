import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import { openGit } from '../../src/git/git.js';
import { commitHere, fetchPull, hasRemote, isBranchHead } from '../../src/git/isolated-remote.js';
import { suite } from '../support/suite.js';
import { gitEnv, openRepo, type Repo, withRepo } from '../support/with-repo.js';

const test = suite('git/fetch-pull');

interface Place {
  /** What the remote is. */
  readonly far: Repo;
  readonly near: Repo;
  readonly head: string;
}

/** A remote with a pull request that no branch leads to, and a clone without it. */
const withPull = (body: (place: Place) => Promise<void>): Promise<void> =>
  withRepo(async far => {
    await far.git('clone', '--quiet', '--bare', '.', 'far.git');
    await far.git('clone', '--quiet', 'far.git', 'near');
    const head = await far.commit({ 'a.txt': 'theirs\n' });
    await far.git('push', '--quiet', 'far.git', 'HEAD:refs/pull/12/head');
    await body({ far, near: openRepo(join(far.dir, 'near')), head });
  });

async function repositoryLocation({ dir }: Repo) {
  const env = gitEnv(dir);
  const { signal } = new AbortController();
  const { repository } = await openGit({ cwd: dir, env, signal, expectsStaged: false });
  return { repository, env, signal };
}

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  const thrown = await work.then(
    () => undefined,
    reason => reason,
  );
  if (!isBotError(thrown)) throw new Error(`no failure of ours: ${thrown}`);
  return `${thrown.code}: ${thrown.message}`;
};

test('the head of a pull request is fetched, and none of the user’s refs change', () =>
  withPull(async ({ near, head }) => {
    const where = await repositoryLocation(near);
    const before = await near.git('for-each-ref', 'refs/heads', 'refs/remotes', 'refs/tags');
    assert.is(await commitHere(where, head), undefined);
    assert.is(await fetchPull(where, { pull: 12, remote: 'origin' }), head);
    assert.is(await commitHere(where, head), head);
    assert.is(await near.git('rev-parse', 'refs/apfel-bot/pull/12'), head);
    const after = await near.git('for-each-ref', 'refs/heads', 'refs/remotes', 'refs/tags');
    assert.is(after, before);
    assert.not.ok(existsSync(join(near.dir, '.git', 'FETCH_HEAD')));
    assert.is(await near.git('status', '--porcelain'), '');
  }));

test('after a forced push the new head is fetched', () =>
  withPull(async ({ far, near }) => {
    const where = await repositoryLocation(near);
    await fetchPull(where, { pull: 12, remote: 'origin' });
    await far.git('reset', '--quiet', '--hard', 'HEAD^');
    const other = await far.commit({ 'b.txt': 'other\n' });
    await far.git('push', '--quiet', '--force', 'far.git', 'HEAD:refs/pull/12/head');
    assert.is(await fetchPull(where, { pull: 12, remote: 'origin' }), other);
  }));

test('a pull request can be fetched from an address instead of a named remote', () =>
  withPull(async ({ far, near, head }) => {
    const remote = join(far.dir, 'far.git');
    assert.is(await fetchPull(await repositoryLocation(near), { pull: 12, remote }), head);
  }));

test('a missing pull request is a failure of git', () =>
  withPull(async ({ near }) => {
    const failure = failureOf(
      fetchPull(await repositoryLocation(near), { pull: 13, remote: 'origin' }),
    );
    assert.match(await failure, /^git: git fetch failed: .*refs\/pull\/13\/head/);
  }));

test('an option or an odd text isn’t taken for a remote, nor an odd number for a pull request', () =>
  withPull(async ({ near }) => {
    const where = await repositoryLocation(near);
    for (const remote of ['--upload-pack=touch x', '', 'a\nb']) {
      assert.match(
        await failureOf(fetchPull(where, { pull: 12, remote })),
        /^usage: .*isn't a remote/,
      );
    }
    for (const pull of [0, -1, 1.5, Number.NaN]) {
      const failure = failureOf(fetchPull(where, { pull, remote: 'origin' }));
      assert.match(await failure, /^usage: .*isn't the number of a pull request/);
    }
    assert.match(await failureOf(fetchPull(where, { pull: 12, remote: 'ext::true' })), /^git: /);
  }));

test('only the head of a branch of the remote counts as a branch head', () =>
  withPull(async ({ far, near, head }) => {
    const where = await repositoryLocation(near);
    const asked = { remote: 'origin', commit: head };
    assert.not.ok(await isBranchHead(where, asked));
    await far.git('push', '--quiet', 'far.git', 'HEAD:refs/tags/v1');
    assert.not.ok(await isBranchHead(where, asked));
    await far.git('push', '--quiet', 'far.git', 'HEAD:refs/heads/topic');
    assert.ok(await isBranchHead(where, asked));
    assert.not.ok(await isBranchHead(where, { ...asked, commit: head.slice(0, 39) }));
  }));

test('hasRemote is true for a configured remote only', () =>
  withPull(async ({ far, near }) => {
    assert.ok(await hasRemote(await repositoryLocation(near), 'origin'));
    assert.not.ok(await hasRemote(await repositoryLocation(far), 'origin'));
  }));

test.run();
