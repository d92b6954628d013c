import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { apfelBot } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import {
  commit,
  commitUnseen,
  git,
  isIdle,
  queued,
  recordOf,
  until,
  withHooks,
} from './hooked-repo.js';

const test = suite('hooks/command');

const FOCUSED = 'it.only("x", () => {});\n';
const FINE = 'it("x", () => {});\n';

test('a commit with a problem is blocked with a readable message; once fixed, it passes and gets a note', () =>
  withHooks(async repo => {
    await repo.stage('a.test.js', FOCUSED);
    const stopped = await commit(repo);
    assert.is(stopped.code, 1);
    assert.match(stopped.stderr, 'a.test.js:1:1  error  focused-test');
    assert.match(stopped.stderr, '// apfel-bot-ignore focused-test reason');
    assert.match(stopped.stderr, 'apfel-bot review --staged');
    assert.match(stopped.stderr, 'git commit --no-verify');
    const { stdout: listed } = await apfelBot(['show', '--list'], { cwd: repo.dir });
    assert.match(listed, / review +index +1 +/, 'what blocked a commit can be shown');
    await repo.stage('a.test.js', FINE);
    const passed = await commit(repo);
    assert.is(passed.code, 0);
    assert.match(
      passed.stdout + passed.stderr,
      /^apfel-bot: checks only, no model: [^\n]*127\.0\.0\.1:9[^\n]*\n$/,
    );
    const record = await recordOf(repo);
    assert.is(record?.commit, await repo.git('rev-parse', 'HEAD'));
    assert.is(record?.tree, await repo.git('rev-parse', 'HEAD^{tree}'));
    assert.equal(record?.findings, []);
    assert.is(record?.ledger.checked, 1);
    assert.ok(await isIdle(repo));
  }));

test('the hook judges what is committed: a part, all, or a path', () =>
  withHooks(async repo => {
    await repo.stage('a.test.js', FINE);
    await repo.write('a.test.js', FOCUSED);
    assert.is((await commit(repo)).code, 0, 'staged is fine, the file is not');
    assert.is((await commit(repo, '--all')).code, 1);
    await repo.stage('b.test.js', FOCUSED);
    await repo.stage('c.txt', 'fine\n');
    assert.is((await commit(repo, '--', 'c.txt')).code, 0);
    assert.is((await recordOf(repo))?.ledger.total, 1);
    assert.is((await commit(repo, '--', 'b.test.js')).code, 1);
  }));

test('a warning is reported and the commit goes on', () =>
  withHooks(async repo => {
    await repo.stage('a.js', 'debugger;\n');
    const run = await commit(repo);
    assert.is(run.code, 0);
    assert.match(run.stderr, 'a.js:1:1  warning  debugger');
    assert.equal(
      (await recordOf(repo))?.findings.map(({ rule }) => rule),
      ['debugger'],
    );
  }));

test('hooks.failOn and APFEL_BOT=0 are obeyed', () =>
  withHooks(
    async repo => {
      await repo.stage('a.js', 'debugger;\n');
      assert.is((await commit(repo)).code, 1);
      const args = ['commit', '--quiet', '--message', 'skipped'];
      const skipped = await git(repo, args, { APFEL_BOT: '0' });
      assert.equal(skipped, { code: 0, stdout: '', stderr: '' });
      assert.is(await recordOf(repo), null);
    },
    { hooks: { failOn: 'warning' } },
  ));

test('a failure of apfel-bot is one line, and the commit goes on', () =>
  withHooks(
    async repo => {
      await repo.stage('a.test.js', FOCUSED);
      const { code, stderr } = await commit(repo);
      assert.is(code, 0);
      assert.match(
        stderr,
        /^apfel-bot: \.apfel-bot\.json: .*; the commit continues without a review$/m,
      );
      assert.is(stderr.split('\n').filter(line => /without a review/.test(line)).length, 1);
    },
    { review: { failOn: 'sometimes' } },
  ));

test('with hooks.failClosed a failure stops the commit', () =>
  withHooks(
    async repo => {
      await repo.stage('a.txt', 'x\n');
      // With neither object nor file git cannot tell the change.
      const blob = await repo.git('rev-parse', ':a.txt');
      await rm(join(repo.dir, '.git/objects', blob.slice(0, 2), blob.slice(2)));
      await rm(join(repo.dir, 'a.txt'));
      const run = await apfelBot(['hook', 'pre-commit'], { cwd: repo.dir });
      assert.is(run.code, 3, run.stderr);
      assert.match(run.stderr, 'hooks.failClosed is set');
    },
    { hooks: { failClosed: true } },
  ));

test('an unknown hook name is a usage error', () =>
  withHooks(async repo => {
    const run = await apfelBot(['hook', 'pre-comit'], { cwd: repo.dir });
    assert.is(run.code, 2);
    assert.match(run.stderr, 'pre-commit, post-commit, post-rewrite, pre-push');
  }));

test('--no-verify is reviewed in the background, and recorded', () =>
  withHooks(async repo => {
    await repo.stage('a.test.js', FOCUSED);
    assert.equal(await commit(repo, '--no-verify'), { code: 0, stdout: '', stderr: '' });
    await until(() => isIdle(repo));
    assert.equal(
      (await recordOf(repo))?.findings.map(({ rule }) => rule),
      ['focused-test'],
    );
  }));

