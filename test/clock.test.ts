import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from './support/suite.js';

/** Ways to measure how long something takes; a file may well be made two hours old. */
const MEASURES = /performance\.now\(\)|hrtime|cpuUsage|(?<!new Date\()Date\.now\(\) -/;

/** They assert nothing about how long something takes. */
const MAY_MEASURE: Readonly<Record<string, string>> = {
  'clock.test.ts': 'names what is forbidden',
  'git/scratch-kill.test.ts': 'spreads its kills over the time a whole run takes',
  'cli/interrupt.test.ts': 'gives the program a clock that runs faster',
  'torture/torture.ts': 'spreads its kills over the time a whole run takes',
  'fix/corpus/corpus-run.ts': 'prints the time beside the result',
  'fuzz/fuzz.ts': 'counts the time of the processor, as mustEnd does',
  'fuzz/main.ts': 'prints how many inputs a second it takes',
};

const measuring = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !/^(bench|support)\//.test(name))
    .filter(name => MEASURES.test(readFileSync(join(folder, name), 'utf8')))
    .sort();

const test = suite('clock');

test('no test measures time: it counts, or uses mustEnd', () =>
  assert.equal(measuring('test'), Object.keys(MAY_MEASURE).sort()));

for (const text of [
  'performance.now() - start < 5',
  'Date.now() - start < 5',
  'process.hrtime()',
]) {
  test(`${text} is seen`, () => assert.match(text, MEASURES));
}

test('a date in the past is allowed', () =>
  assert.not.match('new Date(Date.now() - 7_200_000)', MEASURES));

test.run();
