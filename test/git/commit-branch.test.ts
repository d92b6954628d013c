import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type BranchUpdate, bringOver } from '../../src/git/branch.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withRepo } from '../support/with-repo.js';
import {
  build,
  failureOf,
  fingerprint,
  type ScratchWorld,
  withScratch,
  withTwoRepos,
} from './scratch-harness.js';

const test = suite('git/commit-branch');
const BRANCH = 'apfel-bot/fix-lint-1';

/** Builds one commit with this text and brings it over. */
async function bring(
  { scratch, base, into }: ScratchWorld,
  text: string,
  branch = BRANCH,
): Promise<BranchUpdate & { tip: string }> {
  const { tip } = await build({ scratch, base }, { 'README.md': text });
  const from = scratch.context;
  const brought = await bringOver({ from, into, base, tip, branch });
  return { ...brought, tip };
}

const isOurs = (path: string): boolean =>
  /^\.git\/(objects|(logs\/)?refs\/heads\/apfel-bot)(\/|$)/.test(path);

test('a new branch is created and nothing else changes', () =>
  withRepo(async repo => {
    await repo.write('README.md', 'dirty\n');
    await repo.stage('new.txt', 'staged\n');
    await repo.git('stash', '--keep-index');
    const before = await fingerprint(repo.dir, isOurs);
    await withScratch(repo.dir, async world => {
      const { branch, done, tip, passedOver } = await bring(world, 'fixed\n');
      assert.equal([branch, done, passedOver], [BRANCH, 'created', []]);
      assert.is(await repo.git('rev-parse', `refs/heads/${BRANCH}`), tip);
    });
    assert.equal(await fingerprint(repo.dir, isOurs), before);
    assert.is(await repo.git('show', `${BRANCH}:README.md`), 'fixed');
    assert.is(await repo.git('fsck', '--no-dangling'), '');
  }));

test('the same commits change nothing; other commits replace our own branch', () =>
  withRepo(repo =>
    withScratch(repo.dir, async world => {
      const first = await bring(world, 'fixed\n');
      assert.is((await bring(world, 'fixed\n')).done, 'unchanged');
      const second = await bring(world, 'fixed better\n');
      assert.equal([second.done, second.branch], ['updated', BRANCH]);
      assert.not.equal(second.tip, first.tip);
      assert.is(await repo.git('rev-parse', BRANCH), second.tip);
      assert.is(await repo.git('rev-parse', `${BRANCH}@{1}`), first.tip);
    }),
  ));

const STRANGERS: ReadonlyArray<
  readonly [title: string, spoil: (repo: Repo) => Promise<unknown>, reason: RegExp]
> = [
  [
    'that somebody has added to',
    async repo => {
      await repo.git('checkout', '--quiet', BRANCH);
      await repo.commit({ 'more.txt': 'more\n' }, 'mine\n\nApfel-Bot-Run: copied');
      await repo.git('checkout', '--quiet', 'main');
    },
    /somebody else/,
  ],
  [
    'whose commit lost our mark',
    async repo => {
      const text = await repo.git('cat-file', 'commit', BRANCH);
      const input = text.replace(/\n\nApfel-Bot-Run: .*/, '\n');
      const asked = ['hash-object', '-t', 'commit', '-w', '--stdin'];
      const made = execFileSync('git', asked, { cwd: repo.dir, input, encoding: 'utf8' }).trim();
      await repo.git('update-ref', `refs/heads/${BRANCH}`, made);
    },
    /somebody else/,
  ],
  [
    'at the base itself',
    repo => repo.git('branch', '--force', BRANCH, 'main'),
    /no commits of apfel-bot/,
  ],
  [
    'from another commit',
    async repo => {
      await repo.git('checkout', '--quiet', '--orphan', 'other');
      await repo.commit({ 'other.txt': 'x\n' });
      await repo.git('branch', '--force', BRANCH, 'other');
      await repo.git('checkout', '--quiet', 'main');
    },
    /another commit/,
  ],
  [
    'that is checked out in another work tree',
    repo => repo.git('worktree', 'add', '--quiet', join(repo.dir, 'linked'), BRANCH),
    /checked out in /,
  ],
  [
    'that is being rebased',
    async repo => {
      const linked = join(repo.dir, 'linked');
      await repo.git('worktree', 'add', '--quiet', linked, BRANCH);
      const rebase = ['rebase', '--quiet', '--exec', 'false', 'HEAD~1'];
      await openRepo(linked)
        .git(...rebase)
        .catch(() => undefined);
    },
    /checked out or being worked on/,
  ],
  [
    'that is a folder of other branches',
    async repo => {
      await repo.git('update-ref', '-d', `refs/heads/${BRANCH}`);
      await repo.git('branch', `${BRANCH}/deeper`);
    },
    /there is a branch /,
  ],
];

