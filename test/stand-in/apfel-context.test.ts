import * as assert from 'uvu/assert';
import type { Conversation } from '../../fixtures/apfel/conversation.js';
import { countTokens } from '../../fixtures/apfel/tokens.js';
import { suite } from '../support/suite.js';
import { MODEL, needsScript, say, type Target, withStandIn, withTarget } from './apfel-target.js';

const test = suite('stand-in/apfel-context');

const words = (count: number): string => 'word '.repeat(count).trim();
const turn = (role: string, content: string) => ({ role, content });
const longHistory = [
  turn('user', `first ${words(1500)}`),
  turn('assistant', `second ${words(1500)}`),
  turn('user', `third ${words(1500)}`),
  turn('assistant', 'fourth'),
  turn('user', 'last'),
];

/** What the model saw: the first word of each message. */
async function seen(
  messages: readonly unknown[],
  more: Record<string, unknown> = {},
): Promise<{ first: string[]; status: number; dropped: number; tokens: number }> {
  let conversation: Conversation | undefined;
  let result = { first: [] as string[], status: 0, dropped: 0, tokens: 0 };
  const policy = (given: Conversation) => {
    conversation = given;
    return { kind: 'text', text: 'ok' } as const;
  };
  await withStandIn({ policy }, async ({ post }) => {
    const reply = await post({ model: MODEL, messages, ...more });
    result = {
      first: (conversation?.messages ?? []).map(message => message.text.split(' ')[0] ?? ''),
      status: reply.status,
      dropped: conversation?.droppedEntries ?? 0,
      tokens: reply.json.usage?.prompt_tokens ?? 0,
    };
  });
  return result;
}

test.unless(needsScript, 'by default the oldest entries are dropped silently', async () => {
  const { first, status, dropped, tokens } = await seen(longHistory);
  assert.is(status, 200);
  assert.equal(first, ['second', 'third', 'fourth', 'last']);
  assert.is(dropped, 1);
  assert.ok(tokens <= 4096 - 512);
});

test.unless(needsScript, 'oldest-first keeps the beginning', async () => {
  const { first } = await seen(longHistory, { x_context_strategy: 'oldest-first' });
  assert.equal(first, ['first', 'second', 'last']);
});

test.unless(needsScript, 'a sliding window counts entries, not turns', async () => {
  const more = { x_context_strategy: 'sliding-window', x_context_max_turns: 2 };
  assert.equal((await seen(longHistory, more)).first, ['third', 'fourth', 'last']);
});

test.unless(needsScript, 'a summary takes the place of what was dropped', async () => {
  const { first, tokens } = await seen(longHistory, { x_context_strategy: 'summarize' });
  assert.equal(first, ['Summary', 'third', 'fourth', 'last']);
  assert.ok(tokens <= 4096 - 512);
});

