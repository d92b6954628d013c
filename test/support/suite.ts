import { writeFileSync } from 'node:fs';
import { suite as uvuSuite } from 'uvu';
import { LONG } from './summary.js';

/** What one test file tells the driver (`run-all.ts`). */
export interface Tally {
  declared: number;
  passed: number;
  /** The titles of those that failed. */
  failed: string[];
  skipped: Array<{ title: string; reason: string }>;
}

let tally = newTally();
let report = process.env['APFEL_BOT_TEST_REPORT'];

function newTally(): Tally {
  return { declared: 0, passed: 0, failed: [], skipped: [] };
}

/** From here on the tests of another file are counted. */
export function countInto(path: string): void {
  tally = newTally();
  report = path;
}

/** True when every test that was declared has passed. */
export function writeTally(): boolean {
  if (report !== undefined) writeFileSync(report, JSON.stringify(tally));
  const unfinished = tally.declared - tally.passed - tally.failed.length;
  if (tally.declared + tally.skipped.length === 0) console.error('no test was declared');
  else if (unfinished > 0) console.error(`${unfinished} of ${tally.declared} tests never finished`);
  else return tally.failed.length === 0;
  return false;
}

// uvu 0.5.6 exits 0 when a suite is never run or dies half-way; count for ourselves.
process.on('exit', () => {
  if (!writeTally()) process.exitCode = 1;
});

/** Why long tests are left out of an everyday run; undefined when all are wanted. */
export const notAll: string | undefined =
  process.env['APFEL_BOT_TEST'] === 'all' ? undefined : LONG;

interface Suite {
  (title: string, body: () => unknown): void;
  /** Not run here; the reason is printed and counted. */
  skip(title: string, reason: string): void;
  /** Runs the test when there is no reason against it, else skips it with that reason. */
  unless(reason: string | undefined, title: string, body: () => unknown): void;
  /** One more of a kind that everyday runs have an example of; run by `npm run test:all`. */
  long(title: string, body: () => unknown): void;
  run(): void;
}

/** A uvu suite without hooks: setup belongs in `withRepo`-style wrappers, which cannot fail silently. */
export function suite(name: string): Suite {
  const inner = uvuSuite(name);
  const test = (title: string, body: () => unknown): void => {
    tally.declared += 1;
    inner(title, async () => {
      try {
        await body();
        tally.passed += 1;
      } catch (thrown) {
        tally.failed.push(`${name}: ${title}`);
        throw thrown instanceof Error ? thrown : new Error(`threw a non-error: ${String(thrown)}`);
      }
    });
  };
  const skip = (title: string, reason: string): void => {
    tally.skipped.push({ title: `${name}: ${title}`, reason });
  };
  const unless = (reason: string | undefined, title: string, body: () => unknown): void =>
    reason === undefined ? test(title, body) : skip(title, reason);
  const long = (title: string, body: () => unknown): void => unless(notAll, title, body);
  return Object.assign(test, { skip, unless, long, run: () => inner.run() });
}
