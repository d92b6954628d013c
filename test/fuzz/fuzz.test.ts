import { suite } from '../support/suite.js';
import { fuzz, fuzzTime } from './fuzz.js';
import { TARGETS } from './targets.js';

const test = suite('fuzz/fuzz');

/** A few seconds in all; `npm run fuzz` goes on for as long as wanted, each time from another seed. */
const RUNS = 150;
const LONG_RUNS = 20_000;

for (const target of TARGETS) {
  test(`${target.name}: the properties hold for ${RUNS} inputs`, () => fuzz(target, RUNS, 1));
  test(`${target.name}: no input takes longer than its length allows`, () =>
    fuzzTime(target, 2, 1));
  test.long(`${target.name}: the properties hold for ${LONG_RUNS} inputs`, () =>
    fuzz(target, LONG_RUNS, 2),
  );
}

test.run();
