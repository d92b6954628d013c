import * as assert from 'uvu/assert';
import { weatherTool } from '../../fixtures/apfel/example-tools.js';
import { suite } from '../support/suite.js';
import { eventsOf, type Reply, say, tryingSeeds, withTarget } from './apfel-target.js';

const test = suite('stand-in/apfel-openapi-spec');

const isError = (reply: Reply, status: number): void => {
  assert.is(reply.status, status, reply.text);
  assert.equal(Object.keys(reply.json.error).sort(), ['code', 'message', 'param', 'type']);
  assert.type(reply.json.error.message, 'string');
};

test('health names the model, its window and whether it is there', () =>
  withTarget(async ({ get }) => {
    const { status, json } = await get('/health');
    assert.is(status, 200);
    assert.type(json.model, 'string');
    assert.ok(Number.isInteger(json.context_window) && json.context_window > 0);
    assert.type(json.model_available, 'boolean');
    assert.type(json.prewarmed, 'boolean');
    assert.ok(json.supported_languages.includes('en'));
    assert.is(new Set(json.supported_languages).size, json.supported_languages.length);
  }));

test('health is one line of JSON with sorted keys', () =>
  withTarget(async ({ get }) => {
    const { text, json } = await get('/health');
    assert.not.match(text, /\n/);
    assert.equal(Object.keys(json), Object.keys(json).sort());
  }));

test('the list of models has one entry with its window', () =>
  withTarget(async ({ get }) => {
    const { json } = await get('/v1/models');
    assert.is(json.object, 'list');
    assert.is(json.data[0].object, 'model');
    assert.ok(Number.isInteger(json.data[0].created));
    assert.is(json.data[0].owned_by, 'apple');
    assert.ok(json.data[0].context_window > 0);
    assert.is(json.data[0].id, 'apple-foundationmodel');
  }));

test('a completion has an id, one choice and a usage that adds up', () =>
  withTarget(async ({ post }) => {
    const { status, json } = await post(say('Say hi.'));
    assert.is(status, 200);
    assert.match(json.id, /^chatcmpl-[0-9a-f]{8}-[0-9a-f]{3}$/);
    assert.is(json.object, 'chat.completion');
    assert.ok(Number.isInteger(json.created));
    const [choice] = json.choices;
    assert.equal(Object.keys(choice), ['finish_reason', 'index', 'logprobs', 'message']);
    assert.equal(Object.keys(choice.message), ['content', 'refusal', 'role']);
    assert.is(choice.index, 0);
    assert.is(choice.logprobs, null);
    assert.is(choice.message.role, 'assistant');
    assert.type(choice.message.content, 'string');
    assert.is(choice.message.refusal, null);
    assert.is(choice.finish_reason, 'stop');
    const { prompt_tokens, completion_tokens, total_tokens } = json.usage;
    assert.ok(prompt_tokens > 0 && completion_tokens > 0);
    assert.is(total_tokens, prompt_tokens + completion_tokens);
  }));

