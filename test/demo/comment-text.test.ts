import * as assert from 'uvu/assert';
import type { Finding } from '../../src/core/finding.js';
import { commentText } from '../../src/demo/pull.js';
import { commentBody, summaryText } from '../../src/publish/comment-body.js';
import { paint } from '../../src/report/style.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('demo/comment-text');

const HARD = 'Use `a < b && c`, not *that* [one](x) @ada #1 \x1b[31m {{x}} a_b | https://x.y';

const finding: Finding = {
  id: '0123456789abcdef',
  path: 'src/a.js',
  line: 3,
  endLine: 3,
  side: 'new',
  severity: 'error',
  rule: 'model/condition',
  message: HARD,
  source: 'model',
  confidence: 0.9,
  evidence: 'x',
  suggestion: { startLine: 3, endLine: 3, text: '  return `b`;' },
};

const remark = commentBody(
  {
    finding,
    anchor: { path: 'src/a.js', side: 'RIGHT', line: 3, startLine: 3, canSuggest: true, texts: [] },
  },
  () => '// apfel-bot-ignore model/condition reason',
);

const summary = summaryText({
  verdict: '1 error',
  coverage: ['1 hunk in 1 file: 1 reviewed'],
  findings: [finding],
  ignored: [],
  notInline: new Map(),
  facts: [{ label: 'rejected 1', text: 'secret of the fold' }],
  ignoreLine: () => '// ignore',
  filesUrl: 'https://github.example/demo/shop/blob/abc',
  footer: ['abc', 'cost 0'],
});

const colors = paint(false);
const show = (markdown: string, replaced?: readonly string[]): string =>
  commentText(markdown, { title: 'said', columns: 200, colors, ...(replaced && { replaced }) });
/** One line again, without the bar. */
const words = (text: string): string => text.replaceAll('\n│', '').replaceAll('\n', ' ');

test('a comment reads as a browser would show it', () => {
  const seen = words(show(remark));
  assert.ok(
    seen.includes(
      'Use `a < b && c`, not *that* [one](x) @ada #1 \\x1b[31m {{x}} a_b | https://x.y',
    ),
    seen,
  );
  assert.not.match(seen, /<!--|&#x|\u200b|<sub>|\x1b/);
});

test('a suggested change shows both sides', () => {
  const seen = show(remark, ['  return a;']);
  assert.match(seen, /│ Suggested change:\n│ - {3}return a;\n│ \+ {3}return `b`;\n/);
});

test('the summary shows its rows, and folded parts stay folded', () => {
  const seen = show(summary);
  assert.match(seen, /^said\n│ apfel-bot: 1 error\n/);
  assert.match(seen, /│ error src\/a\.js:3\n/);
  assert.match(seen, /│ ▸ How to silence findings\n│ ▸ Notes on this run\n│\n│ abc · cost 0\n$/);
  assert.not.match(seen, /github\.example|secret of the fold|\|---/);
});

test('comment lines are wrapped to the width', () => {
  const long = `${'word '.repeat(100)}`;
  const text = commentText(long, { title: 't', columns: 300, colors });
  assert.ok(
    text.split('\n').every(line => line.length <= 80),
    text,
  );
  assert.ok(text.split('\n').length > 6);
});

test('a hostile line of 400 kB is shown in linear time', () => {
  mustEnd(() => {
    for (const unit of [
      '[',
      '](',
      '**',
      '| a | ',
      '<details><summary>',
      '`',
      '&#x',
      '\\',
      '<br>',
    ]) {
      show(unit.repeat(400_000 / unit.length));
    }
  });
});

test.run();
