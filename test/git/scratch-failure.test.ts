import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { openScratch } from '../../src/git/scratch.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { announce, failureOf, noMounts, repositoryLocation } from './scratch-harness.js';

const test = suite('git/scratch-failure');

const open = async (repo: Repo, temp: string) => {
  const place = await repositoryLocation(repo.dir);
  return openScratch({ ...place, commit: place.repository.head ?? '', temp, announce });
};

for (const [title, make] of [
  ['does not exist', async () => undefined],
  ['is a file', (path: string) => writeFile(path, '')],
] as const) {
  test(`a temporary folder that ${title} is reported`, () =>
    withRepo(repo =>
      withFolder(async folder => {
        const temp = join(folder, 'no-such-place');
        await make(temp);
        const { message, code } = await failureOf(open(repo, temp));
        assert.match(message, /no-such-place/);
        assert.is(code, 'git');
      }),
    ));
}

test('a temporary folder inside the repository is refused: tools would find the work tree', () =>
  withRepo(async repo => {
    for (const inside of ['tmp', '.git/tmp']) {
      await mkdir(join(repo.dir, inside));
      const { code, hint } = await failureOf(open(repo, join(repo.dir, inside)));
      assert.is(code, 'usage');
      assert.match(hint ?? '', /TMPDIR/);
      assert.equal(await readdir(join(repo.dir, inside)), []);
    }
  }));

test('an unknown commit is a failure of git, and nothing is left behind', () =>
  withRepo(repo =>
    withFolder(async temp => {
      const place = await repositoryLocation(repo.dir);
      const commit = '1'.repeat(40);
      const { code } = await failureOf(openScratch({ ...place, commit, temp, announce }));
      assert.is(code, 'git');
      for (const name of ['HEAD', '--help', `${'1'.repeat(40)}^`]) {
        await failureOf(openScratch({ ...place, commit: name, temp, announce }));
      }
      assert.equal(await readdir(temp), []);
    }),
  ));

test('an aborted copy leaves nothing behind', () =>
  withRepo(async repo => {
    for (let at = 0; at < 300; at += 1) await repo.write(`many/${at}.txt`, 'x'.repeat(999));
    await repo.git('add', '.');
    await repo.git('commit', '--quiet', '--message', 'many');
    for (const delay of [0, 4, 12, 20]) {
      await withFolder(async temp => {
        const stop = new AbortController();
        const place = await repositoryLocation(repo.dir, { signal: stop.signal });
        const commit = place.repository.head ?? '';
        setTimeout(() => stop.abort(), delay);
        const work = openScratch({ ...place, commit, temp, announce });
        const name = await work.then(
          scratch => scratch.remove().then(() => 'AbortError'),
          (error: Error) => error.name,
        );
        assert.is(name, 'AbortError');
        assert.equal(await readdir(temp), []);
      });
    }
  }));

const PROGRAM = fileURLToPath(new URL('./scratch-program.js', import.meta.url));

interface Ending {
  readonly failure?: string;
  readonly code?: string;
  readonly hint?: string;
  readonly left: readonly string[];
}

/** Runs the program after the shell lines, in a view of the disks that ends with it. */
function runMounted(lines: string, args: readonly string[]): Ending {
  const script = `set -e; ${lines}; exec "$0" "$@"`;
  const words = ['-m', 'sh', '-c', script, process.execPath, PROGRAM, ...args];
  const env = { ...gitEnv('/nowhere'), NODE_EXTRA_CA_CERTS: '' };
  return JSON.parse(execFileSync('unshare', words, { env, encoding: 'utf8' }));
}

const absent = noMounts();
const small = (size: string): string => `mount -t tmpfs -o size=${size} tmpfs "$4"`;

for (const size of ['4k', '64k', '300k']) {
  test.unless(absent, `a temporary disk of ${size} is too small, and nothing is left on it`, () =>
    withRepo(repo =>
      withFolder(async temp => {
        await repo.commit({ 'big.txt': 'big\n'.repeat(200_000), 'a.js': 'a;\n' });
        const { failure, code, left } = runMounted(small(size), ['scratch', repo.dir, temp]);
        assert.match(failure ?? '', /^cannot make a scratch copy in .*: the disk is full$/);
        assert.is(code, 'git');
        assert.equal(left, []);
      }),
    ),
  );
}

test.unless(absent, 'a full temporary disk is recognised in whatever words git reports it', () =>
  withRepo(repo =>
    withFolder(temp =>
      withFolder(async bin => {
        const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
        const script = `#!/bin/sh\n${git} "$@" 2>${bin}/said; code=$?\nsed 's/unable to write/could not store/' ${bin}/said >&2\nexit $code\n`;
        await writeFile(join(bin, 'git'), script, { mode: 0o755 });
        await repo.commit({ 'big.txt': 'big\n'.repeat(200_000) });
        const lines = `export PATH=${bin}:$PATH; ${small('300k')}`;
        const { failure } = runMounted(lines, ['scratch', repo.dir, temp]);
        assert.match(failure ?? '', /: the disk is full$/);
      }),
    ),
  ),
);

test.unless(absent, 'a temporary folder on a read-only disk is a clear failure', () =>
  withRepo(repo =>
    withFolder(async temp => {
      const lines = 'mount -t tmpfs -o ro tmpfs "$4"';
      const { failure, hint } = runMounted(lines, ['scratch', repo.dir, temp]);
      assert.match(failure ?? '', /: the disk is read-only$/);
      assert.match(hint ?? '', /mounted/);
    }),
  ),
);

for (const [title, lines, reason] of [
  ['read-only', 'mount --bind "$3" "$3"; mount -o remount,ro,bind "$3"', /the disk is read-only$/],
  [
    'full',
    'cp -a "$3/.git" "$4/kept"; mount -t tmpfs -o size=512k tmpfs "$3/.git"; cp -a "$4/kept/." "$3/.git"; dd if=/dev/zero of="$3/.git/fill" bs=1k 2>/dev/null || true',
    /the disk is full$/,
  ],
] as const) {
  test.unless(absent, `a note in a repository on a ${title} disk says what was not recorded`, () =>
    withRepo(repo =>
      withFolder(async temp => {
        const { failure, code } = runMounted(lines, ['note', repo.dir, temp]);
        assert.match(failure ?? '', /^the note on [0-9a-f]{12} was not recorded: /);
        assert.match(failure ?? '', reason);
        assert.is(code, 'publish-failed');
      }),
    ),
  );
}

test.run();
