import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { pathFromBytes } from '../../src/core/path-bytes.js';
import { buildCommits, whyNotCommittable } from '../../src/git/commit.js';
import { listTree } from '../../src/git/tree.js';
import { commitTwins } from '../support/folding-git.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withRepo } from '../support/with-repo.js';
import {
  build,
  failureOf,
  MADE_AT,
  RUN,
  type ScratchWorld,
  withScratch,
} from './scratch-harness.js';

const test = suite('git/commit');

const withBase = (
  files: Readonly<Record<string, string | Uint8Array>>,
  body: (world: ScratchWorld, copy: Repo) => Promise<void>,
): Promise<void> =>
  withRepo(async repo => {
    await repo.commit(files);
    await withScratch(repo.dir, world => body(world, openRepo(world.scratch.dir)));
  });

test('commits build on each other, have author and run, and get the same ids every time', () =>
  withBase({ 'a.js': 'a;\n', 'b.js': 'b;\n' }, async (world, copy) => {
    const edits = [{ 'a.js': 'A;\n' }, { 'a.js': 'AA;\n', 'b.js': 'B;\n' }];
    const built = await build(world, ...edits);
    assert.equal(
      built.commits.map(({ paths }) => paths),
      [['a.js'], ['a.js', 'b.js']],
    );
    assert.is(await copy.git('rev-parse', `${built.tip}~2`), world.base);
    assert.is(await copy.git('show', `${built.tip}:a.js`), 'AA;');
    assert.is(await copy.git('show', `${built.tip}~1:a.js`), 'A;');
    const log = ['log', '-1', '--format=%an <%ae> %at %cn <%ce> %ct%n%B', built.tip];
    const signed = 'apfel-bot <apfel-bot@localhost> 1000000000';
    assert.is(await copy.git(...log), `${signed} ${signed}\nFix number 2\n\nApfel-Bot-Run: ${RUN}`);
    assert.is((await build(world, ...edits)).tip, built.tip);
    assert.is(await copy.git('fsck', '--strict', '--no-dangling'), '');
  }));

const ODD = [
  'with space.js',
  'quo"te\\.js',
  'tab\t.js',
  'new\nline.js',
  'ünï.js',
  'to delete',
  '-x',
];

