import { userSpot } from '../adapters/git/git.js';
import { describeRepository } from '../adapters/git/git-repository.js';
import { startBackground } from '../adapters/hooks/background.js';
import { openQueue } from '../adapters/hooks/background-queue.js';
import type { NotesPlace } from '../adapters/notes/git-notes-room.js';
import {
  committedDigest,
  dropHandOver,
  isUnderWay,
  readHandOver,
} from '../adapters/notes/hand-over.js';
import { notesPlace, readPages, writeRecords } from '../adapters/notes/note-book.js';
import { removeUnfinishedFiles } from '../adapters/records/unfinished-files.js';
import { type NoteRecord, noteOf } from '../core/note.js';
import type { Repository } from '../world.js';
import type { CommandEnd, Desk } from './desk.js';
import { type HookCall, NOTHING } from './hook-call.js';

/** Records on the new commit what pre-commit found in it; what is missing is left to the background. */
export async function postCommit({ parsed, desk }: HookCall): Promise<CommandEnd> {
  // Not the whole of git: every process more is time that the user waits.
  const repository = await describeRepository(userSpot(desk));
  const { head, commonDir } = repository;
  if (head === undefined) return NOTHING;
  await removeUnfinishedFiles(repository.gitDir);
  const queue = openQueue(commonDir);
  // Once for every pick: nothing costly now, and post-rewrite may bring the old record along.
  if (isUnderWay(repository)) {
    if (await goesOnLater(parsed, desk)) await queue.add(head);
    return NOTHING;
  }
  const record = await handedOver(repository, desk);
  if (record !== undefined) {
    const place = notesPlace({ ...desk, repository });
    try {
      if (!(await isEmptyWord(record, place))) await writeRecords(place, [record]);
    } catch (thrown) {
      // A lock left behind by a crash is cleared there; the user hears of it all the same.
      if (await goesOnLater(parsed, desk)) {
        await queue.add(head).catch(() => undefined);
        startBackground(repository, desk.env);
      }
      throw thrown;
    }
    await dropHandOver(repository);
  }
  const isDone = record !== undefined && record.ledger.outOfTime === 0;
  if (isDone && (await queue.isEmpty())) return NOTHING;
  if (!(await goesOnLater(parsed, desk))) return NOTHING;
  if (!isDone) await queue.add(head);
  startBackground(repository, desk.env);
  return NOTHING;
}

/** An amend that changes nothing makes the same commit again; what was said of it stands. */
async function isEmptyWord(record: NoteRecord, place: NotesPlace): Promise<boolean> {
  if (record.ledger.total > 0 || record.findings.length > 0) return false;
  const [page] = await readPages(place, [record.commit]);
  return page?.record !== undefined;
}

/** Most commits need not know: the configuration and what it names are four fifths of the program. */
async function goesOnLater(parsed: HookCall['parsed'], desk: Desk): Promise<boolean> {
  const { goesOnLater: isWanted } = await import('./hook-goes-on.js');
  return isWanted(parsed, desk);
}

/** What pre-commit saw is this commit only if the change is the same, byte for byte. */
async function handedOver(repository: Repository, desk: Desk): Promise<NoteRecord | undefined> {
  const { head: commit, headTree: tree } = repository;
  const left = await readHandOver(repository);
  if (left === undefined || commit === undefined || tree === undefined) return undefined;
  // The commit before may be gone by now; then it is not this one.
  const digest = await committedDigest(userSpot(desk), left.head, commit).catch(() => undefined);
  return digest === left.digest ? noteOf(left.finished, { commit, tree }) : undefined;
}
