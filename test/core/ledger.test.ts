import * as assert from 'uvu/assert';
import { HUNK_STATES, type HunkState, isComplete, LedgerBuilder } from '../../src/core/ledger.js';
import { suite } from '../support/suite.js';

const ledgerOf = (...states: HunkState[]): ReturnType<LedgerBuilder['close']> => {
  const builder = new LedgerBuilder();
  states.forEach((state, at) => {
    builder.add({ path: 'a', hunk: at + 1, state, reason: 'r' });
  });
  return builder.close();
};

const test = suite('ledger');

test('the total is the sum of the states', () => {
  assert.is(ledgerOf(...HUNK_STATES, 'checked').total, HUNK_STATES.length + 1);
});

test('every hunk that is not reviewed, cached or checked is listed', () => {
  const { items } = ledgerOf(...HUNK_STATES);
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
    assert.is(isComplete(ledgerOf(...states), withoutModel), expected);
  });
}

test.run();
