import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { compareDiagnostics, lineMap, type Moved } from '../../src/lint/compare.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('lint/compare');

const complaint = (line: number, anchor: string, message = 'No console.'): Diagnostic => ({
  tool: 'eslint',
  rule: 'no-console',
  path: 'a.js',
  unit: 'utf16',
  severity: 'error',
  line,
  column: 1,
  anchor,
  message,
});

const lines = (diagnostics: readonly Diagnostic[]): Array<number | undefined> =>
  diagnostics.map(({ line }) => line);

const allEdited: Moved = () => undefined;

/** Lines as [fixed, remaining, introduced]. */
function compare(before: Diagnostic[], after: Diagnostic[], moved = allEdited): unknown[] {
  const { fixed, introduced } = compareDiagnostics(before, after, moved);
  const remaining = after.filter(each => !introduced.includes(each));
  return [lines(fixed), lines(remaining), lines(introduced)];
}

test('when nothing changed, every diagnostic remains', () => {
  const all = [complaint(1, 'a'), complaint(2, 'b')];
  assert.equal(compare(all, all), [[], [1, 2], []]);
});

test('a diagnostic that only moved remains', () => {
  assert.equal(compare([complaint(5, 'a')], [complaint(9, 'a')]), [[], [9], []]);
});

test('among equal diagnostics the text of the line decides which one is fixed', () => {
  const before = [complaint(1, 'f();'), complaint(2, 'g();'), complaint(3, 'h();')];
  const after = [complaint(1, 'f();'), complaint(2, 'h();')];
  assert.equal(compare(before, after), [[2], [1, 2], []]);
});

test('among diagnostics whose lines were all edited an equal message decides which one is fixed', () => {
  const before = [complaint(1, 'a * 42', 'No number: 42.'), complaint(3, 'q+77', 'No number: 77.')];
  const after = [complaint(4, 'q + 77', 'No number: 77.')];
  assert.equal(compare(before, after), [[1], [4], []]);
});

test('among diagnostics on equal lines the line map decides which one is fixed', () => {
  const before = [complaint(10, 'f();'), complaint(20, 'f();')];
  const after = [complaint(15, 'f();')];
  // Either line 10 was edited, or lines were inserted above and line 20 is gone.
  const tenGone = lineMap(text(20, {}), text(20, { 10: 'x' }));
  assert.equal(
    compare(before, [complaint(20, 'f();')], (_, line) => tenGone(line)),
    [[10], [20], []],
  );
  assert.equal(
    compare(before, after, (_, line) => (line < 20 ? line + 5 : undefined)),
    [[20], [15], []],
  );
});

const text = (count: number, changed: Record<number, string>): string =>
  Array.from({ length: count }, (_, at) => changed[at + 1] ?? `line ${at + 1}`).join('\n');

test('fixing one diagnostic of a line leaves the other as remaining, not as new', () => {
  const before = [
    complaint(1, 'var a = b == c;', 'No var.'),
    complaint(1, 'var a = b == c;', 'Use ===.'),
  ];
  const after = [complaint(1, 'let a = b == c;', 'Use ===.')];
  assert.equal(compare(before, after), [[1], [1], []]);
});

test('trading a diagnostic for an equal one elsewhere fixes nothing', () => {
  assert.equal(compare([complaint(5, 'f();')], [complaint(80, 'g();')]), [[], [80], []]);
});

test('a new kind of diagnostic counts as introduced, and so does one more of the same', () => {
  const before = [complaint(5, 'f();')];
  const after = [complaint(5, 'f();'), complaint(6, 'g();'), complaint(7, 'h', 'Unused h.')];
  assert.equal(compare(before, after), [[], [5], [6, 7]]);
});

test('a diagnostic whose message only has a smaller number is not fixed', () => {
  const [before, after] = [
    complaint(5, 'f', 'Complexity 30.'),
    complaint(5, 'f', 'Complexity 25.'),
  ];
  assert.equal(compare([before], [after]), [[], [5], []]);
});

test('diagnostics without a line are compared too', () => {
  const { line: _, column, anchor, ...whole } = complaint(1, '');
  assert.equal(compareDiagnostics([whole, whole], [whole], allEdited).fixed.length, 1);
});

test('one kind of diagnostic is either fixed or introduced, as often as their numbers differ', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const draw = (): Diagnostic[] =>
    Array.from({ length: random(12) }, () =>
      complaint(random(6) + 1, `text ${random(3)}`, `m${random(3)}`),
    );
  for (let round = 0; round < 2000; round += 1) {
    const [before, after] = [draw(), draw()];
    const moved = round % 2 === 0 ? allEdited : (_: string, line: number) => line % 3 || undefined;
    const { fixed, introduced } = compareDiagnostics(before, after, moved);
    assert.is(before.length - fixed.length, after.length - introduced.length);
    const both = fixed.filter(one => introduced.some(other => one.message === other.message));
    assert.equal(both, []);
  }
});

test('the line map covers lines before, in and after an edit', () => {
  const map = lineMap('a\nb\nc\nd', 'a\nX\nY\nZ\nd');
  assert.equal([1, 2, 3, 4].map(map), [1, undefined, undefined, 5]);
  const replaced = lineMap('a\nb\nc', 'a\nX\nY\nc');
  assert.equal([1, 2, 3].map(replaced), [1, undefined, 4]);
  assert.equal([1, 2, 3].map(lineMap('a\nb\nc', 'a\nX\nc')), [1, 2, 3]);
  const same = lineMap('a\na\na', 'a\na');
  assert.equal([1, 2, 3].map(same), [1, 2, undefined]);
});

test('ten thousand equal diagnostics are compared in linear time', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => complaint(at + 1, 'f();'));
  mustEnd(() => {
    compareDiagnostics(many, many.slice(1), (_, line) => line);
  });
});

test.run();
