import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/failure.js';
import { refuseFork } from '../../src/fix/refuse-fork.js';
import { suite } from '../support/suite.js';

const test = suite('refuse fork');

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

test('a pull request from the repository itself is let through, in any spelling', () => {
  assert.is(isRefused(pull('one/project')), false);
  assert.is(isRefused(pull('One/Project')), false);
});

test('one from elsewhere, or from a repository that is gone, is not', () => {
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

test('events without a pull request and files that are no event are none of its business', () => {
  for (const text of ['{"before":"a","after":"b"}', 'not json', '[]', '']) {
    assert.is(isRefused(text), false, text);
  }
});

test.run();
