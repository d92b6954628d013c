import { BotError } from '../core/bot-error.js';
import { type RepositoryLocation, writeContext } from '../git/commit-plan.js';
import { askGit, type GitContext, gitFailure, runGit } from '../git/spawn.js';
import { asObjectId, readObjects } from '../git/tree.js';
import { readRecord } from './read-record.js';
import { type NoteRecord, newestRecord } from './record.js';
import { NOTES_REF, type NotesPlace, notesTip, rewriteNotes } from './transaction.js';

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

export const notesPlace = (where: RepositoryLocation): NotesPlace => ({
  repository: where.repository,
  context: writeContext(where),
  writer: WRITER,
});

/** Pages of many commits, in their order, in three processes; a commit that is not here is left out. */
export async function readPages(
  { context }: NotesPlace,
  commits: readonly string[],
): Promise<NotedPage[]> {
  if (commits.length === 0) return [];
  const [objects, notes] = await Promise.all([
    readObjects(context, commits),
    notesOf(context, new Set(commits)),
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
  await rewriteNotes(place, `a note of ${records.length} commits`, async transaction => {
    const notes = await notesOf(transaction, new Set(records.map(({ commit }) => commit)));
    for (const record of records) {
      const old = (notes.get(record.commit) ?? '').split('\n').filter(line => line.trim() !== '');
      const text = `${[...new Set([...old, JSON.stringify(record)])].join('\n')}\n`;
      const asked = ['notes', `--ref=${NOTES_REF}`, 'add', '--force', '--file=-', record.commit];
      await askGit(transaction, asked, Buffer.from(text));
    }
    return true;
  });
}

/** Joins another notes ref of this repository with ours, line by line. */
export async function mergeNotes(place: NotesPlace, ref: string): Promise<boolean> {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, stdout } = await runGit(place.context, asked);
  const id = stdout.toString('latin1').trim().split('\n').pop() ?? '';
  if (code !== 0) {
    throw new BotError('git', `there are no notes at ${JSON.stringify(ref)}`, {
      hint: 'See what there is with: git for-each-ref refs/notes',
    });
  }
  return rewriteNotes(place, `what ${ref} has noted`, async transaction => {
    const tip = await notesTip(transaction);
    await askGit(transaction, ['update-ref', 'refs/notes/theirs', asObjectId(id)]);
    if (tip === undefined) await askGit(transaction, ['update-ref', NOTES_REF, id]);
    else {
      const how = ['merge', '--quiet', '--strategy=cat_sort_uniq', 'refs/notes/theirs'];
      await askGit(transaction, ['notes', `--ref=${NOTES_REF}`, ...how]);
    }
    return true;
  });
}

/** The text of each note. One listing for all: git would need two processes for each. */
async function notesOf(
  context: GitContext,
  commits: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const asked = ['notes', `--ref=${NOTES_REF}`, 'list'];
  const { code, stdout, stderr } = await runGit(context, asked);
  if (code !== 0) throw gitFailure(asked, stderr);
  const pairs = stdout
    .toString('latin1')
    .split('\n')
    .map(line => line.split(' '))
    .flatMap(([note, commit]) => (note && commit && commits.has(commit) ? [{ note, commit }] : []));
  const objects = await readObjects(
    context,
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

/** A rebase of more commits keeps the notes of the first ones. */
const MOST_COPIES = 1000;

/** Lines of a commit's note, as far as they can be used. Nothing in them is to be trusted. */
export interface NoteReading {
  readonly records: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly blank: number;
  readonly duplicate: number;
  readonly unparsable: number;
}

/** Adds one record to the commit's note. False when the very line is there already. */
export function appendNote(
  place: NotesPlace,
  commit: string,
  record: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const id = asObjectId(commit);
  const line = JSON.stringify(record);
  return rewriteNotes(place, `the note on ${id.slice(0, 12)}`, transaction =>
    addLines(transaction, id, [line]),
  );
}

export async function readNote({ context }: NotesPlace, commit: string): Promise<NoteReading> {
  return parseNote(await noteText(context, asObjectId(commit)));
}

/** What a rewritten commit was told goes on to the new one; what the new one has stays. */
export async function copyNotes(
  place: NotesPlace,
  pairs: ReadonlyArray<readonly [from: string, to: string]>,
): Promise<{ readonly copied: number; readonly left: number }> {
  let copied = 0;
  const some = pairs.slice(0, MOST_COPIES);
  await rewriteNotes(place, `a note of ${some.length} rewritten commits`, async transaction => {
    copied = 0;
    for (const [from, to] of some) {
      const lines = linesOf(await noteText(transaction, asObjectId(from)));
      if (lines.length > 0 && (await addLines(transaction, asObjectId(to), lines))) copied += 1;
    }
    return copied > 0;
  });
  return { copied, left: pairs.length - some.length };
}

export function parseNote(text: string): NoteReading {
  const records: Array<Record<string, unknown>> = [];
  const seen = new Set<string>();
  let blank = 0;
  let duplicate = 0;
  let unparsable = 0;
  // What follows the last line end is not a line.
  for (const line of text
    .replace(/\n$/, '')
    .split('\n')
    .map(part => part.trim())) {
    if (line === '') blank += text === '' ? 0 : 1;
    else if (seen.has(line)) duplicate += 1;
    else {
      seen.add(line);
      const record = parseRecord(line);
      if (record === undefined) unparsable += 1;
      else records.push(record);
    }
  }
  return { records, blank, duplicate, unparsable };
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    // JSON's own objects have text keys only.
    return isRecord ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Notes can be edited by hand or merged by git; a line that is no JSON is counted, not fatal.
    return undefined;
  }
}

async function addLines(
  transaction: GitContext,
  commit: string,
  lines: readonly string[],
): Promise<boolean> {
  // A new commit has no note yet, and then this is all; git refuses where there is one.
  const add = ['notes', `--ref=${NOTES_REF}`, 'add'];
  const first = await runGit(transaction, [...add, '--file=-', commit], Buffer.from(textOf(lines)));
  if (first.code === 0) return true;
  const old = new Set(linesOf(await noteText(transaction, commit)));
  const fresh = lines.filter(line => !old.has(line));
  if (fresh.length === 0) return false;
  await askGit(
    transaction,
    [...add, '--force', '--file=-', commit],
    Buffer.from(textOf([...old, ...fresh])),
  );
  return true;
}

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map(line => line.trimEnd())
      .filter(Boolean),
  ),
];

async function noteText(context: GitContext, commit: string): Promise<string> {
  const asked = ['notes', `--ref=${NOTES_REF}`, 'list', commit];
  const { code, stdout, stderr } = await runGit(context, asked);
  // 1: there is no note; more than that: it cannot be told.
  if (code === 1) return '';
  if (code !== 0) throw gitFailure(asked, stderr);
  const id = stdout.toString('latin1').trim();
  const note = (await readObjects(context, [id])).get(id);
  if (note === undefined) throw new BotError('git', `the note ${id} cannot be read`);
  if (note.length > MOST_NOTE_BYTES) {
    throw new BotError('git', `the note on ${commit} has ${note.length} bytes`, {
      hint: `Remove it with: git notes --ref=apfel-bot remove ${commit}`,
    });
  }
  return note.toString('utf8');
}
