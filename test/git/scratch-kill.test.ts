import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { sweepRuns } from '../../src/git/sweep.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { fingerprint, seeded } from './scratch-harness.js';

const test = suite('git/scratch-kill');

const PROGRAM = fileURLToPath(new URL('./scratch-program.js', import.meta.url));
const KILLS = 20;

/** What we may write: objects, our refs with their logs, our records. Locks of ours are ours. */
const isOurs = (path: string): boolean =>
  /^\.git\/(objects|apfel-bot|(logs\/)?refs\/(heads\/apfel-bot|notes))(\/|$)/.test(path);

/** Starts the program and kills it after so long; gives the milliseconds it took if it was done. */
function runFor(args: readonly string[], killAfterMs: number): Promise<number | undefined> {
  const started = Date.now();
  const env = { ...gitEnv('/nowhere'), NODE_EXTRA_CA_CERTS: '' };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise(resolve => {
    child.on('exit', code => {
      clearTimeout(timer);
      resolve(code === 0 ? Date.now() - started : undefined);
    });
  });
}

/** A repository in the middle of somebody's work, with programs that must not run. */
async function plantWork(repo: Repo): Promise<void> {
  const many = Object.fromEntries([...Array(40).keys()].map(at => [`many/${at}.js`, `${at};\n`]));
  for (const [path, text] of Object.entries(many)) await repo.write(path, text);
  await repo.git('add', '.');
  await repo.commit({ 'a.js': 'a;\n', 'b.js': 'b;\n' });
  await repo.write('a.js', 'stashed;\n');
  await repo.git('stash');
  await repo.stage('staged.js', 'staged;\n');
  await repo.write('b.js', 'dirty;\n');
  await repo.git('branch', 'other');
  const canary = join(repo.dir, '.git/canary');
  await writeFile(canary, `#!/bin/sh\ntouch "${repo.dir}/.git/sung"\ncat\n`);
  await chmod(canary, 0o755);
  for (const key of ['core.fsmonitor', 'filter.evil.smudge', 'filter.evil.clean']) {
    await repo.git('config', key, canary);
  }
  await writeFile(join(repo.dir, '.git/info/attributes'), '*.js filter=evil\n');
  for (const hook of ['reference-transaction', 'post-checkout', 'post-index-change']) {
    await writeFile(join(repo.dir, '.git/hooks', hook), `#!/bin/sh\n${canary}\n`, { mode: 0o755 });
  }
}

/** Makes what is left look old, as it would be at the next run. */
async function age(folder: string): Promise<void> {
  const then = new Date(Date.now() - 7_200_000);
  for (const name of await readdir(folder, { recursive: true })) {
    if (name.endsWith('.lock')) await utimes(join(folder, name), then, then);
  }
}

test.long(`killed at ${KILLS} moments, it harms nothing, and the next run cleans up`, () =>
  withRepo(repo =>
    withFolder(async folder => {
      const temp = join(folder, 'temp');
      await mkdir(temp);
      await plantWork(repo);
      const gitDir = join(repo.dir, '.git');
      const whole = await runFor(['whole', repo.dir, temp, 'FIRST'], 60_000);
      assert.ok(whole !== undefined, 'left alone, it ends well');
      const before = await fingerprint(repo.dir, isOurs);
      assert.not.ok('.git/sung' in before, 'the canary sang');
      const random = seeded(20_260_101);
      let killed = 0;
      for (let at = 0; at < KILLS; at += 1) {
        // Starting Node takes the first part; nothing of ours happens there.
        const delay = whole * (0.25 + 0.75 * random());
        const took = await runFor(['whole', repo.dir, temp, `RUN${at}`], delay);
        killed += took === undefined ? 1 : 0;
        assert.equal(await fingerprint(repo.dir, isOurs), before, `after kill ${at}, ${delay} ms`);
      }
      assert.ok(killed >= KILLS / 2, `${killed} of ${KILLS} were killed in the middle`);
      // A git that lost its parent may still be finishing its own step.
      await wait(200);
      await age(join(gitDir, 'refs'));
      const { left, alive } = await sweepRuns(gitDir, Date.now() + 120_000);
      assert.equal([left, alive], [[], 0]);
      assert.equal(await readdir(temp), []);
      assert.equal(await readdir(join(gitDir, 'apfel-bot/runs')), []);
      const rest = (await readdir(gitDir, { recursive: true })).filter(name =>
        /\.lock$/.test(name),
      );
      assert.equal(rest, []);
      const check = ['-c', 'core.fsmonitor=false', 'fsck', '--no-dangling'];
      assert.is(await repo.git(...check), '');
      const last = await runFor(['whole', repo.dir, temp, 'LAST'], 60_000);
      assert.ok(last !== undefined, 'the next run ends well');
      assert.equal(await readdir(temp), []);
      assert.equal(await fingerprint(repo.dir, isOurs), before);
    }),
  ),
);

test.run();
