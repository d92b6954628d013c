import { BotError } from '../core/failure.js';
import type { Selector, Task } from '../core/task.js';
import type { PullOptions, WorkOptions } from '../trigger/work-options.js';
import type { Git } from '../world.js';
import type { Desk } from './desk.js';

export type PullOpener = (
  asked: PullOptions,
  place: { git: Git; desk: Desk; task: Task; isQuiet: boolean },
) => Promise<PulledChange>;

export interface PulledChange {
  readonly selector: Selector;
  readonly repository: string | null;
}

/** The same task about the pull request that was named, if one was. */
export async function withPull(
  task: Task,
  { options, desk, git }: { options: WorkOptions; desk: Desk; git: Git | undefined },
): Promise<Task> {
  const { pull, isQuiet } = options;
  if (pull === undefined) return task;
  const open = await desk.loadPull?.();
  if (open === undefined || git === undefined) throw new BotError('bug', '--pr has no repository');
  const { selector, repository } = await open(pull, { git, desk, task, isQuiet });
  const named = task.repository ?? repository;
  return { ...task, selector, pull: pull.number, repository: named };
}
