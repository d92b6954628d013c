import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { toMarkdown } from '../../src/report/markdown.js';
import { suite } from '../support/suite.js';
import { CLEAN, EMPTY, finding, HOSTILE_MESSAGE, INCOMPLETE, SAMPLE } from './sample-outcome.js';

const test = suite('report/markdown');

const rows = (markdown: string): string[] =>
  markdown.split('\n').filter(line => line.startsWith('| '));

/** Everything outside fences and code spans, where markup would work. */
const prose = (markdown: string): string =>
  markdown.replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, '').replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');

test('the first line is the verdict with coverage and time', () => {
  assert.is(
    toMarkdown(CLEAN).split('\n')[0],
    '**apfel-bot: clean** · 9 hunks in 3 files: 7 checked, 2 skipped · checks only · 0.3 s',
  );
  assert.is(toMarkdown(EMPTY), '**apfel-bot: nothing to check** · no changes · 0.04 s\n');
});

test('an incomplete run is never shown as clean', () => {
  assert.not.match(toMarkdown(INCOMPLETE), /clean/);
  assert.match(toMarkdown(INCOMPLETE), /^\*\*apfel-bot: incomplete: 2 hunks not done\*\*/);
});

test('every finding is one row of four cells', () => {
  const [, ...body] = rows(toMarkdown(SAMPLE));
  assert.is(body.length, SAMPLE.findings.length);
  for (const row of body) assert.is(row.split('|').length, 6, row);
  assert.match(
    body[0] ?? '',
    /^\| error \| `src\/config\.ts:12:14` \| `secret\/aws-access-key` \| /,
  );
});

test('rejections, notices, limits and what was left out are listed', () => {
  const markdown = toMarkdown(SAMPLE);
  for (const line of [
    '- ignored 1: 1 debug-output',
    '- rejected 2: 2 duplicate',
    '- note: the change edits .apfel-bot.json; the rules of the base were used',
    '- limit reached: deadline 8s',
    '- skipped 1: logo.png hunk 1 (binary)',
  ]) {
    assert.ok(markdown.split('\n').includes(line), line);
  }
});

test('code is folded away in fences longer than those inside', () => {
  const markdown = toMarkdown(SAMPLE);
  assert.match(markdown, /<details><summary>Code<\/summary>\n\n/);
  assert.match(markdown, /\n`{5}\n1 \| ```\n2 \| ::warning::x\n3 \| ````\n`{5}\n/);
  assert.is(markdown.match(/<details>/g)?.length, markdown.match(/<\/details>/g)?.length);
});

test('a quote of one line is shown, and a finding without a quote has no place in the code', () => {
  const findings = [finding({ evidence: 'let a;', line: 4 }), finding({ line: 9 })];
  const markdown = toMarkdown({ ...CLEAN, findings });
  assert.match(
    markdown,
    '<summary>Code</summary>\n\n`src/a.ts:4`\n\n```\n4 | let a;\n```\n\n</details>',
  );
});

test('a message of more than 400 characters is cut, but never inside one of them', () => {
  const cellOf = (message: string): string | undefined =>
    rows(toMarkdown({ ...CLEAN, findings: [finding({ message })] }))[1]
      ?.split(' | ')
      .at(-1);
  const start = `x${'a'.repeat(397)}`;
  assert.is(cellOf(`${start}bc`), `${start}bc |`);
  assert.is(cellOf(`${start}bcd`), `${start}b… |`);
  assert.is(cellOf(`${start}😀cd`), `${start}… |`);
});

test('how to silence is reported once for each rule and language', () => {
  const markdown = toMarkdown(SAMPLE);
  assert.is(markdown.match(/- `\/\/ apfel-bot-ignore debugger reason`/g)?.length, 1);
  assert.ok(markdown.includes('- `"checks": {"large-file": "off"}`'));
});

test('text from outside mentions nobody, refers to nothing and runs nothing', () => {
  const hostile = finding({
    path: `x/${HOSTILE_MESSAGE}`,
    message: HOSTILE_MESSAGE,
    rule: '@a/#1',
  });
  const outcome: Outcome = {
    ...SAMPLE,
    findings: [...SAMPLE.findings, hostile],
    notices: [HOSTILE_MESSAGE],
  };
  const markdown = toMarkdown(outcome);
  const outside = prose(markdown).replace(/<\/?(?:details|summary|code)>/g, '');
  assert.not.match(outside, /@\w|#\d|gh-\d|:\/\/|!\[|<|\{\{/i);
  assert.not.match(outside, /(?<!\\)\[/);
  assert.not.match(markdown, /[\u202e\u200b\x1b]|^\s*\/|^\s*::|##\[/m);
});

test('findings that do not fit the Markdown are counted, and its length stays within the limit', () => {
  const findings = Array.from({ length: 500 }, (_, index) =>
    finding({ line: index + 1, evidence: 'x = 1', message: '#@|<'.repeat(100) }),
  );
  for (const maxLength of [2000, 20_000, 60_000]) {
    const markdown = toMarkdown({ ...SAMPLE, findings }, maxLength);
    assert.ok(markdown.length <= maxLength, `${markdown.length} of ${maxLength}`);
    const listed = rows(markdown).length - 1;
    const missing = /^(\d+) more findings did not fit here\.$/m.exec(markdown)?.[1];
    assert.is(Math.max(0, listed) + Number(missing), 500);
  }
});

test('the verdict stays in its place whatever the notices say', () => {
  const notices = Array.from({ length: 300 }, () => '#@|<'.repeat(500));
  const markdown = toMarkdown({ ...SAMPLE, notices });
  assert.ok(markdown.length <= 60_000);
  assert.match(markdown, /^\*\*apfel-bot: 2 errors/);
  assert.match(markdown, /^- \d+ more$/m);
});

test.run();
