import * as assert from 'uvu/assert';
import type { Fault } from '../../fixtures/github/faults.js';
import { suite } from '../support/suite.js';
import { refusalOf, type Setting, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-faults');

const COMMENT = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';

const post = ({ rest, at }: Setting) =>
  rest.issues.createComment({ ...at, issue_number: 1, body: 'hello' });

/** The status the client sees (500 is what it makes of a broken connection) and what was kept. */
const meet = (
  fault: Omit<Fault, 'on'>,
  expected: { status: number; kept: number; seen?: number },
) =>
  withGithub(
    async setting => {
      const { hub } = setting;
      assert.is((await refusalOf(post(setting))).status, expected.status);
      assert.is(hub.state.comments.length, expected.kept);
      assert.is(hub.requests[0]?.status, expected.seen ?? expected.status);
      assert.is(hub.requests[0]?.fault, fault.kind);
      // It is used up.
      assert.is((await post(setting)).status, 201);
    },
    { faults: [{ on: COMMENT, ...fault }] },
  );

test('an error before the write leaves nothing', async () => {
  for (const status of [500, 502, 503]) await meet({ kind: 'error', status }, { status, kept: 0 });
});

test('an error after the write leaves the comment there', () =>
  meet({ kind: 'error-after-write' }, { status: 502, kept: 1 }));

test('a connection cut before the write leaves nothing', () =>
  meet({ kind: 'reset' }, { status: 500, kept: 0, seen: 0 }));

test('a connection cut after the write leaves the comment there', () =>
  meet({ kind: 'reset-after-write' }, { status: 500, kept: 1, seen: 0 }));

test('of an answer that breaks off the client gets only the status', () =>
  withGithub(
    async setting => {
      assert.is(String((await post(setting)).data), '');
      assert.is(setting.hub.state.comments.length, 1);
    },
    { faults: [{ on: COMMENT, kind: 'truncated' }] },
  ));

test('an answer that is not JSON has the status 201 and nothing else', () =>
  withGithub(
    async setting => {
      const answer = await post(setting);
      assert.is(answer.status, 201);
      assert.type(answer.data, 'string');
      assert.throws(
        () => JSON.parse(String(answer.data)),
        (thrown: Error) => thrown instanceof SyntaxError,
      );
      assert.is(setting.hub.state.comments.length, 1);
    },
    { faults: [{ on: COMMENT, kind: 'malformed' }] },
  ));

test('the primary rate limit says when it ends', () =>
  withGithub(
    async setting => {
      const headers = await headersOf(post(setting));
      assert.is(headers['x-ratelimit-remaining'], '0');
      const sent = Date.parse(headers['date'] ?? '') / 1000;
      const wait = Number(headers['x-ratelimit-reset']) - sent;
      assert.ok(wait >= 59 && wait <= 61, `${wait} s`);
      assert.is(headers['retry-after'], undefined);
      assert.equal(setting.hub.state.comments, []);
    },
    { faults: [{ on: COMMENT, kind: 'primary-limit', waitSeconds: 60 }] },
  ));

test('the secondary rate limit says how long to wait', () =>
  withGithub(
    async setting => {
      const headers = await headersOf(post(setting));
      assert.is(headers['retry-after'], '7');
      assert.is.not(headers['x-ratelimit-remaining'], '0');
      assert.is(setting.hub.requests[0]?.status, 429);
    },
    { faults: [{ on: COMMENT, kind: 'secondary-limit', waitSeconds: 7, status: 429 }] },
  ));

async function headersOf(call: Promise<unknown>): Promise<Record<string, string | undefined>> {
  try {
    await call;
  } catch (thrown) {
    const { response } = thrown as { response?: { headers: Record<string, string> } };
    return response?.headers ?? {};
  }
  return {};
}

test('a slow answer does not delay other requests', () =>
  withGithub(
    async setting => {
      const { rest, at } = setting;
      let isAnswered = false;
      post(setting).then(
        () => (isAnswered = true),
        () => undefined,
      );
      await rest.repos.get(at);
      assert.not(isAnswered);
    },
    { faults: [{ on: COMMENT, kind: 'slow', delayMs: 600_000 }] },
  ));

test('a fault is chosen by template, operation, method or *, and may start later', async () => {
  for (const on of [COMMENT, 'issues/create-comment', 'POST', '*']) {
    await withGithub(
      async setting => {
        assert.is((await post(setting)).status, 201, on);
        assert.is((await refusalOf(post(setting))).status, 503, on);
        assert.is((await refusalOf(post(setting))).status, 503, on);
        assert.is((await post(setting)).status, 201, on);
      },
      { faults: [{ on, kind: 'error', status: 503, after: 1, times: 2 }] },
    );
  }
});

test('a fault of one operation does not affect another', () =>
  withGithub(
    async setting => {
      assert.is((await post(setting)).status, 201);
      setting.hub.addFault({ on: 'issues/create-comment', kind: 'error' });
      assert.is((await refusalOf(post(setting))).status, 502);
    },
    { faults: [{ on: 'checks/create', kind: 'error' }] },
  ));

test('after a crash the last write has happened, the client gets no answer, and nothing else happens', () =>
  withGithub(async setting => {
    const { hub } = setting;
    hub.crashAfter(2);
    await post(setting);
    assert.is((await refusalOf(post(setting))).status, 500);
    assert.is((await refusalOf(post(setting))).status, 500);
    assert.is(hub.state.comments.length, 2);
    assert.equal(
      hub.writes().map(({ status }) => status),
      [201, 0],
    );
    hub.recover();
    await post(setting);
    assert.is(hub.state.comments.length, 3);
  }));

test('a callback is called for each request after it is carried out and before it is answered', () => {
  const received: string[] = [];
  return withGithub(
    async setting => {
      await post(setting);
      received.push('answered');
      await setting.rest.repos.get(setting.at);
      assert.equal(received, ['issues/create-comment 201', 'answered', 'repos/get 200']);
    },
    { onHandled: ({ operation, status }) => void received.push(`${operation} ${status}`) },
  );
});

test.run();
