import type { IncomingMessage } from 'node:http';
import * as assert from 'uvu/assert';
import type { StandInOptions } from '../../fixtures/apfel/stand-in.js';
import { field } from '../../src/model/address.js';
import type { Message } from '../../src/model/model.js';
import { suite } from '../support/suite.js';
import {
  modelAt,
  never,
  question,
  READ_FILE,
  realPace,
  testPace,
  VERDICT,
  withServer,
  withStandIn,
} from './openai-harness.js';

const test = suite('model/openai-model');

const conversation: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Look at a.ts' }] },
  {
    role: 'assistant',
    content: [
      { type: 'toolCall', id: 'c1', name: 'read_file', input: { path: 'a.ts' } },
      { type: 'toolCall', id: 'c2', name: 'read_file', input: 'b.ts' },
      { type: 'toolCall', id: 'c3', name: 'get_time', input: undefined },
    ],
  },
  {
    role: 'toolResult',
    toolCallId: 'c1',
    toolName: 'read_file',
    isError: true,
    content: [{ type: 'text', text: 'error: not there' }],
    details: { secret: 'for people only' },
  },
  { role: 'assistant', content: [] },
  { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
];

const call = (id: string, name: string, text: string) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

test('a request has the fields of the OpenAI format that apfel needs and no others', () =>
  withStandIn({}, async ({ standIn, model }) => {
    const request = { system: 'S', messages: conversation, maxTokens: 99, seed: 7, temperature: 0 };
    await model.ask({ ...request, tools: [READ_FILE], toolChoice: { name: 'read_file' } }, never);
    assert.equal(standIn.requests[0]?.body, {
      model: 'apple-foundationmodel',
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'Look at a.ts' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            call('c1', 'read_file', '{"path":"a.ts"}'),
            call('c2', 'read_file', '{"value":"b.ts"}'),
            call('c3', 'get_time', '{}'),
          ],
        },
        { role: 'tool', tool_call_id: 'c1', name: 'read_file', content: 'error: not there' },
        { role: 'user', content: 'Go on.' },
      ],
      max_tokens: 99,
      temperature: 0,
      seed: 7,
      tools: [{ type: 'function', function: READ_FILE }],
      tool_choice: { type: 'function', function: { name: 'read_file' } },
      x_context_strategy: 'strict',
      x_context_output_reserve: 99,
    });
  }));

test('a server that is not apfel gets no x_ fields', () =>
  withStandIn({}, async ({ standIn }) => {
    const facts = { ...modelAt(standIn.baseUrl).facts, isApfel: false };
    const other = modelAt(standIn.baseUrl, { facts });
    await other.ask(question('Hello', { schema: VERDICT, tools: [] }), never);
    const keys = Object.keys(standIn.requests[0]?.body as object);
    assert.equal(keys.sort(), ['max_tokens', 'messages', 'model', 'response_format']);
  }));

test('a history that does not fit is an overflow, not silently cut', () =>
  withStandIn({}, async ({ model }) => {
    const long = { type: 'text' as const, text: 'word '.repeat(6000) };
    const messages = [{ role: 'user' as const, content: [long] }, ...conversation.slice(-1)];
    const reply = await model.ask(question('', { messages }), never);
    assert.is(reply.kind, 'overflow');
  }));

test('no request asks for a stream', () =>
  withStandIn({}, async ({ standIn, model }) => {
    await model.ask(question('Hello'), never);
    await model.ask(question('Judge', { schema: VERDICT }), never);
    const streams = standIn.requests.map(({ body }) => field(body, 'stream'));
    assert.equal(streams, [undefined, undefined]);
  }));

test('a model that is loading is asked again until it answers', () => {
  const pace = testPace();
  return withStandIn({ loading: 2, model: { pace } }, async ({ model }) => {
    assert.is((await model.ask(question('Hello'), never)).kind, 'answer');
    assert.equal(pace.slept, [500, 1000]);
    const { requests, retries } = model.usage();
    assert.equal({ requests, retries }, { requests: 3, retries: 2 });
  });
});

