import { count } from '../core/count.js';
import type { NoteRecord } from '../generated/shapes.js';
import { type Repository, userGitContext } from '../git/git.js';
import { describeRepository } from '../git/repository.js';
import {
  committedDigest,
  dropHandOver,
  type HandOver,
  isUnderWay,
  readHandOver,
} from '../notes/hand-over.js';
import { isInPlaceOf, isSettled, noteOf } from '../notes/record.js';
import { notesPlace, writeRecords } from '../notes/store.js';
import { asRun } from '../platform/own-command.js';
import { removeUnfinishedFiles } from '../platform/own-files.js';
import type { CommandEnd, Session } from '../session.js';
import { type HookCall, NOTHING } from './call.js';
import { openQueue, startBackground } from './queue.js';

/** Records on the new commit what pre-commit found; a background run does the rest. */
export async function postCommit(call: HookCall): Promise<CommandEnd> {
  const { session } = call;
  // As few git processes as possible: the user waits for each.
  const repository = await describeRepository(userGitContext(session));
  const { head, commonDir } = repository;
  if (head === undefined) return NOTHING;
  await removeUnfinishedFiles(repository.gitDir);
  const queue = openQueue(commonDir);
  // This runs once for every pick, so it only queues; post-rewrite may carry over the old record.
  if (isUnderWay(repository)) {
    if (await isBackgroundOn(call)) await queue.add(head);
    return NOTHING;
  }
  const handOver = await readHandOver(repository);
  if (handOver !== undefined && isAmend(handOver, repository)) {
    // Only the difference was reviewed. Post-rewrite runs next and knows what it differs from;
    // commits that it can't resolve stay in the queue.
    if (head !== handOver.head && (await isBackgroundOn(call))) await queue.add(head);
    return NOTHING;
  }
  const record = handOver && (await recordFrom(handOver, repository, session));
  if (record !== undefined) {
    try {
      await writeRecords(notesPlace({ ...session, repository }), [record]);
    } catch (thrown) {
      // The caller prints it; the background run tries again.
      if (await isBackgroundOn(call)) {
        await queue.add(head).catch(() => undefined);
        startBackground(repository, session.env);
      }
      throw thrown;
    }
    await dropHandOver(repository);
  }
  const isDone = record !== undefined && isSettled(record);
  if (isDone && (await queue.isEmpty())) return NOTHING;
  if (!(await isBackgroundOn(call))) return NOTHING;
  if (!isDone) await queue.add(head);
  startBackground(repository, session.env);
  const outOfTime = record?.ledger.outOfTime ?? 0;
  if (outOfTime > 0) {
    const hunks = count(outOfTime, 'hunk');
    session.printError(asRun(`apfel-bot: reviewing ${hunks} in the background: apfel-bot show`));
  }
  return NOTHING;
}

/** Loaded late: most commits need no configuration. */
const isBackgroundOn = async (call: HookCall): Promise<boolean> =>
  (await import('./settings.js')).isBackgroundOn(call);

/** The new commit replaced the one that the change was compared with. */
const isAmend = (handOver: HandOver, repository: Repository): boolean =>
  handOver.head !== repository.emptyTree &&
  isInPlaceOf(handOver, { parents: repository.headParents });

/** Pre-commit saw this commit only if the parent and the content are the same. */
async function recordFrom(
  handOver: HandOver,
  repository: Repository,
  session: Session,
): Promise<NoteRecord | undefined> {
  const { head: commit, headTree: tree, headParents, emptyTree } = repository;
  if (commit === undefined || tree === undefined) return undefined;
  if ((headParents[0] ?? emptyTree) !== handOver.head) return undefined;
  // The parent may have been pruned; then it isn't this commit.
  const digest = await committedDigest(userGitContext(session), handOver.head, commit).catch(
    () => undefined,
  );
  return digest === handOver.digest ? noteOf(handOver.finished, { commit, tree }) : undefined;
}
