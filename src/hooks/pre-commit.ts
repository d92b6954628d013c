import { workOptions } from '../config/options.js';
import type { Outcome } from '../core/outcome.js';
import { type Repository, userGitContext } from '../git/git.js';
import { describeRepository } from '../git/repository.js';
import { saveHandOver, stagedDigest } from '../notes/hand-over.js';
import { finishedOf } from '../notes/record.js';
import { reviewChange } from '../review/review.js';
import { openWork } from '../review/work.js';
import { takeBackgroundFindings } from '../runs/background-state.js';
import { keepRun } from '../runs/save.js';
import { type CommandEnd, isInHook, type Session } from '../session.js';
import type { HookCall } from './call.js';
import { hookMessage } from './message.js';

/** Reviews exactly what is being committed, and saves the outcome for post-commit. */
export async function preCommit(call: HookCall): Promise<CommandEnd> {
  const session = await asHook(call.session);
  // Runs in parallel with the review. If it fails, the review still counts.
  const digest = stagedDigest(userGitContext(session)).catch(() => undefined);
  const given = workOptions(call.parsed);
  const options = {
    ...given,
    selector: { kind: 'staged' } as const,
    paths: [],
    // If nobody is watching, the last line is enough.
    isQuiet: given.isQuiet || !session.isWatched,
  };
  const opened = await openWork(options, session);
  const { git, task, config, context } = opened;
  call.failsClosed = config.hooks.failClosed;
  const outcome = await reviewChange(task, context, config);
  const news = git && (await takeBackgroundFindings(git.repository.commonDir));
  if (news !== undefined) session.printError(news);
  if (git !== undefined) await saveForPostCommit(outcome, git.repository, await digest);
  const { text, blocks } = hookMessage(outcome, {
    failOn: config.hooks.failOn,
    color: session.color,
    columns: session.columns,
  });
  // A run that asked the model is worth keeping even if there is no commit.
  if (blocks || outcome.model.requests > 0) {
    await keepRun(outcome, { opened, command: 'hook', parsed: call.parsed });
  }
  return { text, ending: blocks ? 'findings' : 'done' };
}

/** A hook manager may hide git's variables, but this is a hook anyway. */
async function asHook(session: Session): Promise<Session> {
  if (isInHook(session)) return session;
  const { gitDir } = await describeRepository(userGitContext(session));
  return { ...session, env: { ...session.env, GIT_INDEX_FILE: `${gitDir}/index` } };
}

async function saveForPostCommit(
  outcome: Outcome,
  repository: Repository,
  digest: string | undefined,
): Promise<void> {
  // A review of a merge covers fewer lines than the commit has, but it is the same commit.
  const { head = repository.emptyTree, headParents: parents } = repository;
  if (digest === undefined) return;
  const finished = finishedOf(outcome);
  // If this fails, post-commit has nothing to record, and says so.
  await saveHandOver(repository, { head, parents, digest, finished }).catch(() => undefined);
}
