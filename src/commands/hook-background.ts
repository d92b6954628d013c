import { openGit } from '../adapters/git/git.js';
import { endTurn, stepBack, takeTurn } from '../adapters/hooks/background.js';
import { openQueue, type Queue } from '../adapters/hooks/background-queue.js';
import { nodeClock } from '../adapters/node-clock.js';
import { notesPlace, readPages, writeRecords } from '../adapters/notes/note-book.js';
import { sweepRuns } from '../adapters/records/run-records-sweep.js';
import { isBotError } from '../core/failure.js';
import { finishedOf, noteOf } from '../core/note.js';
import { run } from '../run.js';
import { workOptions } from '../trigger/work-options.js';
import { type CommandEnd, openWork } from './desk.js';
import { type HookCall, NOTHING } from './hook-call.js';
import { hookSettings } from './hook-settings.js';

/** After this the machine is the user's again; what is left waits for the next commit. */
const LONGEST_MS = 15 * 60_000;
const MOST_COMMITS = 50;

/** Works off the queue. Nobody hears it: all it has to say goes into the notes. */
export async function runBackground(call: HookCall): Promise<CommandEnd> {
  const { desk } = call;
  stepBack();
  const { repository } = await openGit({ ...desk, expectsStaged: false });
  const { commonDir } = repository;
  const queue = openQueue(commonDir);
  await sweepRuns(commonDir, nodeClock.now());
  for (let done = 0; done < MOST_COMMITS && !desk.signal.aborted; ) {
    // Somebody else is at it, and looks again before leaving.
    if ((await queue.isEmpty()) || !(await takeTurn(commonDir))) return NOTHING;
    try {
      done += Math.max(1, await workOff(call, queue, MOST_COMMITS - done));
    } finally {
      await endTurn(commonDir);
    }
  }
  return NOTHING;
}

async function workOff(call: HookCall, queue: Queue, most: number): Promise<number> {
  for (let done = 0; done < most; done += 1) {
    const commit = await queue.next();
    if (commit === undefined || call.desk.signal.aborted) return done;
    try {
      const isFinished = await reviewCommit(call, commit);
      if (isFinished) await queue.remove(commit);
    } catch (thrown) {
      // The commit may have been rewritten and swept away; anything else is tried again later.
      if (isBotError(thrown) && thrown.code === 'git') await queue.remove(commit);
      if (!isBotError(thrown)) throw thrown;
    }
  }
  return most;
}

/** False when time ran out before all was seen; what was answered is remembered for the next try. */
async function reviewCommit(call: HookCall, commit: string): Promise<boolean> {
  const { desk, parsed, startedAt } = call;
  const options = {
    ...workOptions(parsed),
    selector: { kind: 'commit', revision: commit } as const,
    paths: [],
    isQuiet: true,
    deadlineMs: Math.max(1, startedAt + LONGEST_MS - nodeClock.now()),
  };
  const { git, task, config, world } = await openWork(options, desk);
  if (git === undefined || !hookSettings(config).background) return true;
  const outcome = await run(task, world, config);
  // The record is written even if the time is up by now.
  const { signal } = new AbortController();
  const place = notesPlace({ repository: git.repository, env: desk.env, signal });
  const [page] = await readPages(place, [commit]);
  if (page === undefined) return true;
  // Where checks were made of all of it before, without a model there is nothing new to say.
  const isMore = outcome.ledger.total > (page.record?.ledger.total ?? -1);
  if (isMore || outcome.model.available) {
    await writeRecords(place, [noteOf(finishedOf(outcome), page)]);
  }
  return outcome.ledger.outOfTime === 0;
}
