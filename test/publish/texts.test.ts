import * as assert from 'uvu/assert';
import { BotError } from '../../src/core/bot-error.js';
import type { AnswerOutcome, DescriptionOutcome, Outcome } from '../../src/core/outcome.js';
import { githubError } from '../../src/github/failure.js';
import type { Github } from '../../src/github/github.js';
import { checkRun, postCheck } from '../../src/publish/check.js';
import {
  commentBody,
  cutText,
  fitParts,
  footerOf,
  isSameSummary,
  type SummaryParts,
  summaryText,
} from '../../src/publish/comment-body.js';
import { postReply, replyOf, retryUntilStable } from '../../src/publish/conversation.js';
import { readSticky, writeSticky } from '../../src/publish/own-comments.js';
import { CLEAN, finding, HOSTILE_MESSAGE, INCOMPLETE, SAMPLE } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';

const test = suite('publish/texts');

const HARMFUL = /@everyone|#1\b|!\[x|:\/\/evil|<script|^\s*\/apfel|\{\{|\u202e|^\s*::/m;
const SHA = 'a'.repeat(40);
const pause = (): Promise<void> => Promise.resolve();

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

test('a long verdict and coverage leave less room for the findings', () => {
  const findings = Array.from({ length: 400 }, (_, at) => finding({ line: at + 1 }));
  for (const [verdict, coverage] of [
    ['<'.repeat(400), 'x'],
    ['x', '<'.repeat(1600)],
  ] as const) {
    const facts = Array.from({ length: 500 }, (_, at) => ({ label: 'note', text: `${at}` }));
    const parts = { ...PARTS, findings, ignored: findings, facts, verdict, coverage: [coverage] };
    const text = summaryText({ ...parts, footer: [] });
    assert.ok(text.length <= 50_000, `${text.length}`);
    assert.ok(text.length > 48_000, `${text.length}`);
  }
});

