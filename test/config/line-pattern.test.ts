import * as assert from 'uvu/assert';
import { linePattern } from '../../src/config/rules.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('config/line-pattern');

const problemOf = async (source: string): Promise<string> => {
  const pattern = await linePattern(source);
  return typeof pattern === 'string' ? pattern : 'none';
};

const matcherOf = async (source: string): Promise<(line: string) => boolean> => {
  const pattern = await linePattern(source);
  if (typeof pattern === 'string') throw new Error(`${source}: ${pattern}`);
  return pattern.matches;
};

for (const [source, line, other] of [
  ['TODO', '// TODO: x', '// todo'],
  ['\\bfetch\\(', 'await fetch(url)', 'prefetch(url)'],
  [
    '^\\s*(export\\s+)?(default\\s+)?(async\\s+)?function\\s+\\w+',
    '  export async function f',
    'const f',
  ],
  ['(?:\\d{1,3}\\.){3}\\d{1,3}', 'host 10.0.0.1', 'version 10.0.1'],
  ['console\\.(log|error|warn|info)\\b', 'console.warn(x)', 'console.warning'],
  ['password\\s*[:=]\\s*["\'][^"\']+["\']', "password: 'x'", 'password: x'],
  ['\\p{Lu}\\p{Ll}+', 'Émile', 'ÉMILE'],
  ['https?://', 'https://x', 'httpss://'],
  ['[\\]\\\\x]+y', ']y', 'y'],
  ['(?<name>a+)b', 'aab', 'aa'],
  ['\\u00e9|\\u{1f600}', '😀', 'e'],
  ['\\\\1', 'a\\1', 'a1'],
  ['(?i)todo', 'ToDo', 'done'],
  ['a/b', 'a/b', 'ab'],
] as const) {
  test(`${source} matches ${line} and not ${other}`, async () => {
    const matches = await matcherOf(source);
    assert.is(matches(line), true);
    assert.is(matches(other), false);
  });
}

for (const [source, problem] of [
  ['', /^it is empty$/],
  ['a'.repeat(201), /^it has 201 characters, at most 200 are allowed$/],
  ['(', /^it doesn't parse: missing closing \) at "\("$/],
  ['[z-a]', /^it doesn't parse: invalid character class range at "z-a"$/],
  ['(a)\\1', /^back-references .* are not supported; write /],
  ['(?<a>x)\\k<a>', /^back-references .* are not supported; write /],
  ['(?<=return )await', /^look-ahead and look-behind are not supported; match /],
  ['(?<!a)b', /^look-ahead and look-behind are not supported; match /],
  ['a(?=b)', /^look-ahead and look-behind are not supported; match /],
  ['a(?!b)', /^look-ahead and look-behind are not supported; match /],
  ['[ab]{0,1000}[ab]{0,1000}', /^it is too large; use smaller repeat counts/],
  ['a{1001}', /^it doesn't parse: invalid repeat count at "\{1001\}"$/],
] as const) {
  test(`the pattern ${source.slice(0, 30) || '""'} is refused with what is wrong`, async () =>
    assert.match(await problemOf(source), problem));
}

for (const source of [
  '(a+)+$',
  '(a|a)*$',
  '([a-z]+ ?)+$',
  '(a?a)*$',
  '.*.*.*.*x',
  '(a|ab){9}(a|ab){9}$',
  `${'a?'.repeat(40)}$`,
]) {
  test(`${source.slice(0, 30)} ends on a line that makes a backtracking engine hang`, async () => {
    const matches = await matcherOf(source);
    mustEnd(() => {
      matches(`${'a'.repeat(9_000)}!`);
    });
  });
}

test('a line of 100 kB is not searched: the question is asked', async () => {
  assert.is((await matcherOf('fetch'))('c'.repeat(100_000)), true);
});

test('a match is found at the end of a long line', async () => {
  const matches = await matcherOf('fetch\\(.*\\)');
  assert.is(matches(`${'x'.repeat(9_000)}fetch(url)`), true);
  assert.is(matches('x'.repeat(9_000)), false);
});

test.run();
