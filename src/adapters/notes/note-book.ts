import { BotError } from '../../core/failure.js';
import { type NoteRecord, newestRecord } from '../../core/note.js';
import { readRecord } from '../../core/note-reader.js';
import { askGit } from '../commit/git-commit-ask.js';
import { type Whereabouts, writingSpot } from '../commit/git-commit-spot.js';
import { asObjectId, readObjects } from '../commit/git-commit-tree.js';
import { type GitSpot, gitFailure, runGit } from '../git/git-spawn.js';
import { appendNote, parseNote } from './git-notes.js';
import { NOTES_REF, type NotesPlace, notesTip, rewriteNotes } from './git-notes-room.js';

/** A note is a few lines; one that has grown beyond this was not written by us. */
const MOST_NOTE_BYTES = 16 * 1024 * 1024;

/** What a commit is and what its note says of it. */
export interface NotedPage {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly subject: string;
  /** The newest record that speaks of its tree. */
  readonly record: NoteRecord | undefined;
  readonly unusable: number;
  readonly outdated: number;
}

/** Who writes the notes; the lines themselves say which run it was. */
const WRITER = { name: 'apfel-bot', email: 'apfel-bot@localhost' };

export const notesPlace = (where: Whereabouts): NotesPlace => ({
  repository: where.repository,
  spot: writingSpot(where),
  writer: WRITER,
});

/** Pages of many commits, in their order, in three processes; a commit that is not here is left out. */
export async function readPages(
  { spot }: NotesPlace,
  commits: readonly string[],
): Promise<NotedPage[]> {
  if (commits.length === 0) return [];
  const [objects, notes] = await Promise.all([
    readObjects(spot, commits),
    notesOf(spot, new Set(commits)),
  ]);
  return commits.flatMap(commit => {
    const page = objects.get(commit);
    return page === undefined ? [] : [toPage(commit, page.toString('utf8'), notes.get(commit))];
  });
}

/** Adds records to the notes of their commits, all in one step. */
export async function writeRecords(
  place: NotesPlace,
  records: readonly NoteRecord[],
): Promise<void> {
  const [first, ...others] = records;
  if (first === undefined) return;
  if (others.length === 0) {
    await appendNote(place, first.commit, { ...first });
    return;
  }
  await rewriteNotes(place, `a note of ${records.length} commits`, async room => {
    const notes = await notesOf(room, new Set(records.map(({ commit }) => commit)));
    for (const record of records) {
      const old = (notes.get(record.commit) ?? '').split('\n').filter(line => line.trim() !== '');
      const text = `${[...new Set([...old, JSON.stringify(record)])].join('\n')}\n`;
      const asked = ['notes', `--ref=${NOTES_REF}`, 'add', '--force', '--file=-', record.commit];
      await askGit(room, asked, Buffer.from(text));
    }
    return true;
  });
}

/** Joins another notes ref of this repository with ours, line by line. */
export async function mergeNotes(place: NotesPlace, ref: string): Promise<boolean> {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, stdout } = await runGit(place.spot, asked);
  const id = stdout.toString('latin1').trim().split('\n').pop() ?? '';
  if (code !== 0) {
    throw new BotError('git', `there are no notes at ${JSON.stringify(ref)}`, {
      hint: 'See what there is with: git for-each-ref refs/notes',
    });
  }
  return rewriteNotes(place, `what ${ref} has noted`, async room => {
    const tip = await notesTip(room);
    await askGit(room, ['update-ref', 'refs/notes/theirs', asObjectId(id)]);
    if (tip === undefined) await askGit(room, ['update-ref', NOTES_REF, id]);
    else {
      const how = ['merge', '--quiet', '--strategy=cat_sort_uniq', 'refs/notes/theirs'];
      await askGit(room, ['notes', `--ref=${NOTES_REF}`, ...how]);
    }
    return true;
  });
}

/** The text of each note. One listing for all: git would need two processes for each. */
async function notesOf(spot: GitSpot, commits: ReadonlySet<string>): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const asked = ['notes', `--ref=${NOTES_REF}`, 'list'];
  const { code, stdout, stderr } = await runGit(spot, asked);
  if (code !== 0) throw gitFailure(asked, stderr);
  const pairs = stdout
    .toString('latin1')
    .split('\n')
    .map(line => line.split(' '))
    .flatMap(([note, commit]) => (note && commit && commits.has(commit) ? [{ note, commit }] : []));
  const objects = await readObjects(
    spot,
    pairs.map(({ note }) => note),
  );
  for (const { note, commit } of pairs) {
    const bytes = objects.get(note);
    if (bytes !== undefined && bytes.length <= MOST_NOTE_BYTES) {
      texts.set(commit, bytes.toString('utf8'));
    }
  }
  return texts;
}

/** A commit as git stores it: headers, an empty line, the message. */
function toPage(commit: string, text: string, note: string | undefined): NotedPage {
  const [, tree = ''] = /^tree ([0-9a-f]{40,64})\n/.exec(text) ?? [];
  const start = text.indexOf('\n\n');
  const headers = start < 0 ? text : text.slice(0, start);
  const parents = [...headers.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].flatMap(
    ([, id]) => id ?? [],
  );
  const subject = start < 0 ? '' : (text.slice(start + 2).split('\n', 1)[0] ?? '');
  const { records, unparsable } = parseNote(note ?? '');
  const usable = records.flatMap(record => readRecord(record) ?? []);
  return {
    commit,
    tree,
    parents,
    subject,
    record: newestRecord(usable, tree),
    unusable: unparsable + records.length - usable.length,
    outdated: usable.filter(record => record.tree !== tree).length,
  };
}
