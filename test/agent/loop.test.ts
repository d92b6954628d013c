import * as assert from 'uvu/assert';
import { totalRepairs } from '../../src/agent/conversation-state.js';
import { readFile } from '../../src/agent/tools/read-file.js';
import { textOf, toolCallsOf } from '../../src/model/model.js';
import { calls, chooses, fails, fakeModel, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';
import {
  type RecordedTool,
  recordedTool,
  resultTexts,
  runConversation,
} from './conversation-support.js';
import { memorySource } from './tools/memory-source.js';

const test = suite('loop');
const look = () => recordedTool('look', ['path']);
const hasLooked = (tool: RecordedTool) => () =>
  tool.inputs.length === 0 ? 'nothing has been read yet' : undefined;

test('a call is carried out, its result goes back, and finish ends with the answer', async () => {
  const tool = look();
  const model = fakeModel([
    chooses('look', { path: 'a.ts' }),
    chooses('finish', { answer: 'two' }),
  ]);
  const { end, answer, counts, protocol } = await runConversation(model, [tool]);
  assert.equal([end.reason, answer, protocol], ['finished', 'two', 'guided']);
  assert.equal(tool.inputs, [{ path: 'a.ts' }]);
  assert.equal([counts.requests, counts.turns, totalRepairs(counts)], [2, 1, 0]);
  assert.equal(resultTexts(model.requests[1]?.messages ?? []), ['the result of look']);
});

test('a call without its path becomes an error result in the next context', async () => {
  const source = memorySource({ 'a.ts': 'one\n' });
  const model = fakeModel([
    calls('read_file', {}),
    calls('read_file', { path: 'a.ts' }),
    calls('finish', { answer: 'a.ts says one' }),
  ]);
  const { end, messages } = await runConversation(model, [readFile(source)], {
    protocol: 'native',
  });
  const next = model.requests[1]?.messages ?? [];
  const result = next.find(message => message.role === 'toolResult');
  assert.ok(result?.role === 'toolResult' && result.isError);
  assert.match(textOf(result), /^error: read_file: "path" is missing .* Example: read_file \{/);
  assert.is(end.reason, 'finished');
  assert.equal(messages.length, 5);
});

test('every call has an id of its own and its result echoes it', async () => {
  const model = fakeModel([
    calls('look', { path: 'a' }),
    calls('look', { path: 'b' }),
    calls('finish', { answer: 'done' }),
  ]);
  const { messages } = await runConversation(model, [look()], { protocol: 'native' });
  const asked = messages.flatMap(message =>
    message.role === 'assistant' ? toolCallsOf(message).map(call => call.id) : [],
  );
  const answered = messages.flatMap(message =>
    message.role === 'toolResult' ? [message.toolCallId] : [],
  );
  assert.equal(asked, answered);
  assert.is(new Set(asked).size, 2);
});

test('of several calls the first is carried out and the others are told to wait', async () => {
  const tool = look();
  const both = {
    kind: 'tool-calls',
    text: '',
    usage: { promptTokens: 1, completionTokens: 1 },
    calls: [
      { id: 'call_1', name: 'look', arguments: '{"path": "a"}' },
      { id: 'call_1', name: 'look', arguments: '{"path": "b"}' },
    ],
  } as const;
  const model = fakeModel([both, calls('finish', { answer: 'done' })]);
  const { counts, messages } = await runConversation(model, [tool], { protocol: 'native' });
  assert.equal(tool.inputs, [{ path: 'a' }]);
  assert.is(counts.extraCalls, 1);
  assert.match(resultTexts(messages)[1] ?? '', /^error: one call at a time/);
});

test('an unknown tool, a throwing tool and broken arguments are results, not exceptions', async () => {
  const broken = recordedTool('broken', [], {
    result: () => {
      throw new Error('disk on fire');
    },
  });
  const model = fakeModel([
    calls('teleport', { where: 'home' }),
    calls('broken'),
    calls('look', '{"path": "a'),
    calls('finish', { answer: 'done' }),
  ]);
  const { end, messages } = await runConversation(model, [look(), broken], { protocol: 'native' });
  const [unknown, thrown, cut] = resultTexts(messages);
  assert.match(
    unknown ?? '',
    /^error: there is no tool "teleport". Use one of: look, broken, finish/,
  );
  assert.match(thrown ?? '', /^error: broken failed: disk on fire/);
  assert.match(cut ?? '', /^error: look: the arguments were cut off/);
  assert.is(end.reason, 'finished');
});

test('the details of a result are for people and never sent', async () => {
  const tool = recordedTool('look', ['path'], {
    result: { isError: false, text: 'short', details: { diff: 'SECRET-DETAIL' } },
  });
  const model = fakeModel([chooses('look', { path: 'a' }), chooses('finish', { answer: 'x' })]);
  const { messages } = await runConversation(model, [tool]);
  const result = messages.find(message => message.role === 'toolResult');
  assert.equal(result?.role === 'toolResult' && result.details, { diff: 'SECRET-DETAIL' });
  const request = model.requests[1];
  assert.is(request?.messages.map(textOf).join().includes('SECRET-DETAIL'), false);
});

test('the same call again is answered with an error that says so', async () => {
  const tool = look();
  const model = fakeModel([
    chooses('look', { path: 'a' }),
    chooses('look', { path: 'a' }),
    chooses('finish', { answer: 'x' }),
  ]);
  const { counts, messages } = await runConversation(model, [tool]);
  assert.is(tool.inputs.length, 1);
  assert.is(counts.repeatedCalls, 1);
  assert.match(
    resultTexts(messages)[1] ?? '',
    /^error: look was already called with these arguments/,
  );
});

test('what the model says is not believed: a finish before anything was read gets a nudge that names it', async () => {
  const tool = look();
  const model = fakeModel([
    chooses('finish', { answer: 'It is two!' }),
    chooses('look', { path: 'a.ts' }),
    chooses('finish', { answer: 'It is two.' }),
  ]);
  const { end, answer, counts } = await runConversation(model, [tool], { judge: hasLooked(tool) });
  assert.equal([end.reason, answer, counts.nudges], ['finished', 'It is two.', 1]);
  assert.match(
    textOf(model.requests[1]?.messages.at(-1) ?? { role: 'user', content: [] }),
    /You are not done: nothing has been read yet/,
  );
});

test('a model that only ever claims ends as not done, whatever it claims', async () => {
  const tool = look();
  const model = fakeModel(request =>
    request.schema === undefined ? says('All read.') : chooses('finish', { answer: 'All read.' }),
  );
  const { end, counts } = await runConversation(model, [tool], { judge: hasLooked(tool) });
  assert.ok(['not-done', 'requests'].includes(end.reason), end.reason);
  assert.is(counts.turns, 0);
});

test('the transcript holds each request exactly as it was sent, in order', async () => {
  const model = fakeModel([
    fails('blocked'),
    calls('look', { file: 'a', lang: 'en' }),
    calls('finish', { answer: 'done' }),
  ]);
  const seen: string[] = [];
  const { transcript, counts } = await runConversation(model, [look()], {
    protocol: 'native',
    onEntry: entry => seen.push(entry.type),
  });
  const sent = transcript.flatMap(entry => (entry.type === 'request' ? [entry.request] : []));
  assert.equal(sent, [...model.requests]);
  const order = 'request reply rung request reply call result request reply call end';
  assert.equal(seen, order.split(' '));
  assert.equal(
    transcript.map(entry => entry.type),
    seen,
  );
  assert.equal([counts.repairs['key-renamed'], counts.repairs['key-dropped']], [1, 1]);
});

test.run();
