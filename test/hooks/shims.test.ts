import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { chainedShim, shim } from '../../src/hooks/shim.js';
import { suite } from '../support/suite.js';
import { gitEnv, openRepo, type Repo, withFolder, withRepo } from '../support/with-repo.js';
import {
  callsIn,
  hooksIn,
  installFake,
  REVIEW_HOOKS,
  writeExecutable,
  writeFake,
} from './fake-program.js';
import { installIn } from './install-in.js';

const exec = promisify(execFile);
const test = suite('hooks/shims');

const recordOf = (repo: Repo): string => join(repo.dir, '.git', 'record');

/** A repository with the hooks installed and a program beside them that records. */
const withHooks = (body: (repo: Repo, record: string) => Promise<void>): Promise<void> =>
  withRepo(async repo => {
    await repo.commit({ '.gitignore': 'node_modules\n' });
    await installFake(repo.dir, recordOf(repo));
    await installIn(repo.dir, REVIEW_HOOKS);
    await body(repo, recordOf(repo));
  });

/** `git` with another environment; its exit code and what it said. */
async function git(repo: Repo, args: readonly string[], env: Record<string, string> = {}) {
  const options = { cwd: repo.dir, env: { ...gitEnv(repo.dir), ...env } };
  return exec('git', args, options).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (failed: { code: number; stderr: string }) => ({ code: failed.code, stderr: failed.stderr }),
  );
}

test('a commit calls pre-commit, then post-commit, in the top folder, with what is staged', () =>
  withHooks(async (repo, record) => {
    await repo.write('deep/b.txt', 'not staged');
    await repo.commit({ 'a.txt': 'a' });
    const [before, after] = callsIn(record);
    assert.equal(before?.argv, ['hook', 'pre-commit']);
    assert.equal(before?.staged, ['a.txt']);
    assert.is(before?.cwd, repo.dir);
    assert.equal(after?.argv, ['hook', 'post-commit']);
  }));

test('commit -a and commit PATH give the program the tree that is being committed', () =>
  withHooks(async (repo, record) => {
    await repo.commit({ 'a.txt': '1', 'b.txt': '1' });
    await repo.write('a.txt', '2');
    await repo.stage('b.txt', '2');
    await repo.git('commit', '--quiet', '--message', 'x', 'a.txt');
    await repo.write('a.txt', '3');
    await repo.git('commit', '--quiet', '--all', '--message', 'x');
    const staged = callsIn(record).filter(({ argv }) => argv[1] === 'pre-commit');
    assert.equal(
      staged.map(call => call.staged),
      [['a.txt', 'b.txt'], ['a.txt'], ['a.txt', 'b.txt']],
    );
  }));

test('amend and rebase give post-rewrite the old and new commits', () =>
  withHooks(async (repo, record) => {
    const first = await repo.commit({ 'a.txt': 'a' });
    await repo.git('commit', '--quiet', '--amend', '--message', 'again');
    const second = await repo.git('rev-parse', 'HEAD');
    const amend = callsIn(record).at(-1);
    assert.equal(amend?.argv, ['hook', 'post-rewrite', 'amend']);
    assert.is(amend?.stdin, `${first} ${second}\n`);

    const base = await repo.git('rev-parse', 'HEAD~');
    await repo.git('checkout', '--quiet', '-b', 'other', base);
    await repo.commit({ 'c.txt': 'c' });
    await repo.git('checkout', '--quiet', 'main');
    await rm(record);
    await repo.git('rebase', '--quiet', 'other');
    assert.equal(hooksIn(record), ['post-commit', 'post-rewrite']);
    const rebase = callsIn(record).at(-1);
    assert.equal(rebase?.argv, ['hook', 'post-rewrite', 'rebase']);
    assert.is(rebase?.stdin, `${second} ${await repo.git('rev-parse', 'HEAD')}\n`);
  }));

test('a push gives pre-push the remote and the refs, and can be stopped', () =>
  withHooks(async (repo, record) =>
    withFolder(async remote => {
      await repo.git('init', '--quiet', '--bare', remote);
      const stopped = await git(repo, ['push', '--quiet', remote, 'main'], { FAKE_EXIT: '1' });
      assert.is(stopped.code, 1);
      await repo.git('push', '--quiet', remote, 'main');
      const call = callsIn(record).at(-1);
      assert.equal(call?.argv, ['hook', 'pre-push', remote, remote]);
      const head = await repo.git('rev-parse', 'HEAD');
      assert.is(call?.stdin, `refs/heads/main ${head} refs/heads/main ${'0'.repeat(40)}\n`);
    }),
  ));

