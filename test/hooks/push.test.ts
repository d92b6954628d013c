import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { commit, commitUnseen, git, recordOf, until, withQuickHooks } from './hooked-repo.js';

const FOCUSED = 'it.only("x", () => {});\n';
const FINE = 'it("x", () => {});\n';

const test = suite('hooks/push');

test('a push shows recorded findings and is stopped by errors', () =>
  withQuickHooks(async repo =>
    withFolder(async folder => {
      await repo.git('init', '--quiet', '--bare', folder);
      await repo.git('remote', 'add', 'origin', folder);
      await repo.stage('a.test.js', FOCUSED);
      await commit(repo, '--no-verify');
      await until(() => recordOf(repo));
      const stopped = await git(repo, ['push', '--quiet', 'origin', 'main']);
      assert.is(stopped.code, 1);
      assert.match(stopped.stdout + stopped.stderr, 'focused-test');
      assert.match(stopped.stdout + stopped.stderr, 'git push --no-verify');
      await repo.stage('a.test.js', FINE);
      await commit(repo);
      const repaired = await git(repo, ['push', '--quiet', 'origin', 'main']);
      assert.equal(repaired, { code: 0, stdout: '', stderr: '' });
      assert.is(
        (await git(repo, ['push', '--quiet', 'origin', ':main'])).stderr.includes('apfel-bot'),
        false,
      );
    }),
  ));

test('a push reviews commits without a record, notes the result, and is stopped by errors', () =>
  withQuickHooks(
    async repo =>
      withFolder(async folder => {
        await repo.git('init', '--quiet', '--bare', folder);
        await repo.git('remote', 'add', 'origin', folder);
        const skipped = { APFEL_BOT: '0' };
        await repo.stage('a.test.js', FOCUSED);
        await git(repo, ['commit', '--quiet', '-m', 'grave'], skipped);
        await repo.stage('b.js', 'fine();\n');
        await git(repo, ['commit', '--quiet', '-m', 'fine'], skipped);
        assert.is(await recordOf(repo), null);
        const stopped = await git(repo, ['push', '--quiet', 'origin', 'main']);
        assert.is(stopped.code, 1);
        assert.match(stopped.stdout + stopped.stderr, 'focused-test');
        assert.match(stopped.stdout + stopped.stderr, '3 outgoing commits, 1 with findings');
        assert.is((await recordOf(repo))?.findings.length, 0);
        assert.is((await recordOf(repo, 'HEAD~1'))?.findings.length, 1);
        await git(repo, ['push', '--quiet', '--no-verify', 'origin', 'main']);
        await repo.stage('c.js', 'fine();\n');
        await git(repo, ['commit', '--quiet', '-m', 'finer'], skipped);
        const through = await git(repo, ['push', '--quiet', 'origin', 'main']);
        assert.equal(through, { code: 0, stdout: '', stderr: '' });
      }),
    { hooks: { background: false } },
  ));

test('a push does not wait for a slow model beyond its deadline, and says what is missing', () =>
  withQuickHooks(
    async repo =>
      withFolder(async folder => {
        const server = await startStandIn({ latencyMs: 600_000 });
        try {
          await repo.git('init', '--quiet', '--bare', folder);
          await repo.git('remote', 'add', 'origin', folder);
          for (const name of ['a.js', 'b.js', 'c.js']) {
            await repo.stage(name, 'fine();\n');
            await commitUnseen(repo);
          }
          const pushed = await git(repo, ['push', '--quiet', 'origin', 'main'], {
            APFEL_BOT_BASE_URL: server.baseUrl,
          });
          assert.is(pushed.code, 0, pushed.stderr);
          assert.match(pushed.stdout + pushed.stderr, /4 outgoing commits, .* [1-3] not reviewed/);
        } finally {
          await server.close();
        }
      }),
    { hooks: { background: false, deadline: '5s' } },
  ));

test("a push finishes reviews that a commit's deadline cut off, and says what is missing", () =>
  withQuickHooks(
    async repo =>
      withFolder(async folder => {
        const bug = 'index <= list.length';
        const policy = reviewer({ sees: [bug] });
        const slow = await startStandIn({ policy, latencyMs: 600_000 });
        const quick = await startStandIn({ policy });
        const asking = (baseUrl: string, ...args: string[]) =>
          git(repo, args, { APFEL_BOT_BASE_URL: baseUrl });
        try {
          await repo.git('init', '--quiet', '--bare', folder);
          await repo.git('remote', 'add', 'origin', folder);
          await repo.git('push', '--quiet', '--no-verify', 'origin', 'main');
          await repo.stage('a.js', `for (let index = 0; ${bug}; index += 1) use(list[index]);\n`);
          await asking(slow.baseUrl, 'commit', '--quiet', '-m', 'slow');
          assert.is((await recordOf(repo))?.ledger.outOfTime, 1);
          const cut = await asking(slow.baseUrl, 'push', '--quiet', '--dry-run', 'origin', 'main');
          assert.is(cut.code, 0, cut.stderr);
          const commitId = (await repo.git('rev-parse', 'HEAD')).slice(0, 12);
          assert.is(cut.stdout + cut.stderr, `apfel-bot: reviewed only in part: ${commitId}\n`);
          // Enough time on any machine for a model that answers at once.
          const settings = { hooks: { background: false, deadline: '2m' } };
          await writeFile(join(repo.dir, '.apfel-bot.json'), JSON.stringify(settings));
          const stopped = await asking(quick.baseUrl, 'push', '--quiet', 'origin', 'main');
          assert.is(stopped.code, 1, stopped.stderr);
          assert.match(stopped.stdout + stopped.stderr, 'reads past the end');
          assert.not.match(stopped.stdout + stopped.stderr, 'only in part');
          assert.is((await recordOf(repo))?.complete, true);
        } finally {
          await slow.close();
          await quick.close();
        }
      }),
    { hooks: { background: false, deadline: '5s' } },
  ));

test('a push of many commits without a record works', () =>
  withQuickHooks(
    async repo =>
      withFolder(async folder => {
        await repo.git('init', '--quiet', '--bare', folder);
        await repo.git('remote', 'add', 'origin', folder);
        for (let at = 0; at < 14; at += 1) {
          await repo.stage(`${at}.js`, 'fine();\n');
          await commitUnseen(repo);
        }
        const pushed = await git(repo, ['push', '--quiet', 'origin', 'main']);
        assert.equal(pushed, { code: 0, stdout: '', stderr: '' });
      }),
    { hooks: { background: false, deadline: '60s' } },
  ));

test.run();
