import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import {
  parseShard,
  parseShardCount,
  type ShardedHunk,
  shardMatrix,
  shardOf,
} from '../../src/review/shard.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('review/shard');

/** Sizes as chance makes them: many small hunks, few large ones. */
function someHunks(amount: number, seed: number): ShardedHunk[] {
  let state = seed;
  const chance = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: amount }, (_, at) => ({
    path: `src/${Math.floor(chance() * 40)}/file-${at}.ts`,
    number: 1 + Math.floor(chance() * 9),
    size: Math.floor(20 / (chance() + 0.01)),
  }));
}

function loads(hunks: readonly ShardedHunk[], count: number): number[] {
  const sums = new Array<number>(count).fill(0);
  for (const [at, shard] of shardOf(hunks, count).entries()) {
    sums[shard - 1] = (sums[shard - 1] ?? 0) + (hunks[at]?.size ?? 0);
  }
  return sums;
}

test('each hunk belongs to one shard, and every shard is in range', () => {
  const places = shardOf(someHunks(1500, 1), 8);
  assert.is(places.length, 1500);
  assert.equal([...new Set(places)].sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
});

for (const [amount, count] of [
  [1500, 8],
  [1500, 2],
  [200, 16],
  [60, 8],
  [30, 4],
] as const) {
  test(`${amount} hunks on ${count} runners: the heaviest has at most 1.15 times the mean`, () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const hunks = someHunks(amount, seed);
      const sums = loads(hunks, count);
      const mean = sums.reduce((sum, each) => sum + each, 0) / count;
      const largest = Math.max(...hunks.map(hunk => hunk.size));
      const allowed = Math.max(mean * 1.15, largest);
      assert.ok(Math.max(...sums) <= allowed, `seed ${seed}: ${Math.max(...sums)} of ${allowed}`);
    }
  });
}

test('hunks are exchanged between shards when their sizes differ too much', () => {
  // The textbook case: dealt out greedily 14 + 11 + 11, at best 12 each.
  const hunks = [5, 5, 4, 4, 3, 3, 3, 3, 3, 3].map((size, number) => ({ path: 'a', number, size }));
  const sums = loads(hunks, 3);
  assert.ok(Math.max(...sums) <= 1.15 * 12, sums.join(' '));
  const two = [3, 3, 2, 2, 2].map((size, number) => ({ path: 'a', number, size }));
  assert.equal(loads(two, 2), [6, 6]);
});

test('the order in which hunks come changes nothing', () => {
  const hunks = someHunks(300, 5);
  const placed = new Map(shardOf(hunks, 7).map((shard, at) => [hunks[at], shard]));
  const turned = hunks.toReversed();
  assert.equal(
    shardOf(turned, 7),
    turned.map(hunk => placed.get(hunk)),
  );
});

test('hunks without a size are spread over the shards', () => {
  const hunks = Array.from({ length: 8 }, (_, number) => ({ path: 'a', number, size: 0 }));
  assert.equal(shardOf(hunks, 4).toSorted(), [1, 1, 2, 2, 3, 3, 4, 4]);
});

test('more shards than hunks leave some without work', () => {
  assert.equal(shardOf([{ path: 'a', number: 1, size: 5 }], 8), [1]);
  assert.equal(shardOf([], 3), []);
});

test('a change of 20,000 hunks is sharded in linear time', () => {
  mustEnd(() => {
    shardOf(someHunks(20_000, 3), 256);
  });
});

test('--shard takes I/N', () => {
  assert.equal(parseShard('3/8'), { index: 3, count: 8 });
  assert.equal(parseShard('256/256'), { index: 256, count: 256 });
});

for (const text of [
  '',
  '0/8',
  '9/8',
  '1',
  '1/',
  '/8',
  '1/0',
  '1/257',
  '-1/8',
  '1/8/9',
  ' 1/8',
  '1.5/8',
]) {
  test(`--shard ${JSON.stringify(text)} is a usage error`, () =>
    assert.throws(
      () => parseShard(text),
      (thrown: unknown) =>
        isBotError(thrown) &&
        thrown.code === 'usage' &&
        thrown.message.includes(JSON.stringify(text)),
    ));
}

test('the matrix names every shard, and takes whole numbers only', () => {
  assert.equal(shardMatrix(parseShardCount('2')), {
    include: [{ shard: '1/2' }, { shard: '2/2' }],
  });
  for (const text of ['0', '257', 'x', '1.5', '']) {
    assert.throws(() => parseShardCount(text), /whole number from 1 to 256/);
  }
});

test.run();
