import { planJson, planText } from '../publish/plan-text.js';
import { preview } from '../run.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { mustHaveNoWords, workOptions } from '../trigger/work-options.js';
import { type CommandEnd, type Desk, openWork } from './desk.js';

export async function plan(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const { task, config, world } = await openWork(options, desk);
  const planned = await preview(task, world, config);
  const text = options.format === 'json' ? planJson(planned) : planText(planned);
  return { text, ending: 'done' };
}
