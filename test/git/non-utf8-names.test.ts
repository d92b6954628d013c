import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { apfelBot, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';
import { DEBUGGER } from './situation.js';

const test = suite('git/non-utf8-names');

/** Stages a file under a name that is Latin-1; the work tree, which may refuse it, is not asked. */
async function stageLatin1(repo: Repo): Promise<void> {
  await repo.write('content', DEBUGGER);
  const blob = await repo.git('hash-object', '-w', 'content');
  const { status } = spawnSync('git', ['update-index', '-z', '--add', '--index-info'], {
    cwd: repo.dir,
    env: gitEnv(repo.dir),
    input: Buffer.from(`100644 ${blob}\tgr\xfcn.js\0`, 'latin1'),
  });
  assert.is(status, 0);
}

test('a file name that isn’t UTF-8 is reviewed, and shown without breaking the output', () =>
  withRepo(async repo => {
    await stageLatin1(repo);
    const { code, outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    assert.is(code, 0);
    assert.equal(
      outcome.findings.map(({ rule, line }) => `${rule}:${line}`),
      ['debugger:1'],
    );
    assert.match(outcome.findings[0]?.path ?? '', /^gr.+n\.js$/u);
    const text = await apfelBot(['review', '--staged', '--no-model'], { cwd: repo.dir });
    assert.match(text.stdout, /gr.+n\.js:1/u);
  }));

test('two file names that differ only in bytes that aren’t UTF-8 stay two files', () =>
  withRepo(async repo => {
    await stageLatin1(repo);
    const blob = await repo.git('hash-object', 'content');
    spawnSync('git', ['update-index', '-z', '--add', '--index-info'], {
      cwd: repo.dir,
      env: gitEnv(repo.dir),
      input: Buffer.from(`100644 ${blob}\tgr\xf6n.js\0`, 'latin1'),
    });
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    const paths = new Set(outcome.findings.map(({ path }) => path));
    const ids = new Set(outcome.findings.map(({ id }) => id));
    assert.is(outcome.change.files, 2);
    assert.is(paths.size, 2);
    assert.is(ids.size, 2);
  }));

test.run();
