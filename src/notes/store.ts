import { isDeepStrictEqual } from 'node:util';
import { BotError } from '../core/bot-error.js';
import { isObject, type JsonObject, parseJson } from '../core/json-fields.js';
import type { NoteRecord } from '../generated/shapes.js';
import { type RepositoryLocation, writeContext } from '../git/commit-plan.js';
import { askGit, type GitContext, gitFailure, runGit } from '../git/spawn.js';
import { asObjectId, readObjects } from '../git/tree.js';
import { forJson } from '../platform/safe-text.js';
import { ownLines, rememberOwn } from './own-lines.js';
import { newestRecord, readRecord } from './record.js';
import { NOTES_REF, type NotesLocation, rewriteNotes, type Transaction } from './transaction.js';

/** A note has a few lines; one this large wasn't written by us. */
const MAX_NOTE_BYTES = 16 * 1024 * 1024;

/** A commit and the contents of its note. */
export interface NotedPage {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly subject: string;
  /** The newest record for its tree. */
  readonly record: NoteRecord | undefined;
  /** Whether this clone wrote the record; anybody who can push notes can write any other. */
  readonly isOwn: boolean;
  readonly unusable: number;
  readonly outdated: number;
}

export const notesPlace = (where: RepositoryLocation, run = runGit): NotesLocation => ({
  repository: where.repository,
  context: writeContext(where),
  run,
});

/**
 * Pages of many commits, in their order, using three processes; commits that don't exist here are
 * left out. `own`: only what this clone recorded itself, for gates; other records may be forged.
 */
export async function readPages(
  { context, repository }: NotesLocation,
  commits: readonly string[],
  whose: 'own' | 'all',
): Promise<NotedPage[]> {
  if (commits.length === 0) return [];
  const [objects, notes] = await Promise.all([
    readObjects(context, commits),
    notesOf(context, new Set(commits)),
  ]);
  const isOwn = ownLines(repository.commonDir);
  return commits.flatMap(commit => {
    const text = objects.get(commit)?.toString('utf8');
    if (text === undefined) return [];
    const note = notes.get(commit) ?? '';
    const own = toPage(commit, text, note.split('\n').filter(isOwn).join('\n'));
    if (whose === 'own') return [{ ...own, isOwn: true }];
    const page = toPage(commit, text, note);
    return [{ ...page, isOwn: isDeepStrictEqual(page.record, own.record) }];
  });
}

/** Adds records of this clone to the notes of their commits, all in one step. */
export async function writeRecords(
  place: NotesLocation,
  records: readonly NoteRecord[],
): Promise<void> {
  if (records.length === 0) return;
  // Before the note: a known line that is missing does no harm.
  await rememberOwn(place.repository.commonDir, records.map(lineOf));
  await addLines(
    place,
    records.map(record => ({ commit: record.commit, line: lineOf(record) })),
  );
}

/** People read notes with git, which shows them unchanged. */
const lineOf = (record: object): string => forJson(JSON.stringify(record));

/** The text of each note. One listing for all: otherwise git would need two processes for each. */
async function notesOf(
  context: GitContext,
  commits: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const args = ['notes', `--ref=${NOTES_REF}`, 'list'];
  const pairs = (await askGit(context, args))
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
    if (bytes !== undefined && bytes.length <= MAX_NOTE_BYTES) {
      texts.set(commit, bytes.toString('utf8'));
    }
  }
  return texts;
}

/** A commit as git stores it: headers, an empty line, the message. */
function toPage(commit: string, text: string, note: string): Omit<NotedPage, 'isOwn'> {
  const [, tree = ''] = /^tree ([0-9a-f]{40,64})\n/.exec(text) ?? [];
  const start = text.indexOf('\n\n');
  const headers = start < 0 ? text : text.slice(0, start);
  const parents = [...headers.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].flatMap(
    ([, id]) => id ?? [],
  );
  const subject = start < 0 ? '' : (text.slice(start + 2).split('\n', 1)[0] ?? '');
  const { records, unparsable } = parseNote(note);
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

/** The usable lines of a commit's note. Nothing in them can be trusted. */
interface NoteReading {
  readonly records: readonly JsonObject[];
  readonly unparsable: number;
}

/** Adds one record to the commit's note. False if the same line is already there. */
export function appendNote(
  place: NotesLocation,
  commit: string,
  record: JsonObject,
): Promise<boolean> {
  return addLines(place, [{ commit: asObjectId(commit), line: lineOf(record) }]);
}

interface NewLine {
  readonly commit: string;
  readonly line: string;
}

function addLines(place: NotesLocation, lines: readonly NewLine[]): Promise<boolean> {
  const [{ commit } = { commit: '' }] = lines;
  const what = `the note on ${lines.length > 1 ? `${lines.length} commits` : commit.slice(0, 12)}`;
  return rewriteNotes(place, what, async transaction => {
    let isNew = false;
    for (const line of lines) isNew = (await addLine(transaction, line)) || isNew;
    return isNew;
  });
}

export function parseNote(text: string): NoteReading {
  const records: JsonObject[] = [];
  let unparsable = 0;
  for (const line of new Set(text.split('\n').map(part => part.trim()))) {
    if (line === '') continue;
    const record = parseJson(line);
    // People edit notes, and git merges them; a line that isn't JSON is counted, not fatal.
    if (isObject(record)) records.push(record);
    else unparsable += 1;
  }
  return { records, unparsable };
}

async function addLine(
  { context, write }: Transaction,
  { commit, line }: NewLine,
): Promise<boolean> {
  const add = (more: readonly string[], lines: readonly string[]): Promise<void> =>
    write(['notes', `--ref=${NOTES_REF}`, 'add', ...more, '--file=-', commit], textOf(lines));
  try {
    // A new commit has no note yet, so this is enough; git refuses if there is one.
    await add([], [line]);
    return true;
  } catch {
    const old = linesOf(await noteText(context, commit));
    if (old.includes(line)) return false;
    await add(['--force'], [...old, line]);
    return true;
  }
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
  const args = ['notes', `--ref=${NOTES_REF}`, 'list', commit];
  const { code, stdout, stderr } = await runGit(context, args);
  // 1: there is no note; more: git failed.
  if (code === 1) return '';
  if (code !== 0) throw gitFailure(args, stderr);
  const id = stdout.toString('latin1').trim();
  const note = (await readObjects(context, [id])).get(id);
  if (note === undefined) throw new BotError('git', `the note ${id} can't be read`);
  if (note.length > MAX_NOTE_BYTES) {
    throw new BotError('git', `the note on ${commit} has ${note.length} bytes`, {
      hint: `Remove it with: git notes --ref=apfel-bot remove ${commit}`,
    });
  }
  return note.toString('utf8');
}
