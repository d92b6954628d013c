import * as assert from 'uvu/assert';
import type { Diagnostic, Fix, TextEdit, Unit } from '../../src/core/diagnostic.js';
import { applyFix } from '../../src/fix/order.js';
import { anchorDiagnostics } from '../../src/lint/anchor.js';
import { addSuggestions, offsetFix, placeEdit, wholeFix } from '../../src/lint/read-fix.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('lint/anchor-diagnostics');

const diagnostic = (more: Partial<Diagnostic>): Diagnostic => ({
  tool: 't',
  rule: 'r',
  path: 'a.js',
  unit: 'utf16',
  severity: 'error',
  message: 'm',
  ...more,
});

function anchor(text: string, more: Partial<Diagnostic>): Diagnostic {
  const [anchored] = anchorDiagnostics([diagnostic(more)], () => text);
  if (anchored === undefined) throw new Error('nothing anchored');
  return anchored;
}

const fix = (...edits: TextEdit[]): Fix => ({ description: 'fix', edits });

/** The text after the fix, given as a report gives it. */
function repaired(text: string, unit: Unit, ...edits: TextEdit[]): string | undefined {
  const anchored = anchor(text, { unit, line: 1, fix: fix(...edits) });
  return anchored.fix && applyFix(text, anchored.fix);
}

const EMOJI = 'let é = "😀"; x;\n';

for (const [unit, column] of [
  ['utf16', 15],
  ['codepoint', 14],
  ['byte', 18],
] as const) {
  test(`a column in ${unit} finds the x after an emoji`, () => {
    const { column: found, unit: now } = anchor(EMOJI, { unit, line: 1, column });
    assert.equal([found, now, EMOJI[(found ?? 0) - 1]], [15, 'utf16', 'x']);
  });
}

test('offsets in bytes become lines and columns', () => {
  const text = `é\n${EMOJI}`;
  const start = new TextEncoder().encode('é\nlet é = "😀"; ').length;
  const anchored = anchor(text, { unit: 'byte', span: { start, end: start + 1 } });
  const { line, column, endLine, endColumn, span } = anchored;
  assert.equal([line, column, endLine, endColumn, span], [2, 15, 2, 16, undefined]);
});

test('the anchor is the line with its whitespace collapsed', () => {
  assert.is(anchor('a\n\t if (x)   y;\r\n', { line: 2 }).anchor, 'if (x) y;');
});

test('a place past the end of the file is dropped, and the diagnostic stays', () => {
  const { line, anchor: text } = anchor('a\n', { line: 9, column: 1 });
  assert.equal([line, text], [undefined, undefined]);
});

test('a diagnostic of a file without text stays as it is', () => {
  const given = diagnostic({ unit: 'byte', line: 3, column: 4 });
  assert.equal(
    anchorDiagnostics([given], () => undefined),
    [given],
  );
});

const replace = (start: number, end: number, text: string): TextEdit => ({
  range: { start, end },
  text,
});
type Spot = readonly [line: number, column: number];
const between = (
  [startLine, startColumn]: Spot,
  [endLine, endColumn]: Spot,
  text: string,
): TextEdit => ({
  range: { startLine, startColumn, endLine, endColumn },
  text,
});

test('an offset from ESLint excludes the byte-order mark, and the mark stays', () => {
  assert.is(repaired('\ufeffabc', 'utf16', replace(1, 2, 'X')), '\ufeffaXc');
});

test('an offset in bytes includes the byte-order mark', () => {
  assert.is(repaired('\ufeffabc', 'byte', replace(4, 5, 'X')), '\ufeffaXc');
});

test('a fix may remove the last line, with and without a line feed at its end', () => {
  for (const text of ['a\nb\n', 'a\nb']) {
    assert.is(repaired(text, 'codepoint', between([2, 1], [3, 1], '')), 'a\n');
  }
});

test('inserted text gets the line endings of the file', () => {
  assert.is(repaired('a\r\nb\r\n', 'utf16', between([1, 2], [1, 2], '\nx')), 'a\r\nx\r\nb\r\n');
});

test('several edits are applied together, insertions at one place in their order', () => {
  const edits = [replace(4, 4, '1'), replace(0, 1, 'A'), replace(4, 4, '2')];
  assert.is(repaired('a bc', 'utf16', ...edits), 'A bc12');
});

test('edits that overlap, end before they start or point past the end are not applied', () => {
  assert.is(repaired('abcd', 'utf16', replace(0, 2, ''), replace(1, 3, '')), undefined);
  assert.is(repaired('abcd', 'utf16', replace(3, 2, '')), undefined);
  assert.is(repaired('abcd', 'utf16', replace(0, 1, ''), replace(3, 9, '')), undefined);
  assert.is(repaired('😀', 'byte', replace(1, 4, '')), undefined, 'inside a character');
});

test('a fix that was never anchored is not applied', () => {
  assert.is(applyFix('abc', fix(between([1, 1], [1, 2], 'x'))), undefined);
});

test('an edit without one of its numbers is not read, and its fix neither', () => {
  const whole = { startLine: 1, startColumn: 2, endLine: 3, endColumn: 4 };
  const read = placeEdit(whole, 'x');
  assert.equal(read, { range: whole, text: 'x' });
  assert.is(placeEdit(whole, null)?.text, '', 'a deletion');
  for (const key of Object.keys(whole)) {
    assert.is(placeEdit({ ...whole, [key]: 0 }, 'x'), undefined, key);
  }
  assert.equal(wholeFix('d', [read]), { description: 'd', edits: [read] });
  assert.is(wholeFix('d', [read, undefined]), undefined);
  assert.is(wholeFix('d', []), undefined);
  const fixed = offsetFix({ range: [0, 1], text: '' }, 'd');
  assert.equal(fixed, { description: 'd', edits: [replace(0, 1, '')] });
  for (const each of [
    { range: [0], text: '' },
    { range: [null, 1], text: '' },
    { range: [0, 1] },
  ]) {
    assert.is(offsetFix(each, 'd'), undefined, JSON.stringify(each));
  }
});

test('suggestions from a second report are added only to the same diagnostic', () => {
  const offer = [fix(replace(0, 1, 'x'))];
  const known = [diagnostic({ line: 1, column: 2 }), diagnostic({ line: 1, column: 3 })];
  const richer = [diagnostic({ line: 1, column: 3, suggestions: offer, docs: 'd' })];
  assert.equal(
    addSuggestions(known, richer).map(each => [each.suggestions, each.docs]),
    [
      [undefined, undefined],
      [offer, 'd'],
    ],
  );
});

test('thousands of offsets into a large file are found in one pass', () => {
  const text = 'let é = "😀";\n'.repeat(20_000);
  mustEnd(() => {
    const many = Array.from({ length: 5000 }, (_, at) =>
      diagnostic({ unit: 'byte', span: { start: at * 60, end: at * 60 + 1 } }),
    );
    anchorDiagnostics(many, () => text);
  });
});

test.run();
