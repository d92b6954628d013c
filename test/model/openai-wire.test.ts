import { lookup } from 'node:dns/promises';
import { createServer as createTcpServer } from 'node:net';
import { hostname } from 'node:os';
import * as assert from 'uvu/assert';
import type { ModelFailure, ModelReply } from '../../src/model/model.js';
import { failureOf, readCompletion } from '../../src/model/reply.js';
import { oneLine } from '../../src/platform/safe-text.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { type Handler, modelAt, never, question, withServer } from './openai-harness.js';

const test = suite('model/openai-wire');
const KEY = 'sk-very-secret-0123456789';

async function replyTo(handler: Handler): Promise<ModelReply> {
  let reply: ModelReply | undefined;
  await withServer(handler, async baseUrl => {
    const model = modelAt(baseUrl, { apiKey: KEY });
    reply = await model.ask(question('Hello'), never);
  });
  if (reply === undefined) throw new Error('no reply');
  return reply;
}

const json =
  (status: number, body: unknown): Handler =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

const failed = (status: number, message: string, type = 'server_error'): Handler =>
  json(status, { error: { message, type, code: null, param: null } });

const CASES: ReadonlyArray<readonly [string, Handler, ModelFailure, RegExp?]> = [
  ['401', failed(401, `bad key ${KEY}`), 'rejected', /^bad key \[key\].*APFEL_BOT_API_KEY/],
  ['403', failed(403, 'Host not allowed', 'forbidden'), 'rejected', /127\.0\.0\.1/],
  ['404 of a model', failed(404, 'no such', 'model_not_found'), 'rejected', /--model/],
  ['404 of a path', json(404, ''), 'rejected', /^the server answered 404 \(the base URL/],
  ['501', failed(501, 'not served'), 'rejected', /base URL/],
  ['400 without a type', failed(400, 'no', ''), 'rejected', /^no$/],
  ['422 without a type', failed(422, 'no', ''), 'rejected', /^no$/],
  ['413', failed(413, 'Request body exceeds the 1 MiB limit.'), 'overflow'],
  ['408', failed(408, 'slow'), 'timed-out'],
  ['502', failed(502, 'bad gateway'), 'unreachable'],
  ['503 without a word', json(503, ''), 'loading'],
  ['500 about the window', failed(500, 'exceededContextWindowSize (4096)'), 'overflow'],
  ['500 about guardrails', failed(500, 'A guardrailViolation occurred'), 'blocked'],
  ['500 about rates', failed(500, 'rateLimited: slow down'), 'rate-limited'],
  ['500 about concurrency', failed(500, 'concurrentRequests'), 'busy'],
  ['500 about assets', failed(500, 'assetsUnavailable'), 'loading'],
  [
    '500 about nothing known',
    failed(500, 'error -1'),
    'malformed',
    /^the server answered 500: error -1$/,
  ],
  ['500 without a word', json(500, ''), 'malformed', /^the server answered 500$/],
  [
    '400 about length in another dialect',
    failed(400, "This model's maximum context length is 2048", 'BadRequestError'),
    'overflow',
  ],
  [
    '400 about a language',
    failed(400, 'Unsupported language: Klingon', 'invalid_request_error'),
    'refused',
    /^Unsupported language: Klingon \(apfel-bot doctor lists the languages/,
  ],
  [
    '400 about our x_ field',
    failed(400, "'x_context_strategy' must be one of …", 'invalid_request_error'),
    'rejected',
  ],
  ['200 that is not JSON', json(200, '{"choices": [{'), 'malformed'],
  ['200 that is HTML', (_request, response) => void response.end('<html>hi</html>'), 'malformed'],
  ['200 with another shape', json(200, { choices: [] }), 'malformed'],
  ['200 that is null', json(200, 'null'), 'malformed'],
  ['200 with a null message', json(200, { choices: [{ message: null }] }), 'malformed'],
  [
    '200 with nothing said',
    json(200, { choices: [{ message: { content: null }, finish_reason: 'stop' }] }),
    'malformed',
  ],
  ['204', (_request, response) => void response.writeHead(204).end(), 'malformed'],
  ['a closed connection', request => void request.socket.destroy(), 'died'],
  [
    'half an answer',
    (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99' });
      response.write('{"choices":', () => request.socket.destroy());
    },
    'died',
  ],
  [
    'an endless answer',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour);
      pour();
    },
    'malformed',
    /^the reply can't be read: it is too large, over 8 MiB$/,
  ],
];

for (const [name, handler, kind, message] of CASES) {
  test(`the reply ${name} is ${kind}`, async () => {
    const reply = await replyTo(handler);
    assert.is(reply.kind, kind, JSON.stringify(reply));
    const said = 'message' in reply ? reply.message : '';
    assert.not.match(said, KEY);
    if (message !== undefined) assert.match(said, message);
  });
}

test('a redirect is refused and nothing is sent to its target', async () => {
  let reached = 0;
  await withServer(
    (_request, response) => {
      reached += 1;
      response.end();
    },
    async elsewhere => {
      const reply = await replyTo((_request, response) =>
        response.writeHead(307, { location: `${elsewhere}/chat/completions` }).end(),
      );
      assert.is(reply.kind, 'rejected');
      const words = "the server redirects (307), which isn't followed (use the URL of the target)";
      assert.is('message' in reply && reply.message, words);
    },
  );
  assert.is(reached, 0);
});

