import * as assert from 'uvu/assert';
import type { PolicyReply } from '../../fixtures/apfel/conversation.js';
import { callThenSay } from '../../fixtures/apfel/policy.js';
import { suite } from '../support/suite.js';
import { eventsOf, needsScript, say, withStandIn, withTarget } from './apfel-target.js';

const test = suite('stand-in/apfel-json-schema');

const object = (
  properties: Record<string, unknown>,
  required = Object.keys(properties),
): Record<string, unknown> => ({ type: 'object', properties, required });

const guided = (schema: unknown, more: Record<string, unknown> = {}): Record<string, unknown> =>
  say('Fill this in for a person called Ada.', {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    ...more,
  });

const person = object({
  name: { type: 'string' },
  age: { type: 'integer' },
  height: { type: 'number' },
  adult: { type: 'boolean' },
  tone: { type: 'string', enum: ['good', 'bad'] },
});

test('the reply has exactly the declared keys, of the declared types, in order of the alphabet', () =>
  withTarget(async ({ post }) => {
    const { json } = await post(guided(person, { max_tokens: 200 }));
    assert.is(json.choices[0].finish_reason, 'stop');
    const value = JSON.parse(json.choices[0].message.content);
    assert.equal(Object.keys(value), ['adult', 'age', 'height', 'name', 'tone']);
    assert.ok(Number.isInteger(value.age));
    assert.type(value.height, 'number');
    assert.type(value.adult, 'boolean');
    assert.ok(['good', 'bad'].includes(value.tone));
  }));

test('under a schema a stream sends the reply in one piece', () =>
  withTarget(async ({ post }) => {
    const events = eventsOf(await post(guided(person, { stream: true, max_tokens: 200 })));
    const pieces = events.map(event => event.choices[0].delta.content).filter(Boolean);
    assert.is(pieces.length, 1);
    assert.type(JSON.parse(pieces[0]), 'object');
  }));

test('a schema that cannot be decoded is refused in the words of apfel', () =>
  withTarget(async ({ post }) => {
    const cases: ReadonlyArray<readonly [unknown, RegExp]> = [
      [
        object({ a: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }),
        /unsupportedType\("anyOf"\)/,
      ],
      [
        object({ a: { oneOf: [{ type: 'string' }, { type: 'integer' }] } }),
        /unsupportedType\("oneOf"\)/,
      ],
      [object({ a: { allOf: [{ type: 'string' }] } }), /unsupportedType\("allOf"\)/],
      [object({ a: { type: 'date' } }), /unsupportedType\("date"\)/],
      [object({ a: { type: ['string', 'integer'] } }), /unsupportedType/],
      [object({ a: { type: 'array' } }), /missingArrayItems/],
      [object({ a: true }), /invalidProperty\("a"\)/],
    ];
    for (const [schema, message] of cases) {
      const { status, json } = await post(guided(schema));
      assert.is(status, 400, JSON.stringify(schema));
      assert.is(json.error.type, 'invalid_request_error');
      assert.match(json.error.message, /^Invalid response_format\.json_schema: /);
      assert.match(json.error.message, message);
    }
  }));

test('without a schema the reply is unconstrained', () =>
  withTarget(async ({ post }) => {
    const body = say('x', { response_format: { type: 'json_schema', json_schema: { name: 'a' } } });
    const { status, json } = await post(body);
    assert.is(status, 400);
    assert.is(json.error.message, "response_format.json_schema requires a 'schema' object");
  }));

test('a type name that occurs twice is refused, an equal key for plain values is not', () =>
  withTarget(async ({ post }) => {
    const kind = { type: 'string', enum: ['a', 'b'] };
    const twice = object({ kind, inner: object({ kind }) });
    const { status, json } = await post(guided(twice));
    assert.is(status, 400);
    assert.match(json.error.message, /duplicateType/);
    const plain = object({ note: { type: 'string' }, inner: object({ note: { type: 'string' } }) });
    assert.is((await post(guided(plain))).status, 200);
    assert.match(
      (await post(guided(object({ answer: object({}) })))).json.error.message,
      /duplicate/,
    );
  }));