test('under the strict strategy a prompt that does not fit is refused', () =>
  withTarget(async ({ post }) => {
    const messages = [turn('user', words(9000)), turn('assistant', 'x'), turn('user', 'hi')];
    const reply = await post({ model: MODEL, messages, x_context_strategy: 'strict' });
    assert.is(reply.status, 400);
    assert.is(reply.json.error.type, 'context_length_exceeded');
    assert.is(reply.json.error.code, null);
    assert.match(reply.json.error.message, /^Input exceeds the model's context window\./);
  }));

test('under the strict strategy a prompt that fits is counted as by default', () =>
  withTarget(async ({ post }) => {
    const messages = [turn('user', 'one'), turn('assistant', 'two'), turn('user', 'three')];
    const body = { model: MODEL, messages, max_tokens: 16 };
    const usual = await post(body);
    const strict = await post({ ...body, x_context_strategy: 'strict' });
    assert.is(strict.json.usage.prompt_tokens, usual.json.usage.prompt_tokens);
  }));

test('a prompt that fits in no way is refused under every strategy', () =>
  withTarget(async ({ post }) => {
    const reply = await post(say(words(9000)));
    assert.is(reply.status, 400);
    assert.is(reply.json.error.type, 'context_length_exceeded');
  }));

test('a reserve beyond the window refuses everything', () =>
  withTarget(async ({ post }) => {
    const reply = await post(say('hi', { x_context_output_reserve: 100_000 }));
    assert.is(reply.json.error.type, 'context_length_exceeded');
  }));

test('a minimal request never overflows', () =>
  withTarget(async ({ post }) => assert.is((await post(say('hi'))).status, 200)));

const toolTurn = (content: string) => [
  turn('user', 'question'),
  {
    role: 'assistant',
    content: 'lost words',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', name: 'read', content },
];

test.unless(
  needsScript,
  'with a tool result too large for the window the whole history is dropped',
  async () => {
    const { first, status, dropped } = await seen(toolTurn(words(5000)));
    assert.is(status, 200);
    assert.equal(first, []);
    assert.is(dropped, 3);
  },
);

test.unless(
  needsScript,
  'a tool result that fits reaches the model, the text beside its call does not',
  async () => {
    assert.equal((await seen(toolTurn('result'))).first, ['question', '', 'result']);
  },
);

test.unless(
  needsScript,
  'entries are dropped one at a time, so a result may stay without its call',
  async () => {
    const { first } = await seen([...toolTurn(words(10)), turn('user', words(3563))]);
    assert.equal(first, ['word', 'word']);
  },
);

test.unless(needsScript, 'only the first system message counts, wherever it stands', async () => {
  const messages = [turn('user', 'a'), turn('system', 'b'), turn('system', 'c'), turn('user', 'd')];
  assert.equal((await seen(messages)).first, ['b', 'a', 'd']);
});

const replies = (text: string) => ({ policy: () => ({ kind: 'text', text }) as const });
const finishOf = async ({ post }: Target, more: Record<string, unknown>): Promise<string> =>
  (await post({ ...say('hi'), ...more })).json.choices[0].finish_reason;

test.unless(needsScript, 'max_tokens cuts the text, with the finish reason length', () =>
  withStandIn(replies(words(100)), async target => {
    assert.is(await finishOf(target, { max_tokens: 10 }), 'length');
    assert.is(await finishOf(target, { max_tokens: 200 }), 'stop');
    const { json } = await target.post({ ...say('hi'), max_tokens: 10 });
    assert.is(json.usage.completion_tokens, 10);
    assert.is(json.choices[0].message.content.trim(), words(10));
  }),
);

test.unless(needsScript, 'max_completion_tokens does nothing', () =>
  withStandIn(replies(words(100)), async target => {
    const more = { max_tokens: undefined, max_completion_tokens: 10 };
    assert.is(await finishOf(target, more), 'stop');
  }),
);

test.unless(needsScript, 'a full window cuts the text, with the finish reason length', () =>
  withStandIn(replies(words(5000)), async target => {
    assert.is(await finishOf(target, { max_tokens: undefined }), 'length');
  }),
);

test.unless(needsScript, 'the window can grow while the server runs', () =>
  withStandIn({ contextWindow: 4096 }, async ({ post, get }, standIn) => {
    const body = say(words(5000), { x_context_strategy: 'strict' });
    assert.is((await post(body)).status, 400);
    standIn.setContextWindow(8192);
    assert.is((await post(body)).status, 200);
    assert.is((await get('/health')).json.context_window, 8192);
    assert.is((await get('/v1/models')).json.data[0].context_window, 8192);
  }),
);

test.unless(needsScript, 'a cold model has the smallest window until it is loaded', () =>
  withStandIn({ contextWindow: 8192, loading: 1 }, async ({ post, get }) => {
    assert.is((await get('/health')).json.context_window, 4096);
    assert.is((await post(say('Hi'))).status, 503);
    assert.is((await get('/health')).json.context_window, 8192);
  }),
);

test.unless(needsScript, 'the text of a part counts whatever its type', async () => {
  const content = [
    { type: 'text', text: 'one' },
    { type: 'input_text', text: 'two' },
  ];
  assert.equal((await seen([{ role: 'user', content }])).first, ['onetwo']);
});

test.unless(needsScript, 'with tool_choice none the model gets no tools', async () => {
  let tools = -1;
  const policy = (given: Conversation) => {
    tools = given.tools.length;
    return { kind: 'text', text: 'ok' } as const;
  };
  const offered = [{ type: 'function', function: { name: 'f' } }];
  await withStandIn({ policy }, async ({ post }) => {
    await post(say('hi', { tools: offered, tool_choice: 'none' }));
    assert.is(tools, 0);
    await post(say('hi', { tools: offered }));
    assert.is(tools, 1);
  });
});

test('a token is about four characters of prose, and fewer of code', () => {
  const prose = 'The quick brown fox jumps over the lazy dog while the sun goes down slowly.';
  const code = 'for (const [name, value] of Object.entries(rates)) total[name] += value ?? 0x1f;';
  const ratio = (text: string): number => text.length / countTokens(text);
  assert.ok(ratio(prose) > 4 && ratio(prose) < 5.5, `${ratio(prose)}`);
  assert.ok(ratio(code) > 2 && ratio(code) < 3.6, `${ratio(code)}`);
  assert.is(countTokens('日本語'), 3);
  assert.is(countTokens(''), 0);
});

test.run();
