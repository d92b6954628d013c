import * as assert from 'uvu/assert';
import { yamlValue } from '../../src/hooks/marked-block.js';
import { suite } from '../support/suite.js';

const test = suite('a place in YAML');

const linesUnder = (text: string, key: string): string[] | string => {
  const lines = text.split('\n');
  const value = yamlValue(lines, key);
  return typeof value === 'string' ? value : lines.slice(value.from, value.to);
};

test('ends where the next key begins, blank lines and comments between them left out', () =>
  assert.equal(linesUnder('a:\n  b: 1\n\n  c: 2\n\n# about d\nd: 3\n', 'a'), [
    '  b: 1',
    '',
    '  c: 2',
  ]));

test('goes on behind a comment that stands too far out', () =>
  assert.equal(linesUnder('a:\n  b: 1\n# note\n  c: 2\nd: 3', 'a'), [
    '  b: 1',
    '# note',
    '  c: 2',
  ]));

test('includes list items that stand below their key', () =>
  assert.equal(linesUnder('repos:\n- one\n- two\nother: 1', 'repos'), ['- one', '- two']));

test('includes what looks like a comment in a block of text', () =>
  assert.equal(linesUnder('a:\n  run: |\n    echo\n    # not a comment\nb: 1', 'a').length, 3));

test('is found under a quoted key and beside a remark', () =>
  assert.equal(linesUnder('"a": # remark\n  b: 1', 'a'), ['  b: 1']));

test('is recognised when the value stands in the same line', () =>
  assert.is(linesUnder('a: { b: 1 }', 'a'), 'inline'));

test('is not found under a key that only begins alike, or stands deeper', () =>
  assert.is(linesUnder('ab:\n  a:\n    c: 1', 'a'), 'absent'));

test('stands as far in as its first line', () => {
  const value = yamlValue('a:\n    b: 1'.split('\n'), 'a');
  assert.is(typeof value === 'string' ? value : value.pad, '    ');
});

test.run();
