import { userSpot } from '../adapters/git/git.js';
import { describeRepository } from '../adapters/git/git-repository.js';
import { nodeClock } from '../adapters/node-clock.js';
import { saveHandOver, stagedDigest } from '../adapters/notes/hand-over.js';
import { finishedOf } from '../core/note.js';
import type { Outcome } from '../core/outcome.js';
import { hookMessage } from '../publish/hook-message.js';
import { run } from '../run.js';
import { workOptions } from '../trigger/work-options.js';
import type { Repository } from '../world.js';
import { type CommandEnd, type Desk, isInHook, openWork } from './desk.js';
import type { HookCall } from './hook-call.js';
import { hookSettings } from './hook-settings.js';

/** Reviews exactly what is being committed, and leaves what it found for post-commit. */
export async function preCommit(call: HookCall): Promise<CommandEnd> {
  const desk = await asHook(call.desk);
  // Side by side with the review it costs no time. Whatever becomes of it, the review counts.
  const digest = stagedDigest(userSpot(desk)).catch(() => undefined);
  const options = { ...workOptions(call.parsed), selector: { kind: 'staged' } as const, paths: [] };
  const { git, task, config, world } = await openWork(options, desk);
  const { failClosed, background } = hookSettings(config);
  call.failsClosed = failClosed;
  const outcome = await run(task, world, config);
  if (git !== undefined) await leave(outcome, git.repository, await digest);
  const { text, blocks } = hookMessage(outcome, {
    failOn: config.hooks.failOn,
    elapsedMs: nodeClock.now() - call.startedAt,
    goesOnLater: background,
    color: desk.color,
    columns: desk.columns,
  });
  return { text, ending: blocks ? 'findings' : 'done' };
}

/** A manager may keep git's variables from us; we are in a hook all the same. */
async function asHook(desk: Desk): Promise<Desk> {
  if (isInHook(desk)) return desk;
  const { gitDir } = await describeRepository(userSpot(desk));
  return { ...desk, env: { ...desk.env, GIT_INDEX_FILE: `${gitDir}/index` } };
}

async function leave(
  outcome: Outcome,
  repository: Repository,
  digest: string | undefined,
): Promise<void> {
  // A merge is judged on fewer lines than the commit has, but it is the same commit.
  const { head = repository.emptyTree, headParents: parents } = repository;
  if (digest === undefined) return;
  const finished = finishedOf(outcome);
  // Where nothing can be written, post-commit has nothing to record, and says so.
  await saveHandOver(repository, { head, parents, digest, finished }).catch(() => undefined);
}
