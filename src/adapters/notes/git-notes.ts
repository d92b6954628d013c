import { BotError } from '../../core/failure.js';
import { askGit } from '../commit/git-commit-ask.js';
import { asObjectId, readObjects } from '../commit/git-commit-tree.js';
import { type GitSpot, gitFailure, runGit } from '../git/git-spawn.js';
import { NOTES_REF, type NotesPlace, rewriteNotes } from './git-notes-room.js';

/** A note is a few lines; one that has grown beyond this was not written by us. */
const MOST_NOTE_BYTES = 16 * 1024 * 1024;
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
  return rewriteNotes(place, `the note on ${id.slice(0, 12)}`, room => addLines(room, id, [line]));
}

export async function readNote({ spot }: NotesPlace, commit: string): Promise<NoteReading> {
  return parseNote(await noteText(spot, asObjectId(commit)));
}

/** What a rewritten commit was told goes on to the new one; what the new one has stays. */
export async function copyNotes(
  place: NotesPlace,
  pairs: ReadonlyArray<readonly [from: string, to: string]>,
): Promise<{ readonly copied: number; readonly left: number }> {
  let copied = 0;
  const some = pairs.slice(0, MOST_COPIES);
  await rewriteNotes(place, `a note of ${some.length} rewritten commits`, async room => {
    copied = 0;
    for (const [from, to] of some) {
      const lines = linesOf(await noteText(room, asObjectId(from)));
      if (lines.length > 0 && (await addLines(room, asObjectId(to), lines))) copied += 1;
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

async function addLines(room: GitSpot, commit: string, lines: readonly string[]): Promise<boolean> {
  // A new commit has no note yet, and then this is all; git refuses where there is one.
  const add = ['notes', `--ref=${NOTES_REF}`, 'add'];
  const first = await runGit(room, [...add, '--file=-', commit], Buffer.from(textOf(lines)));
  if (first.code === 0) return true;
  const old = new Set(linesOf(await noteText(room, commit)));
  const fresh = lines.filter(line => !old.has(line));
  if (fresh.length === 0) return false;
  await askGit(
    room,
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

async function noteText(spot: GitSpot, commit: string): Promise<string> {
  const asked = ['notes', `--ref=${NOTES_REF}`, 'list', commit];
  const { code, stdout, stderr } = await runGit(spot, asked);
  // 1: there is no note; more than that: it cannot be told.
  if (code === 1) return '';
  if (code !== 0) throw gitFailure(asked, stderr);
  const id = stdout.toString('latin1').trim();
  const note = (await readObjects(spot, [id])).get(id);
  if (note === undefined) throw new BotError('git', `the note ${id} cannot be read`);
  if (note.length > MOST_NOTE_BYTES) {
    throw new BotError('git', `the note on ${commit} has ${note.length} bytes`, {
      hint: `Remove it with: git notes --ref=apfel-bot remove ${commit}`,
    });
  }
  return note.toString('utf8');
}
