import { isBotError } from '../core/bot-error.js';
import { openGit } from '../git/git.js';
import { sweepRuns } from '../git/sweep.js';
import { nodeClock } from '../platform/clock.js';
import { isFolder } from '../platform/files.js';
import type { CommandEnd } from '../session.js';
import {
  endTurn,
  openQueue,
  type Queue,
  startInHome,
  stepBack,
  takeTurn,
} from './background-process.js';
import { type HookCall, NOTHING } from './call.js';
import { reviewCommit } from './review-commit.js';

/** After this the machine is the user's again; what is left waits for the next commit. */
const LONGEST_MS = 15 * 60_000;
const MOST_COMMITS = 50;

/** Works off the queue. Nobody hears it: all it has to say goes into the notes. */
export async function runBackground(call: HookCall): Promise<CommandEnd> {
  const { session } = call;
  stepBack();
  const { repository } = await openGit({ ...session, expectsStaged: false });
  const { commonDir } = repository;
  const queue = openQueue(commonDir);
  await sweepRuns(commonDir, nodeClock.now());
  for (let done = 0; done < MOST_COMMITS && !session.signal.aborted; ) {
    // Somebody else is at it, and looks again before leaving.
    if ((await queue.isEmpty()) || !(await takeTurn(commonDir))) return NOTHING;
    try {
      done += Math.max(1, await workOff(call, queue, MOST_COMMITS - done));
    } finally {
      await endTurn(commonDir);
    }
    // A linked worktree can be removed while we work in it; what it has left is done elsewhere.
    if (!isFolder(session.cwd)) {
      startInHome(repository, session.env);
      return NOTHING;
    }
  }
  return NOTHING;
}

async function workOff(call: HookCall, queue: Queue, most: number): Promise<number> {
  for (let done = 0; done < most; done += 1) {
    const commit = await queue.next();
    if (commit === undefined || call.session.signal.aborted) return done;
    try {
      const deadlineMs = call.startedAt + LONGEST_MS - nodeClock.now();
      const isFinished = await reviewCommit(call, { commit, deadlineMs, isBackground: true });
      if (isFinished) await queue.remove(commit);
    } catch (thrown) {
      if (!isFolder(call.session.cwd)) return done;
      // The commit may have been rewritten and swept away; anything else is tried again later.
      if (isBotError(thrown) && thrown.code === 'git') await queue.remove(commit);
      if (!isBotError(thrown)) throw thrown;
    }
  }
  return most;
}
