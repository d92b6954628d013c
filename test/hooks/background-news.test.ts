import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { processStart } from '../../src/platform/processes.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { writeExecutable } from './fake-program.js';
import { commit, git, isIdle, until, withHooks } from './hooked-repo.js';

const test = suite('hooks/background-news');

const FOCUSED = 'it.only("one", () => {});\n';

/** A commit whose review in the background is done; its short id. */
async function reviewedLater(repo: Repo, path: string): Promise<string> {
  await repo.stage(path, FOCUSED);
  assert.is((await commit(repo, '--no-verify')).code, 0);
  await until(() => isIdle(repo));
  return (await repo.git('rev-parse', 'HEAD')).slice(0, 7);
}

test('what the background review found is one line in the next hook, once', () =>
  withHooks(async repo => {
    const sha = await reviewedLater(repo, 'a.test.js');
    await repo.stage('b.txt', 'b\n');
    const line = `apfel-bot: the background review found 1 problem in ${sha}; see: apfel-bot show ${sha}\n`;
    assert.match((await commit(repo)).stderr, line);
    await repo.stage('c.txt', 'c\n');
    assert.not.match((await commit(repo)).stderr, 'background review found');
  }));

test('the next review reports background findings too, and names several commits', () =>
  withHooks(async repo => {
    const shas = [await reviewedLater(repo, 'a.test.js'), await reviewedLater(repo, 'b.test.js')];
    const review = () =>
      apfelBot(['review', '--commit', 'HEAD~2', '--no-model'], { cwd: repo.dir });
    const line = `found 2 problems in 2 commits; see: apfel-bot show ${shas.join(' ')}\n`;
    assert.match((await review()).stderr, line);
    assert.is((await review()).stderr, '');
  }));

for (const notify of [true, false]) {
  test(`with hooks.notify ${notify}, macOS shows ${notify ? 'what' : 'nothing of what'} the background found`, () =>
    withFolder(bin =>
      withHooks(
        async repo => {
          const shown = join(bin, 'shown');
          const script = `#!/bin/sh\nfor word; do echo "$word"; done > '${shown}'\n`;
          await writeExecutable(join(bin, 'osascript'), script);
          await repo.stage('a.test.js', FOCUSED);
          const env = { PATH: `${bin}:${process.env['PATH']}` };
          const args = ['commit', '--quiet', '--message', 'x', '--no-verify'];
          assert.is((await git(repo, args, env)).code, 0);
          await until(() => isIdle(repo));
          assert.is(existsSync(shown), notify);
          if (!notify) return;
          const words = (await readFile(shown, 'utf8')).trim().split('\n');
          const sha = (await repo.git('rev-parse', 'HEAD')).slice(0, 7);
          // The text is data for the script, not part of it.
          assert.is(words.pop(), `1 problem in ${sha} of ${basename(repo.dir)}`);
          assert.not.match(words.join('\n'), sha);
        },
        { hooks: { notify } },
      ),
    ));
}

test('background findings that show printed are not reported again', () =>
  withHooks(async repo => {
    await reviewedLater(repo, 'a.test.js');
    assert.match((await apfelBot(['show'], { cwd: repo.dir })).stdout, 'focused-test');
    assert.not(existsSync(join(repo.dir, '.git/apfel-bot/news.json')));
  }));

for (const [what, isAtWork, words] of [
  ['runs', true, '  running: it is being reviewed in the background\n'],
  ['waits', false, '  waiting: the next commit starts its background review\n'],
] as const) {
  test(`show says that the review of a commit in the background ${what}`, () =>
    withRepo(async repo => {
      const sha = await repo.commit({ 'a.js': 'one();\n' });
      await repo.write(`.git/apfel-bot/queue/${sha}.json`, '{"v":1,"tries":1}\n');
      const lock = { pid: process.pid, start: await processStart(process.pid), space: '' };
      if (isAtWork) await repo.write('.git/apfel-bot/background.lock', JSON.stringify(lock));
      const { stdout } = await apfelBot(['show'], { cwd: repo.dir });
      assert.match(stdout, words);
      const json = await apfelBot(['show', '--format', 'json'], { cwd: repo.dir });
      assert.is(JSON.parse(json.stdout).commits[0].background, words.trim().split(':')[0]);
    }));
}

test('a run in progress is listed as running, one whose process died as broken off', () =>
  withRepo(async repo => {
    const run = '01J00000000000000000000000';
    const listed = async (pid: number): Promise<string> => {
      const line = JSON.stringify({ type: 'work', run, work: 'review', pid });
      await repo.write(`.git/apfel-bot/transcripts/${run}.jsonl`, `${line}\n`);
      return (await apfelBot(['show', '--list'], { cwd: repo.dir })).stdout;
    };
    assert.match(await listed(process.pid), / running\n$/);
    assert.match(await listed(2 ** 30), / broke off\n$/);
  }));

test.run();
