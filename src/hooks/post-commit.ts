import { type Repository, userGitContext } from '../git/git.js';
import { describeRepository } from '../git/repository.js';
import {
  committedDigest,
  dropHandOver,
  type HandOver,
  isUnderWay,
  readHandOver,
} from '../notes/hand-over.js';
import { isInPlaceOf, isSettled, type NoteRecord, noteOf } from '../notes/record.js';
import { notesPlace, writeRecords } from '../notes/store.js';
import { removeUnfinishedFiles } from '../platform/own-files.js';
import type { CommandEnd, Session } from '../session.js';
import { openQueue, startBackground } from './background-process.js';
import { type HookCall, NOTHING } from './call.js';

/** Records on the new commit what pre-commit found in it; what is missing is left to the background. */
export async function postCommit({ parsed, session }: HookCall): Promise<CommandEnd> {
  // Not the whole of git: every process more is time that the user waits.
  const repository = await describeRepository(userGitContext(session));
  const { head, commonDir } = repository;
  if (head === undefined) return NOTHING;
  await removeUnfinishedFiles(repository.gitDir);
  const queue = openQueue(commonDir);
  // Once for every pick: nothing costly now, and post-rewrite may bring the old record along.
  if (isUnderWay(repository)) {
    if (await goesOnLater(parsed, session)) await queue.add(head);
    return NOTHING;
  }
  const left = await readHandOver(repository);
  if (left !== undefined && isAmend(left, repository)) {
    // What was looked at is the difference only. Post-rewrite knows what it is a difference to, and
    // comes next; what it does not settle waits.
    if (head !== left.head && (await goesOnLater(parsed, session))) await queue.add(head);
    return NOTHING;
  }
  const record = left && (await recordFrom(left, repository, session));
  if (record !== undefined) {
    try {
      await writeRecords(notesPlace({ ...session, repository }), [record]);
    } catch (thrown) {
      // The user hears of it; the background run tries again.
      if (await goesOnLater(parsed, session)) {
        await queue.add(head).catch(() => undefined);
        startBackground(repository, session.env);
      }
      throw thrown;
    }
    await dropHandOver(repository);
  }
  const isDone = record !== undefined && isSettled(record);
  if (isDone && (await queue.isEmpty())) return NOTHING;
  if (!(await goesOnLater(parsed, session))) return NOTHING;
  if (!isDone) await queue.add(head);
  startBackground(repository, session.env);
  return NOTHING;
}

/** Most commits need not know: the configuration and what it names are four fifths of the program. */
async function goesOnLater(parsed: HookCall['parsed'], session: Session): Promise<boolean> {
  const { goesOnLater: isWanted } = await import('./goes-on.js');
  return isWanted(parsed, session);
}

/** The new commit has taken the place of the one that the change was told against. */
const isAmend = (left: HandOver, repository: Repository): boolean =>
  left.head !== repository.emptyTree && isInPlaceOf(left, { parents: repository.headParents });

/** What pre-commit saw is this commit only if it follows the same one with the same bytes. */
async function recordFrom(
  left: HandOver,
  repository: Repository,
  session: Session,
): Promise<NoteRecord | undefined> {
  const { head: commit, headTree: tree, headParents, emptyTree } = repository;
  if (commit === undefined || tree === undefined) return undefined;
  if ((headParents[0] ?? emptyTree) !== left.head) return undefined;
  // The commit before may be gone by now; then it is not this one.
  const digest = await committedDigest(userGitContext(session), left.head, commit).catch(
    () => undefined,
  );
  return digest === left.digest ? noteOf(left.finished, { commit, tree }) : undefined;
}
