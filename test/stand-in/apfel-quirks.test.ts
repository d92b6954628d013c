import * as assert from 'uvu/assert';
import { timeTool, weatherTool } from '../../fixtures/apfel/example-tools.js';
import { always, callThenSay } from '../../fixtures/apfel/policy.js';
import { QUIRK_NAMES, type QuirkName } from '../../fixtures/apfel/quirk-names.js';
import type { Policy, StandInOptions } from '../../fixtures/apfel/stand-in.js';
import { suite } from '../support/suite.js';
import { eventsOf, type Reply, say, withStandIn } from './apfel-target.js';

const test = suite('stand-in/apfel-quirks');

const call: Policy = always({ kind: 'call', name: 'get_weather', arguments: { city: 'Vienna' } });
const withTools = say('The weather in Vienna? Use get_weather.', {
  tools: [weatherTool, timeTool],
});
const schema = {
  type: 'json_schema',
  json_schema: {
    name: 'a',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
};
const guided: Policy = always({ kind: 'object', value: { text: 'a sentence of some length' } });

interface Case {
  readonly policy?: Policy;
  readonly body?: Record<string, unknown>;
  readonly options?: StandInOptions;
  check(reply: Reply): void;
}

const fails = (status: number, type: string, message: RegExp): Case => ({
  check: ({ json, ...reply }) => {
    assert.is(reply.status, status);
    assert.is(json.error.type, type);
    assert.match(json.error.message, message);
    assert.is(reply.headers.get('retry-after'), null);
  },
});

const says = (policy: Policy, body: Record<string, unknown>, text: RegExp): Case => ({
  policy,
  body,
  check: ({ json }) => {
    assert.is(json.choices[0].finish_reason, 'stop');
    assert.match(json.choices[0].message.content, text);
    assert.not('tool_calls' in json.choices[0].message);
  },
});

const callsWith = (check: (name: string, given: string, id: string) => void): Case => ({
  policy: call,
  body: withTools,
  check: ({ json }) => {
    assert.is(json.choices[0].finish_reason, 'tool_calls');
    const [made] = json.choices[0].message.tool_calls;
    check(made.function.name, made.function.arguments, made.id);
  },
});

const intact = callsWith((name, given) => {
  assert.is(name, 'get_weather');
  assert.equal(JSON.parse(given), { city: 'Vienna' });
});

const toolLast = {
  ...say('x'),
  messages: [
    { role: 'user', content: 'What time is it?' },
    { role: 'tool', tool_call_id: 'a', name: 'get_time', content: '{"time": "21:12"}' },
  ],
};

/** The connection quirks need a test of their own; every other one is here. */
const CASES: Partial<Record<QuirkName, Case>> = {
  guardrail: fails(400, 'content_policy_violation', /blocked by Apple's safety guardrails/),
  'rate-limited': fails(429, 'rate_limit_error', /is rate limited\. Retry after a few seconds/),
  busy: fails(429, 'rate_limit_error', /busy with another request\. Retry shortly/),
  capacity: fails(429, 'rate_limit_error', /max concurrent capacity \(5\)/),
  loading: fails(503, 'server_error', /assets are loading/),
  'unknown-500': fails(500, 'server_error', /LanguageModelError/),
  'context-overflow': fails(400, 'context_length_exceeded', /exceeds the model's context window/),
  'decoding-failure': {
    ...fails(500, 'server_error', /could not be decoded/),
    policy: guided,
    body: say('x', { response_format: schema }),
  },
  'unsupported-language': fails(400, 'invalid_request_error', /^Unsupported language: /),
  'missing-call': says(call, withTools, /in general/),
  'missing-call-directive': says(call, withTools, /in general/),
  'missing-call-auto': says(call, { ...withTools, tool_choice: 'auto' }, /in general/),
  'missing-call-neutral': says(call, { ...withTools, ...say('How is Vienna?') }, /in general/),
  'refused-required': says(call, { ...withTools, tool_choice: 'required' }, /I'm sorry/),
  'plain-refusal': says(call, withTools, /I'm sorry/),
  'content-filter': {
    check: ({ json, status }) => {
      assert.is(status, 200);
      assert.is(json.choices[0].finish_reason, 'content_filter');
      assert.is(json.choices[0].message.content, null);
      assert.match(json.choices[0].message.refusal, /./);
    },
  },
  'misread-result': says(
    callThenSay({ name: 'get_time', arguments: {} }, 'Nine.'),
    toolLast,
    /reported an error/,
  ),
  'empty-content': says(always({ kind: 'text', text: 'Hello' }), say('hi'), /^$/),
  length: {
    check: ({ json }) => {
      assert.is(json.choices[0].finish_reason, 'length');
      assert.ok(json.choices[0].message.content.length > 0);
    },
  },
  'truncated-guided': {
    policy: guided,
    body: say('x', { response_format: schema }),
    check: ({ json }) => {
      assert.is(json.choices[0].finish_reason, 'stop');
      assert.throws(() => JSON.parse(json.choices[0].message.content));
    },
  },
  'optional-left-out': {
    policy: guided,
    body: say('x', {
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'x',
          schema: { properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
        },
      },
    }),
    check: ({ json }) =>
      assert.equal(Object.keys(JSON.parse(json.choices[0].message.content)), ['a']),
  },
  'never-offered': {
    ...callsWith(name => assert.is(name, 'wikipedia.info')),
    policy: always({ kind: 'text', text: 'Hello' }),
  },
  'invented-tool': callsWith(name => assert.is(name, 'wikipedia.info')),
  'extra-arguments': callsWith((_, given) =>
    assert.equal(Object.keys(JSON.parse(given)), ['city', 'country']),
  ),
  'renamed-arguments': callsWith((_, given) =>
    assert.equal(JSON.parse(given), { location: 'Vienna' }),
  ),
  'output-as-arguments': callsWith((_, given) =>
    assert.equal(JSON.parse(given), { result: 'ok', status: 'success' }),
  ),
  'repeated-call-ids': callsWith((_, __, id) => assert.is(id, 'call_1')),
  'bare-argument': callsWith((_, given) => assert.equal(JSON.parse(given), { value: 'Vienna' })),
  'wrapped-value': callsWith((_, given) =>
    assert.equal(JSON.parse(given), { value: '{"city": "Vienna"}' }),
  ),
  'malformed-missing-bracket': intact,
  'malformed-quotes': intact,
  'malformed-trailing-junk': intact,
  'malformed-single-quotes': says(call, withTools, /'tool_calls'/),
  'fenced-call': intact,
  'fenced-json': says(call, withTools, /^```json\n\{"name": "get_weather"/),
  'extra-text': intact,
};

for (const name of QUIRK_NAMES) {
  const plan = CASES[name];
  if (plan === undefined) continue;
  test(`the quirk ${name} happens as documented`, () =>
    withStandIn(
      { quirks: { [name]: 1 }, policy: plan.policy ?? (() => HELLO) },
      async (at, own) => {
        plan.check(await at.post(plan.body ?? say('hi')));
        assert.equal(own.requests[0]?.quirks, [name]);
        assert.is(own.requests[0]?.quirk, name);
      },
    ));
}

const HELLO = { kind: 'text', text: 'Hello there, this is a whole sentence.' } as const;

test('under a schema an apology fills the field and the reply is still valid', () =>
  withStandIn({ quirks: { 'plain-refusal': 1 }, policy: guided }, async ({ post }) => {
    const { json } = await post(say('x', { response_format: schema }));
    const value = JSON.parse(json.choices[0].message.content);
    assert.equal(Object.keys(value), ['text']);
    assert.match(value.text, /^I'm sorry/);
  }));

test('every quirk has a test', () => {
  const elsewhere = ['reset', 'stall', 'drip', 'in-stream-error', 'scalar-arguments'];
  const missing = QUIRK_NAMES.filter(name => !(name in CASES) && !elsewhere.includes(name));
  assert.equal(missing, []);
});

test('in a stream the same failures come as an event after the role, with status 200', async () => {
  for (const name of ['guardrail', 'rate-limited', 'loading', 'unknown-500'] as const)
    await withStandIn({ quirks: { [name]: 1 } }, async ({ post }) => {
      const reply = await post(say('hi', { stream: true }));
      assert.is(reply.status, 200);
      const [role, failure, ...others] = eventsOf(reply);
      assert.equal(role.choices[0].delta, { role: 'assistant' });
      assert.equal(Object.keys(failure), ['error']);
      assert.is(others.length, 0);
      assert.ok(reply.text.endsWith('data: [DONE]\n\n'));
    });
});

test('an in-stream error comes after half of the words, and only in streams', () =>
  withStandIn({ quirks: { 'in-stream-error': 1 }, policy: always(HELLO) }, async ({ post }) => {
    const events = eventsOf(await post(say('hi', { stream: true })));
    assert.ok(events.some(event => event.choices?.[0]?.delta.content !== undefined));
    assert.is(events.at(-1).error.type, 'rate_limit_error');
    assert.is((await post(say('hi'))).status, 200);
  }));

test('a refusal in a stream has its own kind of chunk and its own finish reason', () =>
  withStandIn({ quirks: { 'content-filter': 1 } }, async ({ post }) => {
    const events = eventsOf(await post(say('hi', { stream: true })));
    assert.match(events[1].choices[0].delta.refusal, /./);
    assert.is(events.at(-1).choices[0].finish_reason, 'content_filter');
  }));

test('a call after prose, or with a space inside, is streamed as text', async () => {
  const spaced = always({
    kind: 'text',
    text: '{ "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}',
  });
  const leaking: StandInOptions[] = [
    { policy: call, quirks: { 'extra-text': 1 } },
    { policy: spaced },
  ];
  for (const options of leaking)
    await withStandIn(options, async ({ post }) => {
      const events = eventsOf(await post({ ...withTools, stream: true }));
      const text = events.map(event => event.choices[0].delta.content ?? '').join('');
      assert.match(text, /tool_calls/);
      assert.is(events.at(-1).choices[0].finish_reason, 'tool_calls');
    });
});

test.run();
