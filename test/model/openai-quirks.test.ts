import * as assert from 'uvu/assert';
import { QUIRK_NAMES, type QuirkName } from '../../fixtures/apfel/quirk-names.js';
import type { ModelReply, ModelRequest } from '../../src/model/model.js';
import { suite } from '../support/suite.js';
import { never, question, READ_FILE, VERDICT, withStandIn } from './openai-harness.js';

const test = suite('model/openai-quirks');

interface Outcome {
  readonly ask: ModelRequest;
  readonly kind: ModelReply['kind'];
  /** Sent in all, retries included; 1 unless the table of retries says more. */
  readonly requests?: number;
  readonly holds?: (reply: ModelReply) => boolean;
  readonly timeoutMs?: number;
}

const plain = question('What is a mutex?');
const native = question('Use read_file on a.ts.', { tools: [READ_FILE] });
const guided = question('Is this safe?', { schema: VERDICT });

const afterTool = question('', {
  tools: [READ_FILE],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Use read_file on a.ts.' }] },
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c1', name: 'read_file', input: { path: 'a.ts' } }],
    },
    {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'read_file',
      isError: false,
      content: [{ type: 'text', text: 'export {};' }],
      details: {},
    },
  ],
});

const textOf = (reply: ModelReply): string => ('text' in reply ? reply.text : '');
const call = (reply: ModelReply) => (reply.kind === 'tool-calls' ? reply.calls[0] : undefined);
const argumentsOf = (reply: ModelReply): unknown => {
  try {
    return JSON.parse(call(reply)?.arguments ?? '');
  } catch {
    // Text that is no JSON is one of the outcomes looked for.
    return undefined;
  }
};
const isApology = (reply: ModelReply): boolean => textOf(reply).includes('sorry');
const isProse = (reply: ModelReply): boolean => textOf(reply).length > 20;
const goodCall = (reply: ModelReply): boolean =>
  call(reply)?.name === 'read_file' && typeof argumentsOf(reply) === 'object';

/** An error inside of a stream is not among them: none is asked for. */
const OUTCOMES: Readonly<Record<Exclude<QuirkName, 'in-stream-error'>, Outcome>> = {
  guardrail: { ask: plain, kind: 'blocked' },
  'rate-limited': { ask: plain, kind: 'rate-limited', requests: 4 },
  busy: { ask: plain, kind: 'busy', requests: 6 },
  capacity: { ask: plain, kind: 'busy', requests: 6 },
  loading: { ask: plain, kind: 'loading', requests: 7 },
  'unknown-500': { ask: plain, kind: 'malformed', requests: 2 },
  'context-overflow': { ask: plain, kind: 'overflow' },
  'decoding-failure': {
    ask: guided,
    kind: 'answer',
    holds: reply => reply.kind === 'answer' && reply.isCut,
  },
  'unsupported-language': { ask: plain, kind: 'refused' },
  reset: { ask: plain, kind: 'died', requests: 2 },
  stall: { ask: plain, kind: 'timed-out', timeoutMs: 150 },
  drip: { ask: plain, kind: 'timed-out', timeoutMs: 150 },
  'missing-call': { ask: native, kind: 'answer', holds: isProse },
  'missing-call-directive': { ask: native, kind: 'answer', holds: isProse },
  'missing-call-auto': { ask: { ...native, toolChoice: 'auto' }, kind: 'answer', holds: isProse },
  'missing-call-neutral': {
    ask: question('What is in there?', { tools: [READ_FILE] }),
    kind: 'answer',
    holds: isProse,
  },
  'refused-required': {
    ask: { ...native, toolChoice: 'required' },
    kind: 'answer',
    holds: isApology,
  },
  'plain-refusal': { ask: plain, kind: 'answer', holds: isApology },
  'content-filter': { ask: plain, kind: 'refused' },
  'misread-result': { ask: afterTool, kind: 'answer', holds: isProse },
  'empty-content': { ask: plain, kind: 'answer', holds: reply => textOf(reply) === '' },
  length: { ask: plain, kind: 'answer', holds: reply => reply.kind === 'answer' && reply.isCut },
  'truncated-guided': {
    ask: guided,
    kind: 'answer',
    holds: reply => textOf(reply).startsWith('{') && !textOf(reply).endsWith('}'),
  },
  'optional-left-out': { ask: guided, kind: 'answer', holds: reply => textOf(reply).endsWith('}') },
  'never-offered': { ask: plain, kind: 'tool-calls', holds: reply => call(reply) !== undefined },
  'invented-tool': {
    ask: native,
    kind: 'tool-calls',
    holds: reply => call(reply)?.name !== 'read_file',
  },
  'output-as-arguments': { ask: native, kind: 'tool-calls', holds: goodCall },
  'renamed-arguments': { ask: native, kind: 'tool-calls', holds: goodCall },
  'extra-arguments': { ask: native, kind: 'tool-calls', holds: goodCall },
  'repeated-call-ids': {
    ask: native,
    kind: 'tool-calls',
    holds: reply => call(reply)?.id === 'call_1',
  },
  // The process aborts; what is asked after that finds nobody.
  'scalar-arguments': { ask: native, kind: 'unreachable', requests: 5 },
  'bare-argument': { ask: native, kind: 'tool-calls', holds: goodCall },
  'wrapped-value': { ask: native, kind: 'tool-calls', holds: goodCall },
  'malformed-missing-bracket': { ask: native, kind: 'tool-calls', holds: goodCall },
  'malformed-quotes': {
    ask: native,
    kind: 'tool-calls',
    holds: reply => call(reply)?.name === 'read_file',
  },
  'malformed-trailing-junk': { ask: native, kind: 'tool-calls', holds: goodCall },
  'malformed-single-quotes': {
    ask: native,
    kind: 'answer',
    holds: reply => textOf(reply).includes('tool_calls'),
  },
  'fenced-call': { ask: native, kind: 'tool-calls', holds: goodCall },
  'fenced-json': {
    ask: native,
    kind: 'answer',
    holds: reply => textOf(reply).includes('read_file'),
  },
  'extra-text': { ask: native, kind: 'tool-calls', holds: goodCall },
};

test('every quirk of the stand-in is in the table', () => {
  const known = [...Object.keys(OUTCOMES), 'in-stream-error'];
  assert.equal(known.sort(), [...QUIRK_NAMES].sort());
});

for (const [quirk, expected] of Object.entries(OUTCOMES)) {
  test(`${quirk} ends as ${expected.kind}`, () =>
    withStandIn(
      { quirks: { [quirk]: 1 }, model: { requestTimeoutMs: expected.timeoutMs ?? 5000 } },
      async ({ standIn, model }) => {
        const reply = await model.ask(expected.ask, never);
        assert.is(reply.kind, expected.kind, JSON.stringify(reply));
        assert.ok(expected.holds?.(reply) ?? true, JSON.stringify(reply));
        assert.is(standIn.requests[0]?.quirk, quirk);
        assert.is(model.usage().requests, expected.requests ?? 1);
        assert.is(model.usage().retries, (expected.requests ?? 1) - 1);
      },
    ));
}

for (const version of ['0.5.0', '1.5.1', '1.8.4'] as const) {
  test(`version ${version} is understood`, () =>
    withStandIn({ version }, async ({ model }) => {
      assert.is((await model.ask(plain, never)).kind, 'answer');
      assert.ok(goodCall(await model.ask(native, never)));
    }));
}

test.run();
