import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { CLI, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withFolder, withRepo } from '../support/with-repo.js';

const DEBUGGER = 'debugger;\n';

/** Installs a pre-commit hook that writes the review of what it sees to a file. */
async function reviewInHook(repo: Repo): Promise<string> {
  const seen = join(repo.dir, '.git', 'seen.json');
  const hook = join(repo.dir, '.git', 'hooks', 'pre-commit');
  const lines = [
    '#!/bin/sh',
    `"${process.execPath}" "${CLI}" review --no-model --format json --fail-on never > "${seen}"`,
  ];
  await writeFile(hook, `${lines.join('\n')}\n`, { mode: 0o755 });
  return seen;
}

const pathsSeen = async (repo: Repo, seen: string): Promise<string[]> => {
  const outcome = JSON.parse(
    await repo.git('cat-file', 'blob', await repo.git('hash-object', '-w', seen)),
  );
  assert.is(outcome.change.head, 'index');
  return outcome.findings.map(
    (finding: { path: string; line: number }) => `${finding.path}:${finding.line}`,
  );
};

const found = (outcome: { findings: ReadonlyArray<{ path: string; line: number }> }): string[] =>
  outcome.findings.map(({ path, line }) => `${path}:${line}`);

const test = suite('git situations');

test('commit -a is reviewed as it will be committed', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n', 'b.js': 'one;\n' });
    const seen = await reviewInHook(repo);
    await repo.write('a.js', `one;\n${DEBUGGER}`);
    await repo.write('b.js', `${DEBUGGER}one;\n`);
    await repo.git('commit', '--quiet', '-am', 'all');
    assert.equal(await pathsSeen(repo, seen), ['a.js:2', 'b.js:1']);
  }));

test('commit PATH is reviewed without what else is staged', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n', 'b.js': 'one;\n' });
    const seen = await reviewInHook(repo);
    await repo.stage('a.js', DEBUGGER);
    await repo.write('b.js', `one;\n${DEBUGGER}`);
    await repo.git('commit', '--quiet', '-m', 'one path', '--', 'b.js');
    assert.equal(await pathsSeen(repo, seen), ['b.js:2']);
  }));

test('partial staging is reviewed from the index, not from the work tree', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'one;\n');
    await repo.write('a.js', `one;\n${DEBUGGER}`);
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    assert.equal(found(outcome), []);
  }));

test('an amend is reviewed as the index against HEAD', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n' });
    const seen = await reviewInHook(repo);
    await repo.stage('b.js', DEBUGGER);
    await repo.git('commit', '--quiet', '--amend', '--no-edit');
    assert.equal(await pathsSeen(repo, seen), ['b.js:1']);
  }));

/** Two branches that conflict in `a.js`, merged with markers left for the test to resolve. */
async function conflictingMerge(repo: Repo): Promise<void> {
  await repo.commit({ 'a.js': 'one;\ntwo;\nthree;\n' });
  await repo.git('checkout', '--quiet', '-b', 'side');
  await repo.commit({ 'a.js': 'one;\ntwo-side;\nthree;\n', 'side.js': DEBUGGER });
  await repo.git('checkout', '--quiet', 'main');
  await repo.commit({ 'a.js': 'one;\ntwo-main;\nthree;\n' });
  await repo.git('merge', '--quiet', 'side').catch(() => undefined);
}

test('a merge in progress is judged on lines that differ from every parent', () =>
  withRepo(async repo => {
    await conflictingMerge(repo);
    await repo.stage('a.js', `one;\ntwo-main;\n${DEBUGGER}three;\n`);
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    // side.js came with the other parent: it is not this merge's doing.
    assert.equal(found(outcome), ['a.js:3']);
    assert.ok(outcome.notices.some(notice => notice.includes('merge')));
  }));

test('a merge commit is judged the same way', () =>
  withRepo(async repo => {
    await conflictingMerge(repo);
    await repo.stage('a.js', `one;\n${DEBUGGER}two-main;\nthree;\n`);
    await repo.git('commit', '--quiet', '--no-edit');
    const { outcome } = await reviewJson(['--commit', 'HEAD', '--no-model'], { cwd: repo.dir });
    assert.equal(found(outcome), ['a.js:2']);
  }));