test('keys are sorted and the body is laid out over lines', () =>
  withTarget(async ({ post }) => {
    const { text, json } = await post(say('Say hi.'));
    assert.match(text, /^\{\n {2}"choices"/);
    assert.equal(Object.keys(json), Object.keys(json).sort());
  }));

test('a stream begins with the role and ends with a reason and DONE', () =>
  withTarget(async ({ post }) => {
    const reply = await post(say('Say hi.', { stream: true }));
    assert.is(reply.status, 200);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.is(reply.headers.get('cache-control'), 'no-cache');
    assert.ok(reply.text.endsWith('data: [DONE]\n\n'));
    const events = eventsOf(reply);
    for (const event of events) {
      assert.is(event.object, 'chat.completion.chunk');
      assert.match(event.id, /^chatcmpl-/);
      assert.is(event.choices.length, 1);
      assert.equal(Object.keys(event.choices[0]), ['delta', 'finish_reason', 'index', 'logprobs']);
    }
    assert.equal(events[0].choices[0].delta, { role: 'assistant' });
    assert.equal(events.at(-1).choices[0].delta, {});
    assert.is(events.at(-1).choices[0].finish_reason, 'stop');
  }));

test('usage, if asked for, is in the last chunk and null in all others', () =>
  withTarget(async ({ post }) => {
    const body = say('Say hi.', { stream: true, stream_options: { include_usage: true } });
    const events = eventsOf(await post(body));
    const last = events.at(-1);
    assert.equal(last.choices, []);
    assert.is(last.usage.total_tokens, last.usage.prompt_tokens + last.usage.completion_tokens);
    assert.ok(last.usage.prompt_tokens > 0 && last.usage.completion_tokens > 0);
    assert.type(last.id, 'string');
    for (const event of events.slice(0, -1)) assert.is(event.usage, null);
  }));

test('without stream_options no chunk mentions usage', () =>
  withTarget(async ({ post }) => {
    for (const event of eventsOf(await post(say('Say hi.', { stream: true })))) {
      assert.not('usage' in event);
      assert.is.not(event.choices.length, 0);
    }
  }));

const forced = {
  tools: [weatherTool],
  tool_choice: { type: 'function', function: { name: 'get_weather' } },
};

test('a forced call has an id, a type, a name and arguments that parse', () =>
  withTarget(async ({ post }) => {
    const { json } = await tryingSeeds(
      seed => post(say('What is the weather in Vienna?', { ...forced, seed })),
      reply => reply.text.includes('"get_weather"'),
    );
    const [choice] = json.choices;
    assert.is(choice.finish_reason, 'tool_calls');
    assert.is(choice.message.content, null);
    const [call] = choice.message.tool_calls;
    assert.type(call.id, 'string');
    assert.is(call.type, 'function');
    assert.is(call.function.name, 'get_weather');
    assert.type(JSON.parse(call.function.arguments), 'object');
  }));

test('a streamed call comes whole, with its index, and its reason in a chunk of its own', () =>
  withTarget(async ({ post }) => {
    const reply = await tryingSeeds(
      seed => post(say('The weather in Vienna?', { ...forced, stream: true, seed })),
      streamed => streamed.text.includes('"get_weather"'),
    );
    const events = eventsOf(reply);
    const withCalls = events.filter(event => event.choices[0].delta.tool_calls !== undefined);
    assert.is(withCalls.length, 1);
    assert.is(withCalls[0].choices[0].finish_reason, null);
    assert.is(withCalls[0].choices[0].delta.tool_calls[0].index, 0);
    assert.equal(events.at(-1).choices[0].delta, {});
    assert.is(events.at(-1).choices[0].finish_reason, 'tool_calls');
    assert.not(events.some(event => 'content' in event.choices[0].delta));
  }));

test('parameters that apfel does not support are refused by name', () =>
  withTarget(async ({ post }) => {
    const refused: Record<string, unknown> = {
      logprobs: true,
      n: 2,
      stop: [],
      presence_penalty: 0,
      frequency_penalty: 0,
    };
    for (const [name, value] of Object.entries(refused)) {
      const reply = await post(say('hi', { [name]: value }));
      isError(reply, 400);
      assert.ok(reply.json.error.message.includes(`'${name}'`), reply.text);
    }
  }));

test('n=1, logprobs=false and unknown keys are accepted', () =>
  withTarget(async ({ post }) => {
    const body = say('hi', {
      n: 1,
      logprobs: false,
      stop: null,
      user: 'x',
      reasoning_effort: 'low',
    });
    assert.is((await post(body)).status, 200);
  }));

test('old endpoints answer 501, unknown ones 404, and the preflight 204', () =>
  withTarget(async ({ url, get }) => {
    for (const path of ['/v1/completions', '/v1/embeddings']) {
      const response = await fetch(url + path, { method: 'POST', body: '{}' });
      assert.is(response.status, 501);
      const { error } = (await response.json()) as { error: Record<string, unknown> };
      assert.is(error['type'], 'invalid_request_error');
    }
    assert.is((await get('/v1/models/apple-foundationmodel')).status, 404);
    assert.is((await fetch(`${url}/v1/chat/completions`, { method: 'OPTIONS' })).status, 204);
  }));

test.run();
