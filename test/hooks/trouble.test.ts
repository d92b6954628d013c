import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withRepo } from '../support/with-repo.js';
import { commit, git, recordOf, withHooks } from './hooked-repo.js';

const QUIET = { hooks: { background: false } };
const CLOSED = { hooks: { failClosed: true, background: false } };

/** Every commit here is reviewed without a model, which is one line. */
const withoutModelLine = (text: string): string =>
  text.replace(/^apfel-bot: checks only, no model: .*\n/gm, '');

const test = suite('hooks/trouble');

/** Puts a line before what a hook does. */
async function beforeHook(repo: Repo, name: string, line: string): Promise<void> {
  const file = join(repo.dir, '.git', 'hooks', name);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('#!/bin/sh\n', `#!/bin/sh\n${line}\n`));
  await chmod(file, 0o755);
}

test('if nothing can be written to the disk, the commit is made, and one line says what is missing', () =>
  withHooks(async repo => {
    await beforeHook(repo, 'post-commit', 'ulimit -f 0');
    await repo.stage('a.js', 'fine();\n');
    const { code, stdout, stderr } = await commit(repo);
    assert.is(code, 0, stderr);
    assert.match(
      stdout + stderr,
      /apfel-bot: (?:the note on [0-9a-f]{12} was not recorded|can't write \S+own-notes): /,
      stdout + stderr,
    );
    assert.is(
      withoutModelLine(stdout + stderr)
        .trim()
        .split('\n').length,
      1,
    );
    assert.is(await repo.git('log', '-1', '--format=%s'), 'next');
    await repo.git('fsck', '--strict');
    assert.is(await recordOf(repo), null);
  }, QUIET));

test('if the disk is full before the commit, the review is still printed, and the commit goes on', () =>
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
      const said = withoutModelLine(stdout + stderr).trim();
      assert.ok(said === '' || /^apfel-bot: .*$/.test(said), said);
      // Either it was told that nothing was recorded, or it was recorded on top of what was there.
      if (said === '') {
        assert.ok((await recordOf(repo)) !== null);
        await repo.git('merge-base', '--is-ancestor', id, 'refs/notes/apfel-bot');
      } else assert.is(await repo.git('rev-parse', 'refs/notes/apfel-bot'), id);
    }, QUIET));
}

test('failClosed holds although the rest of the configuration is invalid', () =>
  withHooks(
    async repo => {
      await repo.stage('a.js', 'fine();\n');
      const { code, stderr } = await commit(repo);
      assert.is(code, 1, stderr);
      assert.match(stderr, /unknown key "foo".*; stopped, because hooks\.failClosed is set/);
      assert.is(await repo.git('log', '-1', '--format=%s'), 'first');
    },
    { ...CLOSED, foo: 1 },
  ));

test('failClosed holds in package.json as well', () =>
  withHooks(async repo => {
    await repo.stage('package.json', JSON.stringify({ 'apfel-bot': { ...CLOSED, foo: 1 } }));
    assert.is((await commit(repo)).code, 1);
  }));

for (const [what, text] of [
  ['is no JSON', '{"hooks":{"failClosed":true},'],
  ['says it at another place', '{"failClosed":true,"foo":1}'],
  ['says something else', '{"hooks":{"failClosed":"true"}}'],
] as const) {
  test(`a configuration that ${what} lets the commit through`, () =>
    withHooks(async repo => {
      await repo.write('.apfel-bot.json', text);
      await repo.stage('a.js', 'fine();\n');
      const { code, stderr } = await commit(repo);
      assert.is(code, 0, stderr);
      assert.match(stderr, 'the commit continues without a review');
    }));
}

test('an invalid configuration is one line of a commit, although several hooks read it', () =>
  withHooks(
    async repo => {
      await repo.stage('a.js', 'fine();\n');
      const { code, stderr } = await commit(repo);
      assert.is(code, 0, stderr);
      assert.match(stderr, /^apfel-bot: [^\n]*unknown key "foo"[^\n]*without a review\n$/);
      await repo.stage('a.js', 'finer();\n');
      assert.match(
        (await commit(repo)).stderr,
        'without a review',
        'the next commit says it again',
      );
      await repo.write('.apfel-bot.json', '{"bar": 1}');
      await repo.stage('a.js', 'finest();\n');
      const unseen = await commit(repo, '--no-verify');
      assert.match(unseen.stderr, /unknown key "bar".*; the commit was made\n$/);
    },
    { foo: 1 },
  ));

test('a wrong option of a hook is one line and stops nothing, unless failClosed is set', () =>
  withRepo(async repo => {
    for (const option of ['--no-such-flag', '--base-url=http://127.0.0.1:9/v1', '--deadline']) {
      const open = await apfelBot(['hook', 'pre-commit', option], { cwd: repo.dir });
      assert.is(open.code, 0, open.stderr);
      assert.match(open.stderr, /^apfel-bot: [^\n]*; the commit continues without a review\n$/);
      assert.match(open.stderr, option.replace(/=.*/, ''));
    }
    await repo.write('closed.json', JSON.stringify(CLOSED));
    const wrong = ['hook', 'pre-commit', '--config', 'closed.json', '--no-such-flag'];
    const closed = await apfelBot(wrong, { cwd: repo.dir });
    assert.is(closed.code, 2, closed.stderr);
    const env = { APFEL_BOT: '0' };
    assert.is((await apfelBot(wrong, { cwd: repo.dir, env })).stderr, '');
  }));

test('failClosed does not fail a post-commit hook', () =>
  withHooks(
    async repo => {
      await repo.stage('a.js', 'fine();\n');
      const { code, stderr } = await commit(repo, '--no-verify');
      assert.is(code, 0, stderr);
      assert.match(stderr, 'the commit was made');
      assert.not.match(stderr, 'stopped');
    },
    { hooks: { failClosed: true }, foo: 1 },
  ));

test('a lock and a scratch folder that a killed run has left are cleared by the next commit', () =>
  withHooks(async repo => {
    const lock = join(repo.dir, '.git/refs/notes/apfel-bot.lock');
    const folder = join(repo.dir, '.git/apfel-bot/scratch/notes-0123456789abcdef01');
    await mkdir(join(repo.dir, '.git/refs/notes'), { recursive: true });
    await mkdir(folder, { recursive: true });
    await writeFile(lock, '');
    const fresh = await next(repo, 'a.js');
    assert.match(fresh, /^apfel-bot: the note on [0-9a-f]{12} was not recorded: .*File exists/);
    const then = new Date(Date.now() - 7_200_000);
    for (const path of [lock, folder]) await utimes(path, then, then);
    assert.is(await next(repo, 'b.js'), '');
    assert.is((await recordOf(repo))?.ledger.total, 1);
    for (const path of [lock, folder]) assert.not.ok(existsSync(path), path);
    await mkdir(folder);
    await utimes(folder, then, then);
    assert.is(await next(repo, 'c.js'), '');
    assert.not.ok(existsSync(folder), 'without a lock, too');
  }, QUIET));

/** What git says to the next commit. */
async function next(repo: Repo, name: string): Promise<string> {
  await repo.stage(name, 'fine();\n');
  const { code, stdout, stderr } = await commit(repo);
  assert.is(code, 0, stderr);
  return withoutModelLine(stdout + stderr);
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
