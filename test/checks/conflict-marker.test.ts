import * as assert from 'uvu/assert';
import { conflictMarker } from '../../src/checks/conflict-marker.js';
import { suite } from '../support/suite.js';
import { judgeHunks, judgeText, linesOf } from './judge-text.js';

// Put together here so that no tool takes this file for a conflicted one.
const OPEN = '<'.repeat(7);
const BASE = '|'.repeat(7);
const MIDDLE = '='.repeat(7);
const CLOSE = '>'.repeat(7);

const test = suite('checks/conflict-marker');

const cases: ReadonlyArray<readonly [string, readonly string[], readonly number[]]> = [
  ['a whole conflict is one finding', [`+${OPEN} HEAD`, '+a', `+${MIDDLE}`, `+${CLOSE} b`], [1]],
  [
    'the diff3 style is one finding',
    [`+${OPEN} HEAD`, `+${BASE} 1f2e`, `+${MIDDLE}`, `+${CLOSE} b`],
    [1],
  ],
  [
    'two conflicts are two findings',
    [`+${OPEN} a`, `+${CLOSE} b`, `+${OPEN} a`, `+${CLOSE} b`],
    [1, 3],
  ],
  ['a marker with nothing after it counts', [`+${OPEN}`], [1]],
  ['a marker with CRLF counts', [`+${OPEN} HEAD\r`, `+${MIDDLE}\r`], [1]],
  ['a closing marker left over counts', ['+a', `+${MIDDLE}`, `+${CLOSE} b`], [3]],
  ['the added half of an old conflict counts', [` ${OPEN} a`, `+${MIDDLE}`, ` ${CLOSE} b`], [2]],
  ['the added end of an old conflict counts', [` ${OPEN} a`, ` ${MIDDLE}`, `+${CLOSE} b`], [3]],
  [
    'an old conflict in context lines is not reported',
    [` ${OPEN} a`, '+x', ` ${MIDDLE}`, ` ${CLOSE} b`],
    [],
  ],
  [
    'an underlined title after a conflict is not part of it',
    [`+${OPEN} a`, `+${CLOSE} b`, '+Title', `+${MIDDLE}`],
    [1],
  ],
  ['a second end is a second finding', [`+${OPEN} a`, `+${CLOSE} b`, `+${CLOSE} c`], [1, 3]],
  ['a title underlined in Markdown is not a conflict', ['+Install', `+${MIDDLE}`], []],
  ['a ruled table of reStructuredText is not a conflict', [`+${MIDDLE} ${MIDDLE}`, '+a b'], []],
  ['a table without cells is not a conflict', [`+${BASE}`], []],
  ['eight signs are not a marker', [`+${OPEN}<`, `+${CLOSE}>`], []],
  ['six signs are not a marker', [`+${OPEN.slice(1)} HEAD`], []],
  [
    'a marker that is not at the start of the line does not count',
    [`+ ${OPEN} HEAD`, `+# ${CLOSE}`],
    [],
  ],
  ['a marker directly followed by a word does not count', [`+${OPEN}HEAD`, `+${CLOSE}b`], []],
  ['a patch kept as a fixture is not a conflict', [`+-${OPEN} HEAD`, `++${CLOSE} b`], []],
  [
    'an edit block for a model is not a conflict',
    [`+${OPEN} SEARCH`, `+${MIDDLE}`, `+${CLOSE} REPLACE`],
    [],
  ],
  ['a new hunk forgets the one before', [`+${OPEN} a`, '@90', `+${MIDDLE}`], [1]],
];

for (const [title, rows, lines] of cases) {
  test(title, () => assert.equal(linesOf(judgeHunks(conflictMarker, 'src/a.ts', rows)), lines));
}

test('the finding of a conflict covers the seven characters of the marker', () => {
  const [hit] = judgeText(conflictMarker, 'README.md', `${OPEN} HEAD`);
  assert.is(hit?.column, 1);
  assert.is(hit?.endColumn, 8);
});

test('conflict markers are reported in generated and vendored files too', () =>
  assert.is(conflictMarker.guards, true));

const conflict = ['<<<<<<< HEAD', 'a', '=======', 'b', '>>>>>>> topic'];

test('a conflict in a fence of Markdown is an illustration', () => {
  const judge = (path: string, lines: readonly string[]) =>
    linesOf(judgeText(conflictMarker, path, lines.join('\n')));
  assert.equal(judge('docs/a.md', ['```diff', ...conflict, '```']), []);
  assert.equal(judge('docs/a.md', ['```', 'a', '```', ...conflict]), [4]);
  assert.equal(judge('CHANGELOG.md', conflict), [1]);
  assert.equal(judge('a.yml', ['```', ...conflict]), [2]);
});

test('a conflict in a string of a test is data, and elsewhere in it a conflict', () => {
  const judge = (path: string, lines: readonly string[]) =>
    linesOf(judgeText(conflictMarker, path, lines.join('\n')));
  assert.equal(judge('test/merge.test.ts', ['const a = `', ...conflict, '`;']), []);
  assert.equal(judge('src/merge.ts', ['const a = `', ...conflict, '`;']), [2]);
  assert.equal(judge('test/merge.test.ts', conflict), [1]);
});

test('a conflict in the data of tests is a warning', () => {
  const [hit] = judgeText(conflictMarker, 'test/fixtures/merged.txt', conflict.join('\n'));
  assert.is(hit?.severity, 'warning');
});

test.run();
