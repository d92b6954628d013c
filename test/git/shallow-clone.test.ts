import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/shallow-clone');

/** Two commits, of which the clone has the last one only. */
async function shallowClone(repo: Repo): Promise<{ cwd: string; base: string }> {
  const base = await repo.git('rev-parse', 'HEAD');
  await repo.commit({ 'a.js': DEBUGGER });
  await repo.git('clone', '--quiet', '--depth=1', `file://${repo.dir}`, 'shallow');
  return { cwd: join(repo.dir, 'shallow'), base };
}

for (const dots of ['..', '...']) {
  test(`a base that A${dots}B misses is reported with fetch-depth: 0 as the fix`, () =>
    withRepo(async repo => {
      const { cwd, base } = await shallowClone(repo);
      const run = await apfelBot(['review', '--range', `${base}${dots}HEAD`], { cwd });
      assert.is(run.code, 3);
      assert.match(run.stderr, 'fetch-depth: 0');
      assert.is(run.stdout, '');
    }));
}

test('a pull request whose base is missing is reported with fetch-depth: 0 as the fix', () =>
  withRepo(async repo => {
    const { cwd, base } = await shallowClone(repo);
    const head = await repo.git('rev-parse', 'HEAD');
    const file = join(repo.dir, 'event.json');
    await writeFile(
      file,
      JSON.stringify({ pull_request: { number: 1, base: { sha: base }, head: { sha: head } } }),
    );
    for (const command of ['review', 'plan']) {
      const run = await apfelBot([command], { cwd, env: { GITHUB_EVENT_PATH: file } });
      assert.is(run.code, 3);
      assert.match(run.stderr, 'fetch-depth: 0');
    }
  }));

test('a commit whose parent is missing is not a change, by name or by default', () =>
  withRepo(async repo => {
    const { cwd } = await shallowClone(repo);
    for (const selector of [['--commit', 'HEAD'], []]) {
      const { code, stderr } = await apfelBot(['review', '--no-model', ...selector], { cwd });
      assert.is(code, 3);
      assert.match(stderr, "isn't in this clone");
      assert.match(stderr, 'fetch-depth: 0');
    }
  }));

test('the first commit of all is reviewed in a shallow clone too', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': DEBUGGER });
    await repo.git('checkout', '--quiet', '--orphan', 'other');
    await repo.commit({ 'b.js': DEBUGGER });
    await repo.git(
      'clone',
      '--quiet',
      '--depth=1',
      '--no-single-branch',
      `file://${repo.dir}`,
      'shallow',
    );
    const cwd = join(repo.dir, 'shallow');
    const { outcome } = await reviewJson(['--commit', 'HEAD', '--no-model'], { cwd });
    assert.equal(placesOf(outcome), ['a.js:1', 'b.js:1']);
  }));

test('a staged change in a shallow clone needs no history', () =>
  withRepo(async repo => {
    const { cwd } = await shallowClone(repo);
    await repo.git('-C', 'shallow', 'mv', 'a.js', 'b.js');
    const { code, outcome } = await reviewJson(['--staged', '--no-model'], { cwd });
    assert.is(code, 0);
    assert.is(outcome.change.files, 1);
  }));

test.run();
