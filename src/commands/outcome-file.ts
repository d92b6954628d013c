import { nodeFiles } from '../adapters/node-files.js';
import { BotError } from '../core/failure.js';
import { schemaProblems } from '../core/schema-problem.js';
import { validateOutcome } from '../generated/validate-outcome.js';
import type { AnyOutcome } from '../post/trust.js';
import { usage } from '../trigger/parse-argv.js';

/** An outcome of the largest change that is reviewed has some megabytes. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
const MOST_PROBLEMS = 5;

/** The outcome in a file, which may have passed through other hands: its schema is checked. */
export async function readOutcomeFile(name: string): Promise<AnyOutcome> {
  const text = await nodeFiles.read(name);
  if (text === undefined) throw usage(`${name} is not there`);
  if (text.length > MOST_CHARACTERS) throw usage(`${name} is larger than any outcome`);
  const value = parse(text, name);
  const problems = schemaProblems(validateOutcome(value));
  if (problems.length === 0) problems.push(...missingParts(value));
  if (problems.length === 0) {
    // The schema has just vouched for the shape, and what it leaves open was looked at.
    return value as AnyOutcome;
  }
  const shown = problems.slice(0, MOST_PROBLEMS).map(line => `  ${line}`);
  const rest = problems.length - shown.length;
  const lines = [...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
  throw new BotError('publish-failed', `${name} is no outcome, or was edited:\n${lines}`, {
    hint: 'Post the file that --out wrote; its form is apfel-bot/schema/outcome.json',
  });
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw usage(`${name} is not JSON`);
  }
}

/** By task, what it must hold besides the schema's own. */
function missingParts(value: unknown): string[] {
  const fields = new Map<string, unknown>(Object.entries(value ?? {}));
  const wanted: Readonly<Record<string, readonly string[]>> = {
    ask: ['answer'],
    describe: ['description', 'change', 'ledger'],
  };
  return (wanted[String(fields.get('task'))] ?? [])
    .filter(key => !fields.has(key))
    .map(key => `top level: the key ${JSON.stringify(key)} is missing`);
}
