import { BotError } from '../core/bot-error.js';
import { type DescribedError, describeErrors, suggestion } from '../core/schema-problem.js';
import { validateConfig } from '../generated/validate-config.js';
import { type Config, type ConfigFile, complete } from './config.js';

/** Settings as written, not yet checked. */
export interface Written {
  readonly settings: unknown;
  readonly origin: string;
  /** The whole file, and the JSON pointer of the settings in it. */
  readonly text: string;
  readonly pointer: string;
}

/** The configuration, or one failure that lists every problem with its place, path and value. */
export async function readConfig(written: Written, knownRules: readonly string[]): Promise<Config> {
  const problems = problemsOf(written.settings, knownRules);
  if (problems.length > 0) throw await listed(problems, written);
  // The schema has just checked the shape.
  return complete(written.settings as ConfigFile);
}

async function listed(
  problems: readonly DescribedError[],
  { origin, text, pointer }: Written,
): Promise<BotError> {
  const { placeIn } = await import('./json-text.js');
  const lines = problems.map(problem => {
    const instancePath = `${pointer}${problem.error.instancePath}`;
    return `  ${placeIn(text, { ...problem.error, instancePath })} ${problem.text}`;
  });
  return new BotError('config', `${origin}:\n${lines.join('\n')}`, {
    hint: 'The keys and their values are in apfel-bot/schema/config.json',
  });
}

function problemsOf(written: unknown, knownRules: readonly string[]): DescribedError[] {
  const problems = describeErrors(validateConfig(written));
  if (problems.length > 0) return problems;
  return unknownChecks(Object.keys((written as ConfigFile).checks ?? {}), knownRules);
}

/** One line per named check that doesn't exist. */
const unknownChecks = (named: readonly string[], knownRules: readonly string[]): DescribedError[] =>
  named
    .filter(rule => !isKnown(rule, knownRules))
    .map(rule => {
      const hint = suggestion(rule, knownRules);
      return {
        error: { instancePath: '/checks', params: { additionalProperty: rule } },
        text: `checks: there is no check ${JSON.stringify(rule)}${hint}`,
      };
    });

/** `secret` and `secret/*` name the family, `secret/aws-access-key` one of its rules. */
function isKnown(rule: string, knownRules: readonly string[]): boolean {
  const name = rule.replace(/\/\*$/, '');
  const family = `${name.split('/', 1)[0]}/*`;
  return knownRules.some(
    known => known === name || known === family || known.startsWith(`${name}/`),
  );
}
