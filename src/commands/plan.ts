import { nodeFiles } from '../adapters/node-files.js';
import { parseShardCount, shardMatrix } from '../plan/shard.js';
import { planJson, planText } from '../publish/plan-text.js';
import { preview } from '../run.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { mustHaveNoWords, workOptions } from '../trigger/work-options.js';
import { type CommandEnd, type Desk, openWork } from './desk.js';
import { explainRules, openRules } from './open-rules.js';

export async function plan(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const shards = parsed.values.get('shards');
  if (shards !== undefined) {
    return { text: `${JSON.stringify(shardMatrix(parseShardCount(shards)))}\n`, ending: 'done' };
  }
  const options = workOptions(parsed);
  const { task, config, world, git } = await openWork(options, desk);
  const path = parsed.values.get('explain');
  if (path !== undefined) {
    const place = { git, files: nodeFiles, globs: world.globs, base: task.configBase };
    const opened = await openRules({ ...place, more: config.review.rules });
    return { text: explainRules(opened, path), ending: 'done' };
  }
  const planned = await preview(task, world, config);
  await world.clock.breathe();
  const isJson = options.format === 'json';
  const text = isJson ? await planJson(planned, world.clock) : planText(planned);
  return { text, ending: 'done' };
}
