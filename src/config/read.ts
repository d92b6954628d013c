import { BotError } from '../core/bot-error.js';
import { schemaProblems, suggestion } from '../core/schema-problem.js';
import { validateConfig } from '../generated/validate-config.js';
import { type Config, type ConfigFile, complete } from './config.js';

/** The configuration, or one failure that lists every problem with its path and value. */
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
  // The schema has just checked the shape.
  return complete(written as ConfigFile);
}

function problemsOf(written: unknown, knownRules: readonly string[]): string[] {
  const problems = schemaProblems(validateConfig(written));
  if (problems.length > 0) return problems;
  return unknownChecks(Object.keys((written as ConfigFile).checks ?? {}), knownRules);
}

/** One line per named check that doesn't exist. */
const unknownChecks = (named: readonly string[], knownRules: readonly string[]): string[] =>
  named
    .filter(rule => !isKnown(rule, knownRules))
    .map(rule => {
      const hint = suggestion(rule, knownRules);
      return `checks: there is no check ${JSON.stringify(rule)}${hint}`;
    });

/** `secret` and `secret/*` name the family, `secret/aws-access-key` one of its rules. */
function isKnown(rule: string, knownRules: readonly string[]): boolean {
  const name = rule.replace(/\/\*$/, '');
  const family = `${name.split('/', 1)[0]}/*`;
  return knownRules.some(
    known => known === name || known === family || known.startsWith(`${name}/`),
  );
}
