import { QUIRK_NAMES } from '../../fixtures/apfel/quirk-names.js';
import { DOCUMENTED_RATES } from '../../fixtures/apfel/rates.js';
import type { StandInOptions } from '../../fixtures/apfel/stand-in.js';
import { complaintsOf, INVALID, type LintCase, readCases } from '../fix/corpus/cases.js';
import { runBad, runRight, type Scored } from '../fix/corpus/corpus-run.js';
import { plantFaults } from '../fix/corpus/planted.js';

// Thousands of complaints of the real ESLint, fixed by the real command, with a scripted model. The
// branch is judged by another ESLint than the one the command asks.

interface Setting {
  readonly name: string;
  readonly standIn: Omit<StandInOptions, 'policy'>;
  readonly args?: readonly string[];
}

/** Those that only cost time: a stalled answer takes a minute to be given up. */
const SLOW = new Set(['stall', 'drip']);
const EVERYTHING = Object.fromEntries(
  QUIRK_NAMES.filter(name => !SLOW.has(name)).map(name => [name, 0.02]),
);

const SETTINGS: readonly Setting[] = [
  { name: 'no trouble', standIn: {} },
  { name: 'documented rates', standIn: { quirks: DOCUMENTED_RATES, seed: 5 } },
  {
    name: 'documented rates, failures repeat',
    standIn: { quirks: DOCUMENTED_RATES, repeatFailures: 0.8, seed: 6 },
  },
  {
    name: 'documented rates, native protocol',
    standIn: { quirks: DOCUMENTED_RATES, seed: 7 },
    args: ['--protocol', 'native'],
  },
  { name: 'every quirk at 2 %', standIn: { quirks: EVERYTHING, seed: 8 } },
];

const TARGET = 0.98;

function tell(name: string, scored: Scored, wanted: number): void {
  const { clean, introduced, unverified, outcome, seconds } = scored;
  const share = ((100 * clean) / scored.files).toFixed(1);
  const { requests, refusals, repairs } = outcome.model;
  console.log(
    `  ${name}: ${clean} of ${scored.files} fixed (${share} %), ${introduced.length} introduced, ` +
      `${unverified.length} unverified kept · ${requests} requests, ${refusals} refusals, ` +
      `${repairs} repairs, ${seconds.toFixed(0)} s`,
  );
  for (const path of scored.notClean) console.log(`    left: ${path}`);
  if (clean / wanted < TARGET || introduced.length + unverified.length > 0) process.exitCode = 1;
}

/** Upstream's own result, taken for all complaints, is not always one that ESLint is content with. */
const hasNoRemedy = ({ path, config, outputs }: LintCase): boolean =>
  outputs.every(output => (complaintsOf(output, { path, config }) ?? []).some(isOther));
const isOther = ({ message }: { readonly message: string }): boolean =>
  /modified Emoji|national flag/.test(message);

async function suggestions(): Promise<void> {
  const { cases, leftOut } = readCases('suggestion');
  console.log(`${cases.length} suggestion cases, ${leftOut.length} left out`);
  const hopeless = cases.filter(hasNoRemedy);
  console.log(`  upstream's result brings another complaint in ${hopeless.length} of them`);
  for (const { name, standIn, args = [] } of SETTINGS) {
    const scored = await runRight(cases, standIn, args);
    tell(name, scored, cases.length - hopeless.length);
    const same = cases.filter(each => each.outputs.includes(scored.texts.get(each.path) ?? ''));
    console.log(`    as upstream has it, letter by letter: ${same.length}`);
  }
}

async function planted(): Promise<void> {
  const faults = plantFaults(200);
  console.log(`${faults.length} faults planted in real code`);
  for (const { name, standIn, args = [] } of SETTINGS) {
    const scored = await runRight(faults, standIn, args);
    tell(name, scored, faults.length);
    const byModel = new Set(
      scored.outcome.edits.flatMap(({ by, status, path }) =>
        by === 'model' && status === 'kept' ? [path] : [],
      ),
    );
    const repaired = faults.filter(({ path }) => byModel.has(path));
    const same = repaired.filter(each => scored.texts.get(each.path) === each.original);
    console.log(`    by the model: ${repaired.length}, the original again in ${same.length}`);
  }
}

async function badEdits(): Promise<void> {
  const { cases, leftOut } = readCases('manual');
  console.log(`${cases.length} cases without autofix, ${leftOut.length} left out (another ESLint)`);
  for (const { name, kept, outcome, seconds } of await runBad(cases)) {
    const tries = outcome.edits.filter(({ by }) => by === 'model').length;
    console.log(
      `  ${name}: ${kept.length} kept of ${tries} complaints that the model was asked about, ` +
        `${outcome.model.requests} requests, ${seconds.toFixed(0)} s`,
    );
    for (const path of kept) console.log(`    kept: ${path}`);
    if (kept.length > 0 || outcome.diagnostics.introduced > 0) process.exitCode = 1;
  }
}

if (INVALID.absent === undefined) {
  await suggestions();
  await badEdits();
} else console.log(INVALID.absent);
await planted();
