import * as assert from 'uvu/assert';
import { TIME_UP } from '../../src/core/deadline.js';
import { chooses, fakeModel, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';
import { recordedTool, resultTexts, runConversation } from './conversation-support.js';

const test = suite('loop: limits');
const look = () => recordedTool('look', ['path']);
const endless = () => fakeModel((_, number) => chooses('look', { path: `file-${number}` }));

test('turns, requests and tokens end it with their name and keep what was found', async () => {
  for (const [limit, value] of [
    ['turns', 3],
    ['requests', 3],
    ['tokens', 45],
  ] as const) {
    const { end, messages } = await runConversation(endless(), [look()], {
      limits: { [limit]: value },
    });
    assert.is(end.reason, limit);
    assert.match(end.message, new RegExp(`limit of ${limit}`));
    assert.is(resultTexts(messages).length, 3);
  }
});

test('the clock is asked before each request', async () => {
  let now = 0;
  const clock = { now: () => now };
  const model = fakeModel((_, number) => {
    now += 400;
    return chooses('look', { path: `file-${number}` });
  });
  const { end, counts } = await runConversation(model, [look()], {
    clock,
    limits: { deadlineMs: 1000 },
  });
  assert.equal([end.reason, counts.requests], ['deadline', 3]);
});

test('durations come from the given clock', async () => {
  let now = 0;
  const clock = { now: () => now };
  const model = fakeModel((_, number) => {
    now += 250;
    return number === 1 ? chooses('look', { path: 'a' }) : chooses('finish', { answer: 'x' });
  });
  const { transcript } = await runConversation(model, [look()], { clock });
  const durations = transcript.flatMap(entry => (entry.type === 'reply' ? [entry.durationMs] : []));
  assert.equal(durations, [250, 250]);
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
    const { end, messages } = await runConversation(model, [look()], { signal: controller.signal });
    assert.is(end.reason, expected);
    assert.is(resultTexts(messages).length, 1);
  }
});

test('aborted before it begins, it asks nothing', async () => {
  const model = fakeModel([says('x')]);
  const { end } = await runConversation(model, [look()], {
    signal: AbortSignal.abort('interrupted'),
  });
  assert.equal([end.reason, model.requests.length], ['aborted', 0]);
});

test('a bug of the adapter is thrown on, not swallowed', async () => {
  const model = fakeModel(() => {
    throw new Error('a bug');
  });
  let thrown: unknown;
  await runConversation(model, [look()]).catch(error => {
    thrown = error;
  });
  assert.match(String(thrown), /a bug/);
});

test('a tool result is cut to its limit whatever the tool returns', async () => {
  const tool = recordedTool('look', ['path'], { result: 'a line of text\n'.repeat(5000) });
  const model = fakeModel([chooses('look', { path: 'a' }), chooses('finish', { answer: 'x' })]);
  const { messages } = await runConversation(model, [tool], { limits: { resultTokens: 100 } });
  const [text = ''] = resultTexts(messages);
  assert.ok(text.length < 1000);
  assert.match(text, /\[… \d+ of 5001 lines not shown/);
});

test('in the last turn the model is told to finish', async () => {
  const model = endless();
  await runConversation(model, [look()], { limits: { turns: 2 } });
  const last = model.requests.at(-1)?.messages.at(-1);
  assert.match(JSON.stringify(last), /last turn/);
});

test.run();
