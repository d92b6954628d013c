import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import { githubError, githubFailure, troubleOf } from '../../src/github/failure.js';
import { suite } from '../support/suite.js';

const test = suite('github/failure');

const OPERATION = { what: 'post the review', needs: 'pull-requests: write' };

interface Answer {
  readonly status: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error as Octokit throws it for an answer of GitHub. */
const answered = ({ status, message = 'no', headers = {} }: Answer): Error =>
  Object.assign(new Error(message), { status, response: { headers } });

const described = (thrown: unknown, operation = OPERATION): string => {
  const { code, message, hint = '' } = githubFailure(thrown, operation);
  return `${code}: ${message} | ${hint}`;
};

test('a rate limit is recognised by its status, its headers or its message', () => {
  const limits: Answer[] = [
    { status: 429 },
    { status: 403, headers: { 'x-ratelimit-remaining': '0' } },
    { status: 403, headers: { 'retry-after': '7' } },
    { status: 403, message: 'You have exceeded a secondary rate limit' },
  ];
  for (const limit of limits) {
    assert.match(
      described(answered(limit)),
      /^publish-failed: GitHub's rate limit does not let us/,
    );
  }
  const others: Answer[] = [
    { status: 403 },
    { status: 403, headers: { 'x-ratelimit-remaining': '1' } },
    { status: 422, message: 'rate limit', headers: { 'x-ratelimit-remaining': '0' } },
  ];
  for (const other of others) {
    assert.not.match(described(answered(other)), 'rate limit does not let us');
  }
});

test('the end of a rate limit is reported as GitHub gives it', () => {
  const end = (headers: Answer['headers']): string =>
    described(answered({ status: 429, headers: headers ?? {} }));
  assert.match(end({ 'retry-after': '7', 'x-ratelimit-reset': '60' }), 'It is lifted in 7 s;');
  const reset = { 'x-ratelimit-reset': '1700000000' };
  assert.match(end({ ...reset, 'x-ratelimit-remaining': '0' }), 'lifted at 2023-11-14T22:13:20');
  assert.match(end({ ...reset, 'x-ratelimit-remaining': '5' }), 'lifted in a minute or more');
  assert.match(end({ 'x-ratelimit-remaining': '0' }), 'lifted in a minute or more');
});

test('a failure names the permissions that GitHub would have accepted, each once', () => {
  const accepted = 'pull_requests=write; issues=write, issues=write; <b>=write';
  const headers = { 'x-accepted-github-permissions': accepted };
  assert.match(
    described(answered({ status: 403, headers })),
    /^not-permitted: .* permissions: pull-requests: write or issues: write; a workflow/,
  );
  assert.match(described(answered({ status: 403 })), 'permissions: pull-requests: write; a');
});

test('a status of 500 or more is not final, and one below is', () => {
  assert.match(
    described(answered({ status: 500 })),
    'could not post the review: GitHub answered 500',
  );
  assert.match(described(answered({ status: 499 })), 'GitHub refused to post the review: 499 no');
  const lost = Object.assign(new Error('socket hang up'), { status: 499 });
  assert.match(described(lost), 'no answer from GitHub (socket hang up)');
});

test('only a write that must not be repeated is left in doubt', () => {
  const failed = answered({ status: 502 });
  assert.is(troubleOf(githubFailure(failed, { ...OPERATION, isOnce: true })), 'unknown');
  assert.is(troubleOf(githubFailure(failed, OPERATION)), undefined);
});

test("what isn't an answer of GitHub's API is reported with its cause", () => {
  assert.match(
    described(new TypeError('it has no id')),
    "isn't one of GitHub's API (it has no id)",
  );
  assert.match(described('odd'), "isn't one of GitHub's API (odd)");
  const stopped = Object.assign(new Error('stopped'), { name: 'AbortError' });
  assert.match(described(stopped), 'the time was up before we could post the review');
});

test('a failure that is already described is passed on as it is', () => {
  const known = githubError('gone', 'it is gone', { cause: undefined });
  assert.throws(
    () => githubFailure(known, OPERATION),
    (thrown: unknown) => isBotError(thrown) && thrown === known,
  );
});

test('the trouble of a failure is gone or refused where GitHub says so', () => {
  const trouble = (status: number): string | undefined =>
    troubleOf(githubFailure(answered({ status }), OPERATION));
  assert.equal([404, 410, 422, 401].map(trouble), ['gone', 'gone', 'refused', undefined]);
  assert.is(troubleOf(new Error('gone')), undefined);
});

test('a long message of GitHub is cut after 200 characters, and its link to the manual is left out', () => {
  const message = (text: string): string => described(answered({ status: 422, message: text }));
  assert.match(message('x'.repeat(200)), `422 ${'x'.repeat(200)} |`);
  assert.match(message('x'.repeat(201)), `422 ${'x'.repeat(200)}… |`);
  assert.match(message('no  more - https://docs.github.com/rest'), '422 no more |');
});

test.run();
