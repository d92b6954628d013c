import * as assert from 'uvu/assert';
import { type CalibrationRow, pickProtocol } from '../../src/model/calibration.js';
import { suite } from '../support/suite.js';

const test = suite('calibrate/pick-protocol');

const row = (changes: Partial<CalibrationRow>): CalibrationRow => ({
  protocol: 'native',
  toolChoice: null,
  prompt: 'directive',
  runs: 15,
  calls: 15,
  faithful: 15,
  wrongName: 0,
  refused: 0,
  ms: 1000,
  ...changes,
});

const pickedOf = (...rows: CalibrationRow[]): string | undefined => pickProtocol(rows)?.protocol;

test('the protocol with clearly more faithful calls is picked', () => {
  const rows = [row({ protocol: 'guided', faithful: 9 }), row({ protocol: 'text', faithful: 14 })];
  assert.is(pickedOf(...rows), 'text');
  assert.is(pickedOf(...rows.reverse()), 'text');
});

test('equal rates go to guided, then native, then text', () => {
  const native = row({ protocol: 'native' });
  const text = row({ protocol: 'text' });
  assert.is(pickedOf(text, native, row({ protocol: 'guided', ms: 9000 })), 'guided');
  assert.is(pickedOf(text, native), 'native');
  assert.is(pickedOf(text), 'text');
});

test('a difference that is mere chance counts as equal', () => {
  const guided = row({ protocol: 'guided', faithful: 14 });
  assert.is(pickedOf(guided, row({ protocol: 'native', faithful: 15 })), 'guided');
  const many = { runs: 400, faithful: 400 };
  const worse = row({ protocol: 'guided', runs: 400, faithful: 373 });
  assert.is(pickedOf(worse, row({ protocol: 'native', ...many })), 'native');
});

test('half against three quarters is chance in 4 runs, and none in 15', () => {
  const picked = (runs: number, guided: number, native: number): string | undefined =>
    pickedOf(
      row({ protocol: 'guided', runs, faithful: guided }),
      row({ protocol: 'native', runs, faithful: native }),
    );
  assert.is(picked(4, 2, 3), 'guided');
  assert.is(picked(15, 8, 11), 'native');
});

test('the better of two variants of a protocol is picked, or the faster of equals', () => {
  const auto = row({ toolChoice: 'auto', ms: 500 });
  assert.is(pickProtocol([row({ ms: 900 }), auto])?.toolChoice, 'auto');
  assert.is(pickProtocol([row({ ms: 300 }), auto])?.toolChoice, null);
  assert.is(pickProtocol([row({ faithful: 14, ms: 300 }), auto])?.toolChoice, 'auto');
});

test('the neutral prompt and a tool named by hand do not count', () => {
  const good = row({ protocol: 'text', faithful: 3 });
  const neutral = row({ protocol: 'guided', prompt: 'neutral' });
  const named = row({ toolChoice: 'named' });
  assert.is(pickedOf(neutral, named, good), 'text');
});

test('nothing is picked where no call was faithful or nothing was measured', () => {
  assert.is(pickedOf(row({ faithful: 0 }), row({ protocol: 'guided', faithful: 0 })), undefined);
  assert.is(pickedOf(row({ runs: 0, calls: 0, faithful: 0 })), undefined);
  assert.is(pickedOf(), undefined);
});

test.run();
