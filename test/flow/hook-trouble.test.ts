import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { openRepo, type Repo } from '../support/with-repo.js';
import { commit, git, recordOf, withHooks } from './hooked-repo.js';

const QUIET = { hooks: { background: false } };

const test = suite('hook in trouble');

/** Puts a line before what a hook does. */
async function beforeHook(repo: Repo, name: string, line: string): Promise<void> {
  const file = join(repo.dir, '.git', 'hooks', name);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('#!/bin/sh\n', `#!/bin/sh\n${line}\n`));
  await chmod(file, 0o755);
}

test('a disk that takes no byte more: the commit stands, and what is missing is said', () =>
  withHooks(async repo => {
    await beforeHook(repo, 'post-commit', 'ulimit -f 0');
    await repo.stage('a.js', 'fine();\n');
    const { code, stdout, stderr } = await commit(repo);
    assert.is(code, 0, stderr);
    assert.match(stdout + stderr, /apfel-bot: the note on [0-9a-f]{12} was not recorded: /);
    assert.is((stdout + stderr).trim().split('\n').length, 1);
    assert.is(await repo.git('log', '-1', '--format=%s'), 'next');
    await repo.git('fsck', '--strict');
    assert.is(await recordOf(repo), null);
  }, QUIET));

test('a disk that is full before the commit: the review is told, the rest goes on', () =>
  withHooks(async repo => {
    await beforeHook(repo, 'pre-commit', 'ulimit -f 0');
    await repo.stage('a.test.js', 'it.only("x", () => {});\n');
    const blocked = await commit(repo);
    assert.is(blocked.code, 1);
    assert.match(blocked.stdout + blocked.stderr, 'focused-test');
    await repo.stage('a.test.js', 'it("x", () => {});\n');
    assert.is((await commit(repo)).code, 0);
  }, QUIET));

for (const [what, spoil] of [
  ['a blob', (repo: Repo) => repo.git('hash-object', '-w', 'README.md')],
  ['a tree of something else', (repo: Repo) => repo.git('rev-parse', 'HEAD^{tree}')],
  ['a commit of something else', (repo: Repo) => repo.git('rev-parse', 'HEAD')],
] as const) {
  test(`a note ref that names ${what} neither stops a commit nor is destroyed`, () =>
    withHooks(async repo => {
      const id = await spoil(repo);
      await repo.git('update-ref', 'refs/notes/apfel-bot', id);
      await repo.stage('a.js', 'fine();\n');
      const { code, stdout, stderr } = await commit(repo);
      assert.is(code, 0, stderr);
      const said = (stdout + stderr).trim();
      assert.ok(said === '' || /^apfel-bot: .*$/.test(said), said);
      // Either it was told that nothing was recorded, or it was recorded on top of what was there.
      if (said === '') {
        assert.ok((await recordOf(repo)) !== null);
        await repo.git('merge-base', '--is-ancestor', id, 'refs/notes/apfel-bot');
      } else assert.is(await repo.git('rev-parse', 'refs/notes/apfel-bot'), id);
    }, QUIET));
}

test('commits that race in four worktrees are all recorded', () =>
  withHooks(async repo => {
    const names = ['one', 'two', 'three', 'four'];
    const trees = names.map(name => openRepo(join(repo.dir, name)));
    for (const [at, tree] of trees.entries()) {
      await repo.git('worktree', 'add', '--quiet', names[at] ?? '', '-b', `b${at}`);
      await tree.stage(`${names[at]}.js`, 'debugger;\n');
    }
    const ends = await Promise.all(
      trees.map(tree => git(tree, ['commit', '--quiet', '-m', 'race'])),
    );
    assert.equal(
      ends.map(({ code }) => code),
      [0, 0, 0, 0],
    );
    for (const at of names.keys()) {
      const record = await recordOf(repo, `b${at}`);
      assert.equal(
        record?.findings.map(({ path }) => path),
        [`${names[at]}.js`],
      );
    }
  }, QUIET));

test.run();
