import { workOptions } from '../config/options.js';
import { suggestion } from '../core/schema-problem.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { openGit } from '../git/git.js';
import { runSimpleGit } from '../git/remote.js';
import type { CommandEnd, Session } from '../session.js';
import { notesPlace } from './store.js';
import { fetchNotes, mergeNotes, pushNotes, requireSoundNotes } from './sync.js';

const ACTIONS = ['fetch', 'push', 'merge'] as const;
/** A remote that takes longer than this counts as not answering. */
const LONGEST_MS = 5 * 60_000;

/** `notes fetch|push [REMOTE]` and `notes merge REF`: our notes and other people's, line by line. */
export async function notes(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  const [action = '', place, stray] = parsed.positionals;
  if (!ACTIONS.some(each => each === action)) {
    const found = action === '' ? '' : `, found ${JSON.stringify(action)}`;
    throw usage(`notes needs fetch, push or merge${found}${suggestion(action, ACTIONS)}`);
  }
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  if (action === 'merge' && place === undefined) {
    throw usage('notes merge needs a ref: apfel-bot notes merge refs/notes/theirs');
  }
  const options = workOptions(parsed);
  session.endAfter(options.deadlineMs ?? LONGEST_MS);
  const { repository } = await openGit({ ...session, expectsStaged: false });
  const where = { ...session, repository };
  const notes = notesPlace(where, runSimpleGit);
  await requireSoundNotes(notes);
  if (action === 'merge') {
    const isNew = await mergeNotes(notes, place ?? '');
    return done(isNew ? 'merged the notes' : 'nothing new', options.isQuiet);
  }
  const remote = place ?? 'origin';
  const sync = { place: notes, where, remote };
  if (action === 'fetch') {
    const isNew = await fetchNotes(sync);
    return done(isNew ? 'fetched the notes' : 'nothing new', options.isQuiet);
  }
  const ending = await pushNotes(sync);
  return done(ending === 'pushed' ? 'pushed the notes' : 'no notes yet', options.isQuiet);
}

const done = (text: string, isQuiet: boolean): CommandEnd => ({
  text: isQuiet ? '' : `${text}\n`,
  ending: 'done',
});
