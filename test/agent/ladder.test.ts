import * as assert from 'uvu/assert';
import { Ladder, type Rung, type Trouble } from '../../src/agent/ladder.js';
import { guided } from '../../src/agent/protocol-guided.js';
import { native } from '../../src/agent/protocol-native.js';
import { plainText } from '../../src/agent/protocol-text.js';
import { suite } from '../support/suite.js';

const test = suite('ladder');
const ladder = () => new Ladder([guided, native, plainText], 3);

const climb = (on: Ladder, troubles: readonly Trouble[]): Rung[] =>
  troubles.map(trouble => on.failed(trouble));

test('bad replies: nudge, nudge, next protocol, and stop after the last', () => {
  assert.equal(climb(ladder(), Array<Trouble>(9).fill('bad-reply')), [
    ...['nudge', 'nudge', 'fall'],
    ...['nudge', 'nudge', 'fall'],
    ...['nudge', 'nudge', 'stop'],
  ]);
});

test('blocks are reworded, and the last protocol is patient with them', () => {
  const rungs = climb(ladder(), Array<Trouble>(14).fill('blocked'));
  assert.equal(rungs.slice(0, 4), ['reword', 'fall', 'reword', 'fall']);
  assert.equal(rungs.slice(4), [...Array<Rung>(9).fill('reword'), 'stop']);
});

test('troubles of different kinds do not add up to one', () => {
  assert.equal(climb(ladder(), ['blocked', 'bad-reply', 'cut', 'not-done', 'bad-call']), [
    ...['reword', 'nudge', 'nudge', 'nudge', 'nudge'],
  ]);
});

test('a good reply starts the ladder again, from the best protocol that still works', () => {
  const on = ladder();
  climb(on, ['blocked', 'blocked']);
  assert.equal([on.protocol.name, on.streak], ['native', 2]);
  on.succeeded();
  assert.equal([on.protocol.name, on.streak, on.failures, on.wording], ['guided', 0, 2, 2]);
  climb(on, ['rejected']);
  on.succeeded();
  assert.is(on.protocol.name, 'native');
});

test('a server that is gone is not asked in another protocol', () => {
  assert.equal(climb(ladder(), ['gone']), ['stop']);
  assert.equal(climb(ladder(), ['died', 'died', 'died']), ['reword', 'reword', 'stop']);
});

test('without a protocol there is no conversation', () => {
  assert.throws(() => new Ladder([], 3).protocol, /at least one protocol/);
});

test.run();
