import { type Config, type ConfigFile, complete } from '../config.js';
import { BotError } from '../core/failure.js';
import { schemaProblems } from '../core/schema-problem.js';
import { unknownChecks } from '../core/unknown-checks.js';
import { validateConfig } from '../generated/validate-config.js';

/** ConfigFile → Config, or one failure that lists every problem with its path and value. */
export function readConfig(
  written: unknown,
  origin: string,
  knownRules: readonly string[],
): Config {
  const problems = problemsOf(written, knownRules);
  if (problems.length > 0) {
    throw new BotError('config', `${origin}:\n${problems.map(line => `  ${line}`).join('\n')}`, {
      hint: 'The keys and their values are in apfel-bot/schema/config.json',
    });
  }
  // The schema has just vouched for the shape.
  return complete(written as ConfigFile);
}

function problemsOf(written: unknown, knownRules: readonly string[]): string[] {
  const problems = schemaProblems(validateConfig(written));
  if (problems.length > 0) return problems;
  return unknownChecks(Object.keys((written as ConfigFile).checks ?? {}), knownRules);
}
