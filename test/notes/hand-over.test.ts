import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { userGitContext } from '../../src/git/git.js';
import {
  committedDigest,
  dropHandOver,
  isUnderWay,
  readHandOver,
  saveHandOver,
  stagedDigest,
} from '../../src/notes/hand-over.js';
import { finishedOf } from '../../src/notes/record.js';
import { fingerprint, repositoryLocation } from '../git/scratch-harness.js';
import { EMPTY, finding } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('notes/hand-over');

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const spotOf = (repo: Repo) =>
  userGitContext({ cwd: repo.dir, env: gitEnv(repo.dir), signal: new AbortController().signal });

async function compare(repo: Repo, ...commit: string[]): Promise<boolean> {
  const before = await repo.git('rev-parse', '--verify', 'HEAD').catch(() => EMPTY_TREE);
  const staged = await stagedDigest(spotOf(repo));
  await repo.git('commit', '--quiet', '--allow-empty', '--message', 'next', ...commit);
  return (
    staged === (await committedDigest(spotOf(repo), before, await repo.git('rev-parse', 'HEAD')))
  );
}

const situations: ReadonlyArray<
  readonly [what: string, prepare: (repo: Repo) => Promise<unknown>]
> = [
  ['a new file', repo => repo.stage('a b/ü.txt', 'x\n')],
  ['nothing at all', async () => undefined],
  [
    'a part of a file',
    async repo => {
      await repo.stage('a.txt', 'one\n');
      await repo.write('a.txt', 'one\ntwo\n');
    },
  ],
  ['a deletion', repo => repo.git('rm', '--quiet', 'README.md')],
  ['a rename', repo => repo.git('mv', 'README.md', 'moved.md')],
  ['a mode', repo => repo.git('update-index', '--chmod=+x', 'README.md')],
  [
    'a link',
    async repo => {
      await symlink('README.md', join(repo.dir, 'link'));
      await repo.git('add', 'link');
    },
  ],
  [
    'a file to be added later',
    async repo => {
      await repo.write('later.txt', 'x\n');
      await repo.git('add', '--intent-to-add', 'later.txt');
    },
  ],
];
for (const [what, prepare] of situations) {
  test(`${what} has the same digest before and after the commit`, () =>
    withRepo(async repo => {
      await prepare(repo);
      assert.ok(await compare(repo));
    }));
}

test('the first commit and an amend have the same digest before and after', () =>
  withRepo(
    async repo => {
      await repo.stage('a.txt', 'x\n');
      assert.ok(await compare(repo));
      await repo.stage('b.txt', 'x\n');
      assert.ok(await compare(repo, '--amend'));
    },
    { isUnborn: true },
  ));

test('a commit of another change has another digest', () =>
  withRepo(async repo => {
    await repo.write('README.md', 'changed\n');
    assert.not.ok(await compare(repo, '--all'));
  }));

test('the parents of HEAD are known: none, one, two, and none beyond a shallow end', () =>
  withRepo(
    async repo => {
      const parents = async (dir = repo.dir): Promise<readonly string[]> =>
        (await repositoryLocation(dir)).repository.headParents;
      assert.equal(await parents(), [], 'unborn');
      const first = await repo.commit({ 'a.txt': 'a\n' });
      assert.equal(await parents(), [], 'the first');
      const second = await repo.commit({ 'a.txt': 'b\n' });
      assert.equal(await parents(), [first]);
      await repo.git('checkout', '--quiet', '-b', 'side', first);
      const side = await repo.commit({ 'b.txt': 'b\n' });
      await repo.git('merge', '--quiet', '--no-edit', 'main');
      assert.equal(await parents(), [side, second]);
      await repo.git('clone', '--quiet', '--depth=1', `file://${repo.dir}`, 'shallow');
      assert.equal(await parents(join(repo.dir, 'shallow')), [], 'shallow');
      await withFolder(async dir => {
        await repo.git('clone', '--quiet', '--bare', repo.dir, join(dir, 'bare.git'));
        assert.equal(await parents(join(dir, 'bare.git')), [side, second], 'bare');
      });
    },
    { isUnborn: true },
  ));

