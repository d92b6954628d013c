import * as assert from 'uvu/assert';
import { timeTool, weatherTool } from '../../fixtures/apfel/example-tools.js';
import { always } from '../../fixtures/apfel/policy.js';
import { suite } from '../support/suite.js';
import { eventsOf, MODEL, rawRequest, say, withStandIn } from './apfel-target.js';

const test = suite('stand-in/apfel-versions');

const old = { version: '0.5.0' } as const;
const middle = { version: '1.5.1' } as const;
const schema = (properties: Record<string, unknown>) => ({
  type: 'json_schema',
  json_schema: { name: 'a', schema: { type: 'object', properties, required: ['x'] } },
});

test('apfel 0.5 counts only the last prompt, four characters to a token', () =>
  withStandIn(old, async ({ post }) => {
    const { json } = await post(say('What is the weather in Vienna?', { tools: [weatherTool] }));
    assert.is(json.usage.prompt_tokens, 7);
  }));

test('apfel 0.5 omits nulls, and its errors have two keys', () =>
  withStandIn(old, async ({ post }) => {
    const { json } = await post(say('hi'));
    assert.equal(Object.keys(json.choices[0]), ['finish_reason', 'index', 'message']);
    assert.equal(Object.keys(json.choices[0].message), ['content', 'role']);
    const called = await post(say('hi', { tools: [timeTool] }));
    assert.equal(Object.keys(called.json.choices[0].message), ['role', 'tool_calls']);
    const failed = await post({ model: 'gpt-4o', messages: [{ role: 'user', content: 'x' }] });
    assert.is(failed.status, 400);
    assert.equal(Object.keys(failed.json.error), ['message', 'type']);
  }));

test('apfel 0.5 accepts only a message of the user as the last one', () =>
  withStandIn(old, async ({ post }) => {
    const messages = [{ role: 'tool', tool_call_id: 'a', content: 'x' }];
    const { status, json } = await post({ model: MODEL, messages });
    assert.is(status, 400);
    assert.is(json.error.message, "Last message must have role 'user'");
  }));

test('apfel 0.5 ends every stream with a chunk that has only the usage', () =>
  withStandIn(old, async ({ post }) => {
    const events = eventsOf(await post(say('hi', { stream: true })));
    assert.equal(Object.keys(events.at(-1)), ['usage']);
  }));

test('apfel 0.5 has no schemas, refusals, prewarming or checks of the request', async () => {
  await withStandIn(old, async ({ post, get, url }) => {
    assert.is((await post(say('hi', { response_format: schema({ x: 5 }) }))).status, 200);
    assert.not('prewarmed' in (await get('/health')).json);
    const headers = { host: 'evil.example', origin: 'https://evil.example' };
    assert.is((await rawRequest(`${url}/health`, { headers })).status, 200);
  });
  await withStandIn({ ...old, quirks: { 'content-filter': 1 } }, async ({ post }) =>
    assert.is((await post(say('hi'))).status, 400),
  );
});

test('apfel 1.5 does not repair JSON', () =>
  withStandIn(
    {
      ...middle,
      policy: always({ kind: 'call', name: 'get_time', arguments: {} }),
      quirks: { 'malformed-missing-bracket': 1 },
    },
    async ({ post }) => {
      const { json } = await post(say('hi', { tools: [timeTool] }));
      assert.is(json.choices[0].finish_reason, 'stop');
      assert.match(json.choices[0].message.content, /tool_calls/);
    },
  ));

test('apfel 1.5 drops a call without an id', () =>
  withStandIn(
    {
      ...middle,
      policy: always({
        kind: 'text',
        text: '{"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}',
      }),
    },
    async ({ post }) => assert.is((await post(say('hi'))).json.choices[0].finish_reason, 'stop'),
  ));

test('apfel 1.5 refuses nullable unions and treats every number as a whole number', () =>
  withStandIn(middle, async ({ post }) => {
    const nullable = { x: { anyOf: [{ type: 'string' }, { type: 'null' }] } };
    assert.is((await post(say('hi', { response_format: schema(nullable) }))).status, 400);
    const number = await post(say('hi', { response_format: schema({ x: { type: 'number' } }) }));
    assert.ok(Number.isInteger(JSON.parse(number.json.choices[0].message.content).x));
  }));

test('apfel 1.5 ignores options that 1.7 refuses, checks no host, and has no responses API', () =>
  withStandIn(middle, async ({ post, url }) => {
    const body = say('hi', { tool_choice: 'banana', x_context_strategy: 'typo', temperature: 5 });
    assert.is((await post(body)).status, 200);
    const headers = { host: 'evil.example' };
    assert.is((await rawRequest(`${url}/health`, { headers })).status, 200);
    const responses = await fetch(`${url}/v1/responses`, { method: 'POST', body: '{}' });
    assert.is(responses.status, 501);
  }));

test('apfel 1.5 names the window when a prompt overflows, and gives usage only if asked', () =>
  withStandIn(middle, async ({ post }) => {
    const overflow = await post(say('word '.repeat(9000)));
    assert.match(overflow.json.error.message, /4096/);
    const plain = await post(say('hi', { stream: true }));
    assert.not.match(plain.text, /usage/);
    const asked = await post(say('hi', { stream: true, stream_options: { include_usage: true } }));
    const events = eventsOf(asked);
    assert.equal(events.at(-1).choices, []);
    assert.not('usage' in events[0]);
  }));

test('before apfel 1.7 a negative seed ends the server', () =>
  withStandIn(middle, async ({ post }, standIn) => {
    await post(say('hi', { seed: -1 })).catch(() => undefined);
    assert.is(await standIn.died, 'negative seed');
  }));

test.run();