test('with hooks.background false nothing is queued or started', () =>
  withHooks(
    async repo => {
      await repo.stage('a.test.js', FOCUSED);
      assert.is((await commit(repo, '--no-verify')).code, 0);
      assert.equal(await queued(repo), []);
      assert.is(await recordOf(repo), null);
    },
    { hooks: { background: false } },
  ));

test('an amend keeps what was found before and adds what is new', () =>
  withHooks(async repo => {
    await repo.stage('a.js', 'debugger;\n');
    await commit(repo);
    await commit(repo, '--amend');
    const rules = async (): Promise<unknown> =>
      (await recordOf(repo))?.findings.map(({ path }) => path).sort();
    assert.equal(await rules(), ['a.js'], 'only the message was changed');
    await repo.stage('b.js', 'debugger;\n');
    await commit(repo, '--amend');
    assert.equal(await rules(), ['a.js', 'b.js']);
    await repo.stage('a.js', 'run();\n');
    await commit(repo, '--amend');
    assert.equal(await rules(), ['b.js'], 'what was fixed is dropped');
    assert.ok(await isIdle(repo));
  }));

test('an amend of a commit that was never reviewed is reviewed as a whole', () =>
  withHooks(async repo => {
    await repo.stage('a.js', 'debugger;\n');
    await commitUnseen(repo);
    await repo.stage('b.txt', 'b\n');
    await commit(repo, '--amend');
    await until(() => isIdle(repo));
    const record = await recordOf(repo);
    assert.is(record?.ledger.total, 2);
    assert.equal(
      record?.findings.map(({ path }) => path),
      ['a.js'],
    );
  }));

test('records follow a rebase, with their lines, and nothing is asked again', () =>
  withHooks(async repo => {
    const lines = Array.from({ length: 30 }, (_, at) => `line(${at});`);
    await repo.stage('a.js', `${lines.join('\n')}\n`);
    await commit(repo);
    const base = await repo.git('rev-parse', 'HEAD');
    await repo.stage('a.js', `${[...lines, 'debugger;'].join('\n')}\n`);
    await commit(repo);
    await repo.git('checkout', '--quiet', '-b', 'side', base);
    await repo.stage('a.js', `first();\n${lines.join('\n')}\n`);
    await commit(repo);
    const old = await recordOf(repo, 'main');
    const rebase = await git(repo, ['rebase', '--quiet', 'side', 'main']);
    assert.is(rebase.code, 0, rebase.stderr);
    const moved = await recordOf(repo, 'main');
    assert.not.equal(moved?.tree, old?.tree);
    assert.is(moved?.commit, await repo.git('rev-parse', 'main'));
    assert.equal(
      moved?.findings.map(({ rule, line }) => [rule, line]),
      [['debugger', 32]],
    );
    assert.equal(moved?.ledger, old?.ledger);
    assert.equal(await queued(repo), []);
  }));

test('a cherry-pick only queues its review, and the next commit starts it', () =>
  withHooks(async repo => {
    await repo.git('checkout', '--quiet', '-b', 'side');
    await repo.stage('a.js', 'debugger;\n');
    await commit(repo);
    await repo.git('checkout', '--quiet', 'main');
    await repo.stage('b.txt', 'b\n');
    await commit(repo);
    assert.is((await git(repo, ['cherry-pick', 'side'])).code, 0);
    assert.is((await queued(repo)).length, 1);
    await repo.stage('c.txt', 'c\n');
    await commit(repo);
    await until(() => isIdle(repo));
    assert.equal(
      (await recordOf(repo, 'HEAD~1'))?.findings.map(({ rule }) => rule),
      ['debugger'],
    );
  }));

test('a note that cannot be written is reported in one line, and the commit is made', () =>
  withHooks(async repo => {
    await mkdir(join(repo.dir, '.git/refs'), { recursive: true });
    await writeFile(join(repo.dir, '.git/refs/notes'), 'in the way\n');
    await repo.stage('a.txt', 'x\n');
    const { code, stderr } = await commit(repo);
    assert.is(code, 0);
    assert.match(
      stderr,
      /^apfel-bot: the note on [0-9a-f]{12} was not recorded: .*; the commit was made$/m,
    );
    assert.is(await repo.git('log', '-1', '--format=%s'), 'next');
  }));

test('the hook stops waiting for a slow model at the deadline, and the rest is added to the note later', () =>
  withHooks(
    async repo => {
      const bug = 'index <= list.length';
      const server = await startStandIn({ policy: reviewer({ sees: [bug] }), latencyMs: 600_000 });
      try {
        await repo.stage('a.js', `for (let index = 0; ${bug}; index += 1) use(list[index]);\n`);
        const env = { APFEL_BOT_BASE_URL: server.baseUrl };
        const aborted = await git(repo, ['commit', '--quiet', '--message', ''], env);
        assert.is(aborted.code, 1, aborted.stderr);
        assert.match(aborted.stderr, 'apfel-bot: 1 hunk out of time\n');
        assert.not.match(aborted.stderr, 'background');
        const run = await git(repo, ['commit', '--quiet', '--message', 'slow'], env);
        assert.is(run.code, 0, run.stderr);
        assert.match(run.stderr, 'apfel-bot: reviewing 1 hunk in the background: ');
        assert.is((await recordOf(repo))?.ledger.outOfTime, 1);
        server.setLatency(0);
        await until(() => isIdle(repo));
        const done = await recordOf(repo);
        assert.is(done?.complete, true);
        assert.equal(
          done?.findings.map(({ source }) => source),
          ['model'],
        );
      } finally {
        await server.close();
      }
    },
    { hooks: { deadline: '12s' } },
  ));

test.run();