test('odd names, modes and bytes are committed unchanged', () =>
  withRepo(async repo => {
    const raw = Buffer.from([0x72, 0xff, 0xfe, 0x2e, 0x6a, 0x73]);
    await mkdir(join(repo.dir, 'sub'));
    await writeFile(join(repo.dir, 'sub/run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    for (const name of ODD) await repo.write(name, 'one\n');
    await repo.write('crlf.txt', 'a\r\nb\r\n');
    await repo.write('empty', '');
    await repo.git('add', '.');
    // By plumbing, because not every disk takes such a name.
    const blob = await repo.git('rev-parse', ':-x');
    execFileSync('git', ['update-index', '-z', '--index-info'], {
      cwd: repo.dir,
      input: Buffer.concat([Buffer.from(`100644 ${blob}\t`), raw, Buffer.from([0])]),
    });
    await repo.commit({});
    await withScratch(repo.dir, async world => {
      const binary = Buffer.from([0, 1, 2, 255, 10, 13]);
      const files = {
        ...Object.fromEntries(ODD.map(name => [name, 'two'])),
        'sub/run.sh': '#!/bin/bash\n',
        'crlf.txt': 'a\r\nB\r\n',
        empty: binary,
        [pathFromBytes(raw)]: 'two\n',
      };
      const { tip, commits } = await build(world, files);
      assert.equal([...(commits[0]?.paths ?? [])].sort(), Object.keys(files).sort());
      const tree = await listTree(world.scratch.context, tip);
      assert.is(tree.get('sub/run.sh')?.mode, '100755');
      const show = (path: string) =>
        execFileSync('git', ['show', `${tip}:${path}`], { cwd: world.scratch.dir });
      assert.is(show('crlf.txt').toString(), 'a\r\nB\r\n');
      assert.is(show('new\nline.js').toString(), 'two');
      assert.equal(show('empty'), binary);
    });
  }));

test('names that differ only in case are two files, even with core.ignorecase', () =>
  withRepo(async repo => {
    await commitTwins(repo, { 'Foo.txt': 'upper\n', 'foo.txt': 'lower\n' });
    await withScratch(repo.dir, async world => {
      const copy = openRepo(world.scratch.dir);
      await copy.git('config', 'core.ignorecase', 'true');
      const { tip } = await build(world, { 'foo.txt': 'edited\n' });
      assert.is(await copy.git('show', `${tip}:Foo.txt`), 'upper');
      assert.is(await copy.git('show', `${tip}:foo.txt`), 'edited');
    });
  }));

test('an edit of anything but a regular file of the base is refused', () =>
  withRepo(async repo => {
    execFileSync('ln', ['-s', 'a.js', join(repo.dir, 'link')]);
    await repo.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    await repo.git('add', 'link');
    await repo.commit({ 'a.js': 'a;\n', 'deep/b.js': 'b;\n' });
    await withScratch(repo.dir, async world => {
      for (const [path, reason] of [
        ['link', /symbolic link/],
        ['module', /submodule/],
        ['new.js', /isn't in the base commit/],
        ['deep', /isn't in the base commit/],
        ['.git/config', /isn't in the base commit/],
        ['a.js/../../x', /isn't in the base commit/],
        ['.', /isn't in the base commit/],
        ['', /isn't in the base commit/],
      ] as const) {
        const { message, code } = await failureOf(build(world, { 'a.js': 'A;\n', [path]: 'x' }));
        assert.match(message, reason);
        assert.is(code, 'not-permitted');
      }
    });
  }));

test('files that already have the planned content make no commit', () =>
  withBase({ 'a.js': 'a;\n', 'b.js': 'b;\n' }, async world => {
    const built = await build(world, { 'a.js': 'a;\n' }, { 'a.js': 'a;\n', 'b.js': 'B;\n' });
    assert.equal(built.unchanged, ['a.js', 'a.js']);
    assert.equal(
      built.commits.map(({ paths }) => paths),
      [['b.js']],
    );
    assert.equal(await build(world, { 'a.js': 'a;\n' }), {
      commits: [],
      tip: world.base,
      unchanged: ['a.js'],
    });
  }));

const LINE_ENDS = [
  ['eol=crlf', 'a\nb\n', 'a\r\nB\r\n'],
  ['text eol=crlf', 'a\nb\n', 'a\r\nB\r\n'],
  ['text eol=lf', 'a\nb\n', 'a\r\nB\r\n'],
  ['text', 'a\nb\n', 'a\nB\r\n'],
  ['text=auto', 'a\nb\n', 'a\r\nB\r\n'],
  ['text=auto', 'a\nb\n', 'a\r\nB\r\n\0'],
  ['text=auto', 'a\r\nb\r\n', 'a\r\nB\r\n'],
  ['text=auto eol=crlf', 'a\nb\n', 'a\r\nB\r\n'],
  ['-text', 'a\nb\n', 'a\r\nB\r\n'],
  ['-text eol=crlf', 'a\nb\n', 'a\r\nB\r\n'],
  ['crlf', 'a\nb\n', 'a\r\nB\r\n'],
  ['-crlf', 'a\nb\n', 'a\r\nB\r\n'],
  ['crlf=input', 'a\nb\n', 'a\r\nB\r\n'],
  ['', 'a\nb\n', 'a\r\nB\r\n'],
  ['working-tree-encoding=UTF-8', 'a\nb\n', 'ä\n'],
] as const;

test('line endings follow the attributes: the blob is what git add would store', () => {
  const files = LINE_ENDS.map(([, before], at) => [`${at}.txt`, before] as const);
  const rows = LINE_ENDS.map(([attributes], at) => `${at}.txt ${attributes}\n`);
  const edits = Object.fromEntries(LINE_ENDS.map(([, , after], at) => [`${at}.txt`, after]));
  return withRepo(async repo => {
    await repo.write('.gitattributes', '* -text\n');
    for (const [path, before] of files) await repo.write(path, before);
    await repo.git('add', '.');
    await repo.commit({ '.gitattributes': rows.join('') });
    await withScratch(repo.dir, async world => {
      const { tip } = await build(world, edits);
      const copy = openRepo(world.scratch.dir);
      for (const [path, after] of Object.entries(edits)) await copy.write(path, after);
      await copy.git('add', '.');
      for (const [at, row] of LINE_ENDS.entries()) {
        const path = `${at}.txt`;
        const stored = await copy.git('rev-parse', `:${path}`, `${tip}:${path}`);
        assert.is(stored.slice(0, 40), stored.slice(41), JSON.stringify(row));
      }
    });
  });
});

test('a file stored with CRLF against its attributes keeps CRLF, so that one edit changes one line', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.txt': 'a\r\nb\r\nc\r\n', 'mixed.txt': 'a\r\nb\nc\n' });
    await repo.commit({ '.gitattributes': '*.txt text eol=crlf\n' });
    await withScratch(repo.dir, async world => {
      const { tip } = await build(world, { 'a.txt': 'a\r\nB\r\nc\r\n' });
      const stat = await openRepo(world.scratch.dir).git('diff', '--numstat', world.base, tip);
      assert.is(stat, '1\t1\ta.txt');
      const { message } = await failureOf(build(world, { 'mixed.txt': 'a\r\nB\r\nc\r\n' }));
      assert.match(message, /mixed/);
    });
  }));

test('files that only a program can turn into blobs are refused with the reason', () =>
  withBase(
    {
      '.gitattributes':
        '*.lfs filter=lfs\n*.id ident\n*.utf16 working-tree-encoding=UTF-16LE\n*.off -filter -ident\n',
      'a.lfs': 'pointer\n',
      'a.id': 'id\n',
      'a.utf16': '',
      'a.off': 'x\n',
    },
    async world => {
      const tree = await listTree(world.scratch.context, world.base);
      const paths = ['a.lfs', 'a.id', 'a.utf16', 'a.off', 'none'];
      const reasons = await whyNotCommittable(world.scratch.context, tree, paths);
      assert.equal(Object.fromEntries(reasons), {
        'a.lfs': 'it goes through the filter "lfs"',
        'a.id': 'git expands $Id$ in it',
        'a.utf16': 'it is encoded as "UTF-16LE" on disk',
        none: "it isn't in the base commit",
      });
      for (const path of ['a.lfs', 'a.id', 'a.utf16']) {
        const { code } = await failureOf(build(world, { [path]: 'x' }));
        assert.is(code, 'not-permitted');
      }
      assert.is((await build(world, { 'a.off': 'y\n' })).commits.length, 1);
    },
  ));

test('a message that would break the stream is refused', () =>
  withBase({ 'a.js': 'a;\n' }, async ({ scratch, base }) => {
    const files = new Map([['a.js', Buffer.from('A;\n')]]);
    const plan = { scratch, base, run: RUN, at: MADE_AT };
    for (const message of ['', ' \n', 'a\0b']) {
      const work = buildCommits({ ...plan, commits: [{ message, files }] });
      assert.is((await failureOf(work)).code, 'bug');
    }
  }));

test.run();
