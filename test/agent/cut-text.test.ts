import * as assert from 'uvu/assert';
import { cutLine, cutText } from '../../src/agent/tokens.js';
import { estimateTokens } from '../../src/model/tokens.js';
import { suite } from '../support/suite.js';

const test = suite('agent/cut-text');
const lines = Array.from({ length: 300 }, (_, at) => `line ${at + 1} of the text`).join('\n');

test('a text that fits is not cut', () => {
  assert.equal(cutText('a\nb', 10), { text: 'a\nb', isCut: false, totalLines: 2, shownLines: 2 });
});

test('a text that does not fit keeps its start and end, counts the rest and says how to see it', () => {
  const cut = cutText(lines, 200, 'read_file with startLine=50');
  assert.ok(cut.isCut);
  assert.match(cut.text, /^line 1 of/);
  assert.match(cut.text, /line 300 of the text$/);
  const missing = cut.totalLines - cut.shownLines;
  assert.ok(
    cut.text.includes(`[… ${missing} of 300 lines not shown; read_file with startLine=50 …]`),
  );
  assert.is(cut.text.split('\n').length, cut.shownLines + 1);
});

test('a cut text never costs more tokens than allowed', () => {
  const texts = [
    lines,
    'x'.repeat(100_000),
    '日本'.repeat(50_000),
    `a\n${'y '.repeat(90_000)}\nb`,
    '\n'.repeat(50_000),
  ];
  for (const text of texts) {
    for (const max of [5, 40, 200, 800]) {
      const { text: kept } = cutText(text, max, 'ask for less');
      assert.ok(
        estimateTokens(kept) <= max,
        `${text.slice(0, 5)} at ${max}: ${estimateTokens(kept)}`,
      );
    }
  }
});

test('a single long line is cut in the middle', () => {
  assert.is(cutLine('short', 10), 'short');
  assert.is(cutLine('one two', estimateTokens('one two…')), 'one two');
  const cut = cutLine('word '.repeat(1000), 20);
  assert.match(cut, /^word .*…$/);
  assert.ok(estimateTokens(cut) <= 20);
});

test.run();
