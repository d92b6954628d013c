import * as assert from 'uvu/assert';
import { readConversations } from '../../src/runs/read-conversations.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { ask, call, end, recovery, reply, result } from './sample-lines.js';

const test = suite('runs/read-conversations');

const said = { atMs: 1000, system: 'You review a change', opening: 'File: a.ts\nIn: f\n+1| x' };

test('a request with number 1 begins a new conversation', () => {
  const { conversations } = readConversations([
    ask(1, said),
    ask(2, said),
    end('finished'),
    ask(1, said),
    ask(1, said),
  ]);
  assert.equal(
    conversations.map(({ number, turns, end: over }) => [number, turns.length, over?.reason]),
    [
      [1, 2, 'finished'],
      [2, 1, undefined],
      [3, 1, undefined],
    ],
  );
  assert.is(conversations[0]?.title, 'Review: a.ts');
});

test('a turn has the reply, the calls with their repairs, results with details, and recoveries', () => {
  const { conversations } = readConversations([
    ask(1, said),
    reply(1, { finish: {} }, 700),
    call('edit_file', { path: 'a' }, ['json-syntax']),
    result('edit_file', 'edited a', { oldText: 'x', exitCode: 0, list: [1] }),
    recovery('refused', 'reword', 'no'),
  ]);
  const turn = conversations[0]?.turns[0];
  assert.is(turn?.reply?.durationMs, 700);
  assert.equal(turn?.offered.names, ['nothing', 'problem']);
  assert.equal(
    turn?.steps.map(step => step.type),
    ['call', 'result', 'recovery'],
  );
  const done = turn?.steps[1];
  assert.equal(done?.type === 'result' && [...done.details], [
    ['oldText', 'x'],
    ['exitCode', '0'],
    ['list', '[\n  1\n]'],
  ]);
});

test('a transcript with garbage in it is read as far as possible', () => {
  const odd = [
    null,
    1,
    'x',
    [],
    {},
    { type: 'request' },
    { type: 'reply', reply: 7 },
    { type: 'end' },
  ];
  const { conversations } = readConversations([
    { type: 'reply', number: 1 },
    ...odd,
    { type: 'request', request: { messages: 'x', tools: [null, { name: 3 }], schema: [] } },
    { type: 'result', message: { content: [null], details: null } },
    { type: 'call', input: undefined, repairs: 'none' },
  ]);
  assert.is(conversations.length, 2);
  assert.is(conversations[0]?.turns[0]?.reply?.kind, 'unknown');
});

test('turns above the limit are left out, and the transcript is marked as cut', () => {
  const lines = Array.from({ length: 30_000 }, () => ({ type: 'request', number: 2 }));
  const { conversations, isCut } = readConversations(lines);
  assert.is(conversations[0]?.turns.length, 2000);
  assert.is(isCut, true);
  assert.is(readConversations([{ type: 'cut' }]).isCut, true);
  assert.is(readConversations([ask(1, said)]).isCut, false);
});

test('a long hostile line is read in linear time', () => {
  const line = 'file '.repeat(100_000) + ', '.repeat(100_000);
  const { conversations } = mustEnd(() => readConversations([ask(1, { ...said, opening: line })]));
  assert.ok((conversations[0]?.title.length ?? 999) < 200);
});

test.run();
