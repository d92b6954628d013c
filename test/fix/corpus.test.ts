import * as assert from 'uvu/assert';
import { DOCUMENTED_RATES } from '../../fixtures/apfel/rates.js';
import { notAll, suite } from '../support/suite.js';
import { INVALID, type LintCase, readCases } from './corpus/cases.js';
import { runBad, runRight } from './corpus/corpus-run.js';
import { plantFaults } from './corpus/planted.js';

const test = suite('fix/corpus');

/** Every so many, so that most rules are there; `npm run bench -- fix-lint` takes all. */
const some = (cases: readonly LintCase[], every: number): LintCase[] =>
  cases.filter((_, at) => at % every === 3);

/** ESLint's own result has another diagnostic there. */
const NOT_FIXABLE = /misleading-character-class/;

test.unless(
  INVALID.absent ?? notAll,
  'every case that can be fixed is fixed, and the branch lints clean',
  async () => {
    const cases = some(readCases('suggestion').cases, 12).filter(
      ({ rule }) => !NOT_FIXABLE.test(rule),
    );
    const scored = await runRight(cases, { quirks: DOCUMENTED_RATES, seed: 5 });
    assert.equal(scored.introduced, []);
    assert.equal(scored.unverified, []);
    assert.equal(scored.notClean, []);
  },
);

test.unless(
  INVALID.absent,
  'wrong, empty, suppressing and deleting edits are not kept',
  async () => {
    const cases = some(readCases('manual').cases, 55);
    for (const { name, kept, outcome } of await runBad(cases)) {
      assert.equal(kept, [], name);
      assert.ok(outcome.edits.filter(({ by }) => by === 'model').length >= 12, `${name} was asked`);
      assert.is(outcome.diagnostics.introduced, 0);
    }
  },
);

test.long('faults planted in real code are fixed to the original text', async () => {
  const faults = plantFaults(12);
  assert.is(faults.length, 12);
  const scored = await runRight(faults, { quirks: DOCUMENTED_RATES, seed: 5 });
  assert.equal(scored.notClean, []);
  const { edits } = scored.outcome;
  const byModel = new Set(edits.filter(({ by }) => by === 'model').map(({ path }) => path));
  assert.ok(byModel.size >= 6, `${byModel.size} by the model`);
  for (const { path, original } of faults.filter(each => byModel.has(each.path))) {
    assert.is(scored.texts.get(path), original, path);
  }
});

test.run();
