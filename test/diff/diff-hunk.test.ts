import * as assert from 'uvu/assert';
import { readHunkHeader } from '../../src/diff/hunk.js';
import { suite } from '../support/suite.js';

const test = suite('diff/diff-hunk');

const plain = { otherParents: [], section: '', isCrlf: false };

test('a hunk header may omit a count of one', () => {
  const expected = { oldStart: 3, oldLines: 1, newStart: 4, newLines: 1, ...plain };
  assert.equal(readHunkHeader('@@ -3 +4 @@'), expected);
  assert.equal(readHunkHeader('@@ -3,1 +4,1 @@'), expected);
});

test('the section of a hunk header is what follows, without one blank', () => {
  assert.is(readHunkHeader('@@ -1 +1 @@  indented @@')?.section, ' indented @@');
  assert.is(readHunkHeader('@@ -1 +1 @@close')?.section, 'close');
});

test('a carriage return at the end of a hunk header is not part of the section', () => {
  const header = readHunkHeader('@@ -1 +1 @@ section\r');
  assert.equal([header?.section, header?.isCrlf], ['section', true]);
});

test('a merge has a range for each parent', () => {
  assert.equal(readHunkHeader('@@@@ -1,2 -3 -5,6 +7,8 @@@@ section\r'), {
    oldStart: 1,
    oldLines: 2,
    newStart: 7,
    newLines: 8,
    otherParents: [1, 6],
    section: 'section',
    isCrlf: true,
  });
});

const unreadable = [
  '@@ -1',
  '@@ -1 +1',
  '@@ -1,x +1 @@',
  '@@ -a +1 @@',
  '@@ +1 -1 @@',
  '@@@ -1 +1 @@@',
  '@@ -1 -1 +1 @@',
  '@@@@ -1 -1 +1 @@@@',
  '@@ -9007199254740992 +1 @@',
  '@@ -1 +1,9007199254740992 @@',
  '@@@ -1 -1,9007199254740992 +1 @@@',
];

for (const line of unreadable) {
  test(`${line} is not a hunk header`, () => assert.is(readHunkHeader(line), undefined));
}

test('a hunk header with more than 64 parents is rejected, as in git', () => {
  const merge = (parents: number): string => {
    const marks = '@'.repeat(parents + 1);
    return `${marks}${' -1'.repeat(parents)} +1 ${marks}`;
  };
  assert.is(readHunkHeader(merge(64))?.otherParents.length, 63);
  assert.is(readHunkHeader(merge(65)), undefined);
});

test.run();
