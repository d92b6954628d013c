import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { openRepo } from '../support/with-repo.js';
import { git, recordOf, until, withQuickHooks } from './hooked-repo.js';

const CONFIG = { hooks: { deadline: '5s' } };

const test = suite('hooks/worktree');

test('a background review that began in a removed worktree is finished anyway', () =>
  withQuickHooks(async repo => {
    const server = await startStandIn({ policy: reviewer({ sees: [] }), latencyMs: 600_000 });
    try {
      await repo.git('worktree', 'add', '--quiet', 'linked', '-b', 'side');
      const linked = openRepo(join(repo.dir, 'linked'));
      await linked.write('.apfel-bot.json', JSON.stringify(CONFIG));
      await linked.stage('a.js', 'fine();\n');
      const args = ['commit', '--quiet', '--message', 'slow'];
      const run = await git(linked, args, { APFEL_BOT_BASE_URL: server.baseUrl });
      assert.is(run.code, 0, run.stderr);
      assert.is((await recordOf(repo, 'side'))?.ledger.outOfTime, 1);
      await until(async () => server.requests.length > 1);
      await repo.git('worktree', 'remove', '--force', 'linked');
      server.setLatency(0);
      const queue = join(repo.dir, '.git/apfel-bot/queue');
      await until(async () => (await readdir(queue)).length === 0);
      const done = await recordOf(repo, 'side');
      assert.is(done?.complete, true);
      assert.is(done?.ledger.total, 1);
    } finally {
      await server.close();
    }
  }, CONFIG));

test.run();
