import * as assert from 'uvu/assert';
import type { Judgement } from '../../src/calibrate/measure.js';
import {
  askTrial,
  judgeCall,
  questionFor,
  toolRequest,
  variantsFor,
} from '../../src/calibrate/trial.js';
import { CLOSED, type ProtocolName, type Trial } from '../../src/model/calibration.js';
import type { ModelFailure, ModelReply, ModelRequest } from '../../src/model/model.js';
import { answerTo, textIn } from '../support/closed-questions.js';
import { calls, chooses, fails, fakeModel, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const test = suite('calibrate/trial');

const trial = (changes: Partial<Trial> = {}): Trial => ({
  protocol: 'native',
  toolChoice: null,
  prompt: 'directive',
  seed: 2,
  ...changes,
});
const FILE = questionFor(2).arguments;

const verdict = (name: string, given: object | string, seed = 2): string =>
  judgeCall(calls(name, given), seed);

test('the right tool with exactly the arguments asked for is faithful', () => {
  assert.is(verdict('read_file', FILE), 'faithful');
  for (const nothing of [{}, '']) assert.is(verdict('get_time', nothing, 1), 'faithful');
  assert.is(judgeCall(chooses('read_file', FILE), 2), 'faithful');
  const text = says(JSON.stringify({ action: 'get_time' }));
  assert.is(judgeCall(text, 1), 'faithful');
});

test('a call with more, fewer or other arguments is not faithful', () => {
  const { path, startLine } = FILE;
  const others = [
    { path },
    { path, startLine, language: 'en' },
    { path, startLine: String(startLine) },
    { file: path, startLine },
    { path: 'elsewhere', startLine },
    [path, startLine],
    '{"__proto__": 1, "path": 2}',
  ];
  for (const given of others) {
    assert.is(verdict('read_file', given), 'other-arguments', JSON.stringify(given));
  }
  assert.is(verdict('get_time', { current_time: 'noon' }, 1), 'other-arguments');
});

test('a call of any other tool counts as wrong', () => {
  assert.is(verdict('get_time', {}), 'wrong-name');
  assert.is(verdict('readFile', FILE), 'wrong-name');
});

test('a second call counts against the reply', () => {
  const one = calls('read_file', FILE);
  if (one.kind !== 'tool-calls') throw new Error(one.kind);
  const [call] = one.calls;
  if (call === undefined) throw new Error('no call');
  const both = (second: typeof call) => judgeCall({ ...one, calls: [call, second] }, 2);
  assert.is(both(call), 'other-arguments');
  assert.is(both({ ...call, name: 'x' }), 'wrong-name');
});

test('every kind of refusal counts as one, and prose and cut replies are not calls', () => {
  const sorry = says("I'm sorry, but I can't assist with that.");
  for (const reply of [sorry, fails('refused'), fails('blocked')]) {
    assert.is(judgeCall(reply, 2), 'refused');
  }
  assert.is(judgeCall(says('It is noon.'), 1), 'no-call');
  const cut = says('{"a_reason": "cu', true);
  assert.is(judgeCall(cut, 2), 'no-call');
});

const ask = (
  reply: (request: ModelRequest) => ModelReply,
  changes: Partial<Trial> = {},
  remainingMs = 60_000,
): Promise<Judgement> =>
  askTrial(trial(changes), {
    model: fakeModel(reply),
    remainingMs: () => remainingMs,
    signal: new AbortController().signal,
  });

test('a server that times out or died says nothing about the model', async () => {
  for (const prompt of ['directive', 'review', 'second look', 'fix'] as const) {
    const kindOf = async (kind: ModelFailure): Promise<string> => {
      const judgement = await ask(() => fails(kind, 'words'), { prompt });
      return judgement.kind === 'measured' ? judgement.verdict : judgement.kind;
    };
    for (const kind of ['rate-limited', 'busy', 'loading'] as const) {
      assert.is(await kindOf(kind), 'missed', `${prompt}: ${kind}`);
    }
    assert.equal(await ask(() => fails('unreachable', 'nobody there'), { prompt }), {
      kind: 'ended',
      message: 'the server is gone (nobody there)',
    });
    for (const kind of ['overflow', 'died', 'timed-out', 'malformed', 'rejected'] as const) {
      assert.is(await kindOf(kind), 'failed', `${prompt}: ${kind}`);
    }
    assert.is(await kindOf('blocked'), 'refused');
    const late = await ask(() => fails('timed-out'), { prompt }, 1);
    assert.equal(late, { kind: 'ended', message: 'the time was up' });
  }
});

const PROTOCOLS: readonly ProtocolName[] = ['guided', 'native', 'text'];

/** Right in everything, unless told what to say instead. */
const answering =
  (instead: Readonly<Record<string, string>> = {}) =>
  (request: ModelRequest): ModelReply => {
    const hasBug = textIn(request).includes('items[items.length];');
    return answerTo(request, {
      reason: 'lastOf gives the last of the items',
      verdict: hasBug ? 'problem' : 'nothing',
      ...(hasBug && { line: '2', quote: 'items[items.length]', message: 'past the end' }),
      ruling: hasBug ? 'real_bug' : 'not_a_bug',
      from: '2',
      to: '2',
      newText: '  return items[items.length - 1];',
      ...instead,
    });
  };

test('the questions of reviews and fixes are asked in every protocol, with a bug and without', async () => {
  const measured = async (
    prompt: Trial['prompt'],
    instead: Readonly<Record<string, string>>,
    seed: number,
  ): Promise<string> => {
    const all = await Promise.all(
      PROTOCOLS.map(protocol => ask(answering(instead), { protocol, prompt, seed })),
    );
    const verdicts = all.map(each => (each.kind === 'measured' ? each.verdict : each.kind));
    return [...new Set(verdicts)].join(' ');
  };
  for (const prompt of CLOSED) {
    for (const seed of [1, 2]) assert.is(await measured(prompt, {}, seed), 'faithful', prompt);
  }
  const wrong = 'other-arguments';
  const nothing = { verdict: 'nothing', quote: '', message: '' };
  assert.is(await measured('review', nothing, 2), wrong);
  assert.is(await measured('review', nothing, 1), 'faithful');
  const alarm = { verdict: 'problem', line: '1', quote: 'lastOf', message: 'wrong name' };
  assert.is(await measured('review', alarm, 1), wrong);
  assert.is(await measured('review', alarm, 2), wrong);
  assert.is(await measured('second look', { ruling: 'real_bug' }, 1), wrong);
  assert.is(await measured('fix', { newText: '  return items[0];' }, 2), wrong);
  assert.is(await measured('fix', { newText: '  return items.at(-1);' }, 2), 'faithful');
  // What code can't believe is no answer.
  assert.is(await measured('review', { verdict: 'nothing' }, 2), 'no-call');
  assert.is(await measured('review', { reason: 'all is well' }, 2), 'no-call');
  assert.is(await measured('review', { verdict: 'perhaps' }, 2), 'no-call');
});

test('the lines of the code are shown with their numbers, which the answer names', async () => {
  for (const prompt of ['review', 'second look'] as const) {
    const seen: string[] = [];
    await ask(
      request => {
        seen.push(textIn(request));
        return answering()(request);
      },
      { prompt, protocol: 'guided' },
    );
    assert.match(seen[0] ?? '', '+2|   return items[items.length];');
  }
});

test('every protocol is measured by calls and by questions, except where it would not be used', () => {
  const facts = fakeModel([]).facts;
  const keysFor = (changes: Partial<typeof facts>): string[] =>
    variantsFor({ ...facts, ...changes }).map(
      ({ protocol, toolChoice, prompt }) => `${protocol} ${toolChoice ?? '-'} ${prompt}`,
    );
  const own = keysFor({ isOwn: true });
  assert.is(own.length, 21);
  assert.equal(own.slice(0, 6), [
    'guided - directive',
    'guided - neutral',
    'guided - review',
    'guided - second look',
    'guided - fix',
    'native - directive',
  ]);
  assert.equal(
    keysFor({}).filter(key => key.startsWith('text')),
    [],
  );
});

const promptOf = ({ messages }: ModelRequest): string => JSON.stringify(messages);

test('the directive request is the one that the agent would send', () => {
  const native = toolRequest(trial({ seed: 4 }));
  assert.match(native.system, 'read_file(path, startLine)');
  assert.match(promptOf(native), 'Use the read_file tool.');
  assert.equal(
    native.tools?.map(({ name }) => name),
    ['get_time', 'read_file'],
  );
  assert.equal([native.seed, 'toolChoice' in native], [4, false]);
  assert.match(JSON.stringify(toolRequest(trial({ protocol: 'guided' })).schema), 'b_action');
  const text = toolRequest(trial({ protocol: 'text' }));
  assert.is(text.schema ?? text.tools, undefined);
});

test('the neutral request does not name the tool, except in the text protocol', () => {
  for (const protocol of ['native', 'guided'] as const) {
    const request = toolRequest(trial({ protocol, prompt: 'neutral' }));
    assert.is(request.system, '');
    assert.not.match(promptOf(request), 'read_file');
  }
  assert.match(toolRequest(trial({ protocol: 'text', prompt: 'neutral' })).system, '"action"');
});

test('each variant sends its own tool_choice', () => {
  const choice = (toolChoice: Trial['toolChoice']) => toolRequest(trial({ toolChoice })).toolChoice;
  assert.equal([choice('auto'), choice('required')], ['auto', 'required']);
  assert.equal(choice('named'), { name: 'read_file' });
});

test.run();
