import * as assert from 'uvu/assert';
import type { AnswerOutcome, DescriptionOutcome, Outcome } from '../../src/core/outcome.js';
import { checkRun } from '../../src/publish/check.js';
import {
  commentBody,
  footerOf,
  isSameSummary,
  type SummaryParts,
  summaryText,
} from '../../src/publish/comment-body.js';
import { replyOf } from '../../src/publish/conversation.js';
import { readSticky, writeSticky } from '../../src/publish/own-comments.js';
import { CLEAN, finding, HOSTILE_MESSAGE, INCOMPLETE, SAMPLE } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';

const test = suite('texts of post');

const HARMFUL = /@everyone|#1\b|!\[x|:\/\/evil|<script|^\s*\/apfel|\{\{|\u202e|^\s*::/m;
const SHA = 'a'.repeat(40);

const PARTS: SummaryParts = {
  verdict: '1 error',
  coverage: ['9 hunks in 3 files: 9 reviewed'],
  findings: SAMPLE.findings,
  ignored: [],
  notInline: new Map(SAMPLE.findings.map(({ id }) => [id, 'outside-diff'])),
  facts: [{ label: 'note', text: HOSTILE_MESSAGE }],
  ignoreLine: ({ rule }) => `// apfel-bot-ignore ${rule} reason`,
  filesUrl: `https://github.com/o/r/blob/${SHA}`,
  footer: ['8.0 s', 'run X'],
};

test("the summary's only links lead to files of the commit", () => {
  const text = summaryText(PARTS);
  assert.not.match(text, HARMFUL);
  const links = [...text.matchAll(/(?<!\\)\]\(([^)]*)\)/g)].map(([, url]) => url ?? '');
  assert.ok(links.length > 3);
  for (const url of links) assert.match(url, new RegExp(`^${PARTS.filesUrl}/[\\w%./-]+#L\\d+$`));
});

test('a summary of ten thousand findings fits, and counts what it leaves out', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => finding({ line: at + 1, rule: `r${at}` }));
  const text = summaryText({ ...PARTS, findings: many, ignored: many });
  assert.ok(text.length < 55_000, `${text.length}`);
  assert.match(text, /\d+ more didn't fit here; the outcome file has them all/);
  assert.match(text, /Ignored on request \(10000\), \d+ omitted for length/);
  const wide = finding({
    message: '@|'.repeat(100_000),
    path: 'x'.repeat(5000),
    rule: 'r'.repeat(200),
  });
  assert.ok(summaryText({ ...PARTS, findings: [wide, wide] }).length < 55_000);
});

test("the longest summary with the longest hidden data fits GitHub's limit", () => {
  const many = Array.from({ length: 3000 }, (_, at) => finding({ line: at + 1, rule: `r${at}` }));
  const ids = many.map(({ id }) => id);
  const notInline = new Map(ids.map(id => [id, 'deleted' as const]));
  const text = summaryText({ ...PARTS, findings: many, ignored: many, notInline });
  assert.match(text, "3000 comments were deleted by hand and aren't posted again.");
  const subject = { task: 'fix-lint', head: SHA, run: 'r'.repeat(40), startedAt: 's'.repeat(40) };
  const body = writeSticky({ ignored: ids, posted: ids, subject }, text);
  assert.ok(body.length < 65_536, `${body.length}`);
  assert.is(readSticky(body)?.posted?.length, 200);
});

test('two summaries are the same when only their footers differ', () => {
  const one = summaryText(PARTS);
  assert.ok(isSameSummary(one, summaryText({ ...PARTS, footer: ['9.9 s', 'run Y'] })));
  assert.not.ok(isSameSummary(one, summaryText({ ...PARTS, verdict: 'clean' })));
});

