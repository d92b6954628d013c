import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type StandIn, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { installScript, standInCommand } from '../../fixtures/fake-apfel/install.js';
import type { FixOutcome } from '../../src/core/outcome.js';

import { CLI } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { fixJson, scriptedFixer } from './lint-project.js';
import { wordsProject } from './words-project.js';

const test = suite('fix/stop');

const COUNT = 1000;
const names = Array.from({ length: COUNT / 10 }, (_, at) => `many/${at}.txt`);
/** Each file has one complaint for the linter and nine for the model. */
const text = `alpha\n${Array.from({ length: 9 }, (_, at) => `beta number ${at}\n`).join('')}`;
const FILES = {
  ...wordsProject({ verify: { commands: [['true']] } }),
  ...Object.fromEntries(names.map(path => [path, text])),
};

/** Fixes the line it is asked about. */
const policy = scriptedFixer(
  Array.from({ length: 9 }, (_, at) => `line ${at + 2}, words beta`).flatMap((to, at) =>
    names.map(path => ({
      to: `File: ${path},`,
      and: to,
      path,
      oldText: `beta number ${at}`,
      newText: `BETA number ${at}`,
    })),
  ),
);

interface Stopped {
  readonly code: number | null;
  readonly outcome: FixOutcome;
  readonly stderr: string;
}

async function stopAfter(
  { repo, temp, server }: { repo: Repo; temp: string; server: StandIn },
  requests: number,
): Promise<Stopped> {
  const args = ['fix-lint', '--format', 'json', '--base-url', server.baseUrl];
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: repo.dir,
    env: { ...gitEnv(repo.dir), TMPDIR: temp },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', chunk => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', chunk => (stderr += chunk));
  const ended = new Promise<number | null>(done => child.on('close', done));
  while (server.requests.length < requests) await new Promise(done => setTimeout(done, 10));
  child.kill('SIGINT');
  const code = await ended;
  return { code, stderr, outcome: JSON.parse(stdout) };
}

test.long(
  'Ctrl-C among a thousand diagnostics keeps what was verified, and a notice says what was not done',
  () =>
    withRepo(repo =>
      withFolder(async temp => {
        await repo.commit(FILES);
        const server = await startStandIn({ policy });
        const { code, outcome } = await stopAfter({ repo, temp, server }, 40);
        await server.close();
        assert.is(code, 130);
        const byModel = outcome.edits.filter(
          ({ by, status }) => by === 'model' && status === 'kept',
        );
        assert.ok(byModel.length >= 30, `${byModel.length} by the model`);
        assert.is(outcome.diagnostics.before, COUNT);
        assert.is(outcome.complete, false);
        assert.equal(outcome.notices.filter(line => /stopped/.test(line)).sort(), [
          'each edit was verified on its own, but the run was stopped before the linters checked everything again; the commands of verify.commands did not run',
          'not everything was tried: the run was stopped',
        ]);
        const branch = outcome.branch?.name ?? '';
        const grep = ['grep', '--count', '-E', 'BETA|Alpha', branch, '--', 'many'];
        const rows = (await repo.git(...grep)).split('\n');
        const kept = rows.reduce((sum, row) => sum + Number(row.split(':').at(-1)), 0);
        assert.is(kept, outcome.diagnostics.fixed, 'the branch has what the outcome says');
        assert.equal(await readdir(temp), []);
        assert.equal(await readdir(join(repo.dir, '.git/apfel-bot/runs')), []);
        assert.is(await repo.git('status', '--porcelain'), '');
      }),
    ),
);

test('an apfel that was started for fix-lint is gone after it', () =>
  withRepo(repo =>
    withFolder(async folder => {
      await repo.commit({ ...wordsProject(), 'a.txt': 'beta\n' });
      const pids = join(folder, 'pids');
      await installScript(folder, `echo $$ >> '${pids}'\nexec ${standInCommand()} "$@"`);
      const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      const { outcome } = await fixJson(repo, ['--max-fixes', '1'], env);
      assert.ok(outcome.model.available, outcome.model.reason);
      const started = (await readFile(pids, 'utf8')).trim().split('\n').map(Number);
      assert.ok(started.length >= 1);
      for (const pid of started) assert.throws(() => process.kill(pid, 0), /ESRCH/);
    }),
  ));

test.run();
