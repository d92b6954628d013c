import * as assert from 'uvu/assert';
import { type ModelFailure, type ModelReply, textOf } from '../../src/model/model.js';
import { modelAt, withServer } from '../model/openai-harness.js';
import { calls, chooses, fails, fakeModel, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';
import { recordedTool, runConversation, rungsOf } from './conversation-support.js';

const test = suite('loop: the ladder');
const look = () => recordedTool('look', ['path'], { result: 'a.ts has 12 lines' });
const SORRY = "I'm sorry, but I can't assist with that.";
const done = chooses('finish', { answer: 'done' });

const declines: ReadonlyArray<readonly [string, ModelReply, string]> = [
  ['a guardrail block', fails('blocked'), 'reword blocked'],
  ['a refusal', fails('refused'), 'reword refused'],
  ['an apology in plain text', says(SORRY), 'reword refused'],
  [
    'an apology inside the schema',
    says(`{"a_reason": "${SORRY}", "b_action": "look"}`),
    'reword refused',
  ],
];

for (const [what, reply, rung] of declines) {
  test(`${what} is asked again in other words and with another seed`, async () => {
    const model = fakeModel([reply, done]);
    const conversation = await runConversation(model, [look()]);
    assert.equal(rungsOf(conversation), [rung]);
    assert.equal([conversation.counts.refusals, conversation.counts.rewordings], [1, 1]);
    const [first, second] = model.requests;
    assert.is.not(first?.system, second?.system);
    assert.is.not(first?.seed, second?.seed);
    assert.ok(second?.system.includes('You work on a repository.'), 'the task keeps its own words');
  });
}

test('an apology for an answer is a refusal, not an answer', async () => {
  const model = fakeModel([chooses('finish', { answer: SORRY }), done]);
  const conversation = await runConversation(model, [look()]);
  assert.equal(rungsOf(conversation), ['reword refused']);
  assert.is(conversation.answer, 'done');
});

test('each retry differs from all before it', async () => {
  const model = fakeModel([fails('blocked')]);
  const { end } = await runConversation(model, [look()]);
  const sent = model.requests.map(({ system, messages, tools, schema }) =>
    JSON.stringify([system, messages.map(textOf), tools, schema]),
  );
  assert.is(new Set(sent).size, sent.length);
  assert.ok(end.reason === 'blocked' || end.reason === 'requests');
});

test('when blocks go on the next protocol is tried, and the first again once one worked', async () => {
  const model = fakeModel([fails('blocked'), fails('blocked'), calls('look', { path: 'a' }), done]);
  const conversation = await runConversation(model, [look()]);
  assert.equal(rungsOf(conversation), ['reword blocked', 'fall blocked']);
  assert.equal([conversation.end.reason, conversation.protocol], ['finished', 'guided']);
  assert.is(conversation.counts.protocolFalls, 1);
});

test('a protocol whose replies cannot be used three times is given up for the run', async () => {
  const model = fakeModel([
    says('no JSON'),
    says('still none'),
    says('nor here'),
    calls('look', { path: 'a' }),
    calls('finish', { answer: 'done' }),
  ]);
  const conversation = await runConversation(model, [look()]);
  assert.equal(rungsOf(conversation), ['nudge bad-reply', 'nudge bad-reply', 'fall bad-reply']);
  assert.is(conversation.protocol, 'native');
});

test('a server that does not take the schema is asked natively at once', async () => {
  const model = fakeModel([fails('rejected'), calls('finish', { answer: 'done' })]);
  const conversation = await runConversation(model, [look()]);
  assert.equal(rungsOf(conversation), ['fall rejected']);
  assert.equal([conversation.end.reason, conversation.protocol], ['finished', 'native']);
});

test('a protocol asked for by name stands alone', async () => {
  const model = fakeModel([says('')]);
  const { end, counts } = await runConversation(model, [look()], { protocol: 'native' });
  assert.equal([end.reason, counts.requests, counts.protocolFalls], ['bad-replies', 3, 0]);
});

test('the limit of bad replies is the configured one', async () => {
  const model = fakeModel([says('')]);
  const { counts } = await runConversation(model, [look()], {
    protocol: 'native',
    limits: { badReplies: 2 },
  });
  assert.is(counts.requests, 2);
});

test('plain words that show nothing of what was read are not an answer where finish is on offer', async () => {
  const model = fakeModel([
    calls('look', { path: 'a' }),
    says('In general that depends on the time and the place.'),
    says('It has 12 lines.'),
  ]);
  const conversation = await runConversation(model, [look()], { protocol: 'native' });
  assert.equal(rungsOf(conversation), ['nudge not-done']);
  assert.equal([conversation.end.reason, conversation.answer], ['finished', 'It has 12 lines.']);
});

test('a cut action gets more room once and a request to be brief', async () => {
  const model = fakeModel([says('{"a_reason": "because", "b_action": "lo'), done]);
  const conversation = await runConversation(model, [look()]);
  assert.equal(rungsOf(conversation), ['nudge cut']);
  const [first, second] = model.requests;
  assert.is(second?.maxTokens, (first?.maxTokens ?? 0) * 2);
  assert.match(textOf(second?.messages.at(-1) ?? { role: 'user', content: [] }), /cut off/);
});

test('output that the server could not decode gets more tokens and another seed', async () => {
  const bodies: Array<{ readonly max_tokens: number; readonly seed: number }> = [];
  await withServer(
    (_request, response, body) => {
      bodies.push(JSON.parse(body));
      response.setHeader('content-type', 'application/json');
      const message = 'Model output could not be decoded: the data is not valid JSON';
      if (bodies.length === 1) {
        response.writeHead(500).end(JSON.stringify({ error: { message, type: 'server_error' } }));
      } else {
        const content = '{"a_reason": "all done", "b_action": "finish", "m_answer": "done"}';
        const choices = [{ message: { content }, finish_reason: 'stop' }];
        response.end(JSON.stringify({ choices }));
      }
    },
    async baseUrl => {
      const conversation = await runConversation(modelAt(baseUrl), [look()]);
      assert.equal(rungsOf(conversation), ['nudge cut']);
      assert.is(conversation.answer, 'done');
    },
  );
  const [first, second, ...others] = bodies;
  assert.equal(others, []);
  assert.is(second?.max_tokens, (first?.max_tokens ?? 0) * 2);
  assert.is.not(second?.seed, first?.seed);
});

test('a cut answer in words is asked for once more and then kept as far as it came', async () => {
  const model = fakeModel([says('The file begins with', true)]);
  const { end, answer } = await runConversation(model, [look()], { protocol: 'native' });
  assert.equal([end.reason, answer], ['length', 'The file begins with']);
});

const gone: ReadonlyArray<readonly [ModelFailure, number]> = [
  ['unreachable', 1],
  ['died', 3],
  ['busy', 3],
  ['rate-limited', 3],
  ['loading', 3],
  ['timed-out', 3],
];

for (const [kind, requests] of gone) {
  test(`${kind}: the conversation ends as model-gone after ${requests} requests`, async () => {
    const model = fakeModel([fails(kind, 'nobody home')]);
    const { end, counts } = await runConversation(model, [look()]);
    assert.equal(
      [end, counts.requests],
      [{ reason: 'model-gone', message: 'nobody home' }, requests],
    );
  });
}

test('a server that comes back is talked to as if nothing had happened', async () => {
  const model = fakeModel([chooses('look', { path: 'a' }), fails('died'), done]);
  const { end, messages } = await runConversation(model, [look()]);
  assert.equal([end.reason, messages.length], ['finished', 3]);
});

test.run();
