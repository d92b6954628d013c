import { openGit } from '../adapters/git/git.js';
import { openRemoteGit } from '../adapters/git/git-remote.js';
import { fetchNotes, pushNotes, requireSoundNotes } from '../adapters/notes/git-notes-sync.js';
import { mergeNotes, notesPlace } from '../adapters/notes/note-book.js';
import { suggestion } from '../core/schema-problem.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import { workOptions } from '../trigger/work-options.js';
import type { CommandEnd, Desk } from './desk.js';

const VERBS = ['fetch', 'push', 'merge'] as const;
/** A remote that does not answer. */
const LONGEST_MS = 5 * 60_000;

/** `notes fetch|push [REMOTE]` and `notes merge REF`: our notes and other people's, line by line. */
export async function notes(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  const [verb = '', place, stray] = parsed.words;
  if (!VERBS.some(each => each === verb)) {
    const found = verb === '' ? '' : `, found ${JSON.stringify(verb)}`;
    throw usage(`notes needs fetch, push or merge${found}${suggestion(verb, VERBS)}`);
  }
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  if (verb === 'merge' && place === undefined) {
    throw usage('notes merge needs a ref: apfel-bot notes merge refs/notes/theirs');
  }
  const options = workOptions(parsed);
  desk.endAfter(options.deadlineMs ?? LONGEST_MS);
  const { repository } = await openGit({ ...desk, expectsStaged: false });
  const where = { ...desk, repository };
  await requireSoundNotes(notesPlace(where));
  if (verb === 'merge') {
    const isNew = await mergeNotes(notesPlace(where), place ?? '');
    return done(isNew ? 'the notes are merged' : 'there was nothing new', options.isQuiet);
  }
  const remote = place ?? 'origin';
  const sync = { place: notesPlace(where), hand: await openRemoteGit(where), remote };
  if (verb === 'fetch') {
    const isNew = await fetchNotes(sync);
    return done(isNew ? 'the notes are fetched' : 'there was nothing new', options.isQuiet);
  }
  const ending = await pushNotes(sync);
  return done(
    ending === 'pushed' ? 'the notes are pushed' : 'there are no notes yet',
    options.isQuiet,
  );
}

const done = (text: string, isQuiet: boolean): CommandEnd => ({
  text: isQuiet ? '' : `${text}\n`,
  ending: 'done',
});