const anchor = {
  path: 'src/a.ts',
  side: 'RIGHT',
  startLine: 1,
  line: 1,
  texts: ['debugger;'],
  canSuggest: true,
} as const;
const bodyOf = (parts: object, canSuggest = true): string =>
  commentBody(
    { finding: finding(parts), anchor: { ...anchor, canSuggest } },
    ({ rule }) => `// apfel-bot-ignore ${rule} reason`,
  );
const suggest = (text: string): object => ({ suggestion: { startLine: 1, endLine: 1, text } });

test('a comment at a line begins with its mark and says how to silence it', () => {
  const body = bodyOf({ message: HOSTILE_MESSAGE });
  assert.match(body, /^<!-- apfel-bot:finding id=[0-9a-f]{16} text=1:[0-9a-f]{16} rule=\w+ -->\n/);
  assert.not.match(body, HARMFUL);
  assert.match(body, /`\/\/ apfel-bot-ignore debugger reason`/);
  assert.match(body, /`\/apfel ignore [0-9a-f]{16}`/);
});

test('a verified suggestion is a button where its lines are shown, else plain text', () => {
  assert.match(bodyOf(suggest('let x;\n')), '\n```suggestion\nlet x;\n```\n');
  assert.match(bodyOf(suggest('')), '\n```suggestion\n```\n');
  assert.match(bodyOf(suggest('a ```` b')), '\n`````suggestion\na ```` b\n`````\n');
  assert.match(
    bodyOf(suggest('let x;'), false),
    'Suggested replacement for line 1:\n\n```\nlet x;\n```\n',
  );
  assert.not.match(bodyOf(suggest('let x;'), false), 'suggestion');
});

test('a suggestion that hides something, commands a bot or holds a secret is not a button', () => {
  for (const text of ['a\u202eb', '/apfel review', '::error::x', 'x\u0000y', '##[group]x']) {
    assert.not.match(bodyOf(suggest(text)), '```suggestion', JSON.stringify(text));
    assert.not.match(bodyOf(suggest(text)), /^\/apfel|^::|\u202e|\u0000/m);
  }
  const secret = `const k = '${'ghp_'}${'Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6'}';`;
  assert.not.match(bodyOf(suggest(secret)), 'Ab3dE6gH9');
});

const checkOf = (outcome: object, parts: object = {}) => {
  const whole = { ...CLEAN, task: 'review', ...outcome } as Outcome;
  const words = { verdict: 'x', summary: 'text\n<sub>1 s</sub>', failOn: 'error' as const };
  return checkRun({ outcome: whole, findings: whole.findings, ...words, ...parts });
};

test('a check run fails on findings, is neutral when incomplete, and succeeds otherwise', () => {
  const grave = [finding({ severity: 'error' })];
  assert.is(checkOf({}).check.conclusion, 'success');
  assert.is(checkOf({ ...INCOMPLETE }).check.conclusion, 'neutral');
  assert.is(checkOf({ ...INCOMPLETE, findings: grave }).check.conclusion, 'failure');
  assert.is(checkOf({ findings: [finding({})] }).check.conclusion, 'success');
  assert.is(
    checkOf({ findings: [finding({})] }, { failOn: 'warning' }).check.conclusion,
    'failure',
  );
  assert.is(checkOf({ findings: grave }, { failOn: 'never' }).check.conclusion, 'success');
});

test('a check with the same content has the same digest, whatever the run took', () => {
  const one = checkOf({}).check.digest;
  assert.is(checkOf({}, { summary: 'text\n<sub>9 s</sub>' }).check.digest, one);
  assert.is.not(checkOf({}, { summary: 'other' }).check.digest, one);
  assert.is.not(checkOf({ findings: [finding({})] }).check.digest, one);
});

