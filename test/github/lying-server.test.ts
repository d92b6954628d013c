import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { EXIT, isBotError } from '../../src/core/bot-error.js';
import { type Github, openGithub } from '../../src/github/github.js';
import {
  DEBUGGER,
  keepOutcome,
  NINE,
  outcomeOf,
  postIt,
  REPOSITORY,
  withFixture,
} from '../publish/post-fixture.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';

const test = suite('github/lying-server');

async function serving(
  answer: RequestListener,
  body: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

const openAt = (apiUrl: string, token: string): Promise<Github> =>
  openGithub(
    { token, apiUrl, owner: 'ada', name: 'fixture' },
    {
      ...{ signal: AbortSignal.timeout(20_000), deadlineAt: Date.now() + 20_000 },
      ...{ version: '0.0.0', paceMs: 0, retryMs: 1, secondMs: 1 },
    },
  );

/** Passes everything on, but answers each list for ever as it was when it was first asked for. */
const lagging = (to: string): RequestListener => {
  const first = new Map<string, { status: number; type: string; body: Buffer }>();
  return async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const isList = method === 'GET' && /\/(?:comments|check-runs)(?:\?|$)/.test(url);
    const body = await textOf(request);
    const known = isList ? first.get(url) : undefined;
    const answer = known ?? (await pass(`${to}${url}`, { method, headers, body }));
    if (isList) first.set(url, answer);
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
  };
};

async function pass(
  url: string,
  { method, headers, body }: { method: string; headers: IncomingMessage['headers']; body: string },
) {
  const wanted = Object.entries(headers).filter(([name]) =>
    /^(auth|accept|content-type)/.test(name),
  );
  const answer = await fetch(url, {
    method,
    headers: Object.fromEntries(wanted.map(([name, value]) => [name, String(value)])),
    ...(body !== '' && { body }),
  });
  const type = answer.headers.get('content-type') ?? 'text/plain';
  return { status: answer.status, type, body: Buffer.from(await answer.arrayBuffer()) };
}

test('lists that lag behind a write lead to one summary, one set of comments and one check', () =>
  withFixture(async ({ github, head }) => {
    await serving(lagging(github.url), async url => {
      const githubApi = await openAt(url, github.token);
      const outcome = outcomeOf(await head(), [DEBUGGER, NINE]);
      const { lines } = await postIt(githubApi, outcome, { withCheck: true });
      assert.match(lines.join('\n'), /^2 comments posted, 0 removed, summary created/);
      assert.is(github.state.comments.length, 1);
      assert.is(github.state.reviewComments.length, 2);
      assert.is(github.state.checks.length, 1);
      const answer = { ...outcome, task: 'ask', answer: { text: 'yes', sources: [] } };
      await postIt(githubApi, answer as never);
      assert.is(github.state.comments.length, 2);
    });
  }));

/** Passes everything on, but no list shows a comment, and an answer to a write has only its id. */
const terse =
  (to: string): RequestListener =>
  async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await textOf(request);
    const answer = await pass(`${to}${url}`, { method, headers, body });
    const known = JSON.parse(answer.body.toString());
    let text = known;
    if (/\/comments(?:\?|$)/.test(url)) text = method === 'GET' ? [] : { id: known.id };
    if (/\/pulls\/1$/.test(url)) text = { ...known, html_url: undefined };
    response.writeHead(answer.status, { 'content-type': answer.type }).end(JSON.stringify(text));
  };

test('a summary whose answer has only an id is posted once, even if it names another author', () =>
  withFixture(async ({ github, head }) => {
    await serving(terse(github.url), async url => {
      const githubApi = await openAt(url, github.token);
      const { lines } = await postIt(githubApi, outcomeOf(await head(), [DEBUGGER]));
      assert.is(github.state.comments.length, 1);
      assert.equal(lines, [
        `1 comment posted, 0 removed, summary created: ${url}/ada/fixture/pull/1`,
      ]);
    });
  }));

test('a comment that a person deletes after it was created does not stay in the list forever', () =>
  withFixture(async ({ githubApi, github }) => {
    const api = await githubApi();
    const { id } = await api.createComment(1, 'one');
    github.state.comments.splice(0);
    await api.updateComment(id, 'two').catch(() => undefined);
    assert.equal(await api.comments(1), []);
  }));

