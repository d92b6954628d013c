import { spawnSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fingerprint, noMounts } from '../git/scratch-harness.js';
import { CLI } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, openRepo, type Repo, withFolder } from '../support/with-repo.js';
import { wordsProject } from './words-project.js';

const test = suite('fix/disk');

interface Place {
  readonly repo: Repo;
  readonly temp: string;
}

/** The command after the shell lines, in a view of the disks that ends with it. */
function runAfter(lines: string, { repo, temp }: Place, wrapper: readonly string[]) {
  const script = `set -e; ${lines}; exec "$0" "$@"`;
  const [program = 'sh', ...words] = [...wrapper, 'sh', '-c', script];
  const args = [...words, process.execPath, CLI, 'fix-lint', '--no-model'];
  const env = { ...gitEnv(repo.dir), REPO: repo.dir, TEMP: temp, TMPDIR: temp };
  return spawnSync(program, args, { cwd: repo.dir, env, encoding: 'utf8' });
}

const isOurs = (path: string): boolean => /^\.git\/(apfel-bot|objects)(\/|$)/.test(path);

/** Runs it, and looks whether anything is half-written. */
async function failing(
  { lines, wrapper = ['unshare', '-m'] }: { lines: string; wrapper?: readonly string[] },
  wanted: RegExp,
): Promise<void> {
  await withFolder(async folder => {
    const [dir, temp] = [join(folder, 'repo'), join(folder, 'temp')];
    await mkdir(dir);
    await mkdir(temp);
    const repo = openRepo(dir);
    await repo.git('init', '--quiet', '--initial-branch', 'main');
    await repo.commit({ ...wordsProject(), 'a.txt': 'alpha\n', 'big.txt': 'big\n'.repeat(50_000) });
    const before = await fingerprint(dir, isOurs);
    const run = runAfter(lines, { repo, temp }, wrapper);
    assert.match(run.stderr, wanted);
    assert.is(run.status, 3, run.stderr);
    assert.not.match(run.stderr, /\n\s+at |a bug in/, 'no stack trace');
    assert.equal(await fingerprint(dir, isOurs), before);
    assert.equal(await readdir(temp), []);
    assert.is(await repo.git('fsck', '--no-dangling'), '');
    assert.is(await repo.git('for-each-ref', 'refs/heads/apfel-bot'), '');
  });
}

const absent = noMounts();

test.unless(absent, 'with a full temporary folder fix-lint ends with a clear error', () =>
  failing(
    { lines: 'mount -t tmpfs -o size=64k tmpfs "$TEMP"' },
    /cannot make a scratch copy in .*: the disk is full\n.*Free some space/,
  ),
);

test.unless(absent, 'with a read-only object store fix-lint ends with a clear error', () =>
  failing(
    {
      lines:
        'mount --bind "$REPO/.git/objects" "$REPO/.git/objects"; mount -o remount,ro,bind "$REPO/.git/objects"',
    },
    /cannot transfer the commits to the repository: the disk is read-only/,
  ),
);

test.unless(absent, 'with a full object store fix-lint ends with a clear error', () =>
  failing(
    {
      lines:
        'cp -a "$REPO/.git/objects" "$TEMP/kept"; mount -t tmpfs -o size=1m tmpfs "$REPO/.git/objects"; cp -a "$TEMP/kept/." "$REPO/.git/objects"; rm -r "$TEMP/kept"; dd if=/dev/zero of="$REPO/.git/objects/fill" bs=1k 2>/dev/null || true',
    },
    /cannot transfer the commits to the repository: the disk is full/,
  ),
);

test.unless(absent, 'with a read-only git directory fix-lint ends with a clear error', () =>
  failing(
    { lines: 'mount --bind "$REPO" "$REPO"; mount -o remount,ro,bind "$REPO"; cd "$REPO"' },
    /cannot write .*\.git\/apfel-bot.*: the disk is read-only/,
  ),
);

test('a limit on file sizes below those of the commit is a clear error', () =>
  failing(
    { lines: 'ulimit -f 100', wrapper: [] },
    /cannot make a scratch copy in .*: a file is larger/,
  ));

test.run();
