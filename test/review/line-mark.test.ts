import * as assert from 'uvu/assert';
import { fitsMark, lineMark, parseMark, showPart } from '../../src/review/chunk.js';
import { suite } from '../support/suite.js';

const test = suite('line-mark');

test('a changed line is shown with sign, number, check and text', () => {
  const { text } = showPart({
    path: 'a.ts',
    hunk: 1,
    section: '',
    lines: [
      { kind: 'removed', oldLine: 12, text: 'x' },
      { kind: 'added', newLine: 12, text: 'const a = 1;' },
      { kind: 'context', oldLine: 13, newLine: 13, text: 'y' },
    ],
  });
  assert.match(text, /^file a\.ts\n-\| x\n\+12#[a-z0-9]{2,4}\| const a = 1;\n 13\| y$/);
});

test('the mark of a line fits its text and, but for chance, no other', () => {
  const texts = Array.from({ length: 2000 }, (_, at) => `  const value${at} = ${at * 7};`);
  const mark = parseMark(lineMark(5, texts[5] ?? ''));
  assert.ok(mark);
  assert.ok(fitsMark(mark, texts[5] ?? ''));
  const others = texts.filter((text, at) => at !== 5 && fitsMark(mark, text)).length;
  assert.ok(others <= 12, `${others} of 1999 other lines share two characters`);
});

test('white space at the end of a line does not change its mark', () => {
  assert.is(lineMark(3, 'a = 1;  \r'), lineMark(3, 'a = 1;'));
  assert.is.not(lineMark(3, '  a = 1;'), lineMark(3, 'a = 1;'));
});

test('a mark is read in the ways models write it', () => {
  const wanted = { line: 12, check: 'k7' };
  for (const said of [
    '12#k7',
    '+12#k7',
    '+12#k7| const a = 1;',
    ' 12#K7 ',
    'line 12#k7',
    'L12#k7',
  ]) {
    assert.equal(parseMark(said), wanted, said);
  }
  assert.equal(parseMark('12'), { line: 12, check: undefined });
  assert.equal(parseMark('line 12'), { line: 12, check: undefined });
});

test('what is no mark is none', () => {
  for (const said of [
    '',
    'k7',
    '#k7',
    '0#k7',
    'twelve',
    '12#',
    '12#abcdef',
    '123456789#k7',
    '-3',
  ]) {
    assert.is(parseMark(said), undefined, said);
  }
});

test('a number without its check never fits', () => {
  assert.not.ok(fitsMark({ line: 1, check: undefined }, 'text'));
});

test('a long hostile line is read at once', () => {
  assert.is(parseMark(`${' '.repeat(100_000)}12#k7`), undefined);
  assert.match(lineMark(1, 'x'.repeat(100_000)), /^1#/);
});

test.run();
