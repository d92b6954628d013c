import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import { refuseFork, refuseForkElsewhere } from '../../src/fix/refuse-fork.js';
import { suite } from '../support/suite.js';

const test = suite('fix/refuse-fork');

const webhooks: ReadonlyArray<{ readonly name: string; readonly examples: readonly object[] }> =
  JSON.parse(
    readFileSync('node_modules/@octokit/webhooks-examples/api.github.com/index.json', 'utf8'),
  );

const side = (name: string | null) => ({ repo: name === null ? null : { full_name: name } });
const pull = (head: string | null, base = 'one/project'): string =>
  JSON.stringify({ pull_request: { head: side(head), base: side(base) } });

const isRefused = (event: string): boolean => {
  try {
    refuseFork(event);
    return false;
  } catch (thrown) {
    return isBotError(thrown) && thrown.code === 'not-permitted';
  }
};

test('a pull request from the repository itself is allowed, in any letter case', () => {
  assert.is(isRefused(pull('one/project')), false);
  assert.is(isRefused(pull('One/Project')), false);
});

test('a pull request from another or a deleted repository is refused', () => {
  assert.is(isRefused(pull('two/project')), true);
  assert.is(isRefused(pull(null)), true);
  assert.is(isRefused('{"pull_request":{}}'), true);
});

test('a workflow run for a fork is refused as well', () => {
  const run = (head: string): string =>
    JSON.stringify({
      repository: { full_name: 'one/project' },
      workflow_run: { head_repository: { full_name: head } },
    });
  assert.is(isRefused(run('two/project')), true);
  assert.is(isRefused(run('one/project')), false);
});

test('of GitHub’s own examples, every event that does not say where the change comes from is refused', () => {
  const refused = new Set<string>();
  for (const { name, examples } of webhooks) {
    for (const example of examples) {
      // These two name the repository of the change.
      if ('pull_request' in example || 'workflow_run' in example) continue;
      const isOwn = name === 'push' || name === 'workflow_dispatch';
      assert.is(isRefused(JSON.stringify(example)), !isOwn, name);
      if (!isOwn) refused.add(name);
    }
  }
  for (const name of ['issue_comment', 'merge_group', 'repository_dispatch']) {
    assert.ok(refused.has(name), `${name} has no example`);
  }
  assert.is(isRefused('{"schedule":"0 4 * * *","workflow":"x.yml"}'), false);
});

test('a push event for the head of a pull request is refused', () => {
  const push = (ref: string): string =>
    JSON.stringify({ ref, before: 'a'.repeat(40), after: 'b'.repeat(40) });
  assert.is(isRefused(push('refs/heads/main')), false);
  assert.is(isRefused(push('refs/pull/1/head')), true);
});

test('a change from a fork is refused as each CI system names it', () => {
  const passes = (env: Readonly<Record<string, string>>): boolean => {
    try {
      refuseForkElsewhere(env);
      return true;
    } catch (thrown) {
      assert.ok(isBotError(thrown) && thrown.code === 'not-permitted');
      return false;
    }
  };
  const project = 'CI_MERGE_REQUEST_PROJECT_ID';
  for (const env of [
    { [project]: '1', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '2' },
    { TRAVIS_REPO_SLUG: 'a/b', TRAVIS_PULL_REQUEST_SLUG: 'c/b' },
    { BUILDKITE_REPO: 'git@a:b', BUILDKITE_PULL_REQUEST_REPO: 'git@c:b' },
    { APPVEYOR_REPO_NAME: 'a/b', APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME: 'c/b' },
    { SYSTEM_PULLREQUEST_ISFORK: 'True' },
    { CIRCLE_PR_NUMBER: '3' },
    { CHANGE_FORK: 'eve' },
  ])
    assert.not.ok(passes(env), JSON.stringify(env));
  for (const env of [
    {},
    { CI: 'true', GITLAB_CI: 'true' },
    { [project]: '1', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '1' },
    { TRAVIS_REPO_SLUG: 'a/b', TRAVIS_PULL_REQUEST_SLUG: 'a/b' },
    { BUILDKITE_REPO: 'git@a:b', BUILDKITE_PULL_REQUEST_REPO: '' },
    { SYSTEM_PULLREQUEST_ISFORK: 'False' },
  ])
    assert.ok(passes(env), JSON.stringify(env));
});

test('a file that is not an event is not refused here', () => {
  for (const text of ['not json', '[]', '']) assert.is(isRefused(text), false, text);
});

test.run();
