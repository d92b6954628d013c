import { survey } from './checks/survey.js';
import type { Config } from './config.js';
import { BotError } from './core/failure.js';
import type { Outcome } from './core/outcome.js';
import type { Survey } from './core/survey.js';
import type { Task } from './core/task.js';
import { estimateTokens } from './core/tokens.js';
import { type ChangeSet, gather, gatherStdin } from './gather/gather.js';
import { selectFiles } from './gather/select-files.js';
import { biteTokens } from './plan/bite-tokens.js';
import { plan, type WorkPlan } from './plan/plan.js';
import { conclude } from './publish/conclude.js';
import { verify } from './verify/verify.js';
import type { World } from './world.js';

/** The whole program. Each line is a stage; each stage turns one noun into the next. */
export async function run(task: Task, world: World, config: Config): Promise<Outcome> {
  const startedAt = world.clock.now();
  const { stage } = world.progress;
  const change = await stage('Asking git for the change', () => gatherFor(task, world));
  const seen = await stage('Checking the change', () => look(change, world, config));
  const work = plan(seen, biteTokens(config.model.contextWindow));
  const verdict = await verify(seen, config, world.globs);
  return conclude({ task, startedAt, work, verdict }, world.clock);
}

/** The first half only: what would be done. */
export async function preview(task: Task, world: World, config: Config): Promise<WorkPlan> {
  const change = await gatherFor(task, world);
  const seen = await look(change, world, config, estimateTokens);
  return plan(seen, biteTokens(config.model.contextWindow));
}

async function gatherFor(task: Task, world: World): Promise<ChangeSet> {
  if (task.selector.kind === 'stdin') return gatherStdin(world.stdin);
  if (world.git === undefined) throw new BotError('bug', 'no repository was opened');
  return gather(task, world.git);
}

const look = (
  change: ChangeSet,
  world: World,
  config: Config,
  measure?: (text: string) => number,
): Promise<Survey> =>
  survey(change, world, {
    config,
    measure,
    select: attributeFiles =>
      selectFiles({ attributeFiles, ignore: config.review.ignore }, world.globs),
  });
