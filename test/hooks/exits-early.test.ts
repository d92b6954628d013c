import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { exitsEarly, isShellScript } from '../../src/hooks/husky.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/exits-early');

/** What a shell itself does with a line behind it. */
const isReached = (text: string): boolean =>
  spawnSync('sh', ['-c', `${text}\necho "reached the end"`], { encoding: 'utf8' }).stdout.includes(
    'reached the end',
  );

const leaving = [
  'exit',
  'exit 0\n# done\n\n',
  'echo own; exit 0',
  'echo own && exit',
  'true && echo a && exit 0',
  'echo own;exit',
  'exec true',
  'exec env true',
  '  exit 0',
  'A=1 exec true',
  'x=$(echo ")"); exit',
  'cat <<END\nexit\nEND\nexit 0',
  "cat <<-'END'\n\ttext\n\tEND\nexit 0",
  'f() {\n  echo a\n}\nf\nexit 0',
  'if true; then\n  echo a\nfi\nexit 0',
  'case a in\n  a) echo a;;\n  (b) exit;;\nesac\nexit 0',
  'echo \\\n  a; exit',
  'true &&\n  exit 0',
  'echo "$(echo "a b")"; exit',
  'exit 0 # apfel-bot\necho never',
];
for (const text of leaving) {
  test(`a script with ${JSON.stringify(text)} exits before its end`, () => {
    assert.not(isReached(text), 'the shell thinks otherwise');
    assert.ok(exitsEarly(text));
  });
}

const staying = [
  '',
  'echo exit',
  'true || exit 1',
  'echo a || exit 1',
  '[ -n "" ] && exit 0',
  '[ -n "" ] && exit 0\necho more',
  'test -n "" && exit 0',
  '! true && exit 0',
  'if false; then\n  exit 0\nfi',
  'if false; then exit 0; fi',
  'for x in; do exit 1; done',
  'case a in\n  b) exit 0;;\nesac',
  'f() {\n  return 0\n}\nf',
  'f() { exit 1; }',
  '(exit 0)',
  '( echo a; exit 0 )',
  'x=$(exit 1) || true',
  'echo "; exit"',
  '# exit 0',
  'echo a # ; exit 0',
  'exec 2>&1',
  'exec < /dev/null',
  'exec 3>/dev/null 2>&1',
  'echo exit 2>&1 | cat',
  'exiting=1',
  'echo a && \\\necho exit',
  'true | exit',
  'false && exit 0\necho more',
];
for (const text of staying) {
  test(`a script with ${JSON.stringify(text)} reaches its end`, () => {
    assert.ok(isReached(text), 'the shell thinks otherwise');
    assert.not(exitsEarly(text));
  });
}

for (const text of ['while false; do\nexit 1\ndone', 'cat <<END\nexit 0\nEND']) {
  test(`a script with ${JSON.stringify(text)} is left to the user, although its end is reached`, () => {
    assert.ok(isReached(text));
    assert.ok(exitsEarly(text));
  });
}

test('a script of 500 kB is read in linear time', () => {
  for (const part of [
    '>>&',
    '<<',
    "'",
    '"',
    '$(',
    '(',
    '`',
    '\\',
    '&& ',
    '{ ',
    '<<A\n',
    '# ',
    '${',
    ';A=',
    '; exit ',
    '&&\n',
  ]) {
    mustEnd(() => {
      exitsEarly(part.repeat(Math.ceil(500_000 / part.length)));
    });
  }
});

for (const [first, isShell] of [
  ['', true],
  ['echo', true],
  ['#!/bin/sh', true],
  ['#!/bin/bash -e', true],
  ['#! /usr/bin/env bash', true],
  ['#!/usr/bin/env -S A=1 zsh -e', true],
  ['#!/usr/bin/python3', false],
  ['#!/usr/bin/env node', false],
  ['#!/usr/bin/env -S deno run', false],
  ['#!/usr/bin/perl -w', false],
  ['#!/usr/bin/fish', false],
] as const) {
  test(`a hook that begins with ${JSON.stringify(first)} is ${isShell ? '' : 'not '}a shell script`, () =>
    assert.is(isShellScript(`${first}\nx\n`), isShell));
}

test.run();
