import * as assert from 'uvu/assert';
import { yamlValue } from '../../src/hooks/marked-block.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/yaml-insert');

const linesUnder = (text: string, key: string): string[] | string => {
  const lines = text.split('\n');
  const value = yamlValue(lines, key);
  return typeof value === 'string' ? value : lines.slice(value.from, value.to);
};

test('a YAML section ends before the next key, without the blank lines and comments between', () =>
  assert.equal(linesUnder('a:\n  b: 1\n\n  c: 2\n\n# about d\nd: 3\n', 'a'), [
    '  b: 1',
    '',
    '  c: 2',
  ]));

test('a YAML section goes on after a comment with too little indentation', () =>
  assert.equal(linesUnder('a:\n  b: 1\n# note\n  c: 2\nd: 3', 'a'), [
    '  b: 1',
    '# note',
    '  c: 2',
  ]));

test('a YAML section includes list items without indentation', () =>
  assert.equal(linesUnder('repos:\n- one\n- two\nother: 1', 'repos'), ['- one', '- two']));

test('a YAML section includes what looks like a comment in a block of text', () =>
  assert.equal(linesUnder('a:\n  run: |\n    echo\n    # not a comment\nb: 1', 'a').length, 3));

test('a YAML section is found under a quoted key and with a comment beside it', () =>
  assert.equal(linesUnder('"a": # remark\n  b: 1', 'a'), ['  b: 1']));

test('a YAML value on the same line is recognised', () =>
  assert.is(linesUnder('a: { b: 1 }', 'a'), 'inline'));

test('a YAML section is not found under a key that only starts the same, or is nested deeper', () =>
  assert.is(linesUnder('ab:\n  a:\n    c: 1', 'a'), 'absent'));

test('a YAML section has the indentation of its first line', () => {
  const value = yamlValue('a:\n    b: 1'.split('\n'), 'a');
  assert.is(typeof value === 'string' ? value : value.pad, '    ');
});

test.run();
