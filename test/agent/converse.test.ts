import * as assert from 'uvu/assert';
import { turnShape } from '../../src/agent/converse.js';
import { chooseProtocols, FIRST_ATTEMPT } from '../../src/agent/question.js';
import { finish, listDir, readFile, searchCode } from '../../src/agent/reading.js';
import { registry } from '../../src/agent/tool.js';
import { TIME_UP } from '../../src/core/deadline.js';
import type { ProtocolName } from '../../src/model/calibration.js';
import { type ModelFacts, type ModelReply, textOf } from '../../src/model/model.js';
import { calls, chooses, fails, fakeModel, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';
import { recordedTool, resultTexts, runConversation } from './conversation-support.js';
import { memorySource } from './tools/memory-source.js';

const test = suite('agent/converse');
const look = () => recordedTool('look', ['path'], { result: 'a.ts has 12 lines' });
const endless = () => fakeModel((_, number) => chooses('look', { path: `file-${number}` }));
const SORRY = "I'm sorry, but I can't assist with that.";
const done = chooses('finish', { answer: 'done' });
const lastWords = (request: { messages: Parameters<typeof resultTexts>[0] } | undefined): string =>
  textOf(request?.messages.at(-1) ?? { role: 'user', content: [] });

test('a call is carried out, its result goes back, and finish ends with the answer', async () => {
  const tool = look();
  const model = fakeModel([
    chooses('look', { path: 'a.ts' }),
    chooses('look', { path: 'b.ts' }),
    chooses('finish', { answer: 'two' }),
  ]);
  const { end, answer, requests, repairs, protocol } = await runConversation(model, [tool]);
  assert.equal([end.reason, answer, protocol], ['finished', 'two', 'guided']);
  assert.equal(tool.inputs, [{ path: 'a.ts' }, { path: 'b.ts' }]);
  assert.equal([requests, repairs], [3, 0]);
  const { messages = [] } = model.requests[2] ?? {};
  assert.equal(resultTexts(messages), ['a.ts has 12 lines', 'a.ts has 12 lines']);
  // The server's own ids repeat from turn to turn; ours don't.
  const ids = messages.flatMap(each => (each.role === 'toolResult' ? [each.toolCallId] : []));
  assert.equal(ids, ['call_1', 'call_2']);
});

test('a call that cannot be carried out is asked for again with what is wrong', async () => {
  const broken = recordedTool('broken', [], {
    result: () => {
      throw new Error('disk on fire');
    },
  });
  const model = fakeModel([
    calls('teleport', { where: 'home' }),
    calls('look', {}),
    calls('look', '{"path": "a'),
    calls('broken'),
    calls('finish', { answer: 'done' }),
  ]);
  const talk = await runConversation(model, [look(), broken], {
    protocol: 'native',
    limits: { badReplies: 4 },
  });
  assert.is(talk.end.reason, 'finished');
  const [, afterUnknown, afterMissing, afterCut] = model.requests.map(lastWords);
  assert.match(
    afterUnknown ?? '',
    /error: there is no tool "teleport". Use one of: look, broken, finish/,
  );
  assert.match(afterMissing ?? '', /error: look: "path" is missing .* Example: look \{/);
  assert.match(afterCut ?? '', /error: look: the arguments were cut off/);
  // A tool that throws has run: its failure is a result.
  assert.match(resultTexts(talk.results)[0] ?? '', /^error: broken failed: disk on fire/);
});

test('a call without a parameter is asked for again alone, with the parameter required', async () => {
  const model = fakeModel([chooses('look', {}), chooses('look', { path: 'a' }), done]);
  const { end } = await runConversation(model, [look(), recordedTool('other', ['name'])]);
  assert.is(end.reason, 'finished');
  const offered = model.requests.map(({ schema }) => {
    const { properties, required } = Object(schema?.schema);
    return [properties.b_action.enum.join(), required.length];
  });
  assert.equal(offered, [
    ['look,other,finish', 2],
    ['look', 3],
    ['look,other,finish', 2],
  ]);
});

test('of several calls the first is carried out, and the result says so', async () => {
  const tool = look();
  const call = (path: string) => ({ id: 'call_1', name: 'look', arguments: `{"path": "${path}"}` });
  const usage = { promptTokens: 1, completionTokens: 1 };
  const both: ModelReply = { kind: 'tool-calls', text: '', usage, calls: [call('a'), call('b')] };
  const model = fakeModel([both, calls('finish', { answer: 'done' })]);
  const { results } = await runConversation(model, [tool], { protocol: 'native' });
  assert.equal(tool.inputs, [{ path: 'a' }]);
  assert.match(resultTexts(results)[0] ?? '', /one call at a time: 1 more .* not carried out/);
});

test('the details of a result are for people and never sent', async () => {
  const tool = recordedTool('look', ['path'], {
    result: { isError: false, text: 'short', details: { diff: 'SECRET-DETAIL' } },
  });
  const model = fakeModel([chooses('look', { path: 'a' }), done]);
  const { results } = await runConversation(model, [tool]);
  assert.equal(results[0]?.details, { diff: 'SECRET-DETAIL' });
  assert.not.match(model.requests[1]?.messages.map(textOf).join() ?? '', 'SECRET-DETAIL');
});

test('a call that the model repeats is not carried out, and the model learns why', async () => {
  const tool = look();
  const model = fakeModel([chooses('look', { path: 'a' }), chooses('look', { path: 'a' }), done]);
  const { steps } = await runConversation(model, [tool]);
  assert.equal([tool.inputs.length, steps], [1, ['reword bad-call']]);
  assert.match(lastWords(model.requests[2]), /look was already called with these arguments/);
});

test('a finish before anything was read is rejected, naming what is missing', async () => {
  const tool = look();
  const model = fakeModel([
    chooses('finish', { answer: 'It is two!' }),
    chooses('look', { path: 'a.ts' }),
    chooses('finish', { answer: 'It is two.' }),
  ]);
  const { end, answer, steps } = await runConversation(model, [tool], {
    judge: () =>
      tool.inputs.length === 0
        ? { problem: 'nothing has been read yet', message: 'it read nothing' }
        : undefined,
  });
  assert.equal([end.reason, answer, steps], ['finished', 'It is two.', ['reword unproven']]);
  assert.match(lastWords(model.requests[1]), /You are not done: nothing has been read yet/);
});

test('a model that only claims to be done ends as not done', async () => {
  const model = fakeModel(({ schema }) =>
    schema === undefined ? says('All read.') : chooses('finish', { answer: 'All read.' }),
  );
  const { end, results } = await runConversation(model, [look()], {
    judge: () => ({ problem: 'it is not', message: 'it was not done' }),
  });
  assert.equal([end.reason, end.message, results.length], ['not-done', 'it was not done', 0]);
});

test('plain words are an answer if they show something of what was read', async () => {
  const model = fakeModel([
    calls('look', { path: 'a' }),
    says('In general that depends on the time and the place.'),
    says('It has 12 lines.'),
  ]);
  const { end, answer, steps } = await runConversation(model, [look()], { protocol: 'native' });
  assert.equal([end.reason, answer], ['finished', 'It has 12 lines.']);
  assert.equal(steps, ['reword unreadable']);
});

for (const [what, reply] of [
  ['a guardrail block', fails('blocked')],
  ['a refusal', fails('refused')],
  ['an apology in plain text', says(SORRY)],
  ['an apology inside the schema', says(`{"a_reason": "${SORRY}", "b_action": "look"}`)],
  ['an apology for an answer', chooses('finish', { answer: SORRY })],
] as const) {
  test(`${what} is asked again in other words and with another seed`, async () => {
    const model = fakeModel([reply, done]);
    const { answer, refusals } = await runConversation(model, [look()]);
    assert.equal([answer, refusals], ['done', 1]);
    const [first, second] = model.requests;
    assert.is.not(first?.system, second?.system);
    assert.equal([first?.temperature, second?.temperature], [0, undefined]);
    assert.type(second?.seed, 'number');
    assert.ok(second?.system.includes('You work on a repository.'), 'the task keeps its own words');
  });
}

test('a server that does not take the schema is asked natively at once', async () => {
  const model = fakeModel([fails('rejected'), calls('finish', { answer: 'done' })]);
  const { end, protocol, steps } = await runConversation(model, [look()]);
  assert.equal([end.reason, protocol, steps], ['finished', 'native', ['fall-back rejected']]);
});

test('a reply that was cut off gets a higher token limit each time, and a request to be brief', async () => {
  const cut = says('{"a_reason": "because", "b_action": "lo');
  const model = fakeModel([cut, cut, done]);
  const { steps } = await runConversation(model, [look()]);
  assert.equal(steps, ['reword cut', 'reword cut']);
  const sizes = model.requests.map(({ maxTokens }) => maxTokens);
  assert.equal(sizes, [512, 1024, 2048]);
  assert.match(lastWords(model.requests[1]), /Be brief/);
});

test('the token limit of a reply never exceeds the window', async () => {
  const model = fakeModel([says('{"a_reason": "because", "b_action": "lo')]);
  const opening = 'word '.repeat(3000);
  const { transcript } = await runConversation(model, [look()], { opening });
  const sent = transcript.flatMap(entry => (entry.type === 'request' ? [entry] : []));
  assert.is(sent.length, 3);
  for (const [at, { request, estimatedTokens }] of sent.entries()) {
    assert.is(request.maxTokens, at === 0 ? 512 : 4096 - estimatedTokens);
  }
});

for (const [what, reply] of [
  ['plain words', says('I think so')],
  ['refusals', fails('refused')],
  ['blocks', fails('blocked')],
  ['cut replies', says('{"a_reason": "because", "b_action": "lo')],
  ['calls of what is not there', calls('jump')],
] as const) {
  test(`${what} end a conversation at the limit of bad replies, in whatever protocol`, async () => {
    for (const isApfel of [true, false]) {
      for (const badReplies of [1, 2, 3]) {
        const model = fakeModel([reply], { isApfel });
        const { end } = await runConversation(model, [look()], { limits: { badReplies } });
        assert.equal([model.requests.length, end.limit], [badReplies, 'badReplies']);
      }
    }
  });
}

test('an apology in the reason of a call ends the conversation and is quoted', async () => {
  const model = fakeModel([says(JSON.stringify({ a_reason: SORRY, b_action: 'look' }))]);
  const { end } = await runConversation(model, [look()]);
  assert.match(end.message, SORRY);
});

for (const [kind, reason, max] of [
  ['unreachable', 'model-gone', 1],
  ['died', 'server-failed', 2],
  ['timed-out', 'server-failed', 2],
] as const) {
  test(`${kind}: the conversation ends as ${reason} after ${max} requests`, async () => {
    const model = fakeModel([fails(kind, 'nobody home')]);
    const { end, requests } = await runConversation(model, [look()]);
    assert.equal(end, { reason, message: 'nobody home' });
    assert.is(requests, max);
  });
}

test('the limits of turns, requests, tokens and time end a conversation by name and keep what was found', async () => {
  let now = 0;
  const clock = { now: () => (now += 100) };
  for (const [limit, value] of [
    ['turns', 3],
    ['requests', 3],
    ['tokens', 45],
  ] as const) {
    const { end, results } = await runConversation(endless(), [look()], {
      limits: { [limit]: value },
    });
    assert.is(end.reason, limit);
    assert.match(end.message, `limit of ${limit}`);
    assert.is(results.length, 3);
  }
  const { end } = await runConversation(endless(), [look()], {
    clock,
    limits: { deadlineMs: 1000 },
  });
  assert.is(end.reason, 'deadline');
});

test('a request that is stopped ends the conversation, not the program', async () => {
  for (const [reason, expected] of [
    [TIME_UP, 'deadline'],
    ['interrupted', 'aborted'],
  ] as const) {
    const controller = new AbortController();
    const model = fakeModel((_, number) => {
      if (number === 1) return chooses('look', { path: 'a' });
      controller.abort(reason);
      controller.signal.throwIfAborted();
      return says('never');
    });
    const { signal } = controller;
    const { end, results } = await runConversation(model, [look()], { signal });
    assert.equal([end.reason, results.length], [expected, 1]);
  }
});

test('an internal error is rethrown, not swallowed', async () => {
  const model = fakeModel(() => {
    throw new Error('a bug');
  });
  const thrown: unknown = await runConversation(model, [look()]).catch(String);
  assert.match(String(thrown), /a bug/);
});

test('a large workspace stays under the limit of the window', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`src/part-${at}/file.ts`, 'export {};\n'.repeat(400)]),
  );
  const source = memorySource(files);
  const model = fakeModel((_, number) =>
    number % 2 === 1
      ? chooses('list_dir', { path: number === 1 ? 'src' : `src/part-${number}` })
      : chooses('read_file', { path: `src/part-${number}/file.ts` }),
  );
  const talk = await runConversation(model, [listDir(source), readFile(source)], {
    limits: { turns: 20, requests: 30 },
  });
  assert.is(talk.results.length, 20);
  for (const entry of talk.transcript) {
    if (entry.type === 'request') assert.ok(entry.estimatedTokens <= 4096 - 512);
  }
  assert.match(lastWords(model.requests.at(-1)), /last turn/);
});

