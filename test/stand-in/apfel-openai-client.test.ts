import OpenAI, { APIConnectionError, APIError, BadRequestError } from 'openai';
import * as assert from 'uvu/assert';
import type { PolicyReply } from '../../fixtures/apfel/conversation.js';
import { timeTool, weatherTool } from '../../fixtures/apfel/example-tools.js';
import { suite } from '../support/suite.js';
import {
  MODEL,
  needsOwnServer,
  needsScript,
  say,
  withStandIn,
  withTarget,
} from './apfel-target.js';

const test = suite('stand-in/apfel-openai-client');

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type Tool = OpenAI.Chat.ChatCompletionTool;
const tools = [weatherTool, timeTool] as unknown as Tool[];
const user = (content: string): Message => ({ role: 'user', content });
const named = (name: string) => ({ type: 'function' as const, function: { name } });

const clientFor = (url: string): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'ignored', maxRetries: 0 });

const thrownBy = async (promise: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (thrown) {
    return thrown;
  }
  throw new Error('nothing was thrown');
};

test('a question has an answer', () =>
  withTarget(async ({ url }) => {
    const client = clientFor(url);
    const reply = await client.chat.completions.create({
      model: MODEL,
      messages: [user('Say hi.')],
      max_tokens: 32,
    });
    assert.is(reply.choices[0]?.finish_reason, 'stop');
    assert.ok((reply.choices[0]?.message.content ?? '').length > 0);
    assert.is(reply.choices[0]?.message.refusal, null);
  }));

test('a stream adds up to an answer', () =>
  withTarget(async ({ url }) => {
    const client = clientFor(url);
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [user('Say hi and a little more than that.')],
      stream: true,
      max_tokens: 64,
    });
    let text = '';
    let finish: string | null | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    assert.ok(text.length > 0);
    assert.is(finish, 'stop');
  }));

test('prompt tokens grow with the history, with a system message and with a big tool', () =>
  withTarget(async ({ url }) => {
    const client = clientFor(url);
    const tokens = async (messages: Message[], offered: Tool[] = []): Promise<number> => {
      const extra = offered.length > 0 ? { tools: offered } : {};
      const body = { model: MODEL, messages, max_tokens: 16, ...extra };
      return (await client.chat.completions.create(body)).usage?.prompt_tokens ?? 0;
    };
    const alone = await tokens([user('And why is that?')]);
    const later = await tokens([
      user('Name a colour.'),
      { role: 'assistant', content: 'Blue, like the sky above us.' },
      user('And why is that?'),
    ]);
    const briefed = await tokens([
      { role: 'system', content: 'You answer in one short sentence.' },
      user('And why is that?'),
    ]);
    const big = structuredClone(weatherTool) as unknown as Tool;
    if (big.type === 'function') big.function.description = 'word '.repeat(300);
    assert.ok(later > alone, `${later} > ${alone}`);
    assert.ok(briefed > alone, `${briefed} > ${alone}`);
    assert.ok((await tokens([user('And why is that?')], [big])) > alone + 200);
  }));

test('a conversation that ends with a tool result is answered in words', () =>
  withTarget(async ({ url }) => {
    const client = clientFor(url);
    const call = {
      id: 'call_1',
      type: 'function' as const,
      function: { name: 'get_weather', arguments: '{"city":"Vienna"}' },
    };
    const reply = await client.chat.completions.create({
      model: MODEL,
      messages: [
        user('What is the weather in Vienna?'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: '{"temperature": 18}' },
      ],
      max_tokens: 64,
    });
    assert.is(reply.choices[0]?.finish_reason, 'stop');
    assert.type(reply.choices[0]?.message.content, 'string');
  }));

test('no part of a streamed call is in the text', () =>
  withTarget(async ({ url }) => {
    const client = clientFor(url);
    let calls: string[] = [];
    for (const seed of [42, 7, 123, 5, 99]) {
      const stream = await client.chat.completions.create({
        model: MODEL,
        messages: [user('The weather in Vienna? Use get_weather.')],
        tools,
        tool_choice: named('get_weather'),
        stream: true,
        seed,
      });
      const deltas: OpenAI.Chat.ChatCompletionChunk.Choice.Delta[] = [];
      for await (const chunk of stream) deltas.push(chunk.choices[0]?.delta ?? {});
      assert.not.match(deltas.map(delta => delta.content ?? '').join(''), /tool_calls/);
      calls = deltas
        .flatMap(delta => delta.tool_calls ?? [])
        .map(call => call.function?.name ?? '');
      if (calls.length > 0) break;
    }
    assert.equal(calls, ['get_weather']);
  }));

test('in json_object mode the text is JSON without a fence, streamed or not', () =>
  withTarget(async ({ url }) => {
    const client = clientFor(url);
    const body = {
      model: MODEL,
      messages: [user('Give me a JSON object with a key "answer".')],
      response_format: { type: 'json_object' as const },
      max_tokens: 128,
    };
    const whole = await client.chat.completions.create(body);
    assert.type(JSON.parse(whole.choices[0]?.message.content ?? ''), 'object');
    let text = '';
    for await (const chunk of await client.chat.completions.create({ ...body, stream: true }))
      text += chunk.choices[0]?.delta.content ?? '';
    assert.type(JSON.parse(text), 'object');
  }));

