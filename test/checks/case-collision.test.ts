import * as assert from 'uvu/assert';
import { caseCollisions } from '../../src/checks/file-rules.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

type Case = readonly [
  string,
  readonly string[],
  readonly string[],
  ReadonlyArray<readonly [string, string]>,
];

const cases: readonly Case[] = [
  ['a file that differs in case', ['Readme.md'], ['README.md'], [['Readme.md', 'README.md']]],
  ['names that differ by more', ['readme.txt'], ['README.md'], []],
  ['the added file itself in the tree', ['a.ts'], ['a.ts', 'b.ts'], []],
  ['two added files', ['a.ts', 'A.ts'], ['a.ts', 'A.ts'], [['A.ts', 'a.ts']]],
  ['a folder', ['Src/new.ts'], ['src/old.ts'], [['Src/new.ts', 'src']]],
  ['a folder with many files is named once', ['Src/a', 'Src/b'], ['src/a'], [['Src/a', 'src']]],
  ['a folder further down', ['a/B/c'], ['a/b/d'], [['a/B/c', 'a/b']]],
  ['a file and a folder', ['Docs'], ['docs/a.md'], [['Docs', 'docs']]],
  ['a folder and a file', ['docs/a.md'], ['Docs'], [['docs/a.md', 'Docs']]],
  ['an old collision is not this change', ['c'], ['a', 'A', 'b/c', 'B/c'], []],
  ['a file in folders that collided before', ['Src/a'], ['Src/b', 'src/a'], [['Src/a', 'src/a']]],
  ['a new file beside that', ['Src/c'], ['Src/b', 'src/a'], []],
  ['composed and decomposed letters', ['caf\u00e9'], ['cafe\u0301'], [['caf\u00e9', 'cafe\u0301']]],
  ['both differences at once', ['CAFE\u0301'], ['caf\u00e9'], [['CAFE\u0301', 'caf\u00e9']]],
  ['capitals beyond ASCII', ['\u00c4.md'], ['\u00e4.md'], [['\u00c4.md', '\u00e4.md']]],
  ['both small sigmas', ['\u039f\u03a3'], ['\u03bf\u03c3'], [['\u039f\u03a3', '\u03bf\u03c3']]],
  ['sharp s', ['stra\u00dfe'], ['STRASSE'], [['stra\u00dfe', 'STRASSE']]],
  ['a ligature', ['\ufb01le'], ['file'], [['\ufb01le', 'file']]],
  ['a long s', ['\u017frc'], ['src'], [['\u017frc', 'src']]],
  ['a sign that HFS+ ignores', ['re\u200dadme'], ['readme'], [['re\u200dadme', 'readme']]],
  ['accents are letters of their own', ['cafe'], ['caf\u00e9'], []],
  ['bytes that are not UTF-8', ['a\udcff'], ['a\udcfe', 'A\udcff'], [['a\udcff', 'A\udcff']]],
  ['nothing added', [], ['a', 'A'], []],
];

const test = suite('checks/case-collision');

for (const [title, added, all, expected] of cases) {
  test(`${expected.length === 0 ? 'no collision' : 'a collision'} is reported for this case: ${title}`, () => {
    const found = caseCollisions(added, all).map(({ path, other }) => [path, other]);
    assert.equal(found, expected);
  });
}

test('50,000 paths are compared in linear time', () => {
  const all = Array.from({ length: 50_000 }, (_, at) => `packages/p${at % 500}/src/File${at}.ts`);
  mustEnd(() => {
    assert.is(caseCollisions(['packages/p1/src/file1.ts'], all).length, 1);
  });
});

test.run();
