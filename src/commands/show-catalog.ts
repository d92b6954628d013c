import { userSpot } from '../adapters/git/git.js';
import { type HandOver, readHandOver, stagedDigest } from '../adapters/notes/hand-over.js';
import { notesPlace, readPages } from '../adapters/notes/note-book.js';
import { savedRunNames } from '../adapters/records/saved-runs.js';
import { openTranscripts } from '../adapters/records/transcripts.js';
import type { Origin, ShownOutcome } from '../audit/audit-run.js';
import { noteOf } from '../core/note.js';
import { outcomeOf } from '../publish/to-note-text.js';
import type { Git } from '../world.js';
import type { Desk } from './desk.js';
import { listCommits } from './show-commits.js';

/** One run, and where its outcome is. */
export interface CatalogEntry {
  readonly run: string;
  readonly origin: Exclude<Origin, 'file'>;
  /** Where it is not in a file of its own. */
  readonly outcome?: ShownOutcome;
  /** The ends of the diff its findings stand in, where the outcome cannot tell. */
  readonly diff?: { readonly from: string; readonly to: string };
}

export interface ShowPlace {
  readonly git: Git;
  readonly desk: Desk;
}

/** What older commits have noted is found by naming the commit. */
const MOST_COMMITS = 50;

/**
 * Every run of which something is recorded, newest first. Hooks have no time to keep a run of their
 * own: theirs is in what pre-commit hands over, and then in the commit's note.
 */
export async function catalog(place: ShowPlace): Promise<CatalogEntry[]> {
  const { commonDir } = place.git.repository;
  const entries = new Map<string, CatalogEntry>();
  const add = (entry: CatalogEntry): void => {
    if (!entries.has(entry.run)) entries.set(entry.run, entry);
  };
  for (const run of savedRunNames(commonDir)) add({ run, origin: 'run' });
  for (const entry of await notedRuns(place)) add(entry);
  for (const entry of await handedOver(place)) add(entry);
  for (const run of openTranscripts(commonDir).runs()) add({ run, origin: 'transcript' });
  // Names sort by time.
  return [...entries.values()].sort((one, other) => (one.run < other.run ? 1 : -1));
}

async function notedRuns({ git, desk }: ShowPlace): Promise<CatalogEntry[]> {
  const { head } = git.repository;
  if (head === undefined) return [];
  const commits = await listCommits(head, { git, desk, most: MOST_COMMITS });
  const pages = await readPages(notesPlace({ ...desk, repository: git.repository }), commits);
  return pages.flatMap(({ record }) =>
    record === undefined
      ? []
      : [{ run: record.run, origin: 'note' as const, outcome: outcomeOf(record) }],
  );
}

/** What the hook saw is still there to be shown as long as the same is staged. */
async function handedOver({ git, desk }: ShowPlace): Promise<CatalogEntry[]> {
  const left = await readHandOver(git.repository);
  if (left === undefined) return [];
  const digest = await stagedDigest(userSpot(desk)).catch(() => undefined);
  return [
    {
      run: left.finished.run,
      origin: 'hook',
      outcome: stagedOutcome(left),
      ...(digest === left.digest && { diff: { from: left.head, to: 'index' } }),
    },
  ];
}

function stagedOutcome({ head, finished }: HandOver): ShownOutcome {
  const outcome = outcomeOf(noteOf(finished, { commit: head, tree: head }));
  return { ...outcome, change: { ...outcome.change, base: head, head: 'index' } };
}
