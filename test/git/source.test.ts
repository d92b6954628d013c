import { spawnSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fileHistory, listDir, readDiff, readFile, searchCode } from '../../src/agent/reading.js';
import { openGit, userGitContext } from '../../src/git/git.js';
import { gitSource, type Source } from '../../src/git/source.js';
import { estimateTokens } from '../../src/model/tokens.js';
import { toolContext } from '../agent/tools/tool-context.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';

const MIB = 1024 * 1024;

/** The tools' view of a repository, at HEAD or in the index. */
async function withSource(
  repo: Repo,
  at: 'HEAD' | 'index',
  body: (source: Source) => Promise<void>,
): Promise<void> {
  const abort = new AbortController();
  const place = { cwd: repo.dir, env: gitEnv(repo.dir), signal: abort.signal };
  const git = await openGit({ ...place, expectsStaged: false });
  const commit = at === 'index' ? at : await git.resolve('HEAD');
  const base = at === 'index' ? git.repository.head : (await git.parents(commit))[0];
  try {
    await body(gitSource({ git, context: userGitContext(place), at: commit, base }));
  } finally {
    abort.abort();
  }
}

const ofTool = async (
  tool: ReturnType<typeof listDir>,
  input: Readonly<Record<string, unknown>>,
): Promise<string> => (await tool.run(input, toolContext())).text;

/** Counts what is copied from one buffer to another. */
function copiedBytes() {
  const { concat } = Buffer;
  let bytes = 0;
  Buffer.concat = (list, length) => {
    const whole = concat(list, length);
    bytes += whole.length;
    return whole;
  };
  const stop = (): void => {
    Buffer.concat = concat;
  };
  return { bytes: () => bytes, stop };
}

const test = suite('git/source');

for (const at of ['HEAD', 'index'] as const) {
  test(`a folder of ten thousand entries is listed from ${at} within the limit`, () =>
    withRepo(async repo => {
      const blob = await repo.git('hash-object', '-w', 'README.md');
      const rows = Array.from(
        { length: 10_000 },
        (_, each) => `100644 ${blob}\tbig/file-${each}.ts\n`,
      );
      const staged = spawnSync('git', ['update-index', '--add', '--index-info'], {
        cwd: repo.dir,
        env: gitEnv(repo.dir),
        input: rows.join(''),
      });
      assert.is(staged.status, 0);
      await repo.git('commit', '--quiet', '-m', 'big');
      await withSource(repo, at, async source => {
        assert.is((await source.list('big')).length, 10_000);
        const text = await ofTool(listDir(source), { path: 'big' });
        assert.match(text, /^big: 10000 entries/);
        assert.ok(estimateTokens(text) <= 800);
        assert.match(await ofTool(listDir(source), { path: '' }), /\nbig\/\n/);
      });
    }));

  test(`huge, binary and linked files of ${at} are reported as what they are`, () =>
    withRepo(async repo => {
      await repo.stage('huge.txt', 'a line\n'.repeat((3 * MIB) / 7));
      await repo.stage('long.txt', 'x'.repeat(MIB));
      await repo.stage('image.png', Buffer.from([0x89, 0x50, 0, 1, 2, 0xff]));
      await symlink('/etc/passwd', join(repo.dir, 'link'));
      await repo.git('add', 'link');
      await repo.git('commit', '--quiet', '-m', 'odd files');
      await withSource(repo, at, async source => {
        assert.equal(await source.read('huge.txt'), { kind: 'too-big' });
        assert.equal(await source.read('link'), { kind: 'symlink' });
        for (const path of ['huge.txt', 'image.png', 'link']) {
          const text = await ofTool(readFile(source), { path });
          assert.match(text, /^error: /, path);
          assert.not.match(text, 'root:');
        }
        const long = await ofTool(readFile(source), { path: 'long.txt' });
        assert.ok(estimateTokens(long) <= 800);
        // Binary files are not searched; a wide search is cut and says so.
        const wide = await ofTool(searchCode(source), { query: 'a line' });
        assert.match(wide, /more|first|narrow/i);
        assert.ok(estimateTokens(wide) <= 800);
      });
    }));

  test(`a line of any length in ${at} is searched, and its match is shown with those after it`, () =>
    withRepo(async repo => {
      await repo.stage('a.min.js', `needle ${'x'.repeat(8 * MIB)}\nneedle two\n`);
      await repo.stage('b.js', 'a needle\n');
      await repo.git('commit', '--quiet', '-m', 'long line');
      await withSource(repo, at, async source => {
        const copied = copiedBytes();
        const { matches } = await source.search('needle', undefined).finally(copied.stop);
        assert.equal(
          matches.map(({ path, line, text }) => [path, line, text.slice(0, 10)]),
          [
            ['a.min.js', 1, 'needle xxx'],
            ['a.min.js', 2, 'needle two'],
            ['b.js', 1, 'a needle'],
          ],
        );
        assert.ok(copied.bytes() < 64 * MIB, `${copied.bytes()} bytes copied`);
      });
    }));

  test(`what is not in ${at} cannot be reached by any path`, () =>
    withRepo(async repo => {
      await repo.commit({
        'a.ts': 'tracked\n',
        '.env': 'KEY=hidden\n',
        '.gitignore': 'ignored.ts\n',
      });
      await repo.write('untracked.ts', 'hidden\n');
      await repo.write('ignored.ts', 'hidden\n');
      await repo.write('a.ts', 'hidden\n');
      await withSource(repo, at, async source => {
        const hostile = [
          ...['/etc/passwd', '../outside', 'a/../../b', '.git/config', '.GIT/config', '.env'],
          ...[
            'untracked.ts',
            'ignored.ts',
            '-',
            '--help',
            ':(top)a.ts',
            ':/a.ts',
            '*.ts',
            'a.ts\0b',
          ],
          ...['HEAD:a.ts', '.git/../.env', 'x'.repeat(5000), '\u202ea.ts', '~/x', 'C:\\x', ''],
        ];
        for (const path of hostile) {
          for (const tool of [readFile(source), readDiff(source)]) {
            const text = await ofTool(tool, { path });
            assert.match(text, /^error: /, `${tool.name} ${JSON.stringify(path)}`);
            assert.not.match(text, 'hidden');
          }
        }
        assert.match(await ofTool(readFile(source), { path: 'a.ts' }), 'tracked');
        assert.not.match(await ofTool(searchCode(source), { query: 'hidden' }), 'KEY=hidden');
        assert.match(
          await ofTool(searchCode(source), { query: '--hidden' }),
          /0 matches|no match/i,
        );
      });
    }));
}

