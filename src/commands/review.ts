import { nodeFiles } from '../adapters/node-files.js';
import { publish } from '../publish/publish.js';
import { run } from '../run.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { mustHaveNoWords, workOptions } from '../trigger/work-options.js';
import { type CommandEnd, type Desk, isInHook, openWork } from './desk.js';

export async function review(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const { task, config, world } = await openWork(options, desk);
  const outcome = await run(task, world, config);
  if (options.isVerbose) {
    const { base, head } = outcome.change;
    desk.say(`compared ${base ?? 'nothing'} with ${head} in ${outcome.durationMs} ms`);
  }
  const byDefault = isInHook(desk) ? config.hooks.failOn : config.review.failOn;
  const { color, columns, version } = desk;
  const wish = { ...options, failOn: options.failOn ?? byDefault, color, columns, version };
  return publish(outcome, wish, nodeFiles);
}