test('the transcript holds each request exactly as it was sent, in order', async () => {
  const model = fakeModel([
    fails('blocked'),
    calls('look', { file: 'a', lang: 'en' }),
    calls('finish', { answer: 'done' }),
  ]);
  const { transcript, repairs } = await runConversation(model, [look()], { protocol: 'native' });
  const sent = transcript.flatMap(entry => (entry.type === 'request' ? [entry.request] : []));
  assert.equal(sent, [...model.requests]);
  const order = 'request reply recovery request reply call result request reply end';
  assert.is(transcript.map(entry => entry.type).join(' '), order);
  assert.is(repairs, 1);
});

const source = memorySource({});
const offered = registry([readFile(source), searchCode(source), finish]);
const shapeIn = (protocol: ProtocolName, tools = offered) =>
  turnShape(
    {
      task: { system: 'SYSTEM', opening: 'TASK' },
      tools,
      history: [],
      attempt: FIRST_ATTEMPT,
      isLast: false,
    },
    protocol,
  );

test('the guided schema is one flat object whose keys sort in the order the model should answer in', () => {
  const schema = Object(shapeIn('guided').schema?.schema);
  assert.equal(Object.keys(schema.properties).sort(), [
    'a_reason',
    'b_action',
    'c_path',
    'd_startLine',
    'e_endLine',
    'f_query',
    'g_answer',
  ]);
  assert.equal(schema.properties.b_action.enum, ['read_file', 'search_code', 'finish']);
  assert.equal(schema.required, ['a_reason', 'b_action']);
  // What the server ignores or refuses.
  assert.not.match(
    JSON.stringify(schema),
    /"(anyOf|oneOf|allOf|\$ref|array|minimum|maxLength|pattern|null)"/,
  );
});

