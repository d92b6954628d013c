import * as assert from 'uvu/assert';
import type { FindingWithoutId } from '../../src/core/finding.js';
import { codeFrame, suggestionFrame, widthOf } from '../../src/report/code-frame.js';
import { paint } from '../../src/report/style.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { finding } from './sample-outcome.js';

const test = suite('report/code-frame');

const frame = (parts: Partial<FindingWithoutId>, columns = 80): string[] =>
  codeFrame(finding(parts), { columns, paint: paint(false) });

test('carets stand under the columns of the finding', () => {
  assert.equal(frame({ line: 12, evidence: 'let ab = 1;', column: 5, endColumn: 7 }), [
    '12 | let ab = 1;',
    '   |     ^^',
  ]);
});

test('a column without an end gets one caret', () => {
  assert.equal(frame({ evidence: 'abc', column: 2 }), ['1 | abc', '  |  ^']);
});

test('a caret can stand just after the line', () => {
  assert.equal(frame({ evidence: 'abc', column: 4 }), ['1 | abc', '  |    ^']);
});

test('no caret is drawn without a valid column', () => {
  assert.equal(frame({ evidence: 'abc' }), ['1 | abc']);
  assert.equal(frame({ evidence: 'abc', column: 99, endColumn: 120 }), ['1 | abc']);
});

test('an end before the beginning still points at one place', () => {
  assert.equal(frame({ evidence: 'abc', column: 2, endColumn: 1 }), ['1 | abc', '  |  ^']);
});

test('without a quote there is no frame', () => {
  assert.equal(frame({}), []);
  assert.equal(frame({ evidence: '   ' }), []);
});

test('carets mark whitespace that is the finding', () => {
  assert.equal(frame({ evidence: 'a  ', column: 2, endColumn: 4 }), ['1 | a  ', '  |  ^^']);
});

test('carets stay in place under expanded tabs', () => {
  assert.equal(frame({ evidence: '\ta\tb', column: 4, endColumn: 5 }), [
    '1 |     a   b',
    '  |         ^',
  ]);
});

test('wide characters take two columns, before the caret and under it', () => {
  assert.equal(frame({ evidence: '日本 = 語😀;', column: 6, endColumn: 9 }), [
    '1 | 日本 = 語😀;',
    '  |        ^^^^',
  ]);
});

test('marks, flags, skin tones and selectors add no column of their own', () => {
  for (const [text, width] of [
    ['e\u0301', 1],
    ['🇩🇪', 2],
    ['👍🏽', 2],
    ['❤\ufe0f', 2],
    ['한글', 4],
    ['ｆ', 2],
    ['a\u200db', 8],
    ['a\ufe0f', 7],
  ] as const) {
    assert.is(widthOf(text), width, text);
  }
});

test('control characters are visible and counted as shown', () => {
  assert.equal(frame({ evidence: '\x1b[A;', column: 4, endColumn: 5 }), [
    '1 | \\x1b[A;',
    '  |       ^',
  ]);
});

test('the return of a CRLF line is not shown, unless it is what is meant', () => {
  assert.equal(frame({ evidence: 'ab\r', column: 1, endColumn: 3 }), ['1 | ab', '  | ^^']);
  assert.equal(frame({ evidence: 'ab\r', column: 3, endColumn: 4 }), ['1 | ab\\r', '  |   ^^']);
});

test('a long line is cut around the caret to the width given', () => {
  const evidence = `${'a'.repeat(200)}HERE${'b'.repeat(200)}`;
  const [line = '', caret = ''] = frame({ evidence, column: 201, endColumn: 205 }, 60);
  assert.is(line.length, 60);
  assert.match(line, /^1 \| …a+HEREb+…$/);
  assert.is(caret.indexOf('^^^^'), line.indexOf('HERE'));
});

test('a caret far into a long line stays under its text', () => {
  const evidence = `${'a'.repeat(2000)}HERE${'b'.repeat(2000)}`;
  const [line = '', caret = ''] = frame({ evidence, column: 2001, endColumn: 2005 }, 60);
  assert.is(caret.indexOf('^^^^'), line.indexOf('HERE'));
  assert.ok(line.includes('HERE'), line);
});

test('a long line is cut only where it must be', () => {
  const evidence = `HERE${'b'.repeat(200)}`;
  assert.match(frame({ evidence, column: 1, endColumn: 5 }, 60)[0] ?? '', /^1 \| HEREb+…$/);
  const end = `${'a'.repeat(200)}HERE`;
  const [cut = ''] = frame({ evidence: end, column: 201, endColumn: 205 }, 60);
  assert.match(cut, /…a+HERE$/);
  assert.is(cut.length, 60);
});

test('a line that just fits is shown in full, and a caret stays under its text', () => {
  const evidence = `##[${'a'.repeat(52)}HERE`;
  const [line, caret] = frame({ evidence, column: 56, endColumn: 60 }, 64);
  assert.is(line, `1 | ##\\[${'a'.repeat(52)}HERE`);
  assert.is(caret, `  | ${' '.repeat(56)}^^^^`);
  const [cut = ''] = frame({ evidence: `${evidence}b`, column: 1 }, 64);
  assert.match(cut, /a…$|HER?…$|HERE…$/);
  assert.is(widthOf(cut), 64);
});

test('a cut line of wide characters does not overflow', () => {
  for (const column of [1, 50, 120, 199]) {
    const [line = ''] = frame({ evidence: '語'.repeat(200), column, endColumn: column + 1 }, 51);
    assert.ok(widthOf(line) <= 51, String(widthOf(line)));
  }
});

test('carets of a range over several lines run to the end of the first', () => {
  const parts = { evidence: 'ab cd\nef', line: 9, endLine: 10, column: 4, endColumn: 2 };
  assert.equal(frame(parts), [' 9 | ab cd', '   |    ^^', '10 | ef']);
});

test('line numbers of different lengths are aligned', () => {
  assert.equal(frame({ evidence: 'a\nb', line: 8 }), ['8 | a', '9 | b']);
  assert.equal(frame({ evidence: 'a\nb', line: 9 }), [' 9 | a', '10 | b']);
});

test('a quote of many lines is cut and counted', () => {
  const lines = frame({ evidence: 'x\n'.repeat(20) });
  assert.is(lines.length, 7);
  assert.is(lines.at(-1), '… 14 more');
});

test('a suggestion shows its text, or what it deletes', () => {
  const style = { columns: 80, paint: paint(false) };
  assert.equal(suggestionFrame({ startLine: 9, endLine: 9, text: 'a\nb\n' }, style), [
    ' 9 + a',
    '10 + b',
  ]);
  assert.equal(suggestionFrame({ startLine: 3, endLine: 5, text: '' }, style), ['delete 3-5']);
});

test('findings on lines of 400 kB are drawn in linear time', () => {
  for (const unit of ['a', '\t', '語', '\u0301', '\x1b', '##[', '🇩', '\ufe0f', '\ud800']) {
    const evidence = unit.repeat(400_000 / unit.length);
    for (let column = 1; column < 360_000; column += 36_000) {
      mustEnd(() => frame({ evidence, column }));
    }
  }
});

test.run();
