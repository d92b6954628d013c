import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { EXIT, isBotError } from '../../src/core/bot-error.js';
import { addStepSummary, githubTarget, webUrlOf } from '../../src/github/target.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('github/target');

const ENV = { GITHUB_REPOSITORY: 'ada/fixture', GITHUB_TOKEN: 'ghs_x' };

const exitWith = (env: Record<string, string>, message: RegExp): number => {
  try {
    githubTarget({ ...ENV, ...env });
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    assert.match(`${thrown.message} ${thrown.hint}`, message);
    return EXIT[thrown.code];
  }
  return 0;
};

test("GitHub's address is github.com by default", () => {
  assert.equal(githubTarget(ENV), {
    token: 'ghs_x',
    apiUrl: 'https://api.github.com',
    owner: 'ada',
    name: 'fixture',
  });
  assert.is(webUrlOf('https://api.github.com'), 'https://github.com');
});

test('GITHUB_API_URL names an Enterprise Server', () => {
  const { apiUrl } = githubTarget({ ...ENV, GITHUB_API_URL: 'https://git.example/api/v3/' });
  assert.is(apiUrl, 'https://git.example/api/v3');
  assert.is(webUrlOf(apiUrl), 'https://git.example');
});

test('a missing repository or token is named, with the setting that fixes it', () => {
  assert.is(exitWith({ GITHUB_TOKEN: '' }, /permissions: pull-requests: write/), 5);
  assert.is(exitWith({ GITHUB_TOKEN: 'a\nb' }, /characters that no token has/), 5);
  assert.is(exitWith({ GITHUB_REPOSITORY: '' }, /GITHUB_REPOSITORY=owner\/name/), 2);
  assert.is(exitWith({ GITHUB_REPOSITORY: 'a/../b' }, /GITHUB_REPOSITORY is "a/), 2);
});

test('a token goes over https, or to this machine', () => {
  assert.is(exitWith({ GITHUB_API_URL: 'http://git.example/api/v3' }, /over https/), 2);
  assert.is(exitWith({ GITHUB_API_URL: 'http://127.0.0.1.evil.example' }, /over https/), 2);
  assert.is(exitWith({ GITHUB_API_URL: 'nowhere' }, /isn't a URL/), 2);
  assert.is(
    exitWith({ GITHUB_API_URL: 'https://user@git.example/' }, /must not have a user name/),
    2,
  );
  assert.is(exitWith({ GITHUB_API_URL: 'http://127.0.0.1:8080' }, /./), 0);
});

test('a summary is appended to the file of the step, unless there is none or it is too large', () =>
  withFolder(async dir => {
    const file = join(dir, 'summary.md');
    const env = { GITHUB_STEP_SUMMARY: file };
    assert.ok(await addStepSummary(env, 'one\n\n'));
    assert.ok(await addStepSummary(env, 'two'));
    assert.not.ok(await addStepSummary(env, 'x'.repeat(1024 * 1024 + 1)));
    assert.is(await readFile(file, 'utf8'), 'one\ntwo\n');
    assert.not.ok(await addStepSummary({ GITHUB_STEP_SUMMARY: '' }, 'three'));
    assert.not.ok(await addStepSummary({}, 'three'));
    assert.not.ok(await addStepSummary({ GITHUB_STEP_SUMMARY: dir }, 'three'));
  }));

test.run();