test('a field that every offered action requires is required of the reply', () => {
  const only = (...names: string[]) => {
    const tools = registry(offered.tools.filter(tool => names.includes(tool.name)));
    return Object(shapeIn('guided', tools).schema?.schema).required;
  };
  assert.equal(only('finish'), ['a_reason', 'b_action', 'c_answer']);
  assert.equal(only('read_file'), ['a_reason', 'b_action', 'c_path']);
  assert.equal(only('read_file', 'finish'), ['a_reason', 'b_action']);
});

test('the native protocol sends tools and names them again in the system text', () => {
  const { tools, schema, system } = shapeIn('native');
  assert.equal([tools?.length, schema], [3, undefined]);
  assert.match(system, /read_file\(path, startLine\?, endLine\?\)/);
  assert.match(system, /Example: read_file \{"path":"src\/index.ts"\}/);
});

test('the text protocol sends neither tools nor a schema; calls and results are ordinary messages', async () => {
  const call = says('{"action": "look", "path": "a"}');
  const model = fakeModel([call, says('It has 12 lines.')]);
  const { answer } = await runConversation(model, [look()], { protocol: 'text' });
  assert.is(answer, 'It has 12 lines.');
  const { tools, schema, messages = [], system = '' } = model.requests[1] ?? {};
  assert.equal([tools, schema], [undefined, undefined]);
  assert.match(system, /"action"/);
  const roles = messages.map(message => message.role);
  assert.equal(roles, ['user', 'assistant', 'user']);
  assert.match(
    messages.map(textOf).join('\n'),
    /^Do the task\.\n\{"action":"look","path":"a"\}\na\.ts has 12 lines\n\(result of look\)\n\nUse the/,
  );
});

test('the guided protocol is preferred where the server decodes under a schema', () => {
  const names = (
    isApfel: boolean,
    version: string | undefined,
    { isOwn = true, wanted = 'auto' }: { isOwn?: boolean; wanted?: 'auto' | 'text' } = {},
  ): string => {
    const known = { name: 'm', baseUrl: 'u', contextWindow: 4096, isApfel, version, isOwn };
    return chooseProtocols(wanted, known satisfies ModelFacts).join(' ');
  };
  assert.is(names(true, '1.8.4'), 'guided native text');
  assert.is(names(true, '1.4.0'), 'guided native text');
  assert.is(names(true, '2.0.0'), 'guided native text');
  assert.is(names(true, '1.3.9'), 'native text');
  assert.is(names(true, undefined), 'native text');
  assert.is(names(false, undefined), 'guided native text');
  // It may have MCP tools, and what keeps them out would break the text protocol.
  assert.is(names(true, '1.8.4', { isOwn: false }), 'guided native');
  assert.is(names(true, '1.8.4', { wanted: 'text' }), 'text');
});

test.run();
