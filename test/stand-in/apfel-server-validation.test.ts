import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { MODEL, needsScript, say, withTarget } from './apfel-target.js';

const test = suite('stand-in/apfel-server-validation');

const user = { role: 'user', content: 'hi' };
const failsWith = async (cases: ReadonlyArray<readonly [unknown, number, RegExp]>): Promise<void> =>
  withTarget(async ({ post }) => {
    for (const [body, status, message] of cases) {
      const { json, text, ...reply } = await post(body);
      assert.is(reply.status, status, `${JSON.stringify(body).slice(0, 200)} → ${text}`);
      assert.match(json.error.message, message);
      assert.is(json.error.type, 'invalid_request_error');
      assert.ok('param' in json.error && 'code' in json.error);
    }
  });

test('a body over one MiB gets 413, which an allowed origin may read', () =>
  withTarget(async ({ post }) => {
    const reply = await post(say('x'.repeat(1_048_576)), { origin: 'http://localhost:5173' });
    assert.is(reply.status, 413);
    assert.is(reply.json.error.message, 'Request body exceeds the 1 MiB limit.');
    assert.is(reply.headers.get('access-control-allow-origin'), 'http://localhost:5173');
  }));

test('a body that cannot be decoded is reported with the message of the system', () =>
  failsWith([
    ['{not json', 400, /^Invalid JSON: The data couldn’t be read because it isn’t in the/],
    ['[]', 400, /correct format/],
    ['', 400, /correct format/],
    [{ messages: [user] }, 400, /because it is missing/],
    [{ messages: [user], user: 5 }, 400, /because it is missing/],
    [{ model: MODEL }, 400, /because it is missing/],
    [{ model: MODEL, messages: [{ content: 'x' }] }, 400, /because it is missing/],
    [{ model: MODEL, messages: 'hi' }, 400, /correct format/],
    [{ model: 5, messages: [user] }, 400, /correct format/],
    [{ model: MODEL, messages: [user], max_tokens: 'many' }, 400, /correct format/],
    [{ model: MODEL, messages: [user], max_tokens: 1.5 }, 400, /correct format/],
    [{ model: MODEL, messages: [user], stream: 'yes' }, 400, /correct format/],
    [{ model: MODEL, messages: [user], user: 5 }, 400, /^Invalid JSON: .*correct format/],
    [{ model: MODEL, messages: [user], presence_penalty: '0' }, 400, /^Invalid JSON/],
    [{ model: MODEL, messages: [user], frequency_penalty: '0' }, 400, /^Invalid JSON/],
    [{ model: MODEL, messages: [{ role: 'user', content: [{ text: 'x' }] }] }, 400, /missing/],
    [{ model: MODEL, messages: [user], tools: [{ type: 'function' }] }, 400, /missing/],
    [
      {
        model: MODEL,
        messages: [user],
        response_format: { type: 'json_schema', json_schema: { schema: {} } },
      },
      400,
      /missing/,
    ],
    ['['.repeat(100_000), 400, /correct format/],
  ]));

test('arguments of a call in the history must be a string', () =>
  failsWith([
    [
      {
        model: MODEL,
        messages: [
          user,
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: {} } }],
          },
          { role: 'tool', tool_call_id: 'a', content: 'x' },
        ],
      },
      400,
      /correct format/,
    ],
  ]));

test('an unknown model gets 404 with its code, but missing messages are reported first', () =>
  withTarget(async ({ post }) => {
    const unknown = await post({ model: 'gpt-4o', messages: [user] });
    assert.is(unknown.status, 404);
    assert.is(unknown.json.error.code, 'model_not_found');
    assert.is(unknown.json.error.param, 'model');
    const empty = await post({ model: 'gpt-4o', messages: [] });
    assert.is(empty.status, 400);
    assert.is(empty.json.error.message, "'messages' must contain at least one message");
    assert.is(empty.json.error.code, null);
    assert.is(empty.json.error.param, null);
  }));

