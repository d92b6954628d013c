import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import { fromEvent } from '../../src/diff/event.js';
import { suite } from '../support/suite.js';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const NONE = '0'.repeat(40);

const test = suite('from-event');

test('a pull request is its head against the merge base, never the merge commit', () => {
  const event = {
    pull_request: { number: 7, base: { sha: A }, head: { sha: B }, merge_commit_sha: 'c' },
  };
  const facts = fromEvent(JSON.stringify(event));
  assert.equal(facts.selector, { kind: 'range', from: A, to: B, symmetric: true });
  assert.is(facts.pull, 7);
  assert.is(facts.configBase, A);
});

test('a push means the range from before to after', () => {
  const { selector, configBase } = fromEvent(JSON.stringify({ before: A, after: B }));
  assert.equal(selector, { kind: 'range', from: A, to: B, symmetric: false });
  assert.is(configBase, undefined);
});

test('a merge queue is its range, with the configuration of its base', () => {
  const event = { action: 'checks_requested', merge_group: { base_sha: A, head_sha: B } };
  assert.equal(fromEvent(JSON.stringify(event)), {
    selector: { kind: 'range', from: A, to: B, symmetric: false },
    pull: null,
    configBase: A,
  });
});

for (const [title, event] of [
  ['a new branch', { before: NONE, after: B }],
  ['a deleted branch', { before: A, after: NONE }],
  ['a schedule', { schedule: '0 0 * * *' }],
] as const) {
  test(`${title} falls back to the default selector`, () => {
    assert.equal(fromEvent(JSON.stringify(event)).selector, { kind: 'default' });
  });
}

for (const [title, text] of [
  ['no JSON', '{'],
  ['no object', '[]'],
  ['a revision that is an option', JSON.stringify({ before: '--output=x', after: B })],
  ['a pull request without a head', JSON.stringify({ pull_request: { base: { sha: A } } })],
] as const) {
  test(`${title} is a usage error`, () => {
    assert.throws(
      () => fromEvent(text),
      (error: unknown) => isBotError(error) && error.code === 'usage',
    );
  });
}

test.run();
