import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { suite } from '../support/suite.js';
import { withActions } from './with-actions.js';

const FILE = 'workflows/review-pool.yml';

const test = suite('workflows/pool');

/** Three files with a finding each, so that every Mac of the pool has something to do. */
const CHANGE = Object.fromEntries(
  [1, 2, 3].map(number => [`src/${number}.js`, `one();\ndebugger;\n// ${number}\n`]),
);
const POOL = { change: CHANGE, vars: { APFEL_BOT_MACS: '3' } };

test('each Mac reviews its part, and one comment reports all', () =>
  withActions(async actions => {
    const run = await actions.run(FILE, await actions.pullEvent('opened'));
    const { jobs, results } = run;
    const done = { plan: 'success', review: 'success', publish: 'success' };
    assert.equal(results, { fork: 'skipped', ...done }, jobs['publish']?.[0]?.log ?? '');
    assert.is(jobs['review']?.length, 3);
    const parts = await Promise.all(
      [0, 1, 2].map(async index => {
        const file = join(run.artifacts, `outcome-${index}`, 'outcome.json');
        return JSON.parse(await readFile(file, 'utf8')) as Outcome & { shard: string };
      }),
    );
    assert.equal(
      parts.map(each => each.shard),
      ['1/3', '2/3', '3/3'],
    );
    assert.equal(
      parts.map(each => each.findings.length),
      [1, 1, 1],
    );
    assert.is(actions.ours().length, 1);
    assert.match(actions.ours()[0]?.body ?? '', /3 warnings/);
    assert.is(actions.hub.state.reviews.length, 1);
    assert.is(actions.hub.state.reviewComments.length, 3);
    assert.is(actions.hub.state.checks.length, 1);
  }, POOL));

test('the hunks of a lost Mac are reported as failed', () =>
  withActions(
    async actions => {
      const { jobs, results } = await actions.run(FILE, await actions.pullEvent('opened'));
      assert.equal([results['review'], results['publish']], ['failure', 'success']);
      assert.equal(
        jobs['review']?.map(each => each.result),
        ['success', 'failure', 'success'],
      );
      assert.is(actions.hub.state.reviewComments.length, 2);
      assert.is(actions.hub.state.reviews.length, 1);
      const [summary, ...more] = actions.ours();
      assert.equal(more, []);
      assert.match(summary?.body ?? '', /2 warnings/);
      assert.match(summary?.body ?? '', /shard 2\/3 is missing/);
      assert.is(actions.hub.state.checks[0]?.conclusion, 'neutral');
    },
    { ...POOL, isLost: (job, index) => job === 'review' && index === 1 },
  ));

test('with all Macs lost nothing is published, and the run fails', () =>
  withActions(
    async actions => {
      const { results } = await actions.run(FILE, await actions.pullEvent('opened'));
      assert.equal([results['review'], results['publish']], ['failure', 'failure']);
      assert.equal(actions.hub.writes(), []);
    },
    { ...POOL, isLost: job => job === 'review' },
  ));

test('a pull request from a fork starts no Mac', () =>
  withActions(
    async actions => {
      const { jobs, results } = await actions.run(FILE, await actions.pullEvent('opened'));
      const rest = { plan: 'skipped', review: 'skipped', publish: 'skipped' };
      assert.equal(results, { fork: 'success', ...rest });
      assert.match(jobs['fork']?.[0]?.summary ?? '', /from a fork/);
    },
    { ...POOL, isFork: true },
  ));

test('an invalid number of Macs stops before any is started', () =>
  withActions(
    async actions => {
      const { jobs, results } = await actions.run(FILE, await actions.pullEvent('opened'));
      assert.equal([results['plan'], results['review']], ['failure', 'skipped']);
      assert.match(jobs['plan']?.[0]?.log ?? '', /--shards must be a whole number/);
    },
    { ...POOL, vars: { APFEL_BOT_MACS: '4; echo "$GITHUB_TOKEN"' } },
  ));

test.run();