test('a rebase that stopped is reviewed like any staged change', () =>
  withRepo(async repo => {
    await conflictingMerge(repo);
    await repo.git('merge', '--abort');
    await repo.git('checkout', '--quiet', 'side');
    await repo.git('rebase', '--quiet', 'main').catch(() => undefined);
    await repo.stage('a.js', `one;\ntwo-main;\n${DEBUGGER}three;\n`);
    const { outcome } = await reviewJson([], { cwd: repo.dir });
    assert.equal(found(outcome), ['a.js:3', 'side.js:1']);
  }));

test('an unborn branch is reviewed against nothing', () =>
  withRepo(
    async repo => {
      await repo.stage('a.js', DEBUGGER);
      const { outcome } = await reviewJson(['--no-model'], { cwd: repo.dir });
      assert.equal(found(outcome), ['a.js:1']);
      assert.is(outcome.change.base, null);
    },
    { isUnborn: true },
  ));

test('an empty repository has nothing to review', () =>
  withRepo(
    async repo => {
      const { code, outcome } = await reviewJson(['--no-model'], { cwd: repo.dir });
      assert.is(outcome.change.files, 0);
      assert.is(code, 0);
    },
    { isUnborn: true },
  ));

test('a linked worktree has its own index', () =>
  withRepo(async repo => {
    await repo.stage('main.js', DEBUGGER);
    const linked = openRepo(join(repo.dir, 'linked'));
    await repo.git('worktree', 'add', '--quiet', 'linked', '-b', 'side');
    await linked.stage('linked.js', DEBUGGER);
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: linked.dir });
    assert.equal(found(outcome), ['linked.js:1']);
  }));

test('a subfolder sees paths from the top, and -- narrows from where one stands', () =>
  withRepo(async repo => {
    await repo.stage('deep/a.js', DEBUGGER);
    await repo.stage('b.js', DEBUGGER);
    const cwd = join(repo.dir, 'deep');
    const whole = await reviewJson(['--staged'], { cwd });
    assert.equal(found(whole.outcome), ['b.js:1', 'deep/a.js:1']);
    const narrow = await reviewJson(['--staged', '--', 'a.js'], { cwd });
    assert.equal(found(narrow.outcome), ['deep/a.js:1']);
    const up = await reviewJson(['--staged', '--', '../b.js'], { cwd });
    assert.equal(found(up.outcome), ['b.js:1']);
  }));

test('a bare repository is reviewed by commit and by range', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': DEBUGGER });
    await repo.git('clone', '--quiet', '--bare', '.', 'bare.git');
    const cwd = join(repo.dir, 'bare.git');
    const commit = await reviewJson(['--commit', 'HEAD'], { cwd });
    assert.equal(found(commit.outcome), ['a.js:1']);
    const range = await reviewJson(['--range', 'HEAD~1..HEAD'], { cwd });
    assert.equal(found(range.outcome), ['a.js:1']);
    const byDefault = await reviewJson([], { cwd });
    assert.equal(found(byDefault.outcome), ['a.js:1']);
  }));

test('a sparse checkout is reviewed whole', () =>
  withRepo(async repo => {
    await repo.commit({ 'in/a.js': 'one;\n', 'out/b.js': 'one;\n' });
    await repo.commit({ 'in/a.js': DEBUGGER, 'out/b.js': DEBUGGER });
    await repo.git('sparse-checkout', 'set', 'in');
    const { outcome } = await reviewJson(['--commit', 'HEAD'], { cwd: repo.dir });
    assert.equal(found(outcome), ['in/a.js:1', 'out/b.js:1']);
  }));

test('a SHA-256 repository works, also unborn', () =>
  withRepo(
    async repo => {
      await repo.stage('a.js', DEBUGGER);
      const staged = await reviewJson([], { cwd: repo.dir });
      assert.equal(found(staged.outcome), ['a.js:1']);
      const head = await repo.commit({ 'b.js': DEBUGGER });
      const { outcome } = await reviewJson(['--commit', head], { cwd: repo.dir });
      assert.is(outcome.change.head.length, 64);
      assert.equal(found(outcome), ['a.js:1', 'b.js:1']);
    },
    { init: ['--object-format=sha256'], isUnborn: true },
  ));

test('a submodule change is skipped, not opened', () =>
  withRepo(async repo => {
    await withFolder(async dir => {
      const other = openRepo(dir);
      await other.git('init', '--quiet');
      await other.commit({ 'x.js': DEBUGGER });
      await repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', dir, 'sub');
      const { outcome } = await reviewJson(['--staged'], { cwd: repo.dir });
      assert.equal(found(outcome), []);
      const item = outcome.ledger.items.find(({ path }) => path === 'sub');
      assert.is(item?.reason, 'submodule');
    });
  }));

test.run();
