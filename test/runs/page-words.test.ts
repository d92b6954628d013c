import * as assert from 'uvu/assert';
import type { SavedOutcome } from '../../src/core/outcome.js';
import type { AuditConversation, AuditRun, Turn } from '../../src/runs/audit-run.js';
import { audit } from '../../src/runs/page/page.js';
import { count, duration, numeral, shortId, verdict } from '../../src/runs/page/words.js';
import { EMPTY, finding, ledger } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';
import { fixRun } from './sample-fix.js';
import { reviewRun } from './sample-run.js';

const test = suite('runs/page-words');

const words = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** What a reader sees of a section, after its title. */
function section(run: AuditRun, id: string): string {
  const page = audit(run);
  const start = page.indexOf(`<section id="${id}"`);
  if (start < 0) return 'none';
  const next = page.indexOf('<section id=', start + 1);
  return words(page.slice(page.indexOf('</h2>', start), next < 0 ? undefined : next));
}

const withOutcome = (parts: Partial<SavedOutcome>): AuditRun => {
  const run = reviewRun();
  return { ...run, outcome: { ...run.outcome, ...parts } };
};

test('the summary says what was run, on what, by which model, and how much it took', () => {
  assert.is(
    section(reviewRun(), 'summary'),
    'Command apfel-bot review --staged --deadline 8s Change aaaaaaaaaaaa to index ; 5 files, 8 hunks, +981 −329 Model apple-foundationmodel at http://127.0.0.1:11434/v1 , window of 4,096 tokens, guided protocol Usage 5 requests, 5,200 tokens in, 310 out; 2 repairs, 1 retried, 1 refused by the model Transcript 5 turns in 2 conversations, at most 1,706 of 4,096 tokens in one request Run 01JZ8Q4W6T7Y9ABCDEFGHJKMNP When 2026-02-03 04:05:06 UTC , took 5.2 s Source saved by the run itself Notices this change edits .apfel-bot.json; the version at the base commit was used for it',
  );
  const bare = withOutcome({ notices: [], durationMs: 0 });
  assert.match(section({ ...bare, conversations: [] }, 'summary'), 'Transcript not recorded here');
  assert.match(
    section(bare, 'summary'),
    /When 2026-02-03 04:05:06 UTC Source saved by the run itself$/,
  );
  const change = { ...EMPTY.change, base: null, head: 'b'.repeat(40), files: 1, repository: 'a/b' };
  for (const [parts, expected] of [
    [{ pull: 7 }, 'Change bbbbbbbbbbbb in a/b, pull request 7; 1 file, 0 hunks Model'],
    [{ added: 1 }, 'Change nothing to bbbbbbbbbbbb in a/b; 1 file, 0 hunks, +1 −0 Model'],
    [{ removed: 1 }, 'Change nothing to bbbbbbbbbbbb in a/b; 1 file, 0 hunks, +0 −1 Model'],
    [{ base: 'main' }, 'Change main to bbbbbbbbbbbb in a/b; 1 file, 0 hunks, +0 −0 Model'],
  ] as const) {
    assert.match(section(withOutcome({ change: { ...change, ...parts } }), 'summary'), expected);
  }
});

test('the map shows each hunk by file with its state, and which were asked about together', () => {
  assert.is(
    section(reviewRun(), 'map'),
    '8 hunks. Each block is one. R 2 reviewed by the model C 1 cached K 1 checks only S 1 skipped T 1 out of time X 1 refused by the model F 1 failed src/list/last.js +48 −15 1 finding R hunk 1, line 20, reviewed by the model, +6 −1, question 2 R hunk 2, line 40, reviewed by the model, +40 −12, question 1 C hunk 3, line 60, cached, +2 −2 src/list/debug.js +3 −0 1 finding K hunk 1, line 20, checks only, +3 −0 src/list/a-file-with-a-rather-long-name-in-a-deep-folder.test.js +120 −4 T hunk 1, line 20, out of time, the deadline was reached, +120 −4 src/rude.js +10 −10 X hunk 1, line 20, refused by the model, the guardrail refused it, +9 −9 F hunk 2, line 40, failed, the model is gone, +1 −1 package-lock.json +800 −300 S hunk 1, line 20, skipped, lockfile, +800 −300 The plan: 2 questions for the model Question Shows Lines 1 src/list/last.js hunk 2 52 2 src/list/last.js hunk 1 7',
  );
});