test('neither the token nor what is posted follows a redirect or a next page to another server', async () => {
  const seen: string[] = [];
  const stranger: RequestListener = (request, response) => {
    seen.push(`${request.method} ${request.headers.authorization}`);
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1,"user":null}');
  };
  await serving(stranger, elsewhere =>
    serving(
      (request, response) => {
        const json = { 'content-type': 'application/json' };
        if (request.method === 'GET') {
          const link = `<${elsewhere}/page2>; rel="next"`;
          response.writeHead(200, { ...json, link }).end('[]');
        } else response.writeHead(307, { ...json, location: `${elsewhere}/x` }).end('{}');
      },
      async url => {
        const api = await openAt(url, 'ghs_secret');
        const endings = await Promise.allSettled([api.comments(1), api.createComment(1, 'text')]);
        for (const end of endings) {
          assert.is(end.status, 'rejected');
          if (end.status === 'rejected') assert.ok(isBotError(end.reason), String(end.reason));
        }
      },
    ),
  );
  assert.equal(seen, []);
});

test('a redirect on the same server is followed, as for a repository that was renamed', () =>
  serving(
    async (request, response) => {
      const json = { 'content-type': 'application/json' };
      if (!request.url?.startsWith('/repositories/')) {
        response.writeHead(307, { location: '/repositories/1/comments' }).end();
        return;
      }
      const { body } = JSON.parse(await textOf(request));
      response.writeHead(201, json).end(JSON.stringify({ id: 7, body, user: { login: 'x' } }));
    },
    async url => {
      const comment = await (await openAt(url, 't')).createComment(1, 'moved');
      assert.is(comment.body, 'moved');
    },
  ));

/** What a proxy, a portal or a broken server answers in GitHub's place. */
const FOREIGN: ReadonlyArray<readonly [status: number, type: string, body: string]> = [
  [200, 'text/html', '<html>sign in</html>'],
  [200, 'application/json', 'null'],
  [200, 'application/json', '{}'],
  [200, 'application/json', '[null]'],
  [200, 'application/json', '"x"'],
  [204, 'application/json', ''],
  [301, 'application/json', ''],
];

test('an answer that isn’t GitHub’s is a failure that says so, and never a success', async () => {
  for (const [status, type, text] of FOREIGN) {
    const foreign: RequestListener = (_, response) => {
      response.writeHead(status, { 'content-type': type, location: '/x' }).end(text);
    };
    await serving(foreign, async url => {
      const api = await openAt(url, 't');
      const review = { commit: 'a'.repeat(40), body: 'x', comments: [] };
      const calls = {
        pull: api.pull(1),
        comments: api.comments(1),
        createComment: api.createComment(1, 'x'),
        createReview: api.createReview(1, review),
        checks: api.checks('a'.repeat(40), 'x'),
        pullsFrom: api.pullsFrom('x'),
        login: api.login(),
      };
      const ends = await Promise.allSettled(Object.values(calls));
      for (const [at, end] of ends.entries()) {
        const what = `${Object.keys(calls)[at]} after ${status} ${text}`;
        if (end.status === 'fulfilled') assert.equal(end.value ?? [], [], what);
        else assert.ok(isBotError(end.reason), `${what}: ${end.reason}`);
      }
      for (const at of [0, 2, 3, 6]) assert.is(ends[at]?.status, 'rejected', `${at} ${text}`);
    });
  }
});

test('a token of any format that the server quotes is masked in what is printed', () =>
  withFixture(async ({ dir, head }) => {
    const token = 'plain_server_token_v1_xyz';
    const echo: RequestListener = (_, response) => {
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: `Bad token ${token}` }));
    };
    await serving(echo, async url => {
      const file = await keepOutcome(dir, outcomeOf(await head(), [DEBUGGER]));
      const env = { GITHUB_TOKEN: token, GITHUB_API_URL: url, GITHUB_REPOSITORY: REPOSITORY };
      const { code, stdout, stderr } = await apfelBot(['post', file], { cwd: dir, env });
      assert.is(code, 5, stderr);
      assert.match(stderr, `Bad token ${'*'.repeat(token.length)}`);
      assert.not.match(stdout + stderr, token);
    });
  }));

/** Sends zeros for ever, until the other side hangs up. */
const endless: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const send = (): void => {
    while (response.write(ZEROS));
    response.once('drain', send);
  };
  send();
};
const ZEROS = Buffer.alloc(1024 * 1024, '0');

const bomb: RequestListener = (_, response) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  response.writeHead(200, headers).end(gzipSync(Buffer.alloc(64 * ZEROS.length, '0')));
};

test('an answer that is larger than any of GitHub’s, when decompressed, is a failed publication', async () => {
  for (const answer of [endless, bomb]) {
    await serving(answer, async url => {
      const api = await openAt(url, 't');
      const end = await api.pull(1).catch((thrown: unknown) => thrown);
      assert.ok(isBotError(end), String(end));
      assert.is(EXIT[end.code], 5);
      assert.match(end.message, /the answer is too large, over 32 MiB/);
    });
  }
});

test.run();
