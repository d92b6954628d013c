import * as assert from 'uvu/assert';
import { lineMatcher, safePattern } from '../../src/config/safe-pattern.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('safe pattern');

const problemOf = (source: string): string | undefined => {
  const safe = safePattern(source);
  return safe.ok ? undefined : safe.problem;
};

const matcherOf = (source: string): ((line: string) => boolean) => {
  const safe = safePattern(source);
  if (!safe.ok) throw new Error(`${source}: ${safe.problem}`);
  return lineMatcher(safe.pattern);
};

for (const source of [
  'TODO',
  '\\bfetch\\(',
  '^\\s*(export\\s+)?(default\\s+)?(async\\s+)?function\\s+\\w+',
  '(?:\\d{1,3}\\.){3}\\d{1,3}',
  'console\\.(log|error|warn|info)\\b',
  'new (Date|Map)\\(.*\\)',
  'password\\s*[:=]\\s*["\'][^"\']+["\']',
  '(?<=return )await',
  '[0-9a-f]{8}-[0-9a-f]{4}',
  '\\p{Lu}\\p{Ll}+',
  'https?://',
  '[\\]\\\\x]+y',
  '(?<name>a+)b',
  '(a|b|c)*d',
]) {
  test(`allows ${source}`, () => assert.is(problemOf(source), undefined));
}

const REFUSED: ReadonlyArray<readonly [source: string, word: RegExp]> = [
  ['', /empty/],
  ['a'.repeat(201), /201 characters/],
  ['(', /does not parse: Unterminated group/],
  ['[z-a]', /does not parse/],
  ['(a+)+$', /repeat inside a repeat/],
  ['(a*)*b', /repeat inside a repeat/],
  ['(?:a{1,9}){12}', /repeat inside a repeat/],
  ['(a?a)*$', /repeat inside a repeat/],
  ['([a-z]+ ?)+$', /repeat inside a repeat/],
  ['(x|(y+))*z', /repeat inside a repeat/],
  ['(a|a)*$', /alternatives that begin alike/],
  ['(a|ab)*$', /alternatives that begin alike/],
  ['(\\w|\\d)+$', /alternatives that begin alike/],
  ['(|a)+$', /alternatives that begin alike/],
  ['(é|\\u00e9)*$', /alternatives that begin alike/],
  ['(a)\\1', /backreference/],
  ['(?<a>x)\\k<a>', /backreference/],
  ['(a|ab){9}(a|ab){9}$', /optional parts/],
  ['a?'.repeat(20), /optional parts/],
  ['.*.*.*.*x', /endless repeats can take/],
  ['(.*a){9}', /endless repeats can take/],
  ['a.*b.*c.*d', /endless repeats can take/],
];
for (const [source, word] of REFUSED) {
  test(`refuses ${source.slice(0, 30) || 'nothing'}`, () =>
    assert.match(problemOf(source) ?? '', word));
}

test('rounds within rounds are judged without laying them all out', () => {
  let source = 'a';
  while (source.length < 190) source = `(?:${source}){9}`;
  mustEnd(() => {
    problemOf(source);
  });
});

test('a line of 100 kB is not searched: the question is asked', () => {
  assert.ok(matcherOf('(a|b)*c.*d.*e')('c'.repeat(100_000)));
});

test('a match is found wherever it stands in a long line', () => {
  const matches = matcherOf('fetch\\(.*\\)');
  for (const before of [0, 440, 445, 450, 890, 5000]) {
    const line = `${'x'.repeat(before)}fetch(url)${'y'.repeat(4_000)}`;
    assert.ok(matches(line), `behind ${before} characters`);
  }
  assert.not.ok(matches('x'.repeat(9_000)));
});

/** Patterns as chance builds them, from a fixed start. */
function* randomPatterns(amount: number): Generator<string> {
  let state = 42;
  const pick = <Item>(items: readonly Item[], other: Item): Item => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return items[Math.floor((state / 2 ** 32) * items.length)] ?? other;
  };
  const atom = (depth: number): string => {
    const kind = pick(depth > 2 ? [0, 1] : [0, 0, 1, 2, 3], 0);
    if (kind === 2) return `(?:${sequence(depth + 1)})`;
    if (kind === 3) return `(?:${sequence(depth + 1)}|${sequence(depth + 1)})`;
    return kind === 1
      ? pick(['.', '\\w', '[ab]', '[^b]', '\\s'], '.')
      : pick(['a', 'b', 'ab'], 'a');
  };
  const sequence = (depth: number): string =>
    Array.from(
      { length: pick([1, 2, 3], 1) },
      () => atom(depth) + pick(['', '', '*', '+', '?', '{2}', '{1,4}', '{0,15}'], ''),
    ).join('');
  for (let made = 0; made < amount; made += 1)
    yield `${sequence(0)}${pick(['', 'c', '$', 'c$'], '')}`;
}

test('what is allowed comes to an end on lines made against it', () => {
  const lines = ['a', 'b', 'ab', 'aab', 'a ', 'ba'].flatMap(piece => [
    `${piece.repeat(1000).slice(0, 1000)}!`,
    `${piece.repeat(3000).slice(0, 3000)}!`,
  ]);
  let allowed = 0;
  for (const source of randomPatterns(500)) {
    const safe = safePattern(source);
    if (!safe.ok) continue;
    allowed += 1;
    const matches = lineMatcher(safe.pattern);
    mustEnd(() => lines.forEach(line => void matches(line)));
  }
  assert.ok(allowed > 100, `${allowed} were allowed`);
});

test.run();