for (const [title, spoil, reason] of STRANGERS) {
  test(`a branch ${title} is left alone, and the next name is taken`, () =>
    withRepo(repo =>
      withScratch(repo.dir, async world => {
        await bring(world, 'fixed\n');
        await spoil(repo);
        const refs = await repo.git('for-each-ref');
        const { branch, done, passedOver } = await bring(world, 'fixed better\n');
        assert.equal([branch, done], [`${BRANCH}-2`, 'created']);
        assert.is(passedOver.length, 1);
        assert.match(passedOver[0]?.reason ?? '', reason);
        const now = await repo.git('for-each-ref');
        for (const line of refs.split('\n')) assert.ok(now.includes(line), `kept: ${line}`);
        assert.equal((await bring(world, 'fixed best\n')).branch, `${BRANCH}-2`);
      }),
    ));
}

test('a branch that blocks the name of ours is reported', () =>
  withRepo(repo =>
    withScratch(repo.dir, async world => {
      await repo.git('branch', 'apfel-bot');
      const { message, hint } = await failureOf(bring(world, 'fixed\n'));
      assert.match(message, /a branch called apfel-bot blocks the name/);
      assert.match(hint ?? '', /git branch -m apfel-bot/);
      assert.is((await bring(world, 'fixed\n', 'bot-fixes')).branch, 'bot-fixes');
    }),
  ));

test('a lock on the branch is reported, not removed', () =>
  withRepo(repo =>
    withScratch(repo.dir, async world => {
      await bring(world, 'fixed\n');
      const lock = join(repo.dir, '.git/refs/heads', `${BRANCH}.lock`);
      await writeFile(lock, '');
      const { message } = await failureOf(bring(world, 'better\n'));
      assert.match(message, /fix-lint-1\.lock is in the way/);
    }),
  ));

test('branch names that aren’t plain are refused before git sees them', () =>
  withRepo(repo =>
    withScratch(repo.dir, async world => {
      const names = ['', '-x', 'a/-x', 'a..b', 'a/', '/a', 'a//b', 'a.lock', 'a b', 'a\u3000b'];
      for (const name of [...names, 'refs:x', '+a', 'a@{1}', 'x'.repeat(300), 'a/.b', 'a.']) {
        const { code } = await failureOf(bring(world, 'fixed\n', name));
        assert.is(code, 'usage', name);
      }
    }),
  ));

const OTHERS: ReadonlyArray<readonly [title: string, args: readonly string[]]> = [
  ['a partial clone', ['--filter=blob:none']],
  ['a clone with borrowed objects', ['--shared']],
];

for (const [title, args] of OTHERS) {
  test(`${title} gets the branch, and no program it configures runs`, () =>
    withTwoRepos(async (one, folder) => {
      await one.commit({ 'a.txt': 'a\n' });
      await one.git('config', 'uploadpack.allowFilter', 'true');
      const clone = join(folder, 'clone');
      const source = args.includes('--shared') ? one.dir : `file://${one.dir}`;
      await one.git('clone', '--quiet', ...args, source, clone);
      const canary = join(folder, 'canary');
      await writeFile(canary, `#!/bin/sh\ntouch "${folder}/sung"\n`);
      await chmod(canary, 0o755);
      const repo = openRepo(clone);
      const gitDir = await repo.git('rev-parse', '--absolute-git-dir');
      await writeFile(join(gitDir, 'hooks/reference-transaction'), `#!/bin/sh\n${canary}\n`, {
        mode: 0o755,
      });
      for (const key of [
        'core.alternateRefsCommand',
        'core.fsmonitor',
        'uploadpack.packObjectsHook',
      ]) {
        await repo.git('config', key, canary);
      }
      await withScratch(clone, async world => {
        const { tip } = await bring(world, 'fixed\n');
        assert.is((await bring(world, 'better\n')).done, 'updated');
        await repo.git('-c', 'core.hooksPath=/dev/null', 'cat-file', '-e', `${tip}^{tree}`);
      });
      assert.not.ok(existsSync(join(folder, 'sung')), 'the canary sang');
    }));
}

test.run();
