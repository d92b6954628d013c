import { COMMAND_SCENARIOS } from './commands.js';
import { fixLint } from './fix-lint.js';
import { GITHUB_SCENARIOS } from './github.js';
import { hookAfter, hookBefore } from './hook.js';
import type { Scenario } from './scenario.js';

/** What `npm run torture` knows; one file for each. */
export const SCENARIOS: readonly Scenario[] = [
  fixLint,
  hookBefore,
  hookAfter,
  ...COMMAND_SCENARIOS,
  ...GITHUB_SCENARIOS,
];
