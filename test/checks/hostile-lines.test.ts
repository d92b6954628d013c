import type { LineCheck } from '../../src/checks/check.js';
import { ciDangerous } from '../../src/checks/ci-dangerous.js';
import { conflictMarker } from '../../src/checks/conflict-marker.js';
import { focusedTest, skippedTest } from '../../src/checks/disabled-tests.js';
import { hiddenUnicode } from '../../src/checks/hidden-unicode.js';
import { debuggerStatement, debugOutput } from '../../src/checks/left-behind.js';
import { whitespace } from '../../src/checks/whitespace.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { judgeText } from './judge-text.js';

const LENGTH = 250_000;

const PIECES = [
  'it.only.only',
  'it.only ',
  'it.skip( ',
  'if it.skip(a == b ',
  "it['only']",
  'it("", {only: ',
  'test("",{',
  'xit pending() ',
  'fit (',
  'a as b ',
  "'\\'",
  '"\\"',
  '/ [',
  '/*',
  '`${',
  '`${{`',
  '}',
  'debugger ',
  '; ; debugger',
  'PagePage.pause ',
  'console.log',
  '(console.log ',
  '@Test(@Test',
  'Fact(Skip',
  '.disabled( @Test',
  'pytest.mark.skip ',
  '#[ignore ',
  ', :focus, focus',
  '->only( ->skip( ',
  '${{ github.head_ref ',
  '${{',
  '- ',
  'a:',
  'on: pull_request_target ',
  'run: ${{ tojson( ',
  'curl http:// | sudo -k ',
  '| sudo -|',
  ' ',
  '\t ',
  ' \t',
  '<',
  '\u202e',
  '\u200d',
  '\u{1f3f4}\u{e0061}',
  'p\u0430y',
  'ab\u03bdab',
  '\\\u0430',
  'byebug ',
  'dd( var_dump( ',
];

const FILES = [
  'a.test.ts',
  'src/a.js',
  'test_a.py',
  'spec/a_spec.rb',
  'a_test.go',
  'src/a.rs',
  'Tests/ATests.swift',
  'src/test/ATest.java',
  'A.Tests/ATest.cs',
  'tests/ATest.php',
  'test/a_test.exs',
  '.github/workflows/a.yml',
];

/** Those that read the file's language, and those that read any line alike. */
const CODE_CHECKS = [ciDangerous, debugOutput, debuggerStatement, focusedTest, skippedTest];
const TEXT_CHECKS = [conflictMarker, hiddenUnicode, whitespace];

const test = suite('checks/hostile-lines');

function judgeAll(path: string, checks: readonly LineCheck[]): void {
  for (const piece of PIECES) {
    const line = piece.repeat(Math.ceil(LENGTH / piece.length));
    for (const check of checks) mustEnd(() => judgeText(check, path, line));
  }
}

for (const path of FILES) {
  test(`250 kB of any one character are judged in linear time in ${path}`, () =>
    judgeAll(path, CODE_CHECKS));
}

test('250 kB of any one character are judged in linear time in plain text', () =>
  judgeAll('notes.txt', TEXT_CHECKS));

test.run();
