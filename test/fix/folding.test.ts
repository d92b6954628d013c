import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { whyNoFoldingDisk, withFoldingDisk } from '../support/folding-disk.js';
import { commitTwins, foldingGit } from '../support/folding-git.js';
import { suite } from '../support/suite.js';
import { openRepo, withRepo } from '../support/with-repo.js';
import { fixJson } from './lint-project.js';
import { wordsProject } from './words-project.js';

const test = suite('fix-lint on a case-insensitive disk');

const CAFE = 'café.txt';

const TWINS = [
  ['in case', 'Foo.txt', 'foo.txt'],
  ['in the form of Unicode', CAFE.normalize('NFC'), CAFE.normalize('NFD')],
  ['by a sharp s', 'gross.txt', 'groß.txt'],
] as const;

for (const [title, one, other] of TWINS) {
  test(`files whose names differ only ${title} are left alone, and the others are fixed`, () =>
    withRepo(async repo => {
      await repo.commit({ ...wordsProject(), 'plain.txt': 'alpha\n' });
      await commitTwins(repo, { [one]: 'alpha one\n', [other]: 'alpha two\n' });
      const env = { PATH: await foldingGit(join(repo.dir, '.git/folding'), [[one, other]]) };
      const { outcome, stderr } = await fixJson(repo, ['--no-model'], env);
      const branch = outcome.branch?.name ?? '';
      const changed = await repo.git('diff', '--name-only', 'HEAD', branch);
      assert.is(changed, 'plain.txt', stderr);
      assert.equal(
        outcome.notices.filter(notice => / was left alone: /.test(notice)).sort(),
        [
          `${one} was left alone: on this disk it is the same file as ${other}`,
          `${other} was left alone: on this disk it is the same file as ${one}`,
        ].sort(),
      );
      assert.is(outcome.complete, false);
    }));
}

test('two files with the same content that are one file on disk are left alone, too', () =>
  withRepo(async repo => {
    await repo.commit({ ...wordsProject(), 'plain.txt': 'alpha\n' });
    await commitTwins(repo, { 'Foo.txt': 'alpha\n', 'foo.txt': 'alpha\n' });
    const twins = [['Foo.txt', 'foo.txt']];
    const env = { PATH: await foldingGit(join(repo.dir, '.git/folding'), twins) };
    const { outcome } = await fixJson(repo, ['--no-model'], env);
    const branch = outcome.branch?.name ?? '';
    assert.is(await repo.git('diff', '--name-only', 'HEAD', branch), 'plain.txt');
  }));

test.unless(
  whyNoFoldingDisk(),
  'on a real disk that ignores case and Unicode form, files that are one there are left alone',
  () =>
    withFoldingDisk(async dir => {
      const repo = openRepo(join(dir, 'repo'));
      await mkdir(repo.dir);
      await repo.git('init', '--quiet', '--initial-branch', 'main');
      await repo.commit({ ...wordsProject(), 'plain.txt': 'alpha\n' });
      for (const [, one, other] of TWINS) {
        await commitTwins(repo, { [one]: 'alpha one\n', [other]: 'alpha two\n' });
      }
      // A name that isn't UTF-8, which this disk refuses.
      const blob = await repo.git('rev-parse', 'HEAD:plain.txt');
      spawnSync('git', ['update-index', '-z', '--add', '--index-info'], {
        cwd: repo.dir,
        input: Buffer.from(`100644 ${blob}\tgr\xfcn.txt\0`, 'latin1'),
      });
      await repo.git('commit', '--quiet', '--message', 'Latin-1');
      const { outcome, stderr } = await fixJson(repo, ['--no-model'], { TMPDIR: dir });
      const branch = outcome.branch?.name ?? '';
      assert.is(await repo.git('diff', '--name-only', 'HEAD', branch), 'plain.txt', stderr);
      const left = outcome.notices.filter(notice => / was left alone: /.test(notice));
      assert.is(left.length, 2 * TWINS.length + 1, left.join('\n'));
      assert.match(left.join('\n'), 'n.txt was left alone: this disk takes no file of that name');
    }),
);

test.run();
