import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { isBotError } from '../core/bot-error.js';
import { openGit } from '../git/git.js';
import { sweepRuns } from '../git/sweep.js';
import { nodeClock, sinceMs } from '../platform/clock.js';
import { isFolder } from '../platform/files.js';
import { makeOwnFolder, ownPlace, PRIVATE, readOwnFile } from '../platform/own-files.js';
import { isAlive, processSpace, processStart } from '../platform/processes.js';
import type { CommandEnd } from '../session.js';
import { type HookCall, NOTHING } from './call.js';
import { openQueue, type Queue, startInMainWorktree } from './queue.js';
import { reviewCommit } from './review-commit.js';

/** The longest a background run may take; the rest waits for the next commit. */
const MAX_MS = 15 * 60_000;
const MAX_COMMITS = 50;

/** Reviews the queued commits. It prints nothing: the results go into the notes. */
export async function runBackground(call: HookCall): Promise<CommandEnd> {
  const { session } = call;
  lowerPriority();
  const { repository } = await openGit({ ...session, expectsStaged: false });
  const { commonDir } = repository;
  const queue = openQueue(commonDir);
  await sweepRuns(commonDir, nodeClock.now());
  for (let done = 0; done < MAX_COMMITS && !session.signal.aborted; ) {
    // Another run is at work, and checks the queue again before it ends.
    if ((await queue.isEmpty()) || !(await takeLock(commonDir))) return NOTHING;
    try {
      done += Math.max(1, await reviewQueued(call, queue, MAX_COMMITS - done));
    } finally {
      await releaseLock(commonDir);
    }
    // A linked worktree can be removed while we work in it; the rest is done from the main one.
    if (!isFolder(session.cwd)) {
      startInMainWorktree(repository, session.env);
      return NOTHING;
    }
  }
  return NOTHING;
}

async function reviewQueued(call: HookCall, queue: Queue, limit: number): Promise<number> {
  for (let done = 0; done < limit; done += 1) {
    const commit = await queue.next();
    if (commit === undefined || call.session.signal.aborted) return done;
    try {
      const deadlineMs = call.startedAt + MAX_MS - nodeClock.now();
      const isFinished = await reviewCommit(call, { commit, deadlineMs, isBackground: true });
      if (isFinished) await queue.remove(commit);
    } catch (thrown) {
      if (!isFolder(call.session.cwd)) return done;
      // The commit may have been rewritten and pruned; anything else is tried again later.
      if (isBotError(thrown) && thrown.code === 'git') await queue.remove(commit);
      if (!isBotError(thrown)) throw thrown;
    }
  }
  return limit;
}

/** The user's own work has priority. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // A container may forbid it.
  }
}

const MAX_LOCK_BYTES = 4096;
const HALF_WRITTEN_MS = 10_000;
/** Far longer than any background run takes. */
const ELSEWHERE_MS = 60 * 60_000;

/** One background run at a time per repository. False when another one holds the lock. */
export async function takeLock(commonDir: string): Promise<boolean> {
  const file = lockIn(commonDir);
  await makeOwnFolder(dirname(file));
  const start = await processStart(process.pid);
  const mine = { pid: process.pid, start: start ?? null, space: await processSpace() };
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const isTaken = await writeFile(file, `${JSON.stringify(mine)}\n`, {
      flag: 'wx',
      mode: PRIVATE,
    }).then(
      () => false,
      (thrown: NodeJS.ErrnoException) => {
        if (thrown.code === 'EEXIST') return true;
        throw thrown;
      },
    );
    if (!isTaken) return true;
    if ((await isHeld(file, mine.space)) || !(await discard(file, mine.space))) return false;
  }
  return false;
}

export const releaseLock = (commonDir: string): Promise<void> =>
  rm(lockIn(commonDir), { force: true });

const lockIn = (commonDir: string): string => ownPlace(commonDir, 'background.lock');

async function isHeld(file: string, space: string): Promise<boolean> {
  const ageMs = sinceMs((await stat(file).catch(() => undefined))?.mtimeMs ?? 0);
  const value = await readOwnFile(file, MAX_LOCK_BYTES);
  // It may be only half written.
  if (typeof value !== 'object' || value === null) return ageMs < HALF_WRITTEN_MS;
  const { pid, start, space: where }: Partial<Record<'pid' | 'start' | 'space', unknown>> = value;
  // On a shared disk it may be another machine's process, which can't be checked.
  if (where !== space) return ageMs < ELSEWHERE_MS;
  if (!Number.isSafeInteger(pid) || Number(pid) <= 0) return false;
  return isAlive(Number(pid), typeof start === 'string' ? start : undefined);
}

/** Two runs may find the lock stale; the slower one must not remove the one the other just took. */
async function discard(file: string, space: string): Promise<boolean> {
  const aside = `${file}.${process.pid}.tmp`;
  const isMoved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return true;
  const isSomeoneElses = await isHeld(aside, space);
  if (isSomeoneElses) await rename(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
  return !isSomeoneElses;
}
