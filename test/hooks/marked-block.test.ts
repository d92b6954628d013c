import * as assert from 'uvu/assert';
import { addBlock, insertAtEnd, removeBlock } from '../../src/hooks/marked-block.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/marked-block');

const block = { hook: 'pre-commit', lines: ['one', '  two'] } as const;

const texts: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a text with a final line end': 'a\nb\n',
  'a text without one': 'a\nb',
  'a text that ends in blank lines': 'a\n\n\n',
  'a text with CRLF': 'a\r\nb\r\n',
  'a text with CRLF and no final line end': 'a\r\nb',
  'a text with a byte order mark': '\ufeffa\n',
};
for (const [name, text] of Object.entries(texts)) {
  test(`our marked block comes out of ${name} without a trace`, () => {
    const added = addBlock(text, insertAtEnd(text), block);
    assert.match(added, /# apfel-bot pre-commit: begin [^\r\n]+\r?\none\r?\n {2}two\r?\n# apfel/);
    assert.is(removeBlock(added, 'pre-commit'), text);
  });
}

test('a marked block keeps the line endings of the text around it', () => {
  const added = addBlock('a\r\nb\r\n', { at: 1, pad: '' }, block);
  assert.not.match(added.replaceAll('\r\n', ''), /[\r\n]/);
});

test('a marked block is indented as asked', () =>
  assert.match(
    addBlock('a:\n', { at: 1, pad: '    ' }, block),
    /^a:\n {4}# .*\n {4}one\n {6}two\n/,
  ));

test('a marked block is removed alone when someone wrote around it', () => {
  const added = addBlock('a\n', { at: 1, pad: '' }, block);
  assert.is(removeBlock(`before\n${added}after\n`, 'pre-commit'), 'before\na\nafter\n');
});

test('the marked block of another hook stays', () => {
  const added = addBlock('a\n', { at: 1, pad: '' }, block);
  assert.is(removeBlock(added, 'pre-push'), added);
});

test('a marked block whose end was deleted is left alone', () => {
  const half = addBlock('a\n', { at: 1, pad: '' }, block).replace(
    /# apfel-bot pre-commit: end\n/,
    '',
  );
  assert.is(removeBlock(half, 'pre-commit'), half);
});

test.run();
