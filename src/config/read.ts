import { BotError } from '../core/bot-error.js';
import { field } from '../core/json-fields.js';
import { suggestion } from '../core/nearest.js';
import { type DescribedError, describeErrors } from '../core/schema-problem.js';
import type { ConfigFile } from '../generated/shapes.js';
import { validateConfig } from '../generated/validate-config.js';
import { packageFolder } from '../platform/terminal.js';
import { type Config, complete } from './config.js';

/** Settings as written, not yet validated. */
export interface Written {
  readonly settings: unknown;
  readonly origin: string;
  /** The whole file, and the JSON pointer of the settings in it. */
  readonly text: string;
  readonly pointer: string;
}

/** The configuration, or one failure that lists every problem with its place, path and value. */
export async function readConfig(written: Written, knownRules: readonly string[]): Promise<Config> {
  const problems = [
    ...describeErrors(validateConfig(written.settings)),
    ...unknownChecks(checksIn(written.settings), knownRules),
  ];
  if (problems.length > 0 || mayRepeatKeys(written)) {
    const { listProblems } = await import('./json-text.js');
    const lines = listProblems(problems, written);
    if (lines.length > 0) {
      throw new BotError('config', `${written.origin}:\n${lines.join('\n')}`, {
        hint: `The keys and their values are in ${packageFolder('schema/config.json')}`,
      });
    }
  }
  // The schema has just validated the shape.
  return complete(written.settings as ConfigFile);
}

/** JSON.parse keeps the last of equal keys. In a file without comments, counting them is enough. */
function mayRepeatKeys({ text, settings, pointer }: Written): boolean {
  if (pointer !== '' || /\/[/*]/.test(text)) return true;
  const strings = text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g);
  const written = [...strings].filter(([, colon]) => colon !== undefined).length;
  return written > keysIn(settings);
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, each) => sum + keysIn(each), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

function checksIn(settings: unknown): string[] {
  const checks = field(settings, 'checks');
  return typeof checks === 'object' && checks !== null && !Array.isArray(checks)
    ? Object.keys(checks)
    : [];
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
  return knownRules.some(known => known === name || known.startsWith(`${name}/`));
}
