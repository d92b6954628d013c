import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { type Setting, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-git-http');

const withToken = ({ hub }: Setting, token: string): string =>
  hub.gitHttpUrl.replace('http://', `http://x-access-token:${token}@`);

/** What git printed when it failed. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (thrown) {
    return String(thrown);
  }
  throw new Error('it did not fail');
}

// No prompt may come up when a token is missing.
const QUIET = ['-c', 'core.askPass=true', '-c', 'credential.helper='];

test('a public repository is fetched without a token', () =>
  withGithub(async ({ hub, repo, head }) => {
    const seen = await repo.git(...QUIET, 'ls-remote', hub.gitHttpUrl, 'refs/pull/1/head');
    assert.ok(seen.startsWith(head));
  }));

test('a push with a token moves the branch and its pull request, and belongs to that login', () =>
  withGithub(async setting => {
    const { hub, repo, rest, at } = setting;
    const next = await repo.commit({ 'more.txt': 'x'.repeat(200_000) });
    await repo.git(...QUIET, 'push', '--quiet', withToken(setting, hub.token), 'feature');
    assert.is((await rest.pulls.get({ ...at, pull_number: 1 })).data.head.sha, next);
    assert.is(hub.state.pushes.at(-1)?.actor, 'github-actions[bot]');
    assert.equal(hub.gitRequests.at(-1)?.service, 'push');
  }));

test('a push is refused without a token, with a wrong one, and with one that may only read', () =>
  withGithub(
    async setting => {
      const { hub, repo, head } = setting;
      await repo.commit({ 'more.txt': 'more\n' });
      const push = (url: string) => failureOf(repo.git(...QUIET, 'push', url, 'feature'));
      await push(hub.gitHttpUrl);
      assert.is(hub.gitRequests.at(-1)?.status, 401);
      await push(withToken(setting, 'ghs_wrong'));
      assert.is(hub.gitRequests.at(-1)?.status, 401);
      const denied = await push(withToken(setting, 'ghs_read'));
      assert.match(denied, '403');
      assert.match(denied, 'Permission to ada/demo.git denied to github-actions[bot].');
      hub.archive();
      assert.match(await push(withToken(setting, 'ghs_test')), 'archived so it is read-only');
      assert.is(await repo.git('rev-parse', 'HEAD~1'), head);
      assert.ok((await repo.git('ls-remote', 'origin', 'feature')).startsWith(head));
    },
    { tokens: [{ token: 'ghs_test' }, { token: 'ghs_read', permissions: { contents: 'read' } }] },
  ));

test('a private repository is fetched with a token only', () =>
  withGithub(
    async setting => {
      const { hub, repo } = setting;
      await failureOf(repo.git(...QUIET, 'ls-remote', hub.gitHttpUrl));
      assert.is(hub.gitRequests.at(-1)?.status, 401);
      await repo.git(...QUIET, 'ls-remote', withToken(setting, hub.token));
    },
    { isPrivate: true },
  ));

test('a push can fail before or after it takes effect', () =>
  withGithub(
    async setting => {
      const { hub, repo, head } = setting;
      const next = await repo.commit({ 'more.txt': 'more\n' });
      const url = withToken(setting, hub.token);
      const push = () => failureOf(repo.git(...QUIET, 'push', '--quiet', url, 'feature'));
      const there = async () => (await repo.git('ls-remote', 'origin', 'feature')).slice(0, 40);
      await push();
      assert.is(await there(), head);
      await push();
      assert.is(await there(), next);
    },
    {
      faults: [
        { on: 'git-push', kind: 'error', status: 503 },
        { on: 'git-push', kind: 'reset-after-write' },
      ],
    },
  ));

test.run();
