import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { AuditRun } from '../../src/runs/audit-run.js';
import { audit } from '../../src/runs/page/page.js';
import { EMPTY } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';
import { fixRun } from './sample-fix.js';
import { hostileRun } from './sample-hostile.js';
import { manyTurns } from './sample-many.js';
import { reviewRun } from './sample-run.js';

const test = suite('runs/page');

const between = (text: string, start: string, end: string): string =>
  text.slice(text.indexOf(start) + start.length, text.indexOf(end));

const sections = (page: string): string[] =>
  [...page.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id ?? '');

const asks = (parts: Partial<AuditRun['outcome']>): AuditRun => {
  const run = reviewRun();
  const { change: _change, findings: _found, ledger: _ledger, ...rest } = run.outcome;
  return {
    ...run,
    outcome: { ...rest, task: 'ask', ...parts },
    facts: { ...run.facts, hunks: [] },
  };
};

test('the policy allows our own style and script, and nothing else', () => {
  const page = audit(reviewRun());
  const hash = (text: string): string =>
    `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`;
  const [, policy = ''] = /Policy" content="([^"]*)"/.exec(page) ?? [];
  assert.match(page, `style-src ${hash(between(page, '<style>', '</style>'))};`);
  assert.match(page, `script-src ${hash(between(page, '<script>', '</script>'))};`);
  assert.match(page, 'content="default-src &#39;none&#39;;');
  assert.not.match(policy, /unsafe|https?:|data:|\*/);
});

test('the page of a review has every section that applies', () => {
  assert.equal(sections(audit(reviewRun())), [
    'summary',
    'map',
    'findings',
    'conversations',
    'timeline',
    'limits',
  ]);
});

test('a change whose base and lines are not recorded is named by its commit alone', () => {
  const run = reviewRun();
  const { change } = run.outcome;
  assert.ok(change);
  const noted = { ...change, base: null, added: 0, removed: 0 };
  const page = audit({ ...run, outcome: { ...run.outcome, change: noted } });
  assert.not.match(page, '>nothing</code> to');
  assert.not.match(between(page, '<h2 id="summary-title">', '</section>'), '+0');
});

test('the page lists kept and rejected findings, each with its reason and its turn', () => {
  const page = audit(reviewRun());
  assert.match(page, '<strong>Kept.</strong> The model reported it');
  assert.match(page, 'A second check showed that it is wrong.');
  assert.match(page, '<a href="#turn-1-2">turn 1.2</a>');
  assert.match(
    page,
    /<tr class="added hit error">[^*]{0,200}index &lt;= list\.length[^*]{0,60}#finding-/,
  );
  assert.match(page, /<tr class="added hit rejected">/);
});

test('a turn shows what was seen, answered, repaired and refused', () => {
  const page = audit(reviewRun());
  assert.match(page, 'Repaired before it could be used: <code>json-syntax</code>');
  assert.match(page, 'as in <a href="#text-1">turn 1.1</a>');
  assert.match(page, 'not usable: refused');
  assert.match(page, '<dt>path</dt><dd><code>src/visit.js</code></dd>');
  assert.match(page, '<span class="badge info">history shrunk</span>');
});

test('edits are listed, kept and not, and what was kept is shown as a diff', () => {
  const page = audit(fixRun());
  assert.equal(sections(page).includes('edits'), true);
  assert.match(page, /<tr class="removed">[\s\S]*?<td class="code">let total = 0;<\/td>/);
  assert.match(page, /<tr class="added">[\s\S]*?<td class="code">const total = 0;<\/td>/);
  assert.match(
    page,
    '<span class="pill bad">rejected</span> after 1 tries: it silences the linter',
  );
});

test('the page distinguishes HTTP requests from questions to the model', () => {
  assert.match(audit(reviewRun()), '5 requests, 5,200 tokens in');
  assert.match(audit(reviewRun()), '9 HTTP requests, 5 of them questions to the model');
});

const wordsOf = (part: string): string =>
  part
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

test('the map adds up the lines of each file', () => {
  const words = wordsOf(audit(reviewRun()));
  assert.match(words, 'src/list/last.js +48 −15 1 finding R hunk 1, line 20,');
  assert.match(words, 'src/list/debug.js +3 −0 1 finding K hunk 1');
});

test('the timeline lasts from the first step to the end of the last', () => {
  const page = audit(reviewRun());
  assert.match(wordsOf(page), '5.2 s from the first step to the last.');
  assert.match(page, '<rect class="stage" x="48" y="0" width="952" height="10">');
  assert.match(page, '<rect class="trouble" x="750" y="0" width="81" height="10">');
});

test('the line of a turn has its call or the beginning of its answer, and what went wrong', () => {
  const page = audit(reviewRun());
  const turns = [...page.matchAll(/<details class="item turn"[\s\S]*?<\/summary>/g)];
  const lines = turns.map(([turn]) => wordsOf(turn));
  assert.is(
    lines[0],
    '1.1 read_file path: src/visit.js 2 repairs tool error 1,182 of 4,096 tokens, 1.4 s',
  );
  assert.match(lines[2] ?? '', /^1\.3 verdict: nothing, reason: .* history shrunk 1,706 of/);
  assert.match(lines[3] ?? '', '2.1 I cannot help. refused: reword 1,140 of');
});

test('an answer is shown with its sources', () => {
  const page = audit(asks({ answer: { text: '42 it is', sources: [{ path: 'a.ts', line: 3 }] } }));
  assert.match(page, '<pre class="prose">42 it is</pre>');
  assert.match(page, '<code>a.ts:3</code>');
  assert.equal(sections(page).includes('findings'), false);
});

test('a run without a model, and one that only left a note, have pages too', () => {
  const empty = { hosts: [], asked: '', stages: [], hunks: [], texts: [] };
  const bare = {
    outcome: EMPTY,
    facts: empty,
    conversations: [],
    isCut: false,
    hunks: [],
    edits: [],
  };
  assert.match(audit({ ...bare, origin: 'run' }), 'No model was asked.');
  assert.match(audit({ ...bare, origin: 'run' }), '<p>None.</p>');
  assert.match(audit({ ...bare, origin: 'note' }), 'a note on the commit');
  assert.match(audit({ ...bare, origin: 'transcript', isCut: true }), 'too long to be kept');
});

/** The tags of a page, each with its attributes; text has none. */
const tagsIn = (page: string): string[] =>
  [...page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '').matchAll(/<[a-z!/][^>]*>/g)].map(
    ([tag]) => tag.replace(/"[^"]*"/g, '""'),
  );

test('recorded text adds no element and no attribute', () => {
  const names = (page: string): Set<string> =>
    new Set(tagsIn(page).flatMap(tag => [...tag.matchAll(/<\/?([a-z0-9]+)| ([a-z-]+)=/g)].flat()));
  const ours = new Set([...names(audit(reviewRun())), ...names(audit(fixRun()))]);
  const strange = [...names(audit(hostileRun()))].filter(name => !ours.has(name));
  assert.equal(strange, []);
  assert.not.match([...ours].join('\n'), /^ (on|style|src)/m);
});

test('every link stays on the page and leads somewhere', () => {
  for (const run of [reviewRun(), fixRun(), hostileRun(), manyTurns(50)]) {
    const page = audit(run);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '');
    const links = [...page.matchAll(/ href="([^"]*)"/g)].map(([, link]) => link ?? '');
    assert.ok(links.length > 10);
    assert.is(new Set(ids).size, ids.length, 'no place has two names');
    assert.equal(
      [...new Set(links)].filter(link => !ids.includes(link.slice(1))),
      [],
    );
  }
});

test('five hundred turns are less than five megabytes', () => {
  const run = manyTurns(500);
  assert.is(run.conversations.flatMap(conversation => conversation.turns).length, 500);
  const bytes = Buffer.byteLength(audit(run));
  assert.ok(bytes < 5_000_000, `${bytes} bytes`);
});

test.run();
