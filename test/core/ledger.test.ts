import * as assert from 'uvu/assert';
import { HUNK_STATES, type HunkState, isComplete, ledgerOf } from '../../src/core/ledger.js';
import { suite } from '../support/suite.js';

const ledgerWith = (...states: HunkState[]): ReturnType<typeof ledgerOf> =>
  ledgerOf(states.map((state, hunk) => ({ path: 'a.ts', hunk, state, reason: 'why' })));

const test = suite('core/ledger');

test('the total is the sum of the states', () => {
  assert.is(ledgerWith(...HUNK_STATES, 'checked').total, HUNK_STATES.length + 1);
});

test('every hunk that is not reviewed, cached or checked is listed', () => {
  const { items } = ledgerWith(...HUNK_STATES);
  assert.equal(
    items.map(item => item.state),
    ['skipped', 'outOfTime', 'refused', 'failed'],
  );
});

for (const [states, withoutModel, expected] of [
  [['reviewed', 'cached', 'skipped'], false, true],
  [['checked'], false, false],
  [['checked'], true, true],
  [['outOfTime'], true, false],
  [['refused'], true, false],
  [['failed'], true, false],
  [['outOfTime', 'refused'], true, false],
  [['refused', 'failed'], true, false],
  [['outOfTime', 'failed'], true, false],
] as const) {
  const when = withoutModel ? 'with --no-model' : 'with a model';
  test(`${states.join(', ')} ${when} is ${expected ? '' : 'not '}complete`, () => {
    assert.is(isComplete(ledgerWith(...states), withoutModel), expected);
  });
}

test.run();