test('something that does not speak HTTP is malformed', async () => {
  const server = createTcpServer(socket => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const model = modelAt(`http://127.0.0.1:${port}/v1`);
  assert.is((await model.ask(question('Hello'), never)).kind, 'malformed');
  server.close();
});

test('a stream that nobody asked for is malformed', async () => {
  const reply = await replyTo((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end('data: {"choices":[{"index":0,"delta":{"content":"All good"}}]}\n\n'),
  );
  assert.is(reply.kind, 'malformed');
});

test('thinking in tags is not part of the answer', async () => {
  for (const [content, text, isCut] of [
    ['<think>\nIs it {"verdict":"problem"}?\n</think>No.', 'No.', false],
    ['It is fine.</think>No.', 'No.', false],
    ['{"quote":"</think>"}', '{"quote":"</think>"}', false],
    ['the tag <think> in an answer', 'the tag <think> in an answer', false],
    ['<think>without an end', '', true],
  ] as const) {
    const reply = readCompletion({ choices: [{ message: { content }, finish_reason: 'stop' }] });
    assert.equal(reply.kind === 'answer' && [reply.text, reply.isCut], [text, isCut], content);
  }
});

test('no key of another service and no extra header is sent', async () => {
  const variables = {
    OPENAI_ORG_ID: 'org-secret',
    OPENAI_PROJECT_ID: 'project-secret',
    OPENAI_CUSTOM_HEADERS: 'x-leak: leaked',
    OPENAI_ADMIN_KEY: 'admin-secret',
    OPENAI_LOG: 'debug',
    HTTP_PROXY: 'http://127.0.0.1:9',
  };
  Object.assign(process.env, variables);
  let headers: string[] = [];
  let authorization: string | undefined;
  const reply = await replyTo((request, response) => {
    headers = Object.keys(request.headers).sort();
    authorization = request.headers.authorization;
    json(200, { choices: [{ message: { content: 'ok' } }] })(request, response, '');
  });
  for (const name of Object.keys(variables)) delete process.env[name];
  assert.is(reply.kind, 'answer');
  assert.is(authorization, `Bearer ${KEY}`);
  const expected = ['accept', 'authorization', 'connection', 'content-length', 'content-type'];
  assert.equal(headers, [...expected, 'host', 'user-agent']);
});

test('an address that is not this machine is not connected to unless --allow-remote is set', async () => {
  const handler = json(200, { choices: [{ message: { content: 'ok' } }] });
  await withServer(handler, async baseUrl => {
    // Reaches the same socket on most systems, but it is no loopback address.
    const any = baseUrl.replace('127.0.0.1', '0.0.0.0');
    assert.is((await modelAt(any).ask(question('Hello'), never)).kind, 'unreachable');
    const name = baseUrl.replace('127.0.0.1', 'localhost');
    assert.is((await modelAt(name).ask(question('Hello'), never)).kind, 'answer');
  });
});

const ownAddress = await lookup(hostname()).catch(() => ({ address: '127.0.0.1' }));
const noName = ownAddress.address.startsWith('127.') || ownAddress.address === '::1';

test.unless(
  noName ? 'this machine has no name that leads elsewhere than to loopback' : undefined,
  'a host name that resolves to another machine is refused when connecting',
  async () => {
    const reply = await modelAt(`http://${hostname()}:9/v1`).ask(question('Hello'), never);
    assert.match('message' in reply ? reply.message : '', /which is not this machine/);
  },
);

test('an error text of a server is cut to one harmless line', () => {
  const hostile = `${'\u001b[2J'.repeat(125_000)}\u202eabc\n`.repeat(2);
  const value = mustEnd(() => oneLine(hostile));
  assert.ok(value.length <= 303);
  assert.not.match(value, /[\u0000-\u001f\u202e]/);
});

test('a reply of 65,536 characters is read, and one more is too large', () => {
  const kindOf = (size: number): string =>
    readCompletion({ choices: [{ message: { content: 'x'.repeat(size) } }] }).kind;
  assert.equal([kindOf(65_536), kindOf(65_537)], ['answer', 'malformed']);
});

test('token counts that cannot be count as not reported', () => {
  for (const count of [-5, 2.5, 1e308, 30_000_000, '5', Number.POSITIVE_INFINITY, null]) {
    const usage = { prompt_tokens: count, completion_tokens: 7 };
    const reply = readCompletion({ choices: [{ message: { content: 'x' } }], usage });
    assert.equal('usage' in reply && reply.usage, { promptTokens: 0, completionTokens: 7 });
  }
});

test('when several addresses of a name fail, the last error is reported', () => {
  const refused = (message: string) => Object.assign(new Error(message), { code: 'ECONNREFUSED' });
  const cause = new AggregateError([refused('at ::1'), refused('at 127.0.0.1')]);
  assert.equal(failureOf(new Error('Connection error.', { cause })), {
    kind: 'unreachable',
    message: 'no server answers (at 127.0.0.1)',
  });
});

test.run();