test('computing the digest leaves index and work tree as they are', () =>
  withRepo(async repo => {
    await repo.stage('a.txt', 'x\n');
    const before = await fingerprint(repo.dir, () => false);
    await stagedDigest(spotOf(repo));
    assert.equal(await fingerprint(repo.dir, () => false), before);
  }));

test('a saved hand-over is read back until it is dropped', () =>
  withRepo(async repo => {
    const { repository } = await repositoryLocation(repo.dir);
    const finished = finishedOf({ ...EMPTY, findings: [finding({})] });
    const parents = ['a'.repeat(40)];
    const left = { head: repository.head ?? '', parents, digest: 'd', finished };
    assert.is(await readHandOver(repository), undefined);
    await saveHandOver(repository, left);
    const found = await readHandOver(repository);
    assert.is(found?.digest, 'd');
    assert.equal(found?.parents, parents);
    assert.equal(found?.finished.findings, finished.findings);
    await dropHandOver(repository);
    assert.is(await readHandOver(repository), undefined);
  }));

test('a hand-over file with garbage counts as none', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n' });
    const { repository } = await repositoryLocation(repo.dir);
    const file = join(repository.gitDir, 'apfel-bot', 'hand-over.json');
    await mkdir(join(repository.gitDir, 'apfel-bot'));
    const head = repository.head ?? '';
    const finished = finishedOf(EMPTY);
    const fine = { v: 1, head, parents: [head], digest: 'd', finished };
    await writeFile(file, JSON.stringify(fine));
    assert.is((await readHandOver(repository))?.head, head);
    for (const text of [
      '',
      'null',
      '[]',
      '{"v":1',
      JSON.stringify({ v: 1, head: '--output=x', parents: [], digest: 'd', finished }),
      JSON.stringify({ v: 1, head, digest: 'd', finished }),
      JSON.stringify({ ...fine, parents: [head, '--output=x'] }),
      JSON.stringify({ v: 1, head, parents: [], digest: 'd', finished: null }),
      JSON.stringify({ v: 1, head, parents: [], digest: 5, finished }),
      JSON.stringify({
        v: 1,
        head,
        parents: [],
        digest: 'd',
        finished: { ...finished, findings: [{}] },
      }),
      ' '.repeat(5 * 1024 * 1024),
    ]) {
      await writeFile(file, text);
      assert.is(await readHandOver(repository), undefined, text.slice(0, 60));
    }
    await rm(file);
    await symlink('/dev/zero', file);
    assert.is(await readHandOver(repository), undefined);
  }));

test('a hand-over that is too large isn’t saved at all', () =>
  withRepo(async repo => {
    const { repository } = await repositoryLocation(repo.dir);
    const many = Array.from({ length: 3000 }, () => finding({ evidence: 'x'.repeat(2000) }));
    const finished = finishedOf({ ...EMPTY, findings: many });
    const left = { head: repository.head ?? '', parents: [], digest: 'd', finished };
    await saveHandOver(repository, left);
    assert.is(await readHandOver(repository), undefined);
  }));

test.unless(
  process.getuid?.() === 0 ? 'root may write anywhere' : undefined,
  'a git directory that cannot be written is named',
  () =>
    withRepo(async repo => {
      const { repository } = await repositoryLocation(repo.dir);
      await chmod(repository.gitDir, 0o500);
      const head = repository.head ?? '';
      const left = { head, parents: [], digest: 'd', finished: finishedOf(EMPTY) };
      const failure = await saveHandOver(repository, left).catch(String);
      await chmod(repository.gitDir, 0o700);
      assert.match(String(failure), 'not permitted');
    }),
);

test('isUnderWay is true during a rebase, an am and a cherry-pick', () =>
  withRepo(async repo => {
    const { repository } = await repositoryLocation(repo.dir);
    assert.not.ok(isUnderWay(repository));
    for (const name of ['rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD']) {
      await mkdir(join(repository.gitDir, name));
      assert.ok(isUnderWay(repository), name);
      await rm(join(repository.gitDir, name), { recursive: true });
    }
  }));

test.run();
