import { suggestion } from './schema-problem.js';

/** A line for each check that is named and does not exist. */
export const unknownChecks = (named: readonly string[], knownRules: readonly string[]): string[] =>
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
