import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import {
  NOTHING_REMEMBERED,
  type Remembered,
  recall,
  remember,
} from '../../src/model/calibration.js';
import { openUserCache } from '../../src/platform/user-cache.js';
import { reviewJson } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { gitEnv, withRepo } from '../support/with-repo.js';

const test = suite('calibrate/calibrated');

const CODE = Array.from(
  { length: 900 },
  (_, at) => `const value${at} = compute(${at}, list[${at}]);\n`,
).join('');

/** A review of the same change by someone who remembers this of the model. */
async function reviewRemembering(known: Partial<Remembered>) {
  const server = await startStandIn({ policy: reviewer({ sees: [] }) });
  let reviewed: Awaited<ReturnType<typeof reviewJson>> | undefined;
  try {
    await withRepo(async repo => {
      await repo.stage('a.js', CODE);
      const facts = {
        name: 'apple-foundationmodel',
        baseUrl: server.baseUrl,
        isApfel: true,
        version: '1.8.4',
        contextWindow: 4096,
      };
      const cache = openUserCache(gitEnv(repo.dir));
      assert.ok(await remember(facts, known, cache));
      assert.equal(await recall(facts, cache), { ...NOTHING_REMEMBERED, ...known });
      reviewed = await reviewJson(['--staged', '--base-url', server.baseUrl], { cwd: repo.dir });
    });
  } finally {
    await server.close();
  }
  assert.is(reviewed?.outcome.complete, true);
  return { requests: server.requests.length, model: reviewed?.outcome.model };
}

test('a server that counts more tokens than we estimate is given smaller chunks', async () => {
  const plain = await reviewRemembering({});
  const dear = await reviewRemembering({ tokens: [{ estimated: 10_000, actual: 20_000 }] });
  assert.ok(dear.requests >= 1.6 * plain.requests, `${dear.requests} after ${plain.requests}`);
});

test('protocol auto uses the one that calibrate picked', async () => {
  const picked = { protocol: 'native', toolChoice: null, faithful: 9, runs: 10, ms: 100 } as const;
  assert.is((await reviewRemembering({})).model?.protocol, 'guided');
  assert.is((await reviewRemembering({ picked })).model?.protocol, 'native');
});

test.run();
