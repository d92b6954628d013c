import * as assert from 'uvu/assert';
import { lineChanges } from '../../src/lint/compare.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('line-changes');

/** Puts the changes into the old text again. */
function apply(before: string, after: string): string {
  const lines = before.split('\n');
  for (const { oldLine, removed, added } of lineChanges(before, after).toReversed()) {
    assert.equal(lines.slice(oldLine - 1, oldLine - 1 + removed.length), removed);
    lines.splice(oldLine - 1, removed.length, ...added);
  }
  return lines.join('\n');
}

test('equal texts differ nowhere', () => assert.equal(lineChanges('a\nb', 'a\nb'), []));

test('changes in two places are two changes', () => {
  assert.equal(lineChanges('a\nb\nc\nd\ne', 'a\nB\nc\ne'), [
    { oldLine: 2, removed: ['b'], added: ['B'] },
    { oldLine: 4, removed: ['d'], added: [] },
  ]);
});

test('what is said to change makes the new text of the old', () => {
  let seed = 3;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const draw = (): string => Array.from({ length: random(14) }, () => 'abc'[random(3)]).join('\n');
  for (let round = 0; round < 3000; round += 1) {
    const [before, after] = [draw(), draw()];
    assert.is(apply(before, after), after, `${before} → ${after}`);
  }
});

test('two large texts that share nothing are one change, at once', () => {
  const text = (word: string): string =>
    Array.from({ length: 20_000 }, (_, at) => `${word}${at}`).join('\n');
  mustEnd(() => {
    assert.is(lineChanges(text('a'), text('b')).length, 1);
  });
});

test.run();
