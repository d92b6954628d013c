import * as assert from 'uvu/assert';
import { brokenOff, readFacts } from '../../src/runs/audit-run.js';
import { readConversations } from '../../src/runs/read-conversations.js';
import { suite } from '../support/suite.js';
import { ask, reply } from './sample-lines.js';
import { reviewRun } from './sample-run.js';

const test = suite('runs/read-facts');

test('facts are read back as they were saved', () => {
  const { facts } = reviewRun();
  assert.equal(readFacts(JSON.parse(JSON.stringify(facts))), facts);
});

test('of damaged facts, what can be read is returned', () => {
  const nothing = { asked: '', stages: [], hunks: [], hosts: [], texts: [] };
  for (const value of [undefined, null, [], 'x', { hunks: 3, asked: {} }]) {
    assert.equal(readFacts(value), nothing);
  }
  const odd = readFacts({
    hunks: [{ state: 'made up' }, { state: 'failed', added: -3, tokens: Number.NaN }],
    texts: [{ lines: [null, { kind: 'added', text: 5 }] }],
    stages: [null],
    hosts: ['x'],
  });
  assert.is(odd.hunks.length, 1);
  assert.is(odd.hunks[0]?.added, 0);
  assert.equal(odd.texts[0]?.lines[1], { kind: 'added', text: '', newLine: 0 });
});

test('a list longer than the limit is cut', () => {
  const hunks = Array.from({ length: 9000 }, () => ({ state: 'failed' }));
  assert.is(readFacts({ hunks }).hunks.length, 5000);
});

const stamp = (atMs: number): string => new Date(atMs).toISOString();
const said = { atMs: 5000, system: '', opening: 'x' };

test('an interrupted run is reported from its transcript', () => {
  const read = readConversations([
    { type: 'work', work: 'ask\0HEAD' },
    ask(1, said),
    reply(1, {}, 700),
  ]);
  const outcome = brokenOff('01A', read, stamp);
  assert.is(outcome?.task, 'ask');
  assert.is(outcome?.startedAt, '1970-01-01T00:00:05.000Z');
  assert.is(outcome?.durationMs, 700);
  assert.is(outcome?.model.promptTokens, 1130);
  assert.is(outcome?.complete, false);
});

test('an unreadable transcript is not a run', () => {
  assert.is(brokenOff('01A', readConversations([{ nonsense: true }]), stamp), undefined);
});

test.run();