test('without the hunks, the map has only those of the ledger', () => {
  const items = [{ path: 'a.ts', hunk: 4, state: 'skipped', reason: 'binary' } as const];
  const run = withOutcome({ ledger: ledger({ total: 3, reviewed: 2, skipped: 1, items }) });
  const facts = { ...run.facts, hunks: [] };
  assert.is(
    section({ ...run, facts }, 'map'),
    '3 hunks. Each block is one. R 2 reviewed by the model S 1 skipped a.ts S hunk 4, skipped, binary 2 hunks known by number only',
  );
  assert.is(section({ ...withOutcome({ ledger: EMPTY.ledger }), facts }, 'map'), 'none');
});

test('a map of more than 400 files counts the rest', () => {
  const [hunk] = reviewRun().facts.hunks;
  assert.ok(hunk);
  const mapOf = (length: number): string => {
    const run = reviewRun();
    const hunks = Array.from({ length }, (_, at) => ({ ...hunk, path: `f${at}.ts` }));
    return section({ ...run, facts: { ...run.facts, hunks } }, 'map');
  };
  assert.match(mapOf(402), 'f0.ts');
  assert.match(mapOf(402), '2 more files in the ledger');
  assert.not.match(mapOf(400), 'more file');
});

test('findings are shown in their diff, with what was reported and why it was kept or rejected', () => {
  assert.is(
    section(reviewRun(), 'findings'),
    '2 findings kept, 1 rejected. src/list/debug.js Kept warning debugger line 4 # A breakpoint is left in the code. debugger; Kept. A deterministic check found it. Confidence 100 %. src/list/last.js src/list/last.js export function first(list) { old line new line change text 9 9 10 − export const last = list =&gt; list.at(-1); 10 + export function last(list) { 11 + for (let index = 0; index &lt;= list.length; index += 1) { error 12 + visit(list[index]); rejected 13 + } 14 + return list[list.length]; 15 + } 11 16 export const size = list =&gt; list.length; Kept error model/off-by-one line 11 # The loop runs once too often and reads past the end of the list. Suggested for line 11 for (let index = 0; index &lt; list.length; index += 1) { Kept. The model reported it on a changed line and quoted that line; a second check confirmed it. Confidence 70 %. Reported in turn 1.2 Rejected warning model/missing-value line 12 # visit may be called with undefined. Rejected ( refuted ). A second check showed that it is wrong.',
  );
  assert.is(
    section(fixRun(), 'findings'),
    '1 finding kept, 0 rejected. src/sum.js Left warning no-shadow line 7 # total is already declared. let total; Left. The linter still reports it.',
  );
});

test('the card of a finding has its lines, its suggestion and the turns that reported it', () => {
  const { path = '' } = reviewRun().outcome.findings?.[1] ?? {};
  const card = (parts: Parameters<typeof finding>[0]): string =>
    section(
      withOutcome({ findings: [finding({ path, source: 'model', ...parts })], rejected: [] }),
      'findings',
    );
  for (const [parts, expected] of [
    [{ line: 3, endLine: 5 }, ' lines 3–5 #'],
    [{ line: 3, side: 'old' }, ' removed line 3 #'],
    [
      { suggestion: { startLine: 1, endLine: 2, text: '' } },
      'Suggested for lines 1–2 (delete) Kept.',
    ],
    [{ confidence: 0.6 }, 'a second check confirmed it. Confidence 60 %.'],
    [{ confidence: 0.59 }, 'a second check could not refute it. Confidence 59 %.'],
    [{ line: 11 }, 'Reported in turn 1.2'],
    [{ line: 11, source: 'rule' }, 'Reported in turn 1.2'],
    [{ line: 99, side: 'old' }, 'Reported in turn 1.2'],
  ] as const) {
    assert.match(card(parts), expected);
  }
  for (const parts of [
    { line: 12 },
    { line: 11, source: 'check' },
    { line: 11, path: 'src/list/other.js' },
  ] as const) {
    assert.not.match(card(parts), 'Reported in');
  }
});

