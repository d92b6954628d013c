import * as assert from 'uvu/assert';
import { pathOfName, readGitNames, readName, withoutPrefixes } from '../../src/diff/name.js';
import { suite } from '../support/suite.js';

const test = suite('diff/diff-name');

const gitNames: ReadonlyArray<readonly [string, string, string]> = [
  ['a/x b/x', 'x', 'x'],
  ['a/x b/x b/x b/x', 'x b/x', 'x b/x'],
  ['a/  b/ ', ' ', ' '],
  ['a/one b/two', 'one', 'two'],
  ['"a/\\303\\244" "b/\\303\\244"', '\xc3\xa4', '\xc3\xa4'],
  ['"a/\\"" b/plain name', '"', 'plain name'],
  ['a/plain name "b/\\\\"', 'plain name', '\\'],
  ['i/x w/x', 'x', 'x'],
  ['1/left 2/right', 'left', 'right'],
  ['src/x src/x', 'src/x', 'src/x'],
  ['x x', 'x', 'x'],
  ['a/x a/x', 'a/x', 'a/x'],
  ['a/one a/two', 'a/one', 'a/two'],
  ['old/deep/x y new/deep/x y', 'deep/x y', 'deep/x y'],
  ['before/x y z/x y', 'x y', 'x y'],
  ['src://x y/z dst://x y/z', 'x y/z', 'x y/z'],
];

for (const [line, oldName, newName] of gitNames) {
  test(`both names are read from: diff --git ${line}`, () => {
    assert.equal(readGitNames(line), { old: oldName, new: newName });
  });
}

for (const line of ['a/one two b/three four', 'a/x', '']) {
  test(`no names are read where they are ambiguous: diff --git ${line}`, () => {
    assert.is(readGitNames(line), undefined);
  });
}

test('escapes in a quoted name are decoded', () => {
  assert.is(readName('"\\a\\b\\f\\n\\r\\t\\v\\\\\\"\\1018"'), '\x07\b\f\n\r\t\v\\"A8');
});

test('an escape larger than a byte is cut to one byte', () => {
  assert.is(readName('"\\777"'), '\xff');
});

test('a plain name ends at a tab, a quoted one at its quotation mark', () => {
  assert.is(readName('with space\t2024-01-01'), 'with space');
  assert.is(readName('"with \\t tab"\t2024-01-01'), 'with \t tab');
  assert.is(readName('"not closed'), '"not closed');
});

test('if one side is missing, only the letter of the other side counts as a prefix', () => {
  assert.equal(withoutPrefixes({ old: undefined, new: 'b/x' }), { old: undefined, new: 'x' });
  assert.equal(withoutPrefixes({ old: undefined, new: 'a/x' }), { old: undefined, new: 'a/x' });
  assert.equal(withoutPrefixes({ old: 'a/x', new: undefined }), { old: 'x', new: undefined });
  assert.equal(withoutPrefixes({ old: 'b/x', new: undefined }), { old: 'b/x', new: undefined });
});

test('names never start with a slash', () => {
  assert.equal(withoutPrefixes({ old: '/p/x', new: '/p/y' }), { old: 'p/x', new: 'p/y' });
});

test('bytes become a path, and bytes that are not UTF-8 are kept one by one', () => {
  assert.is(pathOfName('plain'), 'plain');
  assert.is(pathOfName('\xc3\xa4'), 'ä');
  assert.is(pathOfName('\xc3\xa4\xff\xc3'), 'ä\udcff\udcc3');
});

test.run();
