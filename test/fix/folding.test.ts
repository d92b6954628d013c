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

const test = suite('fix/folding');

const CAFE = 'café.txt';

const TWINS = [
  ['Foo.txt', 'foo.txt'],
  [CAFE.normalize('NFC'), CAFE.normalize('NFD')],
  ['gross.txt', 'groß.txt'],
] as const;

test('files that are one on disk, with equal text or not, are left alone, and the others are fixed', () =>
  withRepo(async repo => {
    await repo.commit({ ...wordsProject(), 'plain.txt': 'alpha\n' });
    for (const [one, other] of TWINS) {
      await commitTwins(repo, { [one]: 'alpha one\n', [other]: 'alpha two\n' });
    }
    await commitTwins(repo, { 'Same.txt': 'alpha\n', 'same.txt': 'alpha\n' });
    const twins = [...TWINS, ['Same.txt', 'same.txt']];
    const env = { PATH: await foldingGit(join(repo.dir, '.git/folding'), twins) };
    const { outcome, stderr } = await fixJson(repo, ['--no-model'], env);
    const branch = outcome.branch?.name ?? '';
    assert.is(await repo.git('diff', '--name-only', 'HEAD', branch), 'plain.txt', stderr);
    const left = outcome.notices.filter(notice => / was left alone: /.test(notice));
    for (const [one, other] of TWINS) {
      const said = (path: string, twin: string): string =>
        `${path} was left alone: on this disk it is the same file as ${twin}`;
      assert.ok(left.includes(said(one, other)), left.join('\n'));
      assert.ok(left.includes(said(other, one)), left.join('\n'));
    }
    assert.is(outcome.complete, false);
  }));

test.unless(
  whyNoFoldingDisk(),
  "on a disk that ignores case and Unicode form, files whose names it doesn't distinguish are left alone",
  () =>
    withFoldingDisk(async dir => {
      const repo = openRepo(join(dir, 'repo'));
      await mkdir(repo.dir);
      await repo.git('init', '--quiet', '--initial-branch', 'main');
      await repo.commit({ ...wordsProject(), 'plain.txt': 'alpha\n' });
      for (const [one, other] of TWINS) {
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