test('edits are counted and listed, and the kept ones are shown as a diff', () => {
  const run = fixRun();
  const table =
    'Rule Place By Result semi src/sum.js:3 the linter&#39;s own fix kept prefer-const src/sum.js:1 the model rejected after 1 tries: it silences the linter prefer-const src/sum.js:1 the model kept';
  assert.is(
    section(run, 'edits'),
    `2 edits kept, 1 rejected. They are on apfel-bot/fix-lint-aaaaaaaaaaaa . ${table} What was kept src/sum.js old line new line change text 1 − let total = 0; 1 + const total = 0; 2 2 for (const each of list) add(each);`,
  );
  assert.is(
    section({ ...run, outcome: { ...run.outcome, edits: [] }, edits: [] }, 'edits'),
    '0 edits kept, 0 rejected. They are on apfel-bot/fix-lint-aaaaaaaaaaaa .',
  );
});

test('the timeline has every step and request, with the time since the start', () => {
  assert.is(
    section(reviewRun(), 'timeline'),
    '5.2 s from the first step to the last. Asking git for the change 12 ms Looking for the model 90 ms Checking the change 140 ms Asking the model 5.0 s Requests to the model 4.6 s Each request Turn After Took 1.1 300 ms 1.4 s 1.2 1.8 s 1.3 s 1.3 3.1 s 700 ms 2.1 3.9 s 420 ms 2.2 4.4 s 800 ms',
  );
  const run = { ...reviewRun(), conversations: [] };
  const stages = run.facts.stages.slice(0, 1);
  assert.is(
    section({ ...run, facts: { ...run.facts, stages } }, 'timeline'),
    '12 ms from the first step to the last. Asking git for the change 12 ms',
  );
  const [first] = stages.map(stage => ({ ...stage, durationMs: 0 }));
  assert.match(
    section(
      { ...run, facts: { ...run.facts, stages: first === undefined ? [] : [first] } },
      'timeline',
    ),
    /^1 ms from the first step to the last\. .* 0 ms$/,
  );
  assert.is(section({ ...run, facts: { ...run.facts, stages: [] } }, 'timeline'), 'none');
});

/** A conversation that ended like this. */
const ended = (reason: string | undefined): AuditConversation => ({
  number: 1,
  title: 'Review',
  turns: [],
  end: reason === undefined ? undefined : { reason, message: 'why' },
});

test('limits are listed with what ended conversations early', () => {
  const reasons = ['finished', undefined, 'max-turns', undefined];
  const limits = [
    { limit: 'deadline', value: '8s', hit: true },
    { limit: 'turns', value: '8', hit: false },
  ];
  assert.match(
    section({ ...withOutcome({ limits }), conversations: reasons.map(ended) }, 'limits'),
    'Limits The run is incomplete. reached deadline: 8s not reached turns: 8 broke off ended 2 conversations max-turns ended 1 conversation Hosts contacted',
  );
  assert.match(section(withOutcome({ complete: true }), 'limits'), 'The run is complete.');
});

test('hosts are listed as contacted, or it is said why they are not', () => {
  const run = reviewRun();
  const hostsOf = (parts: Partial<AuditRun>, hosts: AuditRun['facts']['hosts'] = []): string =>
    section({ ...run, ...parts, facts: { ...run.facts, hosts } }, 'limits').split(
      'contacted ',
    )[1] ?? '';
  const here = { host: '127.0.0.1:11434', times: 9 };
  const there = { host: 'models.example', times: 1 };
  const nothing = 'Nothing else was';
  for (const [parts, hosts, expected] of [
    [
      {},
      [here],
      `${here.host} this machine 9 HTTP requests, 5 of them questions to the model ${nothing}`,
    ],
    [
      {},
      [here, there],
      `${here.host} this machine 9 HTTP requests ${there.host} another machine 1 HTTP request ${nothing}`,
    ],
    [{}, [], 'None.'],
    [{ origin: 'note' }, [], "The model's server, http://127.0.0.1:11434/v1 ."],
    [
      { origin: 'note', outcome: EMPTY },
      [],
      'Not recorded: only runs saved on this machine have this.',
    ],
  ] as const) {
    assert.match(hostsOf(parts, hosts), expected);
  }
});

