import * as assert from 'uvu/assert';
import { inventOn } from '../bench/review/inventions.js';
import { knownBugs, placesIn, reviewKnown } from '../bench/review/known-bugs.js';
import { largeChange, runPool } from '../bench/review/pool.js';
import { corpus } from '../support/corpus.js';
import { suite } from '../support/suite.js';

/** `npm run bench -- review` takes all of them. */
const EVERY = 9;

const sample = () => knownBugs().filter((_, at) => at % EVERY === 0);

const test = suite('review/bugs');
const { absent } = corpus('bugsjs');

test.unless(
  absent,
  'a bug that the model reports is found on its line and on no other',
  async () => {
    let anchored = 0;
    for (const bug of sample()) {
      const { outcome, requests, secondLooks } = await reviewKnown(bug);
      const wanted = bug.place === undefined ? [] : [`${bug.place.path}:${bug.place.line}`];
      assert.equal(placesIn(outcome), wanted, bug.id);
      assert.is(outcome.ledger.failed + outcome.ledger.refused, 0, bug.id);
      assert.is(secondLooks, wanted.length);
      assert.ok(requests <= 6, `${bug.id}: ${requests}`);
      anchored += wanted.length;
    }
    assert.ok(anchored > 35, `${anchored}`);
  },
);

test.unless(
  absent,
  'of invented findings, all with a wrong quote are rejected, and most others are refuted',
  async () => {
    const { wrong, accepted, refuted, kept } = await inventOn(sample());
    assert.ok(wrong > 50, `${wrong}`);
    assert.is(accepted, 0);
    assert.ok(refuted > kept, `${refuted} refuted, ${kept} kept`);
  },
);

test('eight runners review a large change in a seventh of the time, and nothing is missing after the merge', async () => {
  const { alone, runners, merged, withoutOne } = await runPool(largeChange(1500), 8);
  const max = Math.max(...runners.map(({ requests }) => requests));
  assert.ok(alone.requests / max >= 7, `${alone.requests} and ${max}`);
  const mean = runners.reduce((sum, { requests }) => sum + requests, 0) / runners.length;
  assert.ok(max / mean <= 1.15, `${max} and ${mean}`);
  assert.equal(merged.findings, alone.outcome.findings);
  assert.is(merged.ledger.reviewed, 1500);
  assert.is(merged.complete, true);
  const { ledger } = withoutOne;
  assert.is(ledger.failed, runners[2]?.outcome.ledger.total);
  assert.is(ledger.reviewed + ledger.failed, 1500);
  assert.match(ledger.items[0]?.reason ?? '', /shard 3\/8 is missing/);
  assert.is(withoutOne.complete, false);
});

test.run();
