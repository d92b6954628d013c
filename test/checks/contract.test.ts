import * as assert from 'uvu/assert';
import type { LineCheck } from '../../src/checks/check.js';
import { ciDangerous } from '../../src/checks/ci-dangerous.js';
import { conflictMarker } from '../../src/checks/conflict-marker.js';
import { focusedTest, skippedTest } from '../../src/checks/disabled-tests.js';
import { hiddenUnicode } from '../../src/checks/hidden-unicode.js';
import { debuggerStatement, debugOutput } from '../../src/checks/left-behind.js';
import { knownRules, severityOf } from '../../src/checks/rules.js';
import { whitespace } from '../../src/checks/whitespace.js';
import { suite } from '../support/suite.js';

/** As users configure them: names and grades are a promise. */
const PROMISED: ReadonlyArray<readonly [LineCheck, string, string, boolean]> = [
  [conflictMarker, 'conflict-marker', 'error', true],
  [hiddenUnicode, 'hidden-unicode/bidi', 'error', true],
  [hiddenUnicode, 'hidden-unicode/zero-width', 'warning', true],
  [hiddenUnicode, 'hidden-unicode/mixed-script', 'warning', true],
  [focusedTest, 'focused-test', 'error', false],
  [ciDangerous, 'ci/dangerous', 'error', false],
  [ciDangerous, 'ci/pipe-to-shell', 'warning', false],
  [ciDangerous, 'ci/unpinned', 'info', false],
  [skippedTest, 'skipped-test', 'warning', false],
  [debuggerStatement, 'debugger', 'warning', false],
  [debugOutput, 'debug-output', 'info', false],
  [whitespace, 'whitespace', 'info', false],
];

const test = suite('checks/contract');

for (const [check, rule, severity, guards] of PROMISED) {
  test(`${rule} is ${severity} by default and ${guards ? 'also' : 'not'} reported in skipped files`, () => {
    assert.is(check.rules[rule], severity);
    assert.is(check.guards, guards);
  });
}

test('the contract lists every rule', () => {
  const rules = new Set(PROMISED.flatMap(([check]) => Object.keys(check.rules)));
  assert.equal([...rules].sort(), PROMISED.map(([, rule]) => rule).sort());
});

/** Rules that need whole files or the tree, and line checks about one kind of file. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  error: [
    'secret/*',
    'invalid/json',
    'invalid/yaml',
    'invalid/toml',
    'invalid/plist',
    'invalid/xml',
    'invalid/strings',
    'invalid/pbxproj',
    'case-collision',
    'private-file',
  ],
  warning: [
    'large-file',
    'new-binary',
    'junk-file',
    'broken-symlink',
    'exec-bit',
    'mixed-line-endings',
    'lfs-pointer',
    'lockfile/missing',
    'lockfile/insecure',
    'package/install-script',
    'duplicate-key',
    'portable-name',
  ],
  info: ['absolute-path'],
};

for (const [severity, rules] of Object.entries(OTHERS)) {
  test(`${rules.join(', ')}: ${severity} by default`, () => {
    for (const rule of rules) assert.is(severityOf(rule), severity, rule);
  });
}

test('there is no rule that the contract does not list', () => {
  const promised = [...PROMISED.map(([, rule]) => rule), ...Object.values(OTHERS).flat()];
  const isKind = (rule: string): boolean => /^secret\/[^*]/.test(rule);
  assert.equal(
    knownRules()
      .filter(rule => !isKind(rule))
      .sort(),
    promised.sort(),
  );
});

test.run();