test('exit 1 stops the commit, and APFEL_BOT=0 runs nothing', () =>
  withHooks(async (repo, record) => {
    await repo.stage('a.txt', 'a');
    const commit = ['commit', '--quiet', '--message', 'x'];
    const { code } = await git(repo, commit, { FAKE_EXIT: '1' });
    assert.is(code, 1);
    assert.equal(hooksIn(record), ['pre-commit']);
    const skipped = await git(repo, commit, { FAKE_EXIT: '1', APFEL_BOT: '0' });
    assert.is(skipped.code, 0);
    assert.equal(hooksIn(record), ['pre-commit']);
  }));

test("a linked worktree uses its own program, else the main checkout's", () =>
  withHooks(async (repo, record) =>
    withFolder(async dir => {
      const tree = openRepo(join(dir, 'tree'));
      await repo.git('worktree', 'add', '--quiet', tree.dir);
      await tree.commit({ 'a.txt': 'a' });
      const [call] = callsIn(record);
      assert.is(call?.cwd, tree.dir);
      assert.equal(call?.staged, ['a.txt']);
      assert.ok(call?.file.startsWith(repo.dir));
      await installFake(tree.dir, record);
      await tree.commit({ 'a.txt': 'b' });
      assert.ok(callsIn(record).at(-1)?.file.startsWith(tree.dir));
    }),
  ));

test("a submodule has hooks of its own and can use the outer project's program", () =>
  withRepo(async inner =>
    withRepo(async repo => {
      const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'];
      await repo.git(...add, inner.dir, 'inner');
      const sub = openRepo(join(repo.dir, 'inner'));
      await installIn(sub.dir, ['pre-commit']);
      await installFake(repo.dir, recordOf(repo));
      await sub.commit({ 'a.txt': 'a' });
      assert.equal(
        callsIn(recordOf(repo)).map(call => call.staged),
        [['a.txt']],
      );
      await repo.commit({ 'b.txt': 'b' });
      assert.is(callsIn(recordOf(repo)).length, 1);
    }),
  ));

test('a path with spaces, quotes and other scripts causes no problem', () =>
  withFolder(async dir => {
    const repo = openRepo(join(dir, "Ünser 'Projekt' $x — プロジェクト"));
    await mkdir(repo.dir);
    await repo.git('init', '--quiet', '--initial-branch', 'main');
    await installFake(repo.dir, recordOf(repo));
    await installIn(repo.dir);
    await repo.commit({ 'größe a.txt': 'a' });
    assert.equal(hooksIn(recordOf(repo)), ['pre-commit', 'post-commit']);
    assert.is(callsIn(recordOf(repo))[0]?.cwd, repo.dir);
  }));

/** A PATH as a desktop client has it: git and a shell, but no node. */
async function barePath(dir: string): Promise<string> {
  const bin = join(dir, 'bare-bin');
  await mkdir(bin);
  for (const name of ['git', 'sh', 'cat']) {
    const found = (process.env['PATH'] ?? '')
      .split(delimiter)
      .map(folder => join(folder, name))
      .find(path => existsSync(path));
    await symlink(found ?? name, join(bin, name));
  }
  return bin;
}

const hasNodeAnyway = ['/opt/homebrew/bin/node', '/usr/local/bin/node'].find(path =>
  existsSync(path),
);
const noBarePath = hasNodeAnyway === undefined ? undefined : `${hasNodeAnyway} is found anyway`;

const PLACES = [
  '.volta/bin',
  '.nvm/versions/node/v20.19.0/bin',
  '.local/share/fnm/aliases/default/bin',
  '.local/share/mise/installs/node/latest/bin',
  '.local/share/mise/shims',
  '.asdf/shims',
  '.nodenv/shims',
  '.proto/shims',
  '.nix-profile/bin',
  '.local/bin',
  'n/bin',
  'Library/pnpm',
  'Library/Application Support/fnm/aliases/default/bin',
  'Library/Application Support/Herd/config/nvm/versions/node/v22.12.0/bin',
];

test.unless(noBarePath, 'a bare PATH hides neither node nor a global program of any manager', () =>
  withHooks(async (repo, record) =>
    withFolder(async folder => {
      const path = await barePath(folder);
      /** What our hook runs with a program in the project, and with one beside node. */
      const ran = async (home: string, lookup: 'local' | 'global') => {
        const env = { ...gitEnv(repo.dir), HOME: home, PATH: path };
        const options = { cwd: repo.dir, env };
        const text = shim('pre-commit', lookup);
        const { stderr } = await exec('/bin/sh', ['-c', text, 'pre-commit'], options);
        return { file: callsIn(record).at(-1)?.file, stderr };
      };
      const none = await ran(folder, 'local');
      assert.match(none.stderr, /^apfel-bot: no node found to run it.*brew install node/);
      for (const [at, place] of PLACES.entries()) {
        const home = join(folder, `home ${at}`);
        const program = join(home, place, 'apfel-bot');
        await mkdir(join(home, place), { recursive: true });
        await symlink(process.execPath, join(home, place, 'node'));
        await writeFake(program, record);
        const own = join(repo.dir, 'node_modules/apfel-bot/dist/cli.cjs');
        assert.equal(await ran(home, 'local'), { file: own, stderr: '' }, place);
        assert.equal(await ran(home, 'global'), { file: program, stderr: '' }, place);
      }
    }),
  ),
);

