import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SimpleGit } from 'simple-git';
import { workOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import { suggestion } from '../core/nearest.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { QUIET_FETCH } from '../git/flags.js';
import { openGit } from '../git/git.js';
import { type RemoteLocation, withRemoteGit } from '../git/isolated-remote.js';
import { runSimpleGit, withoutPassword } from '../git/remote.js';
import { type GitContext, runGit } from '../git/spawn.js';
import { asObjectId, findCommit } from '../git/tree.js';
import { complaintOf } from '../platform/files.js';
import type { CommandEnd, Session } from '../session.js';
import { notesPlace } from './store.js';
import { NOTES_REF, type NotesLocation, notesTip, rewriteNotes } from './transaction.js';

const ACTIONS = ['fetch', 'push', 'merge'] as const;
/** A remote that takes longer than this counts as not answering. */
const MAX_MS = 5 * 60_000;

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
  session.endAfter(options.deadlineMs ?? MAX_MS);
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

/** How often the remote may be ahead again before we give up. */
const MAX_PUSHES = 8;

export interface NotesRemote {
  readonly place: NotesLocation;
  readonly where: RemoteLocation;
  /** A name or a URL. */
  readonly remote: string;
}

/** Fails if git can't follow the notes ref: it would look as if there were no notes. */
async function requireSoundNotes({ context, repository }: NotesLocation): Promise<void> {
  const file = join(repository.commonDir, NOTES_REF);
  if (!existsSync(file)) return;
  if ((await findCommit(context, NOTES_REF)) !== undefined) return;
  // Git won't touch a ref that it can't read, so the advice is about files.
  const log = join(repository.commonDir, 'logs', NOTES_REF);
  const last = existsSync(log) ? `Its earlier values are in ${JSON.stringify(log)}; ` : '';
  throw new BotError(
    'git',
    `${NOTES_REF} is broken: it doesn't point to a commit in this repository`,
    {
      hint: `${last}give it up with: rm ${JSON.stringify(file)}`,
    },
  );
}

/** Merges another notes ref of this repository into ours. False if nothing was new. */
async function mergeNotes(place: NotesLocation, ref: string): Promise<boolean> {
  const id = await findCommit(place.context, ref);
  if (id !== undefined) return merge(place, id, `what ${ref} has noted`);
  throw new BotError('git', `there are no notes at ${JSON.stringify(ref)}`, {
    hint: 'See what there is with: git for-each-ref refs/notes',
  });
}

/** Fetches the remote's notes and merges them into ours. False if nothing was new. */
export async function fetchNotes({ place, where, remote }: NotesRemote): Promise<boolean> {
  const listing = await withRemoteGit(where, remote, git =>
    git.listRemote(['--refs', '--', remote, NOTES_REF]),
  );
  // git matches the end of a name, so there may be others.
  const line = listing.split('\n').find(row => row.endsWith(`\t${NOTES_REF}`));
  if (line === undefined) return false;
  const id = asObjectId(line.slice(0, line.indexOf('\t')));
  if (await isIncluded(place.context, id)) return false;
  const fetch = (git: SimpleGit) => git.fetch(remote, NOTES_REF, [...QUIET_FETCH]);
  await withRemoteGit(where, remote, fetch, ['fetch.fsckObjects=true']);
  return merge(place, id, `what ${withoutPassword(remote)} has noted`);
}

/** Line by line; notes are sets of lines. */
const merge = (place: NotesLocation, id: string, what: string): Promise<boolean> =>
  rewriteNotes(place, what, async ({ context, write }) => {
    // With no notes here yet, theirs become ours.
    if ((await notesTip(context)) === undefined) await write(['update-ref', NOTES_REF, id]);
    else {
      await write(['update-ref', THEIRS, id]);
      const how = ['--quiet', '--strategy=cat_sort_uniq', THEIRS];
      await write(['notes', `--ref=${NOTES_REF}`, 'merge', ...how]);
    }
    return true;
  });

/** Only ever in a scratch repository. */
const THEIRS = 'refs/notes/theirs';

/** Adds our notes to the remote's; if the remote has newer ones, those are merged first. */
export async function pushNotes(sync: NotesRemote): Promise<'pushed' | 'nothing'> {
  const { place, where, remote } = sync;
  for (let attempt = 1; ; attempt += 1) {
    const tip = await notesTip(place.context);
    if (tip === undefined) return 'nothing';
    try {
      const refspec = `${tip}:${NOTES_REF}`;
      await withRemoteGit(where, remote, git => git.push(remote, refspec, [...QUIET_PUSH]));
      return 'pushed';
    } catch (thrown) {
      if (!isOutdated(complaintOf(thrown)) || attempt === MAX_PUSHES) {
        throw notPushed(remote, thrown);
      }
      await fetchNotes(sync);
    }
  }
}

/** One ref, and no hook, tag or signature. */
const QUIET_PUSH = ['--no-verify', '--no-signed', '--no-follow-tags', '--no-recurse-submodules'];

async function isIncluded(context: GitContext, id: string): Promise<boolean> {
  const { code } = await runGit(context, ['merge-base', '--is-ancestor', id, NOTES_REF]);
  return code === 0;
}

const isOutdated = (text: string): boolean =>
  /fetch first|non-fast-forward|cannot lock ref|failed to update ref|incorrect old value/.test(
    text,
  );

function notPushed(remote: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name === 'AbortError') return thrown;
  if (isBotError(thrown) && thrown.code === 'usage') return thrown;
  const message = `the notes were not pushed to ${remote}: ${thrown.message}`;
  const unused = isBotError(thrown) && /not used/.test(thrown.hint ?? '') ? [thrown.hint] : [];
  const next = `They are still here; check git remote -v, then: apfel-bot notes push ${shown(remote)}`;
  return new BotError('publish-failed', withoutPassword(message), {
    hint: [...unused, next].join('\n  '),
    cause: thrown,
  });
}

/** As the user can type it. */
const shown = (remote: string): string => (/^[\w.-]+$/.test(remote) ? remote : 'REMOTE');
