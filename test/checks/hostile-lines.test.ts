import * as assert from 'uvu/assert';
import { ciDangerous } from '../../src/checks/ci-dangerous.js';
import { conflictMarker } from '../../src/checks/conflict-marker.js';
import { debugOutput } from '../../src/checks/debug-output.js';
import { debuggerStatement } from '../../src/checks/debugger.js';
import { focusedTest } from '../../src/checks/focused-test.js';
import { hiddenUnicode } from '../../src/checks/hidden-unicode.js';
import { skippedTest } from '../../src/checks/skipped-test.js';
import { whitespace } from '../../src/checks/whitespace.js';
import { suite } from '../support/suite.js';
import { timeOf } from './judge-text.js';

const LENGTH = 100_000;
/** A line read once takes a few milliseconds; read once per sign it takes many seconds. */
const MOST_MS = 1500;

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

const CHECKS = [
  ciDangerous,
  conflictMarker,
  debugOutput,
  debuggerStatement,
  focusedTest,
  hiddenUnicode,
  skippedTest,
  whitespace,
];

const test = suite('hostile lines');

for (const path of FILES) {
  test(`100 kB of any sign are judged in linear time in ${path}`, () => {
    const slow: string[] = [];
    for (const piece of PIECES) {
      const line = piece.repeat(Math.ceil(LENGTH / piece.length));
      for (const check of CHECKS) {
        const ms = timeOf(check, path, line);
        const [rule = ''] = Object.keys(check.rules);
        if (ms > MOST_MS) slow.push(`${rule} took ${Math.round(ms)} ms for ${JSON.stringify(piece)}`);
      }
    }
    assert.equal(slow, []);
  });
}

test.run();
