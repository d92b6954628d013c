import { mustHaveNoWords, workOptions } from '../config/options.js';
import type { Parsed } from '../core/task.js';
import { nodeClock } from '../platform/clock.js';
import { nodeFiles } from '../platform/files.js';
import { publish } from '../report/report.js';
import { keepRun } from '../runs/save.js';
import { type CommandEnd, isInHook, type Session } from '../session.js';
import type { OpenSuggestionSandbox } from './chunk.js';
import { run } from './review.js';
import { openWork } from './work.js';

export async function review(parsed: Parsed, session: Session): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const opened = await openWork(options, session);
  const { task, config, world } = opened;
  const openSuggestionSandbox: OpenSuggestionSandbox = async request => {
    const sandbox = await import('./suggestion-sandbox.js');
    return sandbox.openSuggestionSandbox(request, { session, opened });
  };
  const outcome = await run(task, { ...world, openSuggestionSandbox }, config);
  await keepRun(outcome, { opened, command: 'review', parsed });
  if (options.isVerbose) {
    const { base, head } = outcome.change;
    session.say(`compared ${base ?? 'nothing'} with ${head} in ${outcome.durationMs} ms`);
  }
  const byDefault = isInHook(session) ? config.hooks.failOn : config.review.failOn;
  const { color, columns, version } = session;
  const request = { ...options, failOn: options.failOn ?? byDefault, color, columns, version };
  return publish(outcome, request, { files: nodeFiles, clock: nodeClock });
}