// Each body breaks its own rule and every later one, so that only the right order passes.
test('of several broken rules the first is reported', async () => {
  const rules: ReadonlyArray<readonly [Record<string, unknown>, RegExp]> = [
    [{ tool_choice: { name: 'x' } }, /^Invalid 'tool_choice' value: <object>\. Must be/],
    [{ tool_choice: 'banana' }, /^Invalid 'tool_choice' value: banana\. Must be 'auto'/],
    [
      { x_context_output_reserve: 0 },
      /^'x_context_output_reserve' must be a positive integer, got 0/,
    ],
    [{ x_context_max_turns: 0 }, /^'x_context_max_turns' must be a positive integer, got 0/],
    [
      { x_context_strategy: 'typo' },
      /newest-first, oldest-first, sliding-window, summarize, strict.*'typo'/,
    ],
    [{ seed: -1 }, /^'seed' must be a non-negative integer, got -1$/],
    [{ top_p: 2 }, /^'top_p' must be between 0 and 1, got 2\.0$/],
    [{ temperature: 5 }, /^'temperature' must be between 0 and 2, got 5\.0$/],
    [{ temperature: -0.5 }, /^'temperature' must be non-negative, got -0\.5$/],
    [{ max_tokens: 0 }, /^'max_tokens' must be a positive integer, got 0$/],
    [
      { messages: [{ role: 'user', content: '' }] },
      /^The last message must have non-empty 'content'$/,
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      /^Image content is not supported/,
    ],
    [
      { messages: [user, { role: 'assistant', content: 'x' }] },
      /^Last message must have role 'user' or 'tool'$/,
    ],
    [{ frequency_penalty: 0 }, /'frequency_penalty'/],
    [{ presence_penalty: 0 }, /'presence_penalty'/],
    [{ stop: ['x'] }, /'stop'/],
    [{ n: 2 }, /'n' is not supported by Apple's on-device model\. Only n=1 is allowed\.$/],
    [{ logprobs: true }, /'logprobs' is not supported by Apple's on-device model\.$/],
  ];
  let body: Record<string, unknown> = { model: MODEL, messages: [user] };
  const cases = rules.map(([rule, message]) => {
    body = { ...body, ...rule };
    return [body, 400, message] as const;
  });
  await failsWith(cases);
  await failsWith([[{ ...body, model: 'x' }, 404, /^The model 'x' does not exist\./]]);
  await failsWith([[{ ...body, model: 'x', messages: [] }, 400, /^'messages'/]]);
});

test('a tool_choice object without a function is refused too', () =>
  failsWith([[say('hi', { tool_choice: { foo: 'bar' } }), 400, /tool_choice/]]));

test('messages with an unknown role are dropped from the history, but the last one is refused', () =>
  withTarget(async ({ post }) => {
    const developer = { role: 'developer', content: 'x' };
    assert.is((await post({ model: MODEL, messages: [developer, user] })).status, 200);
    assert.is((await post({ model: MODEL, messages: [user, developer] })).status, 400);
  }));

test('five bad streams give five errors in plain JSON and leave no slot occupied', () =>
  withTarget(async ({ post, get }) => {
    for (let count = 0; count < 5; count += 1) {
      const reply = await post(say('hi', { stream: true, temperature: 9 }));
      assert.is(reply.status, 400);
      assert.match(reply.headers.get('content-type') ?? '', /application\/json/);
    }
    assert.is((await get('/health')).json.active_requests, 0);
    assert.is((await post(say('hi', { stream: true, temperature: 9 }))).status, 400);
  }));

test.unless(needsScript, 'a 100 kB line of anything is answered', () =>
  withTarget(async ({ post }) => {
    for (const sign of ['{', '"', '`', '\\', ' ', '{"tool_calls"', '"name" ']) {
      const text = sign.repeat(Math.ceil(100_000 / sign.length));
      const reply = await post(say(text, { max_tokens: 16 }));
      assert.ok([200, 400].includes(reply.status));
    }
  }),
);

test.run();