test.unless(
  needsScript,
  'in json_object mode space and a fence of JSON are taken off, and no other fence',
  async () => {
    for (const [text, delivered] of [
      ['\n {"a": 1}\n', '{"a": 1}'],
      ['```JSON\n{"a": 1}\n```', '{"a": 1}'],
      ['```python\n{}\n```', '```python\n{}\n```'],
    ]) {
      const policy = (): PolicyReply => ({ kind: 'text', text: text ?? '' });
      await withStandIn({ policy }, async ({ post }) => {
        const said = await post(say('Hi', { response_format: { type: 'json_object' } }));
        assert.is(said.json.choices[0].message.content, delivered);
      });
    }
  },
);

test('the list of models has one model', () =>
  withTarget(async ({ url }) => {
    const listed = await clientFor(url).models.list();
    assert.equal(
      listed.data.map(model => model.id),
      [MODEL],
    );
  }));

test('images and empty conversations are bad requests to the client too', () =>
  withTarget(async ({ url }) => {
    const client = clientFor(url);
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA' } };
    const messages: Message[] = [{ role: 'user', content: [image] }];
    const imageError = await thrownBy(client.chat.completions.create({ model: MODEL, messages }));
    assert.instance(imageError, BadRequestError);
    assert.match(String(imageError), /[Ii]mage/);
    const empty = await thrownBy(client.chat.completions.create({ model: MODEL, messages: [] }));
    assert.instance(empty, BadRequestError);
  }));

test('embeddings are refused with 501', () =>
  withTarget(async ({ url }) => {
    const client = clientFor(url);
    const error = await thrownBy(client.embeddings.create({ model: MODEL, input: 'x' }));
    assert.instance(error, APIError);
    assert.is((error as APIError).status, 501);
  }));

test('without max_tokens an answer ends by itself or with the window', () =>
  withTarget(async ({ post }) => {
    const reply = await post({ model: MODEL, messages: [{ role: 'user', content: 'Say hi.' }] });
    assert.ok(['stop', 'length'].includes(reply.json.choices[0].finish_reason));
    const stream = await post({ ...say('Say hi.', { stream: true }), max_tokens: undefined });
    assert.ok(stream.text.endsWith('data: [DONE]\n\n'));
    assert.not.match(stream.text, /"error"/);
  }));

test.unless(needsScript, 'a refusal has its text in its own field and no content', () =>
  withStandIn({ quirks: { 'content-filter': 1 } }, async ({ url }) => {
    const client = clientFor(url);
    const reply = await client.chat.completions.create({ model: MODEL, messages: [user('hi')] });
    assert.is(reply.choices[0]?.finish_reason, 'content_filter');
    assert.is(reply.choices[0]?.message.content, null);
    assert.ok((reply.choices[0]?.message.refusal ?? '').length > 0);
  }),
);

test.unless(needsScript, 'a failure inside a stream is thrown by the client', () =>
  withStandIn({ quirks: { 'in-stream-error': 1 } }, async ({ url }) => {
    const client = clientFor(url);
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [user('hi')],
      stream: true,
    });
    const drain = async (): Promise<void> => {
      for await (const chunk of stream) assert.ok(chunk.id);
    };
    assert.match(String(await thrownBy(drain())), /rate limited/);
  }),
);

test.unless(needsOwnServer, 'a server that dies is a connection error', () =>
  withStandIn({ quirks: { 'scalar-arguments': 1 } }, async ({ url }, standIn) => {
    const client = clientFor(url);
    const request = { model: MODEL, messages: [user('get_time, please')], tools };
    assert.instance(await thrownBy(client.chat.completions.create(request)), APIConnectionError);
    assert.match(await standIn.died, /scalar arguments/);
    assert.instance(await thrownBy(client.models.list()), APIConnectionError);
    assert.is(standIn.requests[0]?.status, 0);
  }),
);

test('the responses API answers in plain text', () =>
  withTarget(async ({ url }) => {
    const client = clientFor(url);
    const reply = await client.responses.create({
      model: MODEL,
      input: 'Say hi.',
      metadata: { a: 'b' },
    });
    assert.match(reply.id, /^resp_/);
    assert.is(reply.status, 'completed');
    assert.ok(reply.output_text.length > 0);
    assert.equal(reply.metadata, { a: 'b' });
    const usage = reply.usage;
    assert.is(usage?.total_tokens, (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0));
  }));

test('the responses API names what it does not support', () =>
  withTarget(async ({ url }) => {
    const cases: ReadonlyArray<readonly [Record<string, unknown> | string, number, RegExp]> = [
      ['{not json', 400, /JSON/],
      [{ model: 'gpt-4o', input: 'hi' }, 404, /gpt-4o/],
      [{ model: MODEL }, 400, /input/],
      [{ model: MODEL, input: 'hi', previous_response_id: 'resp_1' }, 501, /stateless/],
      [{ model: MODEL, input: 'hi', store: true }, 501, /stateless/],
      [{ model: MODEL, input: 'hi', background: true }, 501, /./],
      [{ model: MODEL, input: 'hi', reasoning: { effort: 'low' } }, 501, /./],
      [{ model: MODEL, input: 'hi', tools: [{ type: 'web_search' }] }, 501, /web_search/],
      [
        { model: MODEL, input: 'hi', stream: true, tools: [{ type: 'function', name: 'f' }] },
        501,
        /./,
      ],
      [{ model: MODEL, input: 'hi', temperature: 3 }, 400, /temperature/],
    ];
    for (const [body, status, message] of cases) {
      const response = await fetch(`${url}/v1/responses`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const { error } = (await response.json()) as { error: Record<string, string | null> };
      assert.is(response.status, status, JSON.stringify(body));
      assert.match(error['message'] ?? '', message);
      assert.is(error['param'], status === 404 ? 'model' : null);
    }
  }));

test.run();