test('the summary says why a finding has no comment, and shows the code of those only', () => {
  const [inline, bare, away] = [
    finding({ line: 1, evidence: 'one;' }),
    finding({ line: 2 }),
    finding({ line: 3, evidence: 'three;' }),
  ];
  const notInline = new Map([bare, away].map(({ id }) => [id, 'other-text' as const]));
  const text = summaryText({ ...PARTS, findings: [inline, bare, away], notInline });
  assert.is(text.split('the line is different there').length, 3);
  assert.not.match(text, /undefined|one;/);
  assert.match(text, '`src/a.ts:3`\n\n```\nthree;\n```');
  assert.not.match(text, '`src/a.ts:2`\n\n```');
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

test('an answer says how long it took, and what did not fit', () => {
  const { body } = replyOf({ ...ANSWER, durationMs: 8012 }, NO_URL);
  assert.match(body, '<sub>8.0 s · ');
  assert.not.match(body, "didn't fit");
  const notices = Array.from({ length: 300 }, () => 'n'.repeat(399));
  assert.match(replyOf({ ...ANSWER, notices }, NO_URL).body, "The rest didn't fit here;");
  const answer = { text: '<'.repeat(40_000), sources: [] };
  assert.is(replyOf({ ...ANSWER, answer }, NO_URL).body.split('&lt;').length, 10_000);
});

test('an answer is posted once, and one that another run posted too is deleted', async () => {
  for (const [before, added, deleted] of [
    [[], 1, []],
    [[], 2, [2]],
    [[7], 1, []],
    [[7, 8, 9], 1, [8, 9]],
  ] as const) {
    const mark = '<!-- apfel-bot:ask 1 -->';
    const reply = { pull: 1, author: 'bot', mark, body: 'x', mayWrite: pause };
    const ids: number[] = [...before];
    const removed: number[] = [];
    const github = {
      comments: async () => ids.map(id => ({ id, author: 'bot', body: `${mark}\nx` })),
      createComment: async (_: number, body: string) => {
        assert.is(body, `${mark}\nx`);
        for (let at = 1; at <= added; at += 1) ids.push(at);
      },
      deleteComment: async (id: number) => void removed.push(id),
    };
    const state = await postReply(github as unknown as Github, reply, pause);
    assert.equal([state, removed], [before.length === 0 ? 'posted' : 'unchanged', deleted]);
  }
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

test('the footer links to the run, if it has a page, and tells what it cost', () => {
  const { run, model } = CLEAN;
  const asked = { ...model, requests: 2 };
  for (const [used, runUrl, expected] of [
    [model, undefined, `1 s, cost 0, run ${run}`],
    [model, 'https://x/1', `1 s, cost 0, [run ${run}](https://x/1)`],
    [
      { ...asked, baseUrl: 'http://127.0.0.1:11434/v1' },
      undefined,
      `1 s, 2 requests to the model, cost 0, run ${run}`,
    ],
    [
      { ...asked, baseUrl: 'https://example.test/v1' },
      undefined,
      `1 s, 2 requests to the model, cost unknown, run ${run}`,
    ],
  ] as const) {
    assert.is(footerOf({ run, model: used }, { time: '1 s', runUrl }).join(', '), expected);
  }
  const change = { head: '0123456789' };
  assert.is(footerOf({ run, model, change }, { time: '', runUrl: '' })[0], '0123456');
});

test('a text is cut between characters, and parts are taken whole while they fit', () => {
  for (const [text, max, expected] of [
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['a😀b', 3, 'a…'],
    ['a😀bc', 4, 'a😀…'],
  ] as const) {
    assert.is(cutText(text, max), expected);
  }
  assert.equal(fitParts(['ab', 'c', 'd'], 3), { text: 'abc', left: 1 });
  assert.equal(fitParts(['ab', 'cde', 'f'], 3), { text: 'ab', left: 2 });
});

test('the annotations of a check are sent fifty at a time, each once, also after a lost answer', async () => {
  for (const [amount, before, expected] of [
    [0, undefined, [0]],
    [50, undefined, [50]],
    [51, undefined, [50, 1]],
    [100, undefined, [50, 50]],
    [120, undefined, [50, 50, 20]],
    [120, 50, [50, 20]],
    [50, 50, []],
    [120, 120, []],
  ] as const) {
    for (const loses of [false, true]) {
      const findings = Array.from({ length: amount }, (_, at) => finding({ line: at + 1 }));
      const planned = checkOf({ findings });
      const { digest } = planned.check;
      const sent: number[] = [];
      let has = before;
      let reads = 0;
      const write = async (check: { annotations: readonly unknown[] }): Promise<void> => {
        sent.push(check.annotations.length);
        has = (has ?? 0) + check.annotations.length;
        if (loses) throw githubError('unknown', 'no answer', { cause: undefined });
      };
      const github = {
        checks: async () => {
          reads += 1;
          const own = has === undefined ? [] : [{ id: 2, digest, annotations: has }];
          return [...own, { id: 1, digest: 'other', annotations: 0 }];
        },
        createCheck: async (check: Parameters<typeof write>[0]) => {
          await write(check);
          return { id: 2, digest, annotations: 0 };
        },
        updateCheck: (_: number, check: Parameters<typeof write>[0]) => write(check),
      };
      const state = await postCheck(github, planned, pause);
      assert.equal([state, sent], [expected.length === 0 ? 'unchanged' : 'set', expected]);
      const again = loses && sent.length > 0 ? 1 : 0;
      assert.is(reads, Math.max(1, sent.length) + again, 'one before each write');
    }
  }
});

test('an annotation without a message has the name of its rule', () => {
  const { annotations } = checkOf({ findings: [finding({ message: '' })] });
  assert.equal([annotations[0]?.title, annotations[0]?.message], ['debugger', 'debugger']);
});

test('a round of writes is repeated after a lost answer, with growing pauses, and not for ever', async () => {
  const lost = githubError('unknown', 'lost', { cause: undefined });
  const gone = githubError('gone', 'gone', { cause: undefined });
  const refused = githubError('refused', 'refused', { cause: undefined });
  for (const [ends, said, waits] of [
    [[true], 'done', []],
    [[false, true], 'done', []],
    [[lost, gone, true], 'done', [500, 1000]],
    [[refused], 'refused', []],
    [[new BotError('publish-failed', 'other')], 'other', []],
    [[lost, lost, lost, lost], 'lost', [500, 1000]],
    [[false, false, false, true], 'another run keeps changing what this one writes', []],
  ] as const) {
    const paused: number[] = [];
    let at = 0;
    const round = async (): Promise<boolean> => {
      const end = ends[at++] ?? false;
      if (typeof end === 'boolean') return end;
      throw end;
    };
    const wait = async (milliseconds: number): Promise<void> => void paused.push(milliseconds);
    const done = retryUntilStable(round, wait, 3).then(() => 'done');
    assert.is(await done.catch(({ message }: Error) => message), said);
    assert.equal(paused, waits);
  }
});

test.run();