test('tokens and refusals are counted over the run', () =>
  withStandIn({ quirks: { 'content-filter': 1 } }, async ({ model }) => {
    await model.ask(question('one'), never);
    await model.ask(question('two'), never);
    assert.is(model.usage().refusals, 2);
  }));

const HOLDS: Record<string, StandInOptions> = {
  'a stalled reply': { quirks: { stall: 1 } },
  'a dripping reply': { quirks: { drip: 1 } },
  'a slow model': { latencyMs: 600_000 },
  'a server that is always busy': { quirks: { busy: 1 } },
  'a full queue': { maxConcurrent: 0, permitWaitMs: 600_000 },
};

for (const [name, options] of Object.entries(HOLDS)) {
  test(`${name} never holds a call past its deadline`, () =>
    withStandIn({ ...options, model: { pace: realPace(250) } }, async ({ model }) => {
      const { kind } = await model.ask(question('Hello'), never);
      assert.ok(['timed-out', 'busy'].includes(kind), kind);
    }));

  test(`a call to ${name} ends at once when it is aborted`, () =>
    withStandIn({ ...options, model: { pace: realPace(60_000) } }, async ({ model }) => {
      const giveUp = new AbortController();
      const asked = model.ask(question('Hello'), giveUp.signal).then(
        () => 'answered',
        thrown => thrown,
      );
      await new Promise(resolve => setTimeout(resolve, 120));
      const reason = new Error('enough');
      giveUp.abort(reason);
      assert.is(await asked, reason);
    }));
}

test('when no time is left nothing is sent', () =>
  withStandIn({ model: { pace: realPace(0) } }, async ({ standIn, model }) => {
    assert.is((await model.ask(question('Hello'), never)).kind, 'timed-out');
    assert.is(standIn.requests.length, 0);
  }));

test('a server killed at any moment ends the call', async () => {
  for (const afterMs of [0, 5, 20, 60]) {
    await withStandIn(
      { latencyMs: 40, quirks: { drip: 1 }, model: { pace: realPace(60_000) } },
      async ({ standIn, model }) => {
        const asked = model.ask(question('Hello'), never);
        setTimeout(() => void standIn.close(), afterMs);
        const { kind } = await asked;
        assert.ok(['died', 'unreachable'].includes(kind), `${afterMs}: ${kind}`);
      },
    );
  }
});

test('after the server crashed, the retry has another seed', async () => {
  const seeds: unknown[] = [];
  const crash = (request: IncomingMessage, _response: unknown, body: string): void => {
    seeds.push(field(JSON.parse(body), 'seed'));
    request.socket.destroy();
  };
  await withServer(crash, async baseUrl => {
    await modelAt(baseUrl).ask(question('Hello', { seed: 7 }), never);
    await modelAt(baseUrl).ask(question('Hello'), never);
  });
  assert.equal(seeds, [7, 8, undefined, undefined]);
});

test('a busy server is asked again with the same seed', () =>
  withStandIn({ quirks: { busy: 1 } }, async ({ standIn, model }) => {
    await model.ask(question('Hello', { seed: 7 }), never);
    const seeds = standIn.requests.map(({ body }) => field(body, 'seed'));
    assert.equal(seeds, [7, 7, 7, 7, 7, 7]);
  }));

test('closing the model ends running requests and refuses later ones', () =>
  withStandIn({ quirks: { stall: 1 } }, async ({ model }) => {
    const asked = model.ask(question('one'), never);
    setTimeout(() => void model.close(), 30);
    assert.is((await asked).kind, 'unreachable');
    assert.is((await model.ask(question('two'), never)).kind, 'unreachable');
  }));

test('the window is read again after the first answer and after an overflow', () =>
  withStandIn({}, async ({ standIn }) => {
    let reads = 0;
    const facts = modelAt(standIn.baseUrl).facts;
    const readFacts = async () => ({ ...facts, contextWindow: 8192 + ++reads });
    const model = modelAt(standIn.baseUrl, { readFacts });
    assert.is(model.facts.contextWindow, 4096);
    await model.ask(question('one'), never);
    await model.ask(question('two'), never);
    assert.is(model.facts.contextWindow, 8193);
    await model.ask(question('word '.repeat(9000)), never);
    assert.is(model.facts.contextWindow, 8194);
  }));

test.run();
