import { readdir } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBotProcess } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const absent =
  'enableCompileCache' in nodeModule ? undefined : 'this Node cannot keep compiled code';

const filesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Reviews with that environment; gives what is then in the home folder and in the repository. */
async function review(more: Readonly<Record<string, string>>) {
  const seen = { home: [''], status: '' };
  await withFolder(home =>
    withRepo(async repo => {
      const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...more };
      const run = await apfelBotProcess(['review', '--no-model'], { cwd: repo.dir, env });
      assert.is(run.code, 0, run.stderr);
      assert.is(run.stderr, '');
      seen.home = await filesIn(join(home, 'cache', 'apfel-bot', 'compiled'));
      seen.status = await repo.git('status', '--porcelain');
    }),
  );
  return seen;
}

const test = suite('package/compile-cache');

test.unless(
  absent,
  "compiled code is cached in the user's cache folder and not in the repository",
  async () => {
    const { home, status } = await review({});
    assert.is(home.length, 1);
    assert.is(status, '');
  },
);

test.unless(
  absent,
  'compiled code is not cached when NODE_DISABLE_COMPILE_CACHE is set',
  async () => {
    assert.equal((await review({ NODE_DISABLE_COMPILE_CACHE: '1' })).home, []);
  },
);

test.unless(absent, 'compiled code is not cached when the cache folder is in a repository', () =>
  withRepo(async repo => {
    const cache = join(repo.dir, 'cache');
    const run = await apfelBotProcess(['review', '--no-model'], {
      cwd: repo.dir,
      env: { XDG_CACHE_HOME: cache },
    });
    assert.is(run.code, 0, run.stderr);
    assert.equal(await filesIn(join(cache, 'apfel-bot')), []);
  }),
);

test('a compile cache that cannot be created does no harm', async () => {
  await review({ XDG_CACHE_HOME: '/dev/null/cache' });
});

test.run();