test('annotations keep to the limits and are harmless', () => {
  const hostile = finding({ message: HOSTILE_MESSAGE.repeat(10_000), endLine: 0, line: 3 });
  const { annotations } = checkOf({ findings: [hostile, finding({ side: 'old' })] });
  assert.is(annotations.length, 1);
  assert.ok((annotations[0]?.message.length ?? 0) <= 4000);
  assert.is(annotations[0]?.end_line, 3);
  assert.not.match(annotations[0]?.message ?? '', /@everyone|#1\b/);
  const many = Array.from({ length: 900 }, (_, at) => finding({ line: at + 1 }));
  assert.is(checkOf({ findings: many }).annotations.length, 200);
});

const { run, startedAt, durationMs, model, limits, ledger, change } = INCOMPLETE;
const SHARED = {
  version: 1,
  run,
  startedAt,
  durationMs,
  model,
  limits,
  notices: ['a note'],
} as const;
const ANSWER: AnswerOutcome = {
  ...SHARED,
  task: 'ask',
  answer: { text: 'In `a.ts`:\n\n- one\n- two\n', sources: [{ path: 'src/a.ts', line: 3 }] },
  complete: true,
};
const DESCRIPTION: DescriptionOutcome = {
  ...SHARED,
  task: 'describe',
  change,
  ledger,
  description: { title: 'Add a thing', body: 'It adds a thing.\n\n- src/a.ts (+1 -0)' },
  complete: true,
};
const NO_URL = { runUrl: undefined };

test('a posted answer keeps its lists and code, and names its sources', () => {
  const { mark, body } = replyOf(ANSWER, NO_URL);
  assert.is(mark, `<!-- apfel-bot:ask ${run} -->`);
  assert.match(body, '- one\n- two');
  assert.match(body, 'Sources:\n\n- `src/a.ts:3`');
  assert.match(body, '_a note_');
  assert.match(replyOf({ ...ANSWER, complete: false }, NO_URL).body, 'not confirmed');
});

test('a description is shown, and can be copied', () => {
  const { body } = replyOf(DESCRIPTION, NO_URL);
  assert.match(body, '### Add a thing');
  assert.match(body, '```\nAdd a thing\n\nIt adds a thing.');
});

test('any text of the model is cut to a limit and harmless', () => {
  for (const text of [
    HOSTILE_MESSAGE,
    `\`\`\`\n${HOSTILE_MESSAGE}`,
    '@'.repeat(4_000_000),
    '```\n'.repeat(9999),
  ]) {
    const answer = { ...ANSWER.answer, text: text.repeat(text.length > 9999 ? 1 : 5000) };
    const { body } = replyOf({ ...ANSWER, answer }, NO_URL);
    assert.ok(body.length <= 65_000, `${body.length}`);
    const outside = body.replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, '');
    assert.not.match(outside, HARMFUL);
    assert.not.match(body, /^\/apfel|^\s*::/m);
    const description = { title: text, body: text };
    assert.ok(replyOf({ ...DESCRIPTION, description }, NO_URL).body.length <= 65_000);
  }
  assert.match(
    replyOf({ ...ANSWER, answer: { text: 'word '.repeat(99_999), sources: [] } }, NO_URL).body,
    'Cut off here; the outcome file has everything.',
  );
});

test('the footer counts what came from the cache, if anything did', () => {
  const more = { time: '', runUrl: undefined };
  const { run, model } = CLEAN;
  assert.match(footerOf({ run, model, ledger: { cached: 2 } }, more).join(), '2 from the cache');
  assert.not.match(footerOf({ run, model, ledger: { cached: 0 } }, more).join(), 'cache');
});

test('an answer with more sources than are listed counts the others', () => {
  const { version, startedAt, durationMs, model, limits, notices, run } = CLEAN;
  const sources = Array.from({ length: 53 }, (_, at) => ({ path: 'a.js', line: at + 1 }));
  const shared = { version, startedAt, durationMs, model, limits, notices, run, complete: true };
  const bodyOf = (most: number): string =>
    replyOf(
      { ...shared, task: 'ask', answer: { text: 'x', sources: sources.slice(0, most) } },
      { runUrl: undefined },
    ).body;
  assert.match(bodyOf(53), '- and 3 more');
  assert.not.match(bodyOf(50), ' more');
});

test.run();
