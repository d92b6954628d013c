import * as assert from 'uvu/assert';
import { QUIRK_NAMES, type QuirkRates } from '../../fixtures/apfel/quirk-names.js';
import { DOCUMENTED_RATES } from '../../fixtures/apfel/rates.js';
import { notAll, suite } from '../support/suite.js';
import {
  figures,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './simulation/simulate.js';
import { stubborn } from './simulation/stubborn.js';
import { simulatedTask } from './simulation/tasks.js';

const test = suite('agent/simulation');

interface Row {
  readonly name: string;
  readonly options: SimulationOptions;
  /** Of a hundred tasks. */
  readonly completed: number;
  readonly requestRatio: number;
}

/** Every other quirk as well, seldom; those that depend on tool_choice or only cost time are left out. */
const LEFT_OUT = new Set(['stall', 'drip', 'scalar-arguments', 'missing-call', 'refused-required']);
const EVERYTHING: QuirkRates = {
  ...Object.fromEntries(QUIRK_NAMES.filter(name => !LEFT_OUT.has(name)).map(name => [name, 0.03])),
  ...DOCUMENTED_RATES,
};

const documented = { quirks: DOCUMENTED_RATES, seed: 3 };

/** With the default limits: three bad replies in a row end a conversation. */
const ROWS: readonly Row[] = [
  {
    name: 'documented rates',
    options: { tasks: 300, standIn: documented },
    completed: 99,
    requestRatio: 1.3,
  },
  {
    name: 'documented rates, failures repeat',
    options: { tasks: 100, firstSeed: 1000, standIn: { ...documented, repeatFailures: 0.8 } },
    completed: 97,
    requestRatio: 1.3,
  },
  {
    name: 'documented rates, failures repeat whatever the words',
    options: {
      tasks: 100,
      firstSeed: 4000,
      standIn: { ...documented, seed: 4 },
      wrap: stubborn(0.8),
    },
    completed: 88,
    requestRatio: 1.5,
  },
  {
    name: 'every quirk',
    options: { tasks: 100, firstSeed: 2000, standIn: { quirks: EVERYTHING, seed: 5 } },
    completed: 97,
    requestRatio: 1.5,
  },
  {
    name: 'native alone',
    options: { tasks: 100, firstSeed: 3000, protocol: 'native', standIn: documented },
    completed: 88,
    requestRatio: 1.8,
  },
  {
    name: 'native and text, on a server before 1.4',
    options: { tasks: 60, firstSeed: 5000, standIn: { ...documented, version: '0.5.0' } },
    completed: 85,
    requestRatio: 1.9,
  },
  {
    name: 'text alone',
    options: { tasks: 60, firstSeed: 6000, protocol: 'text', standIn: documented },
    completed: 97,
    requestRatio: 1.3,
  },
  {
    name: 'files larger than the window',
    options: {
      tasks: 40,
      standIn: documented,
      taskAt: seed => simulatedTask(seed, ['far-read']),
    },
    completed: 92,
    requestRatio: 1.3,
  },
  {
    name: 'call ids that repeat',
    options: {
      tasks: 40,
      protocol: 'native',
      standIn: { quirks: { 'repeated-call-ids': 1 }, seed: 6 },
    },
    completed: 100,
    requestRatio: 1,
  },
];

for (const { name, options, completed, requestRatio } of ROWS) {
  test(`${name}: at least ${completed} % completed, none falsely claimed`, async () => {
    // A third of them every day, all of them in `npm run test:all`.
    const tasks = notAll === undefined ? options.tasks : Math.ceil(options.tasks / 3);
    const simulation = await simulate({ ...options, tasks });
    console.log(`  ${figures(name, simulation)}`);
    assert.is(simulation.falselyClaimed, 0, explain(simulation));
    const rate = (100 * simulation.completed) / simulation.tasks;
    assert.ok(rate >= completed, `${rate} %: ${explain(simulation)}`);
    assert.ok(simulation.requestRatio <= requestRatio, `${simulation.requestRatio} x requests`);
  });
}

const explain = ({ failures }: Simulation): string =>
  failures
    .slice(0, 3)
    .map(({ seed, conversation }) => `task ${seed} ended ${conversation.end.reason}`)
    .join('; ');

test.run();