test('a conversation says how it ended, and each turn what it was asked and what it answered', () => {
  const page = audit(reviewRun());
  const text = section(reviewRun(), 'conversations');
  assert.match(page, '<span class="pill good">finished</span>');
  assert.match(
    text,
    '1. Review: src/list/last.js # 3 turns, 3.4 s of answering. finished 1.1 read_file',
  );
  assert.match(
    text,
    'guided protocol, 1 message, at most 600 tokens to answer; it could choose nothing , problem system',
  );
  assert.match(text, 'guided protocol, 3 messages (1 as before), at most 600 tokens');
  assert.match(text, 'answer after 1.4 s, 1,130 tokens in, 52 out');
  assert.match(text, 'refused after 420 ms I cannot help.');
  const broken = { ...reviewRun(), conversations: ['max-turns', undefined].map(ended) };
  assert.match(audit(broken), '<span class="pill bad">max-turns</span>\nwhy</p>');
  assert.match(audit(broken), '<span class="pill bad">broke off</span>');
});

test('a turn shows its problems before it is opened', () => {
  const run = reviewRun();
  const [conversation] = run.conversations;
  const [turn] = conversation?.turns ?? [];
  assert.ok(conversation && turn?.reply);
  const line = (parts: Partial<Turn>): string => {
    const turns = [{ ...turn, steps: [], ...parts }];
    const page = audit({ ...run, conversations: [{ ...conversation, turns }] });
    return words(
      page.slice(page.indexOf('<details class="item turn"'), page.indexOf('<div class="body">')),
    );
  };
  const replyOf = (text: string) => ({ ...turn.reply, text }) as Turn['reply'];
  for (const [parts, expected] of [
    [{ reply: undefined }, '1.1 no reply no reply 1,140 of'],
    [{ reply: replyOf('') }, '1.1 answer 1,182 of'],
    [{ reply: { ...turn.reply, text: 'plain', isCut: true } }, '1.1 plain cut off 1,182 of'],
    [{ reply: replyOf(`${'a '.repeat(49)}bb`) }, `1.1 ${'a '.repeat(49)}bb 1,182 of`],
    [{ reply: replyOf('b'.repeat(101)) }, `1.1 ${'b'.repeat(100)}… 1,182 of`],
    [{ compaction: 'dropped' }, 'history dropped 1,182 of 4,096 tokens, 1.4 s'],
  ] as const) {
    assert.match(line(parts), expected);
  }
});

test('of many findings the first 600 are shown, and the rest is counted', () => {
  const findings = Array.from({ length: 602 }, (_, at) => finding({ line: at + 1 }));
  const shown = (amount: number): string =>
    section(withOutcome({ findings: findings.slice(0, amount), rejected: [] }), 'findings');
  assert.match(shown(602), /2 more are in the outcome$/);
  assert.not.match(shown(600), 'more are in');
});

test('the verdict of a run is in the title of its page', () => {
  const of = (parts: Partial<SavedOutcome>): string => verdict({ ...EMPTY, ...parts });
  const diagnostics = { before: 0, after: 0, fixed: 0, introduced: 0 };
  const error = finding({ severity: 'error' });
  const info = finding({ severity: 'info' });
  for (const [parts, expected] of [
    [{}, 'Nothing found'],
    [{ complete: false }, 'Nothing found so far'],
    [{ findings: [error] }, '1 error'],
    [{ findings: [info, error, error, finding({})] }, '2 errors, 1 warning, 1 info'],
    [{ task: 'ask' }, 'No answer'],
    [{ task: 'ask', answer: { text: '', sources: [] } }, 'Answered'],
    [{ task: 'describe', description: { title: '', body: '' } }, 'Described'],
    [{ diagnostics }, 'Nothing to fix'],
    [{ diagnostics: { ...diagnostics, before: 3, fixed: 2 } }, '2 of 3 diagnostics fixed'],
  ] as const) {
    assert.is(of(parts), expected);
  }
});

test('numbers, times and ids are short and exact', () => {
  assert.equal([999, 1000, 1_234_567].map(numeral), ['999', '1,000', '1,234,567']);
  assert.equal(
    [0, 1, 2].map(amount => count(amount, 'file')),
    ['0 files', '1 file', '2 files'],
  );
  assert.equal([999, 1000, 59_949, 59_950, 125_000].map(duration), [
    '999 ms',
    '1.0 s',
    '59.9 s',
    '1 min 0 s',
    '2 min 5 s',
  ]);
  assert.equal(['0123456789abcdef'.repeat(3).slice(0, 40), 'index'].map(shortId), [
    '0123456789ab',
    'index',
  ]);
});

test.run();
