import * as assert from 'uvu/assert';
import { type StandIn, startStandIn } from '../../fixtures/apfel/stand-in.js';
import type { CliRun } from '../support/cli.js';
import { asksForRuling, fieldsOf } from '../support/closed-questions.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { git, recordOf, withHooks } from './hooked-repo.js';

const BUG = 'index <= list.length';

const test = suite('hooks/blob-checks');

/** A model that is quick to report, and then takes so long over its second look. */
async function startSlowDoubter(latencyMs: number): Promise<StandIn> {
  const answer = reviewer({ sees: [BUG] });
  const server: StandIn = await startStandIn({
    policy: conversation => {
      if (asksForRuling(fieldsOf(conversation))) server.setLatency(latencyMs);
      return answer(conversation);
    },
  });
  return server;
}

for (const [what, latencyMs, code] of [
  ['has no second look is reported, and does not stop the commit', 60_000, 0],
  ['is confirmed stops it', 0, 1],
] as const) {
  test(`a finding of the model that ${what}`, () =>
    withHooks(
      async repo => {
        const server = await startSlowDoubter(latencyMs);
        try {
          await repo.stage('a.js', `for (let index = 0; ${BUG}; index += 1) use(list[index]);\n`);
          const args = ['commit', '--quiet', '--message', 'slow'];
          const env = { APFEL_BOT_BASE_URL: server.baseUrl };
          const run: CliRun = await git(repo, args, env);
          assert.is(run.code, code, run.stdout + run.stderr);
          assert.match(run.stdout + run.stderr, 'reads past the end');
          if (code !== 0) return;
          const record = await recordOf(repo);
          assert.is(record?.ledger.outOfTime, 1);
          assert.equal(
            record?.findings.map(({ severity }) => severity),
            ['info'],
          );
        } finally {
          await server.close();
        }
      },
      // Time to report first, on a busy machine too; what is confirmed needs no deadline.
      { hooks: { background: false, deadline: code === 0 ? '8s' : '5m' } },
    ));
}

test.run();
