import { orHint } from '../core/or-hint.js';
import type { Task } from '../core/task.js';
import type { Files, Git } from '../world.js';
import { type EventFacts, fromEvent, WITHOUT_EVENT } from './from-event.js';
import { narrowTo } from './narrow-to.js';
import type { WorkOptions } from './work-options.js';

export interface Surroundings {
  readonly git: Git | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: Files;
}

/** Argv + environment + event → Task. What argv says wins; deadline and shard are settled later. */
export async function toTask(asked: WorkOptions, around: Surroundings): Promise<Task> {
  const event = await eventFacts(around);
  const inHook = around.env['GIT_INDEX_FILE'] !== undefined;
  const byPlace = inHook ? ({ kind: 'staged' } as const) : event.selector;
  const repository = around.env['GITHUB_REPOSITORY'];
  return {
    selector: asked.selector ?? byPlace,
    paths: asked.paths.map(path => narrowTo(path, around.git)),
    repository:
      repository !== undefined && /^[\w.-]+\/[\w.-]+$/.test(repository) ? repository : null,
    pull: event.pull,
    configBase: event.configBase,
    withoutModel: asked.withoutModel,
    shard: undefined,
    deadlineMs: asked.deadlineMs ?? 0,
  };
}

async function eventFacts({ env, files }: Surroundings): Promise<EventFacts> {
  const path = env['GITHUB_EVENT_PATH'];
  const nothing: EventFacts = { selector: { kind: 'default' }, pull: null, configBase: undefined };
  if (path === undefined || path === '') return nothing;
  const text = await orHint(files.read(path), WITHOUT_EVENT);
  if (text === undefined) return nothing;
  return fromEvent(text);
}