test.unless(noBarePath, 'of several versions of node the newest is used', () =>
  withHooks(async (repo, record) =>
    withFolder(async home => {
      const place = (version: string) => join(home, '.nvm/versions/node', version, 'bin');
      for (const version of ['v20.10.0', 'v22.12.0']) {
        await mkdir(place(version), { recursive: true });
      }
      await writeExecutable(join(place('v20.10.0'), 'node'), '#!/bin/sh\nexit 9\n');
      await symlink(process.execPath, join(place('v22.12.0'), 'node'));
      const env = { HOME: home, PATH: await barePath(home) };
      const commit = ['commit', '--quiet', '--allow-empty', '--message', 'x'];
      assert.equal(await git(repo, commit, env), { code: 0, stderr: '' });
      assert.equal(hooksIn(record), ['pre-commit', 'post-commit']);
    }),
  ),
);

test('a program on the PATH is used when the project has none', () =>
  withFolder(outside =>
    withHooks(async (repo, record) => {
      await rm(join(repo.dir, 'node_modules'), { recursive: true });
      const bin = join(outside, 'some bin');
      await mkdir(bin);
      await writeFake(join(bin, 'apfel-bot'), record);
      const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
      await git(repo, ['commit', '--quiet', '--allow-empty', '--message', 'x'], env);
      assert.is(callsIn(record)[0]?.file, join(bin, 'apfel-bot'));
    }),
  ));

for (const [lookup, words] of [
  ['local', 'not found, so nothing was reviewed; run npm install, or delete .git/hooks/pre-commit'],
  [
    'global',
    'not found on the PATH, so nothing was reviewed; install it globally again, or delete .git/hooks/pre-commit',
  ],
] as const) {
  test(`hooks whose ${lookup} program is gone let git go on, and one line says what to do`, () =>
    withHooks(async (repo, record) => {
      await rm(join(repo.dir, 'node_modules'), { recursive: true });
      for (const hook of REVIEW_HOOKS) {
        await writeExecutable(join(repo.dir, '.git/hooks', hook), shim(hook, lookup));
      }
      const commit = ['commit', '--quiet', '--allow-empty', '--message', 'x'];
      assert.equal(await git(repo, commit), { code: 0, stderr: `apfel-bot: ${words}\n` });
      await rm(join(repo.dir, '.git/hooks/pre-commit'));
      const { stderr } = await git(repo, commit);
      assert.match(stderr, /^apfel-bot: not found.* delete \.git\/hooks\/post-commit\n$/);
      assert.equal(hooksIn(record), []);
    }));
}

const SHELLS: ReadonlyArray<readonly [string, ...string[]]> = [
  ['sh', '-e'],
  ['dash'],
  ['dash', '-e'],
  ['bash', '--posix'],
  ['bash', '--posix', '-e'],
];
for (const [shell, ...flags] of SHELLS) {
  const isMissing = spawnSync(shell, ['-c', ':']).error !== undefined;
  test.unless(
    isMissing ? `${shell} is not installed` : undefined,
    `${[shell, ...flags].join(' ')} runs both kinds of shim`,
    () =>
      withRepo(async repo => {
        await installFake(repo.dir, recordOf(repo));
        const chained = join(repo.dir, 'pre-push');
        await writeFile(chained, chainedShim('pre-push'));
        const theirs = `cat > ${JSON.stringify(join(repo.dir, 'theirs'))}\n`;
        await writeExecutable(`${chained}.before-apfel-bot`, `#!/bin/sh\n${theirs}`);
        for (const path of [resolve('hooks/pre-push'), chained]) {
          for (const input of ['', 'a b\nc\\n d\n']) {
            const options = {
              cwd: repo.dir,
              env: gitEnv(repo.dir),
              input,
              encoding: 'utf8',
            } as const;
            const run = spawnSync(shell, [...flags, path, 'a b', '*'], options);
            assert.equal([run.status, run.stdout, run.stderr], [0, '', '']);
            const call = callsIn(recordOf(repo)).at(-1);
            assert.equal(call?.argv, ['hook', 'pre-push', 'a b', '*']);
            assert.is(call?.stdin, input);
          }
        }
      }),
  );
}

test.run();
