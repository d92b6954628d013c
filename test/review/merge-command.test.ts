import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import type { Outcome } from '../../src/core/outcome.js';
import { validateOutcome } from '../../src/generated/validate-outcome.js';
import { merge } from '../../src/review/merge.js';
import type { CommandEnd } from '../../src/session.js';
import { CLEAN, finding, ledger } from '../report/sample-outcome.js';
import { testSession } from '../support/session.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('review/merge-command');

const part = (index: number, parts: Partial<Outcome> = {}): Outcome => ({
  ...CLEAN,
  shard: `${index}/2`,
  change: { ...CLEAN.change, hunks: 4 },
  ledger: ledger({ total: 2, reviewed: 2 }),
  model: { ...CLEAN.model, available: true, name: 'apple-foundationmodel', requests: 2 },
  ...parts,
});

const merging = (
  dir: string,
  names: readonly string[],
  { values = {}, switches = [] }: { values?: Record<string, string>; switches?: string[] } = {},
): Promise<CommandEnd> =>
  merge(
    {
      values: new Map(Object.entries(values)),
      switches: new Set(switches),
      positionals: names.map(name => join(dir, name)),
      paths: [],
    },
    testSession(dir),
  );

/** Outcomes as files; a text is written as it is. */
async function withParts(
  files: Readonly<Record<string, Outcome | string>>,
  body: (dir: string) => Promise<void>,
): Promise<void> {
  await withFolder(async dir => {
    for (const [name, held] of Object.entries(files)) {
      await writeFile(join(dir, name), typeof held === 'string' ? held : JSON.stringify(held));
    }
    await body(dir);
  });
}

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'none';
  } catch (thrown) {
    return isBotError(thrown) ? `${thrown.code}: ${thrown.message}` : String(thrown);
  }
};

test('two shards merge into a valid outcome', () =>
  withParts({ a: part(1), b: part(2) }, async dir => {
    const { text, ending } = await merging(dir, ['a', 'b'], { values: { format: 'json' } });
    const outcome = JSON.parse(text);
    assert.equal(validateOutcome(outcome), []);
    assert.is(outcome.complete, true);
    assert.is(outcome.ledger.total, 4);
    assert.is(ending, 'done');
  }));

test('merged findings exit 1, and 0 with --fail-on never', () =>
  withParts(
    { a: part(1, { findings: [finding({ severity: 'error' })] }), b: part(2) },
    async dir => {
      assert.is((await merging(dir, ['a', 'b'])).ending, 'findings');
      const never = await merging(dir, ['a', 'b'], { values: { 'fail-on': 'never' } });
      assert.is(never.ending, 'done');
    },
  ));

for (const [what, broken] of [
  ['cut in the middle', JSON.stringify(part(2)).slice(0, 200)],
  ['empty', ''],
  ['something else', '{"version": 2}'],
  ['a list', '[]'],
  ['nested without end', '['.repeat(100_000)],
  ['of no such shard', JSON.stringify(part(2, { shard: '9/2' }))],
] as const) {
  test(`an outcome that is ${what} is a lost shard`, () =>
    withParts({ a: part(1), b: broken }, async dir => {
      const { text, ending } = await merging(dir, ['a', 'b'], { switches: ['strict'] });
      assert.match(text, /incomplete: 2 hunks not done/);
      assert.match(text, /shard 2\/2 is missing/);
      assert.match(text, /b (?:isn't valid JSON|isn't an outcome)/);
      assert.is(ending, 'incomplete');
    }));
}

test('a missing file counts as a lost shard', () =>
  withParts({ a: part(1) }, async dir => {
    assert.match((await merging(dir, ['a', 'gone'])).text, /gone doesn't exist/);
  }));

test('merge without files is a usage error', () =>
  withParts({ a: 'x' }, async dir => {
    assert.match(await failureOf(merging(dir, [])), /^usage: merge needs files/);
    assert.match(
      await failureOf(merging(dir, ['a'])),
      /^usage: there is no outcome to merge: .*isn't valid JSON/,
    );
  }));

test('outcomes of different heads are a usage error', () => {
  const other = part(2, { change: { ...part(2).change, head: 'c'.repeat(40) } });
  return withParts({ a: part(1), b: other }, async dir => {
    assert.match(await failureOf(merging(dir, ['a', 'b'])), /^usage: .*head is index and c{40}/);
  });
});

test.run();
