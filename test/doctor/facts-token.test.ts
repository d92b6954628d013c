import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { tokenAnswer } from '../../src/doctor/gather.js';
import { suite } from '../support/suite.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A GitHub that knows one question. */
async function withGithub(answer: Answer, body: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  try {
    await body(`http://127.0.0.1:${port}/api/v3`);
  } finally {
    server.closeAllConnections();
    await new Promise(done => server.close(done));
  }
}

/** Long enough for a busy machine. */
const asked = (url: string, GITHUB_TOKEN = 'ghp_secret', ms = 60_000) =>
  tokenAnswer({ GITHUB_TOKEN, GITHUB_API_URL: url }, { ms, signal: new AbortController().signal });

const replying =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end('{}');

const test = suite('doctor/facts-token');

test('the scopes of a classic token are reported', () =>
  withGithub(
    (request, response) => {
      assert.is(request.url, '/api/v3/rate_limit');
      assert.is(request.headers.authorization, 'Bearer ghp_secret');
      response.writeHead(200, { 'x-oauth-scopes': 'repo, read:org' }).end('{}');
    },
    async url => {
      assert.equal(await asked(url), { kind: 'scopes', scopes: ['repo', 'read:org'] });
    },
  ));

test('a token whose scopes are unknown, one without scopes and one that is refused differ', async () => {
  await withGithub(replying(200), async url =>
    assert.equal(await asked(url), { kind: 'unlisted' }),
  );
  await withGithub(replying(200, { 'x-oauth-scopes': '' }), async url =>
    assert.equal(await asked(url), { kind: 'scopes', scopes: [] }),
  );
  await withGithub(replying(401), async url =>
    assert.equal(await asked(url), { kind: 'refused', status: 401 }),
  );
});

test('no request is sent without a token or to an invalid address', async () => {
  await withGithub(
    () => assert.unreachable(),
    async url => assert.equal(await asked(url, ''), { kind: 'unasked' }),
  );
  assert.equal(await asked('not a url'), { kind: 'unasked' });
});

test('the token is not sent to a redirect, and a host that never answers does not hold doctor up', async () => {
  let reached = 0;
  await withGithub(
    () => {
      reached += 1;
    },
    async elsewhere => {
      await withGithub(replying(302, { location: elsewhere }), async url =>
        assert.is((await asked(url)).kind, 'unreachable'),
      );
      assert.is(reached, 0);
      assert.equal(await asked(elsewhere, undefined, 100), {
        kind: 'unreachable',
        message: 'it did not answer in time',
      });
    },
  );
});

test.run();
