import { execFile } from 'node:child_process';
import { cp, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { apfelBot, CLI, type CliRun } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('loads little');

/** Our own files where there is no node_modules: any import of a package fails. */
const withDistAlone = (body: (cli: string) => Promise<void>): Promise<void> =>
  withFolder(async dir => {
    await cp(dirname(CLI), join(dir, 'dist'), { recursive: true });
    await body(join(dir, 'dist', 'cli.cjs'));
  });

const runAlone = (
  cli: string,
  args: readonly string[],
  repo: Repo,
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> =>
  new Promise(done => {
    const options = { cwd: repo.dir, env: { ...gitEnv(repo.dir), PATH: '/usr/bin:/bin', ...env } };
    const child = execFile(process.execPath, [cli, ...args], options, (_error, stdout, stderr) =>
      done({ code: child.exitCode, stdout, stderr }),
    );
  });

test('a review without a model needs no package at all', () =>
  withDistAlone(cli =>
    withRepo(async repo => {
      await repo.stage('a.js', 'debugger;\n');
      const run = await runAlone(cli, ['review', '--staged', '--no-model'], repo);
      assert.is(run.code, 0, run.stderr);
      assert.match(run.stdout, /a\.js:1/);
    }),
  ));

test('a hook without a model needs none either, simple-git and ajv included', () =>
  withDistAlone(cli =>
    withRepo(async repo => {
      await repo.stage('a.js', 'it.only("x", () => {});\n');
      const run = await runAlone(cli, ['hook', 'pre-commit'], repo);
      assert.is(run.code, 1, run.stderr);
      assert.not.match(run.stdout + run.stderr, /Cannot find/);
    }),
  ));

test('nor does a hook whose answers are all known', async () => {
  const server = await startStandIn({ policy: reviewer({ sees: [] }) });
  const env = { APFEL_BOT_BASE_URL: server.baseUrl };
  try {
    await withDistAlone(cli =>
      withRepo(async repo => {
        await repo.stage('a.js', 'export const one = 1;\n');
        const first = await apfelBot(['hook', 'pre-commit'], { cwd: repo.dir, env });
        assert.is(first.code, 0, first.stderr);
        const asked = server.requests.length;
        assert.ok(asked > 0);
        const again = await runAlone(cli, ['hook', 'pre-commit'], repo, env);
        assert.equal(again, { code: 0, stdout: '', stderr: '' });
        assert.is(server.requests.length, asked);
        await repo.stage('a.js', 'export const two = 2;\n');
        // Where there is something to ask, a package is missing here, and the commit goes on.
        const fresh = await runAlone(cli, ['hook', 'pre-commit'], repo, env);
        assert.is(fresh.code, 0);
        assert.match(fresh.stderr + fresh.stdout, /1 failed/);
      }),
    );
  } finally {
    await server.close();
  }
});

const LIMITS: Readonly<Record<string, number>> = {
  // What every command starts with, what a commit waits for, and what it waits for a second time.
  'cli.cjs': 30_000,
  'hook-pre-commit.cjs': 300_000,
  'hook-post-commit.cjs': 70_000,
};

for (const [name, most] of Object.entries(LIMITS)) {
  test(`${name} has at most ${most} bytes to be parsed`, async () => {
    const { size } = await stat(join(dirname(CLI), name));
    assert.ok(size <= most, String(size));
  });
}

test.run();