test('a diff of a huge change is cut, and git is not left to print the rest', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.txt': 'old\n' });
    await repo.commit({ 'a.txt': 'a new line that is long enough\n'.repeat(200_000) });
    await withSource(repo, 'HEAD', async source => {
      assert.ok(((await source.diff('a.txt')) ?? '').length <= 256 * 1024);
      const text = await ofTool(readDiff(source), { path: 'a.txt' });
      assert.ok(estimateTokens(text) <= 800);
    });
  }));

test('the diff of a folder is refused: it could hold what is never shown', () =>
  withRepo(async repo => {
    await repo.commit({ 'conf/.env': 'KEY=old-hidden\n', 'conf/a.ts': 'one\n' });
    await repo.commit({ 'conf/.env': 'KEY=new-hidden\n', 'conf/a.ts': 'two\n' });
    await withSource(repo, 'HEAD', async source => {
      for (const path of ['conf', 'conf/', '', '.']) {
        const text = await ofTool(readDiff(source), { path });
        assert.match(text, /^error: /, path);
        assert.not.match(text, 'hidden');
      }
      assert.match(await ofTool(readDiff(source), { path: 'conf/a.ts' }), '+two');
    });
    await repo.git('rm', '-rq', 'conf');
    await withSource(repo, 'index', async source => {
      assert.match(await ofTool(readDiff(source), { path: 'conf' }), /^error: /);
    });
  }));

test('history lists date and subject, newest first, without names', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.ts': 'one\n' }, 'Add the first line');
    await repo.commit({ 'a.ts': 'two\n' }, 'Fix it');
    await withSource(repo, 'HEAD', async source => {
      const text = await ofTool(fileHistory(source), { path: 'a.ts' });
      assert.match(
        text,
        /^a\.ts: 2 commits.*\n\w+ 2001-02-03: Fix it\n\w+ 2001-02-03: Add the first/,
      );
      assert.not.match(text, 'Ada');
    });
  }));

test.run();
