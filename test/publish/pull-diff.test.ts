import * as assert from 'uvu/assert';
import { type DiffSide, findAnchor, readPullDiff } from '../../src/publish/anchor.js';
import { finding } from '../report/sample-outcome.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('publish/pull-diff');

const PATCH = [
  '@@ -1,4 +1,5 @@ function one() {',
  ' first',
  '-second',
  '+  second();',
  '+third();',
  ' fourth',
  '@@ -40,2 +41,2 @@',
  ' forty',
  '-old',
  '+const key = "AKIAIOSFODNN7EXAMPLE";',
  '\\ No newline at end of file',
].join('\n');
const diff = readPullDiff([
  { path: 'a.js', patch: PATCH },
  { path: 'big.js', patch: undefined },
]);

const textAt = (side: DiffSide, line: number): string | undefined =>
  diff.lineAt('a.js', side, line)?.text;

test('lines of a patch are counted on both sides', () => {
  assert.is(textAt('RIGHT', 2), '  second();');
  assert.is(textAt('RIGHT', 4), 'fourth');
  assert.is(textAt('LEFT', 2), 'second');
  assert.is(textAt('LEFT', 3), 'fourth');
  assert.is(textAt('RIGHT', 42), 'const key = "AKIAIOSFODNN7EXAMPLE";');
  assert.is(textAt('LEFT', 41), 'old');
});

test('a line outside the diff takes no comment', () => {
  for (const line of [0, 5, 40, 43]) assert.is(textAt('RIGHT', line), undefined);
  assert.is(diff.lineAt('other.js', 'RIGHT', 1), undefined);
  assert.is(diff.lineAt('big.js', 'RIGHT', 1), undefined);
  assert.ok(diff.has('big.js'));
  assert.not.ok(diff.has('other.js'));
});

test('a patch that breaks off or makes no sense gives what can be read of it', () => {
  const broken = readPullDiff([
    {
      path: 'a',
      patch: 'junk\n@@ -1 +1 @@\n+one\njunk\n+two\n@@ nonsense @@\n+x',
    },
  ]);
  assert.equal(broken.textsOf('a', 'RIGHT'), ['one']);
});

test('a finding on a shown line is anchored there, white space and masks aside', () => {
  const found = findAnchor(finding({ path: 'a.js', line: 2, evidence: 'second();' }), diff);
  assert.ok(found.ok && found.anchor.line === 2 && !found.anchor.canSuggest);
  const masked = finding({
    path: 'a.js',
    line: 42,
    evidence: 'const key = "AKIA****************";',
  });
  assert.ok(findAnchor(masked, diff).ok);
  assert.ok(findAnchor(finding({ path: 'a.js', line: 1 }), diff).ok, 'context, without a quote');
});

test('a finding whose quote is not on its line is not anchored', () => {
  const moved = finding({ path: 'a.js', line: 3, evidence: 'second();' });
  assert.equal(findAnchor(moved, diff), { ok: false, reason: 'other-text' });
  const order = finding({ path: 'a.js', line: 42, evidence: '"AKIA****; const key' });
  assert.equal(findAnchor(order, diff), { ok: false, reason: 'other-text' });
  const outside = finding({ path: 'a.js', line: 20 });
  assert.equal(findAnchor(outside, diff), { ok: false, reason: 'outside-diff' });
  const elsewhere = finding({ path: '../a.js', line: 2 });
  assert.equal(findAnchor(elsewhere, diff), { ok: false, reason: 'outside-diff' });
});

test('a range of lines stays within one hunk, or becomes its first line', () => {
  const span = findAnchor(finding({ path: 'a.js', line: 2, endLine: 3 }), diff);
  assert.ok(span.ok && span.anchor.startLine === 2 && span.anchor.line === 3);
  const across = findAnchor(finding({ path: 'a.js', line: 4, endLine: 41 }), diff);
  assert.ok(across.ok && across.anchor.startLine === 4 && across.anchor.line === 4);
});

test('a suggestion needs all its lines in the diff, and takes the comment to them', () => {
  const near = { startLine: 2, endLine: 3, text: 'x' };
  const ok = findAnchor(finding({ path: 'a.js', line: 2, suggestion: near }), diff);
  assert.ok(ok.ok && ok.anchor.canSuggest && ok.anchor.line === 3);
  const far = { startLine: 4, endLine: 6, text: 'x' };
  const no = findAnchor(finding({ path: 'a.js', line: 4, suggestion: far }), diff);
  assert.ok(no.ok && !no.anchor.canSuggest && no.anchor.line === 4);
});

test('a suggestion may replace up to three lines around its finding, and a comment spans up to fifty', () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
  const long = readPullDiff([{ path: 'a.js', patch: `@@ -0,0 +1,60 @@\n+${lines.join('\n+')}` }]);
  const spanOf = (line: number, endLine: number, from?: number, to = from): string => {
    const suggestion = { startLine: from ?? 0, endLine: to ?? 0, text: 'x' };
    const parts = { path: 'a.js', line, endLine, ...(from !== undefined && { suggestion }) };
    const found = findAnchor(finding(parts), long);
    if (!found.ok) return found.reason;
    const { anchor } = found;
    assert.equal(anchor.texts, lines.slice(anchor.startLine - 1, anchor.line));
    return `${anchor.startLine}-${anchor.line}${anchor.canSuggest ? ' button' : ''}`;
  };
  for (const [from, to, isNear] of [
    [10, 12, true],
    [7, 12, true],
    [6, 12, false],
    [10, 15, true],
    [10, 16, false],
    [7, 10, true],
    [7, 9, false],
    [12, 15, true],
    [13, 15, false],
    [11, 10, false],
  ] as const) {
    assert.is(spanOf(10, 12, from, to), isNear ? `${from}-${to} button` : '10-12', `${from}-${to}`);
  }
  assert.is(spanOf(1, 50), '1-50');
  assert.is(spanOf(1, 51), '1-1');
  assert.is(spanOf(5, 4), '5-5');
});

test('a finding about the old side is on the left', () => {
  const old = findAnchor(finding({ path: 'a.js', line: 41, side: 'old', evidence: 'old' }), diff);
  assert.ok(old.ok && old.anchor.side === 'LEFT');
});

test('a hostile patch or quote of 400 kB is read in linear time', () => {
  mustEnd(() => {
    for (const unit of ['@', '@@ -1', '*', '+', ' ', '\\', '@@ -1,1 +1,1 @@\n', '+a\n', '****a']) {
      const text = unit.repeat(400_000 / unit.length);
      const hostile = readPullDiff([{ path: 'a', patch: `@@ -1 +1 @@\n+${text}` }]);
      findAnchor(finding({ path: 'a', line: 1, evidence: `${text}!` }), hostile);
    }
  });
});

test.run();
