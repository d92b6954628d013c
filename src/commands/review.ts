import { nodeClock } from '../adapters/node-clock.js';
import { nodeFiles } from '../adapters/node-files.js';
import type { OpenProofRoom } from '../core/review-draft.js';
import { publish } from '../publish/publish.js';
import { run } from '../run.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { mustHaveNoWords, workOptions } from '../trigger/work-options.js';
import { type CommandEnd, type Desk, isInHook, openWork } from './desk.js';
import { keepRun } from './keep-run.js';

export async function review(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const opened = await openWork(options, desk);
  const { task, config, world } = opened;
  const openProofRoom: OpenProofRoom = async wish =>
    (await desk.loadProofRoom?.())?.(wish, { desk, opened }) ?? { room: undefined, notices: [] };
  const outcome = await run(task, { ...world, openProofRoom }, config);
  await keepRun(outcome, { opened, command: 'review', parsed });
  if (options.isVerbose) {
    const { base, head } = outcome.change;
    desk.say(`compared ${base ?? 'nothing'} with ${head} in ${outcome.durationMs} ms`);
  }
  const byDefault = isInHook(desk) ? config.hooks.failOn : config.review.failOn;
  const { color, columns, version } = desk;
  const wish = { ...options, failOn: options.failOn ?? byDefault, color, columns, version };
  return publish(outcome, wish, { files: nodeFiles, clock: nodeClock });
}