const answers = (value: Record<string, unknown>) => ({
  policy: (): PolicyReply => ({ kind: 'object', value }),
});
const contentOf = async (
  schema: unknown,
  value: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<string> => {
  let content = '';
  await withStandIn(answers(value), async ({ post }) => {
    const reply = await post(guided(schema, { max_tokens: 500, ...more }));
    content = reply.json.choices?.[0].message.content ?? reply.text;
  });
  return content;
};

test.unless(needsScript, 'bounds, patterns and numeric choices are ignored', async () => {
  const schema = object({
    n: { type: 'integer', minimum: 5, maximum: 6, enum: [5, 6] },
    s: { type: 'string', minLength: 9, pattern: '^x', format: 'email', const: 'y' },
    l: { type: 'array', items: { type: 'string' }, maxItems: 1 },
  });
  const given = { n: 99, s: 'q', l: ['a', 'b'] };
  assert.equal(JSON.parse(await contentOf(schema, given)), given);
});

test.unless(needsScript, 'a reference silently becomes an empty object', async () => {
  const schema = { ...object({ p: { $ref: '#/$defs/p' } }), $defs: { p: person } };
  assert.equal(JSON.parse(await contentOf(schema, { p: { name: 'Ada' } })), { p: {} });
});

test.unless(needsScript, 'a nullable field may be missing, but is never null', async () => {
  const schema = object({
    a: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    b: { type: ['integer', 'null'] },
    c: { type: 'string' },
  });
  assert.equal(JSON.parse(await contentOf(schema, { a: null, b: null, c: 'x' })), { c: 'x' });
  assert.equal(JSON.parse(await contentOf(schema, { a: 'y', b: 1, c: 'x' })), {
    a: 'y',
    b: 1,
    c: 'x',
  });
});

test.unless(
  needsScript,
  'under a schema the reply is valid, whatever the model was going to write',
  async () => {
    const value = JSON.parse(
      await contentOf(person, { name: 5, age: 'old', tone: 'odd', extra: 1 }),
    );
    assert.equal(value, { adult: false, age: 0, height: 0, tone: 'good', name: '5' });
  },
);

test.unless(needsScript, 'text that looks like a call stays text', async () => {
  const call = '{"tool_calls": [{"function": {"name": "f", "arguments": 7}}]}';
  const schema = object({ s: { type: 'string' } });
  assert.equal(JSON.parse(await contentOf(schema, { s: call })), { s: call });
});

test.unless(
  needsScript,
  'with too few tokens the JSON is cut, and the finish reason is still stop',
  () =>
    withStandIn(answers({ name: 'a very long name indeed' }), async ({ post }) => {
      const { json } = await post(guided(person, { max_tokens: 8 }));
      assert.is(json.choices[0].finish_reason, 'stop');
      assert.throws(() => JSON.parse(json.choices[0].message.content));
    }),
);

test.unless(
  needsScript,
  'a schema too large for the window fails only when the model is asked',
  () =>
    withStandIn({}, async ({ post }) => {
      const many = Array.from({ length: 600 }, (_, index) => [`key${index}`, { type: 'string' }]);
      const { status, json } = await post(guided(object(Object.fromEntries(many))));
      assert.is(status, 400);
      assert.is(json.error.type, 'context_length_exceeded');
      const stream = await post(guided(object(Object.fromEntries(many)), { stream: true }));
      assert.is(stream.status, 200);
      assert.match(stream.text, /context_length_exceeded/);
    }),
);

test.unless(needsScript, 'MCP tools are carried out for a client that sends no tools', () =>
  withStandIn(
    {
      policy: callThenSay({ name: 'fetch_url', arguments: { url: 'http://x' } }, 'Done.'),
      mcp: true,
    },
    async ({ post }, { executed }) => {
      const ask = (more: Record<string, unknown>) => post(say('Hi', more));
      const said = await ask({});
      assert.is(said.json.choices[0].message.content, 'Done.');
      assert.is(said.json.choices[0].finish_reason, 'stop');
      assert.equal(
        executed.map(call => call.name),
        ['fetch_url'],
      );
      // Taken out of the prompt, but what the model writes all the same is still run.
      await ask({ tool_choice: 'none' });
      assert.is(executed.length, 2);
      const tools = [{ type: 'function', function: { name: 'f' } }];
      const kept = await ask({ tools, tool_choice: 'none' });
      assert.is(executed.length, 2);
      assert.ok(said.json.usage.prompt_tokens > kept.json.usage.prompt_tokens + 20);
    },
  ),
);

test.unless(
  needsScript,
  'four calls of MCP tools are carried out, and a fifth is taken out of the text',
  () => {
    const policy = (): PolicyReply => ({ kind: 'call', name: 'fetch_url', arguments: {} });
    return withStandIn({ policy, mcp: true }, async ({ post }, { executed }) => {
      const said = await post(say('Hi'));
      assert.is(executed.length, 4);
      assert.is(said.json.choices[0].finish_reason, 'stop');
      assert.not.match(said.text, 'fetch_url');
    });
  },
);

test.unless(
  needsScript,
  'with MCP tools the schema is ignored unless the client sends tools of its own',
  () =>
    withStandIn({ ...answers({ free: 1 }), mcp: true }, async ({ post }) => {
      const contentFor = async (more: Record<string, unknown>) =>
        JSON.parse((await post(guided(person, more))).json.choices[0].message.content);
      assert.equal(await contentFor({}), { free: 1 });
      const tools = [{ type: 'function', function: { name: 'f' } }];
      assert.ok('tone' in (await contentFor({ tools })));
      assert.ok('tone' in (await contentFor({ tools, tool_choice: 'none' })));
      const bad = { type: 'object', properties: { x: { type: 'unheard-of' } } };
      assert.is((await post(guided(bad))).status, 400);
    }),
);

test.unless(
  needsScript,
  'without tools a streamed call is leaked as text before it is sent as a call',
  () => {
    const policy = (): PolicyReply => ({ kind: 'call', name: 'f', arguments: {} });
    return withStandIn({ policy }, async ({ post }) => {
      const contents = async (more: Record<string, unknown>): Promise<string> => {
        const said = await post(say('Hi', { stream: true, ...more }));
        assert.match(said.text, /"finish_reason":"tool_calls"/);
        return eventsOf(said)
          .map(event => event.choices?.[0]?.delta.content ?? '')
          .join('');
      };
      assert.match(await contents({}), '{"tool_calls"');
      assert.is(await contents({ tools: [{ type: 'function', function: { name: 'f' } }] }), '');
    });
  },
);

test.run();
