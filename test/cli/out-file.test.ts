import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot, apfelBotProcess, CLI } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, withFolder, withRepo } from '../support/with-repo.js';

const ARGS = ['review', '--no-model', '--commit', 'HEAD', '--out'];

const test = suite('cli/out-file');

test('--out that cannot be written is reported before the work, with the folder', () =>
  withRepo(async repo => {
    await mkdir(join(repo.dir, 'folder'));
    for (const [out, problem] of [
      ['no/where/out.json', 'there is no folder no/where'],
      ['folder', 'folder is a folder'],
      ['README.md/out.json', 'README.md is not a folder'],
    ] as const) {
      const run = await apfelBotProcess([...ARGS, out], { cwd: repo.dir });
      assert.is(run.code, 2, out);
      assert.is(run.stdout, '');
      assert.match(run.stderr, problem);
    }
  }));

test.unless(
  process.getuid?.() === 0 ? 'root may write anywhere' : undefined,
  '--out in a folder that is not writable is reported before the work',
  () =>
    withRepo(async repo => {
      await mkdir(join(repo.dir, 'locked'));
      await chmod(join(repo.dir, 'locked'), 0o555);
      const run = await apfelBotProcess([...ARGS, 'locked/out.json'], { cwd: repo.dir });
      assert.is(run.code, 2);
      assert.match(run.stderr, 'locked is not writable');
    }),
);

test.unless(
  existsSync('/dev/full') ? undefined : 'there is no /dev/full here',
  'a report that standard output has no room for is exit 5, and one that nobody reads is not',
  () =>
    withRepo(async repo => {
      const run = (line: string): number | null =>
        spawnSync('bash', ['-c', line, process.execPath, CLI], {
          cwd: repo.dir,
          env: gitEnv(repo.dir),
        }).status;
      const review = '"$0" "$1" review --no-model --commit HEAD';
      assert.is(run(`${review} > /dev/full`), 5);
      assert.is(run(`${review} > /dev/full 2> /dev/full`), 5);
      assert.is(run(`${review} | head -c 0; exit "${'$'}{PIPESTATUS[0]}"`), 0);
      assert.is(
        run(`"${'$'}0" "${'$'}1" reveiw 2>&1 | head -c 0; exit "${'$'}{PIPESTATUS[0]}"`),
        2,
      );
    }),
);

test.unless(
  existsSync('/dev/zero') ? undefined : 'there is no /dev/zero here',
  'a device that never ends is not read as an outcome',
  async () => {
    const { code, stderr } = await apfelBot(['post', '/dev/zero', '--dry-run'], { cwd: '.' });
    assert.is(code, 2);
    assert.match(stderr, 'cannot read /dev/zero: it does not end within');
  },
);

test('a format without room for it says on standard error that only checks ran', () =>
  withRepo(async repo => {
    const { stderr } = await apfelBot(['review', '--no-model', '--format', 'rdjson'], {
      cwd: repo.dir,
    });
    assert.match(stderr, 'checks only');
  }));

test('--out never waits for a pipe or replaces it', () =>
  withRepo(async repo => {
    const pipe = join(repo.dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const run = await apfelBotProcess([...ARGS, 'pipe'], { cwd: repo.dir });
    assert.is(run.code, 2);
    assert.match(run.stderr, 'pipe is a pipe or a device');
    assert.ok((await stat(pipe)).isFIFO());
  }));

test('--out writes to a file descriptor that the shell opened', () =>
  withRepo(async repo => {
    const shell = `'${process.execPath}' '${CLI}' ${ARGS.join(' ')} /dev/fd/3 3>out.json >/dev/null`;
    execFileSync('sh', ['-c', shell], { cwd: repo.dir, env: gitEnv(repo.dir), stdio: 'ignore' });
    assert.is(JSON.parse(await readFile(join(repo.dir, 'out.json'), 'utf8')).version, 1);
  }));

test('a run that cannot write --out in the end still prints its result and exits 5', () =>
  withRepo(async repo => {
    const run = await apfelBotProcess([...ARGS, '/dev/fd/999'], { cwd: repo.dir });
    assert.is(run.code, 5, run.stderr);
    assert.match(run.stdout, /1 hunk in 1 file/);
    assert.match(run.stderr, /cannot write \/dev\/fd\/999/);
  }));

test('an incomplete installation never stops git', () =>
  withFolder(async dir => {
    await cp(dirname(CLI), join(dir, 'dist'), { recursive: true });
    await rm(join(dir, 'dist', 'review.cjs'));
    const run = (args: readonly string[]): Promise<{ code: number | null; stderr: string }> =>
      new Promise(done => {
        const child = execFile(
          process.execPath,
          [join(dir, 'dist', 'cli.cjs'), ...args],
          { env: gitEnv(dir) },
          (_error, _stdout, stderr) => done({ code: child.exitCode, stderr }),
        );
      });
    const hook = await run(['hook', 'pre-commit']);
    assert.is(hook.code, 0);
    assert.match(
      hook.stderr,
      /^apfel-bot: .*review\.cjs is missing; install it again: npm install; .*\n$/,
    );
    const review = await run(['review']);
    assert.is(review.code, 70);
    assert.match(review.stderr, /review\.cjs is missing\n {2}Install it again: npm install\n$/);
  }));

test.run();
