import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import { DEFAULT_HOOKS, hookNames } from '../../src/hooks/facts.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/hook-name');

const refusal = (list: string): string => {
  try {
    hookNames(list);
  } catch (thrown) {
    if (isBotError(thrown)) return `${thrown.code}: ${thrown.message}; ${thrown.hint}`;
    throw thrown;
  }
  return 'accepted';
};

test("install's default hooks leave out pre-push", () =>
  assert.equal(DEFAULT_HOOKS, ['pre-commit', 'post-commit', 'post-rewrite']));

test('a list of hooks may have commas, spaces, any order and repeats', () =>
  assert.equal(hookNames(' pre-push,pre-commit  pre-push,'), ['pre-commit', 'pre-push']));

test('a misspelt hook gets the right spelling', () =>
  assert.is(
    refusal('pre-commit,pre-pusch'),
    'usage: unknown hook "pre-pusch"; Did you mean pre-push?',
  ));

test('an unsupported hook of git gets the list of supported ones', () =>
  assert.match(
    refusal('sendemail-validate'),
    /Choose from: pre-commit, post-commit, post-rewrite/,
  ));

test('an empty list of hooks is a usage error', () =>
  assert.match(refusal(' , '), /^usage: --hooks names no/));

test('a very long hook name is refused in linear time', () => {
  mustEnd(() => {
    assert.match(refusal('x'.repeat(1e6)), /^usage: unknown hook "x{60}"/);
  });
});

test.run();
