import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  type Conversation,
  type PolicyReply,
  type StandIn,
  type StandInOptions,
  startStandIn,
} from '../../fixtures/apfel/stand-in.js';
import type { Outcome } from '../../src/core/outcome.js';
import { validateOutcome } from '../../src/generated/validate-outcome.js';
import { apfelBot, reviewJson } from '../support/cli.js';
import { fill, questionIn } from '../support/closed-questions.js';
import { type Reviewer, reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const BUG = 'index <= list.length';
const CODE = `export function last(list) {\n  for (let index = 0; ${BUG}; index += 1) use(list[index]);\n}\n`;

async function withModel(
  skill: Reviewer,
  body: (server: StandIn, repo: Repo) => Promise<void>,
  options: StandInOptions = {},
): Promise<void> {
  const server = await startStandIn({ policy: reviewer(skill), ...options });
  try {
    await withRepo(repo => body(server, repo));
  } finally {
    await server.close();
  }
}

const review = (server: StandIn, repo: Repo, ...args: string[]) =>
  reviewJson([...args, '--base-url', server.baseUrl], { cwd: repo.dir });

const found = ({ findings }: Outcome): string[] =>
  findings.map(({ path, line, rule }) => `${path}:${line} ${rule}`);

const test = suite('review/with-model');

test('a bug is found on its line, quoted, confirmed and counted', () =>
  withModel({ sees: [BUG] }, async (server, repo) => {
    await repo.stage('src/last.js', CODE);
    const { code, outcome } = await review(server, repo);
    assert.equal(validateOutcome(outcome), []);
    assert.equal(found(outcome), ['src/last.js:2 model/off-by-one']);
    const [finding] = outcome.findings;
    assert.is(finding?.source, 'model');
    assert.is(finding?.column, 23);
    assert.is(outcome.ledger.reviewed, 1);
    assert.is(outcome.complete, true);
    assert.is(code, 1);
    assert.is(outcome.model.requests, server.requests.length);
    // The verdict, and a second look.
    assert.is(server.requests.length, 2);
  }));

test('a chunk with nothing wrong takes one request', () =>
  withModel({ sees: [] }, async (server, repo) => {
    await repo.stage('src/last.js', CODE);
    const { code, outcome } = await review(server, repo);
    assert.equal(found(outcome), []);
    assert.is(server.requests.length, 1);
    assert.is(code, 0);
    const text = await apfelBot(['review', '--base-url', server.baseUrl], { cwd: repo.dir });
    assert.not.match(text.stdout, /checks only/);
  }));

test('a finding that the second look refutes is rejected with that reason', () =>
  withModel({ sees: [BUG], refutes: true }, async (server, repo) => {
    await repo.stage('src/last.js', CODE);
    const { outcome } = await review(server, repo);
    assert.equal(found(outcome), []);
    assert.equal(
      outcome.rejected.map(({ reason }) => reason),
      ['refuted'],
    );
  }));

const filler = Array.from({ length: 20 }, (_, at) => `step(${at});\n`).join('');
const LOCKED = `lock.take();\nuse();\nlock.release();\ndone();\n${filler}`;

for (const [what, tail] of [
  ['a change that only removes', ''],
  ['a change with other hunks', 'more();\n'],
] as const) {
  test(`a finding about a removed line is on the old side and is shown as removed, in ${what}`, async () => {
    const policy = (conversation: Conversation): PolicyReply =>
      fill(conversation, {
        reason: 'calls release and more',
        ruling: 'real_bug',
        verdict: questionIn(conversation).includes('-| lock.release();') ? 'problem' : 'nothing',
        line: '2',
        quote: 'lock.release()',
        severity: 'error',
        message: 'the lock is never released',
        more: 'no',
      });
    await withModel(
      { sees: [] },
      async (server, repo) => {
        await repo.commit({ 'src/lock.js': LOCKED });
        await repo.stage('src/lock.js', LOCKED.replace('lock.release();\n', '') + tail);
        const first = await review(server, repo);
        const [finding] = first.outcome.findings;
        assert.equal(validateOutcome(first.outcome), []);
        assert.equal(
          [finding?.line, finding?.side, finding?.evidence],
          [3, 'old', 'lock.release();'],
        );
        assert.equal([first.outcome.findings.length, first.outcome.ledger.failed], [1, 0]);
        const asked = server.requests.length;
        const url = ['--base-url', server.baseUrl];
        const text = await apfelBot(['review', ...url], { cwd: repo.dir });
        assert.is(server.requests.length, asked, 'the answer is cached');
        assert.match(text.stdout, /src\/lock\.js:3:1 \(removed\) {2}error/);
        assert.match(text.stdout, / 3 - lock\.release\(\);/);
        const page = join(repo.dir, 'page.html');
        await apfelBot(['show', '--html', page], { cwd: repo.dir });
        const html = await readFile(page, 'utf8');
        assert.match(html, /removed line 3/);
        assert.match(html, /<tr class="removed hit error">[\s\S]{1,200}lock\.release\(\);/);
      },
      { policy },
    );
  });
}

test('a finding whose quote is not on the line is rejected, and its hunk is not reviewed', () =>
  withModel({ sees: [BUG], spoil: 'quote' }, async (server, repo) => {
    await repo.stage('src/last.js', `${CODE}last([]);\n`);
    const { outcome } = await review(server, repo);
    assert.equal(found(outcome), []);
    assert.equal(new Set(outcome.rejected.map(each => each.reason)), new Set(['quote-not-found']));
    assert.is(outcome.ledger.failed, 1);
  }));

test('a finding is moved to the line that it quotes', () =>
  withModel({ sees: [BUG], spoil: 'line' }, async (server, repo) => {
    await repo.stage('src/last.js', `${CODE}last([]);\n`);
    const { outcome } = await review(server, repo);
    assert.equal(found(outcome), ['src/last.js:2 model/off-by-one']);
    assert.is(outcome.complete, true);
  }));

test('a limit of the conversation that was reached is listed', () =>
  withModel({ sees: [BUG], spoil: 'quote' }, async (server, repo) => {
    await repo.write('.apfel-bot.json', '{"limits": {"requests": 1}}');
    await repo.stage('src/last.js', CODE);
    const { outcome } = await review(server, repo);
    assert.equal(validateOutcome(outcome), []);
    assert.is(outcome.ledger.failed, 1);
    const hit = outcome.limits.filter(limit => limit.hit);
    assert.equal(hit, [{ limit: 'requests', value: '1', hit: true }]);
  }));

test('a request that is sent again because the server is busy counts towards the limit of requests', () =>
  withModel(
    { sees: [] },
    async (server, repo) => {
      await repo.write('.apfel-bot.json', '{"limits": {"requests": 2}}');
      await repo.stage('src/last.js', CODE);
      const { outcome } = await review(server, repo);
      assert.is(outcome.ledger.failed, 1);
      assert.is(outcome.model.requests, 2);
      const hit = outcome.limits.filter(limit => limit.hit);
      assert.equal(hit, [{ limit: 'requests', value: '2', hit: true }]);
    },
    { quirks: { loading: 1 } },
  ));

test('nothing is asked twice: a re-run, an amend and a rebase send no request', () =>
  withModel({ sees: [BUG] }, async (server, repo) => {
    const base = await repo.commit({ 'src/other.js': 'one;\n'.repeat(30) });
    await repo.commit({ 'src/last.js': CODE });
    const first = await review(server, repo, '--commit', 'HEAD');
    const asked = server.requests.length;
    const again = await review(server, repo, '--commit', 'HEAD');
    assert.is(server.requests.length, asked);
    assert.equal(again.outcome.findings, first.outcome.findings);
    assert.is(again.outcome.ledger.cached, 1);
    await repo.git('commit', '--quiet', '--amend', '--message', 'amended');
    await review(server, repo, '--commit', 'HEAD');
    await repo.git('checkout', '--quiet', '-b', 'elsewhere', base);
    await repo.commit({ 'src/other.js': 'two;\n'.repeat(30) });
    await repo.git('cherry-pick', 'main');
    const moved = await review(server, repo, '--commit', 'HEAD');
    assert.is(server.requests.length, asked);
    assert.equal(found(moved.outcome), found(first.outcome));
  }));

async function stageLargeChange(repo: Repo): Promise<void> {
  for (let at = 0; at < 80; at += 1) {
    const lines = Array.from(
      { length: at === 41 ? 400 : 12 },
      (_, line) => `const v${at}_${line} = ${line};`,
    );
    if (at === 41) lines[222] = `for (let index = 0; ${BUG}; index += 1) go(index);`;
    await repo.write(`src/file${at}.js`, `${lines.join('\n')}\n`);
  }
  await repo.git('add', '--all');
}

test('a planted bug in a 400-line file of an 80-file change is found once', () =>
  withModel({ sees: [BUG] }, async (server, repo) => {
    await stageLargeChange(repo);
    const { outcome } = await review(server, repo);
    assert.equal(found(outcome), ['src/file41.js:223 model/off-by-one']);
    assert.equal(outcome.rejected, []);
    assert.is(outcome.ledger.reviewed, 80);
  }));

test('a finding whose quote is not in the file is rejected, and only its hunk failed', () =>
  withModel({ sees: [BUG], spoil: 'quote' }, async (server, repo) => {
    await stageLargeChange(repo);
    const { outcome } = await review(server, repo);
    assert.equal(found(outcome), []);
    assert.ok(outcome.rejected.length > 0);
    assert.ok(outcome.rejected.every(({ finding }) => finding.line === 223));
    assert.ok(outcome.ledger.failed > 0 && outcome.ledger.failed < 80);
  }));

test('secrets and hidden characters do not reach the model', () =>
  withModel({ sees: [] }, async (server, repo) => {
    const key = `AKIA${'Q3EGR2X7LMPZ5W4T'}`;
    await repo.stage('a.js', `const k = '${key}'; // \u202e\n`);
    await review(server, repo);
    const sent = JSON.stringify(server.requests);
    assert.ok(sent.includes('AKIA****'));
    assert.not.ok(sent.includes(key) || sent.includes('\u202e'));
  }));

test('the majority decides with --votes', () =>
  withModel({ sees: [BUG] }, async (server, repo) => {
    await repo.stage('src/last.js', CODE);
    const { outcome } = await review(server, repo, '--votes', '3');
    assert.equal(found(outcome), ['src/last.js:2 model/off-by-one']);
    assert.is(server.requests.length, 4);
  }));

test('a finding of one vote in three is rejected as outvoted', () => {
  const seeing = reviewer({ sees: [BUG] });
  const blind = reviewer({ sees: [] });
  return withModel(
    { sees: [BUG] },
    async (server, repo) => {
      await repo.stage('src/last.js', CODE);
      const { outcome } = await review(server, repo, '--votes', '3');
      assert.equal(found(outcome), []);
      assert.equal(
        outcome.rejected.map(({ reason, finding }) => `${reason} ${finding.line}`),
        ['outvoted 2'],
      );
    },
    { policy: conversation => (conversation.seed === 107 ? seeing : blind)(conversation) },
  );
});

test('a guardrail block is a ledger state, not a clean review', () =>
  withModel(
    { sees: [] },
    async (server, repo) => {
      await repo.stage('src/last.js', CODE);
      const { outcome } = await review(server, repo);
      assert.is(outcome.ledger.refused, 1, JSON.stringify(outcome.ledger));
      assert.is(outcome.complete, false);
    },
    { quirks: { guardrail: 1 } },
  ));

test('a model that dies half-way leaves the rest failed, with the reason', () =>
  withModel(
    { sees: [] },
    async (server, repo) => {
      await repo.stage('src/last.js', CODE);
      const { outcome } = await review(server, repo, '--deadline', '60s');
      assert.is(
        outcome.ledger.failed + outcome.ledger.outOfTime,
        1,
        JSON.stringify(outcome.ledger),
      );
      assert.is(outcome.complete, false);
    },
    { quirks: { reset: 1 } },
  ));

for (const quirk of ['stall', 'drip'] as const) {
  test(`a review ends at its deadline when the server does ${quirk}`, () =>
    withModel(
      { sees: [] },
      async (server, repo) => {
        await repo.stage('src/last.js', CODE);
        const isTimeUp = () => server.requests.length > 0;
        const options = { cwd: repo.dir, isTimeUp };
        const { outcome } = await reviewJson(['--base-url', server.baseUrl], options);
        assert.is(outcome.ledger.outOfTime, 1, JSON.stringify(outcome.ledger));
      },
      { quirks: { [quirk]: 1 } },
    ));
}

test('a review without a model says once that only checks ran', () =>
  withRepo(async repo => {
    await repo.stage('src/last.js', CODE);
    const env = { PATH: '/usr/bin:/bin' };
    const { stdout } = await apfelBot(['review'], { cwd: repo.dir, env });
    assert.is(stdout.match(/checks only/g)?.length, 1, stdout);
    assert.match(stdout, /apfel is not installed/);
  }));

test.run();
