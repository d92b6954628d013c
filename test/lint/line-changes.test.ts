import * as assert from 'uvu/assert';
import { lineChanges } from '../../src/lint/compare.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('lint/line-changes');

/** Applies the changes to the old text. */
function apply(before: string, after: string): string {
  const lines = before.split('\n');
  for (const { oldLine, removed, added } of lineChanges(before, after).toReversed()) {
    assert.equal(lines.slice(oldLine - 1, oldLine - 1 + removed.length), removed);
    lines.splice(oldLine - 1, removed.length, ...added);
  }
  return lines.join('\n');
}

test('equal texts have no changes', () => assert.equal(lineChanges('a\nb', 'a\nb'), []));

test('changes in two places are two changes', () => {
  assert.equal(lineChanges('a\nb\nc\nd\ne', 'a\nB\nc\ne'), [
    { oldLine: 2, removed: ['b'], added: ['B'] },
    { oldLine: 4, removed: ['d'], added: [] },
  ]);
});

test('the changes applied to the old text give the new one', () => {
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

const numbered = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${word}${at}`);

test('two large texts with nothing in common are one change', () => {
  const [before, after] = [numbered('a', 20_000), numbered('b', 20_000)];
  mustEnd(() => {
    assert.is(lineChanges(before.join('\n'), after.join('\n')).length, 1);
  });
});

test('edits at both ends of a long text are two changes', () => {
  const lines = numbered('line', 50_000);
  const edited = ['first', ...lines.slice(1, -1), 'last'];
  assert.equal(lineChanges(lines.join('\n'), edited.join('\n')), [
    { oldLine: 1, removed: ['line0'], added: ['first'] },
    { oldLine: 50_000, removed: ['line49999'], added: ['last'] },
  ]);
});

test.run();
