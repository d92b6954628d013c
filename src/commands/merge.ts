import { nodeClock } from '../adapters/node-clock.js';
import { nodeFiles } from '../adapters/node-files.js';
import { BotError, isBotError } from '../core/failure.js';
import { mergeOutcomes, type ShardOutcome } from '../core/merge-outcomes.js';
import { schemaProblems } from '../core/schema-problem.js';
import { validateOutcome } from '../generated/validate-outcome.js';
import { readShard } from '../plan/shard.js';
import { publish } from '../publish/publish.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import { workOptions } from '../trigger/work-options.js';
import type { CommandEnd, Desk } from './desk.js';

/** `merge F…`: several outcomes in, one out. Needs neither a repository nor a model. */
export async function merge(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  const options = workOptions({ ...parsed, paths: [] });
  const names = [...parsed.words, ...parsed.paths];
  if (names.length === 0) throw usage('merge needs files: apfel-bot merge shard-*.json');
  const outcomes: ShardOutcome[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const read = await readOutcome(name);
    if (typeof read === 'string') problems.push(read);
    else outcomes.push(read);
  }
  // A file that a runner could not finish is a lost shard; with nothing else there is no review.
  if (outcomes.length === 0) {
    throw new BotError('usage', `there is no outcome to merge: ${problems.join('; ')}`, {
      hint: 'Name the files that review --shard I/N --out FILE wrote',
    });
  }
  const outcome = mergeOutcomes(outcomes, { run: nodeClock.runId(), notices: problems });
  const { color, columns, version } = desk;
  const wish = { ...options, failOn: options.failOn ?? 'error', color, columns, version };
  return publish(outcome, wish, { files: nodeFiles, clock: nodeClock });
}

/** The outcome, or why there is none. */
async function readOutcome(name: string): Promise<ShardOutcome | string> {
  const text = await readText(name);
  if (text === undefined) return `${name} is not there`;
  if (typeof text !== 'string') return text.problem;
  const value = parse(text);
  if (value === undefined) return `${name} is not JSON`;
  const [problem] = schemaProblems(validateOutcome(value));
  if (problem !== undefined) return `${name} is no outcome: ${problem}`;
  // The schema has just vouched for the shape.
  const outcome = value as ShardOutcome;
  if (outcome.task !== 'review') throw usage(`${name} is of ${outcome.task}; merge joins reviews`);
  if (outcome.shard !== undefined && readShard(outcome.shard) === undefined) {
    return `${name} is no outcome: shard: must be I/N, found ${JSON.stringify(outcome.shard)}`;
  }
  return outcome;
}

/** A folder or a file that is not ours to read is a lost shard like any other. */
async function readText(name: string): Promise<string | { problem: string } | undefined> {
  try {
    return await nodeFiles.read(name);
  } catch (thrown) {
    if (isBotError(thrown)) return { problem: thrown.message };
    throw thrown;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
