import * as assert from 'uvu/assert';
import { startDemoServer } from '../../src/demo/server.js';
import { suite } from '../support/suite.js';

const test = suite('demo/demo-server');

const withServer = async (body: (root: string) => Promise<void>): Promise<void> => {
  const server = await startDemoServer();
  try {
    await body(server.baseUrl.replace(/\/v1$/, ''));
  } finally {
    await server.close();
  }
};

const post = (root: string, body: string): Promise<Response> =>
  fetch(`${root}/v1/chat/completions`, { method: 'POST', body });

test('the demo server says everywhere that it is scripted', () =>
  withServer(async root => {
    assert.match(root, /^http:\/\/127\.0\.0\.1:\d+$/);
    const health = await (await fetch(`${root}/health`)).json();
    assert.is(health.model, 'scripted-demo');
    assert.is(health.model_available, true);
    const list = await (await fetch(`${root}/v1/models`)).json();
    assert.is(list.data[0].id, 'scripted-demo');
    const request = { model: 'x', messages: [{ role: 'user', content: 'hello' }] };
    const reply = await (await post(root, JSON.stringify(request))).json();
    assert.is(reply.model, 'scripted-demo');
    assert.is(JSON.parse(reply.choices[0].message.content).verdict, 'nothing');
    assert.ok(reply.usage.prompt_tokens > 0);
  }));

test('the demo server answers an unknown request with an OpenAI-style error', () =>
  withServer(async root => {
    const bad = ['', '{', '[]', '{"messages": 1}', '{"messages": [null]}', 'x'.repeat(1100_000)];
    for (const body of bad) {
      const reply = await post(root, body);
      assert.is(reply.status, 400, body.slice(0, 20));
      assert.is((await reply.json()).error.type, 'invalid_request_error');
    }
    assert.is((await fetch(`${root}/v1/embeddings`)).status, 400);
  }));

test('the demo server stops listening when it is closed', async () => {
  let root = '';
  await withServer(async at => {
    root = at;
  });
  const outcome = await fetch(`${root}/health`).then(
    () => 'answers',
    () => 'gone',
  );
  assert.is(outcome, 'gone');
});

test.run();
