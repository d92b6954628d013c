import { knownRules } from '../checks/rules.js';
import type { Config } from '../config/config.js';
import { configFrom, findConfig } from '../config/find.js';
import { BotError, isBotError } from '../core/bot-error.js';
import { type ParsedArguments, usage } from '../core/task.js';

import type { Session } from '../session.js';

/** Contract: ten minutes unless --deadline says otherwise. */
export const DEADLINE_MS = 600_000;

/** The one argument of `post` and `push`. */
export function outcomeFile(
  command: 'post' | 'push',
  { positionals: words, paths }: ParsedArguments,
): string {
  const [file, stray] = [...words, ...paths];
  if (file === undefined) {
    throw usage(`${command} needs an outcome: apfel-bot ${command} outcome.json`);
  }
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  return file;
}

/** The job that publishes has no checkout, so `read` asks GitHub for the files of the base. */
export function publishConfig(
  file: string | undefined,
  read: (name: string) => Promise<string | undefined>,
): Promise<Config> {
  if (file === undefined) return configFrom(read, knownRules());
  const place = { file, base: undefined, git: undefined };
  return findConfig({ ...place, knownRules: knownRules() });
}

/** Nothing is lost when publishing fails: the hint says where the outcome is. */
export function withOutcomePath(thrown: unknown, file: string, { signal }: Session): unknown {
  const kept = `The outcome is kept: ${file}`;
  if (!isBotError(thrown)) {
    if (!signal.aborted) return thrown;
    return new BotError('publish-failed', 'the time was up before everything was published', {
      hint: `Run it again with more time: --deadline 20m\n  ${kept}`,
      cause: thrown,
    });
  }
  if (thrown.code !== 'publish-failed' && thrown.code !== 'not-permitted') return thrown;
  const hint = thrown.hint === undefined ? kept : `${thrown.hint}\n  ${kept}`;
  return new BotError(thrown.code, thrown.message, { hint, cause: thrown.cause });
}
