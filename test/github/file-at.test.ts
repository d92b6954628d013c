import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { type Github, openGithub } from '../../src/github/github.js';
import { suite } from '../support/suite.js';

const test = suite('github/file-at');

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Answers of every form that GitHub documents for a file. */
async function withAnswer(
  answer: Answer,
  body: (githubApi: Github, asked: string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.accept}`);
    response.writeHead(answer.status, { 'content-type': answer.type });
    response.end(answer.body);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const place = { token: 'x', apiUrl: `http://127.0.0.1:${port}`, owner: 'a', name: 'b' };
  const signal = AbortSignal.timeout(10_000);
  const options = { signal, deadlineAt: Date.now() + 10_000, version: '0', retryMs: 1 };
  try {
    await body(await openGithub(place, options), asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const RAW = 'application/vnd.github.raw+json; charset=utf-8';

test('a file is read unchanged, also one that looks like half a JSON', () =>
  withAnswer({ status: 200, type: RAW, body: '{ "a": \n' }, async (githubApi, asked) => {
    assert.equal(await githubApi.fileAt('abc', 'src/a b.js'), {
      state: 'there',
      text: '{ "a": \n',
    });
    assert.is(asked.length, 1);
    assert.match(asked[0] ?? '', /^\/repos\/a\/b\/contents\/src%2Fa%20b\.js\?ref=abc .*\braw\b/);
  }));

test('a file without a charset is text anyway', () =>
  withAnswer({ status: 200, type: 'application/vnd.github.raw', body: 'ä\n' }, async githubApi => {
    assert.equal(await githubApi.fileAt('abc', 'a'), { state: 'there', text: 'ä\n' });
  }));

test('a missing file is absent; a forbidden one or a folder is unknown', async () => {
  const json = 'application/json; charset=utf-8';
  const states: string[] = [];
  for (const answer of [
    { status: 404, type: json, body: '{"message":"Not Found"}' },
    { status: 403, type: json, body: '{"message":"Resource not accessible by integration"}' },
    { status: 500, type: json, body: '{"message":"Server Error"}' },
    { status: 200, type: json, body: '[]' },
  ]) {
    await withAnswer(answer, async githubApi => {
      states.push((await githubApi.fileAt('abc', 'a')).state);
    });
  }
  assert.equal(states, ['absent', 'unknown', 'unknown', 'unknown']);
});

test.run();
