import * as assert from 'uvu/assert';
import { COMMANDS } from '../../src/cli/commands.js';
import { suite } from '../support/suite.js';
import { COMMAND_SCENARIOS } from './commands.js';
import { GITHUB_SCENARIOS } from './github.js';
import { SCENARIOS } from './scenarios.js';
import { torture } from './torture.js';

const test = suite('torture/commands');

/** Those that write most and wait for nobody; the others wait a second after each request. */
const EVERYDAY = ['post --note', 'install'];

for (const scenario of [...COMMAND_SCENARIOS, ...GITHUB_SCENARIOS]) {
  const run = EVERYDAY.includes(scenario.name) ? test : test.long;
  run(`${scenario.name}, killed at 3 moments, harms nothing and publishes everything once`, () =>
    torture(scenario, { moments: 3, seed: 11, from: 0.2 }),
  );
  test.long(
    `${scenario.name}, killed at 40 moments, harms nothing and publishes everything once`,
    () => torture(scenario, { moments: 40, seed: 12, to: 1.02 }),
  );
}

test('every command has a scenario', () => {
  const covered = new Set(SCENARIOS.map(({ name }) => name.split(' ')[0]));
  const missing = COMMANDS.map(({ name }) => name).filter(name => !covered.has(name));
  assert.equal(missing, []);
});

test.run();
