import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type StandIn, type StandInOptions, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { CLI, reviewJson } from '../support/cli.js';
import { asksForRuling, fieldsOf, fill } from '../support/closed-questions.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';

const BUG = 'index <= list.length';
const LOOP = `for (let index = 0; ${BUG}; index += 1) use(list[index]);`;
const COMMITS = 30;

async function withServer(
  body: (server: StandIn, repo: Repo) => Promise<void>,
  options: StandInOptions = {},
): Promise<void> {
  const server = await startStandIn({ policy: reviewer({ sees: [BUG] }), ...options });
  try {
    await withRepo(repo => body(server, repo));
  } finally {
    await server.close();
  }
}

const review = (server: StandIn, repo: Repo, ...args: string[]) =>
  reviewJson([...args, '--base-url', server.baseUrl], { cwd: repo.dir });

/** The requests that some work made. */
async function requestsOf(server: StandIn, work: () => Promise<unknown>): Promise<number> {
  const before = server.requests.length;
  await work();
  return server.requests.length - before;
}

const numbered = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word}(${at});\n`).join('');

const test = suite('review/cache');

test(`the rebase of a branch of ${COMMITS} commits sends no request`, () =>
  withServer(async (server, repo) => {
    await repo.commit({ 'src/shared.js': numbered(40, 'old'), 'src/other.js': 'one();\n' });
    await repo.git('checkout', '--quiet', '-b', 'branch');
    for (let at = 0; at < COMMITS; at += 1) {
      const files =
        at === 17
          ? { 'src/shared.js': `${numbered(40, 'old')}\n${LOOP}\n` }
          : { [`src/file${at}.js`]: `${numbered(6, `work${at}`)}` };
      await repo.commit(files, `commit ${at}`);
    }
    const range = ['--range', 'main...branch'];
    const first = await review(server, repo, ...range);
    assert.is(first.outcome.ledger.reviewed, COMMITS);
    const commits = (await repo.git('rev-list', 'main..branch')).split('\n');
    const apart = [commits[0], commits[12]].map(each => each ?? '');
    for (const commit of apart) {
      const asked = await requestsOf(server, () => review(server, repo, '--commit', commit));
      assert.is(asked, 0, 'a commit is made of the same hunks');
    }
    await repo.git('checkout', '--quiet', 'main');
    await repo.commit({
      'src/shared.js': `new();\nnew();\n${numbered(40, 'old')}`,
      'src/other.js': '',
    });
    await repo.git('rebase', '--quiet', 'main', 'branch');
    assert.not.ok((await repo.git('rev-list', 'main..branch')).includes(apart[0] ?? ''));
    let again: typeof first | undefined;
    const asked = await requestsOf(server, async () => {
      again = await review(server, repo, ...range);
    });
    assert.is(asked, 0);
    assert.is(again?.outcome.ledger.cached, COMMITS, JSON.stringify(again?.outcome.ledger));
    assert.is(again?.outcome.complete, true);
    const [was, is] = [first.outcome.findings, again?.outcome.findings ?? []];
    assert.equal(
      is.map(({ id, rule }) => [id, rule]),
      was.map(({ id, rule }) => [id, rule]),
    );
    assert.equal(
      is.map(({ line }) => line),
      was.map(({ line }) => line + 2),
    );
  }));

test('a hunk that moves, in its file or to another, sends no request', () =>
  withServer(async (server, repo) => {
    const block = `start();\nready();\n${LOOP}\nend();\n`;
    const around = (body: string): string => `${numbered(13, 'y')}${body}${numbered(13, 'z')}`;
    const base = { 'src/a.js': `${numbered(20, 'x')}${around('')}`, 'src/b.js': around('') };
    await repo.commit(base);
    await repo.stage('src/a.js', `${numbered(20, 'x')}${around(block)}`);
    const first = await review(server, repo, '--staged');
    assert.is(first.outcome.findings[0]?.line, 36);
    await repo.commit({ 'src/a.js': around('') });
    await repo.stage('src/a.js', around(block));
    assert.is(await requestsOf(server, () => review(server, repo, '--staged')), 0);
    await repo.git('reset', '--quiet', '--hard');
    await repo.stage('src/b.js', around(block));
    let moved: typeof first | undefined;
    const asked = await requestsOf(server, async () => {
      moved = await review(server, repo, '--staged');
    });
    assert.is(asked, 0);
    assert.equal(
      moved?.outcome.findings.map(({ path, line }) => `${path}:${line}`),
      ['src/b.js:16'],
    );
  }));

test('a problem found again by a rule or in another chunk is reported once', () =>
  withServer(async (server, repo) => {
    await repo.commit({ 'src/a.js': 'a();\n' });
    await repo.stage('src/a.js', `a();\n${LOOP}\n`);
    const first = await review(server, repo, '--staged');
    // The answer of the earlier run, and a new hunk beside it.
    await repo.stage('src/b.js', `${LOOP}\n`);
    const second = await review(server, repo, '--staged');
    assert.is(second.outcome.ledger.cached, 1);
    const ids = second.outcome.findings.map(({ id }) => id);
    assert.is(new Set(ids).size, 2);
    assert.ok(ids.includes(first.outcome.findings[0]?.id ?? ''));
  }));

test('a changed rule, another model or more votes ask again', () =>
  withServer(async (server, repo) => {
    await repo.stage('src/a.js', `${LOOP}\n`);
    const staged = (...args: string[]) =>
      requestsOf(server, () => review(server, repo, '--staged', ...args));
    assert.ok((await staged()) > 0);
    assert.is(await staged(), 0);
    assert.ok((await staged('--votes', '2')) > 0);
    await repo.write('.apfel-bot/rules/own.md', 'Is it right?\n');
    assert.ok((await staged()) > 0);
    assert.is(await staged(), 0);
    await repo.write('.apfel-bot/rules/own.md', 'Is it really right?\n');
    assert.ok((await staged()) > 0);
  }));

test('runs at the same time share cached answers, and a broken one is asked again', () =>
  withServer(async (server, repo) => {
    for (let at = 0; at < 12; at += 1) await repo.stage(`src/f${at}.js`, `${LOOP}\nuse(${at});\n`);
    const all = await Promise.all([1, 2, 3].map(() => review(server, repo, '--staged')));
    for (const { outcome } of all) assert.is(outcome.findings.length, 12);
    assert.is(await requestsOf(server, () => review(server, repo, '--staged')), 0);
    const answers = join(repo.dir, '.git/apfel-bot/answers');
    const [folder = ''] = await readdir(answers);
    const [name = ''] = await readdir(join(answers, folder));
    await writeFile(join(answers, folder, name), '{"findings": [{"at": "x"');
    assert.ok((await requestsOf(server, () => review(server, repo, '--staged'))) > 0);
    assert.is(await requestsOf(server, () => review(server, repo, '--staged')), 0);
  }));

test('a killed review continues where it stopped', () =>
  withServer(
    async (server, repo) => {
      for (let at = 0; at < 6; at += 1) {
        const lines = Array.from({ length: 90 }, (_, line) => `call(${line}, ${at}, 'some text');`);
        await repo.stage(`src/f${at}.js`, `${lines.join('\n')}\n`);
      }
      const args = [CLI, 'review', '--staged', '--base-url', server.baseUrl];
      const child = spawn(process.execPath, args, { cwd: repo.dir, env: gitEnv(repo.dir) });
      const ended = new Promise(resolve => child.on('close', resolve));
      while (server.requests.length < 4) await new Promise(resolve => setTimeout(resolve, 10));
      child.kill('SIGKILL');
      await ended;
      const { outcome } = await review(server, repo, '--staged');
      assert.ok(outcome.ledger.cached >= 2, JSON.stringify(outcome.ledger));
      assert.is(outcome.ledger.cached + outcome.ledger.reviewed, 6);
    },
    { latencyMs: 150 },
  ));

test('refused and unfinished answers are not cached as clean', () =>
  withServer(
    async (server, repo) => {
      await repo.stage('src/a.js', `${LOOP}\n`);
      const first = await review(server, repo, '--staged');
      assert.is(first.outcome.ledger.refused, 1);
      assert.ok((await requestsOf(server, () => review(server, repo, '--staged'))) > 0);
    },
    { quirks: { guardrail: 1 } },
  ));

test('a finding that got no ruling is not cached: the next run asks for it again', () => {
  let isHealthy = false;
  const healthy = reviewer({ sees: [BUG] });
  return withServer(
    async (server, repo) => {
      await repo.stage('src/a.js', `${LOOP}\n`);
      const severities: string[] = [];
      for (isHealthy of [false, true]) {
        const { outcome } = await review(server, repo, '--staged');
        severities.push(...outcome.findings.map(({ severity }) => severity));
      }
      assert.equal(severities, ['info', 'error']);
      assert.is(await requestsOf(server, () => review(server, repo, '--staged')), 0);
    },
    {
      policy: conversation =>
        isHealthy || !asksForRuling(fieldsOf(conversation))
          ? healthy(conversation)
          : fill(conversation, { reason: 'fine', ruling: 'real_bug' }),
    },
  );
});

test.run();
