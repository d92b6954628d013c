import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { QUIET_FETCH } from '../git/flags.js';
import { openRemoteGit } from '../git/isolated-remote.js';
import { type SimpleGitHandle, withoutPassword } from '../git/remote.js';
import { askGit, type GitContext, runGit } from '../git/spawn.js';
import { asObjectId } from '../git/tree.js';
import { complaintOf } from '../platform/files.js';
import { NOTES_REF, type NotesPlace, notesTip, rewriteNotes } from './transaction.js';

/** How often the remote may be ahead of us again before we give up. */
const MOST_PUSHES = 8;

export interface NotesRemote {
  readonly place: NotesPlace;
  /** From `openNotesHand`. */
  readonly handle: SimpleGitHandle;
  /** A name or an address. */
  readonly remote: string;
}

/** Notes travel like everything else. */
export const openNotesGit = openRemoteGit;

/** Fails where there is a notes ref that git cannot follow: to us it would look like no notes. */
export async function requireSoundNotes({ context, repository }: NotesPlace): Promise<void> {
  const file = join(repository.commonDir, NOTES_REF);
  if (!existsSync(file)) return;
  const { code } = await runGit(context, [
    'rev-parse',
    '--verify',
    '--quiet',
    `${NOTES_REF}^{commit}`,
  ]);
  if (code === 0) return;
  // Git will not touch a ref that it cannot read, so this is said in files.
  const log = join(repository.commonDir, 'logs', NOTES_REF);
  const last = existsSync(log) ? `Its earlier values are in ${JSON.stringify(log)}; ` : '';
  throw new BotError('git', `${NOTES_REF} is broken: it names no commit that is here`, {
    hint: `${last}give it up with: rm ${JSON.stringify(file)}`,
  });
}

/** Gets the remote's notes and joins them with ours, line by line. False when nothing was new. */
export async function fetchNotes({ place, handle, remote }: NotesRemote): Promise<boolean> {
  const listing = await handle.run(['ls-remote', '--refs', '--', usable(remote), NOTES_REF]);
  // The name is matched from its end; others may end alike.
  const line = listing.split('\n').find(row => row.endsWith(`\t${NOTES_REF}`));
  if (line === undefined) return false;
  const id = asObjectId(line.slice(0, line.indexOf('\t')));
  if (await isIncluded(place.context, id)) return false;
  await handle.run([...STRICT, 'fetch', ...QUIET_FETCH, '--', remote, NOTES_REF]);
  return rewriteNotes(place, `what ${withoutPassword(remote)} has noted`, async transaction => {
    await askGit(transaction, ['update-ref', 'refs/notes/theirs', id]);
    const tip = await notesTip(transaction);
    // Nothing of our own yet: theirs is ours.
    if (tip === undefined) await askGit(transaction, ['update-ref', NOTES_REF, id]);
    else {
      const how = ['merge', '--quiet', '--strategy=cat_sort_uniq', 'refs/notes/theirs'];
      await askGit(transaction, ['notes', `--ref=${NOTES_REF}`, ...how]);
    }
    return true;
  });
}

/** Adds our notes to the remote's; when somebody was quicker, theirs are joined first. */
export async function pushNotes(sync: NotesRemote): Promise<'pushed' | 'nothing'> {
  const { place, handle } = sync;
  const remote = usable(sync.remote);
  for (let attempt = 1; ; attempt += 1) {
    const tip = await notesTip(place.context);
    if (tip === undefined) return 'nothing';
    try {
      await handle.run(['push', ...QUIET_PUSH, '--', remote, `${tip}:${NOTES_REF}`]);
      return 'pushed';
    } catch (thrown) {
      if (!isOvertaken(complaintOf(thrown)) || attempt === MOST_PUSHES) {
        throw notPushed(remote, thrown);
      }
      await fetchNotes(sync);
    }
  }
}

const STRICT = ['-c', 'fetch.fsckObjects=true'];

const QUIET_PUSH = [
  '--porcelain',
  '--no-verify',
  '--no-signed',
  '--no-follow-tags',
  '--no-recurse-submodules',
];

function usable(remote: string): string {
  if (remote !== '' && !remote.startsWith('-') && !/[\0\n]/.test(remote)) return remote;
  throw new BotError('usage', `${JSON.stringify(remote)} is no remote`);
}

async function isIncluded(context: GitContext, id: string): Promise<boolean> {
  const { code } = await runGit(context, ['merge-base', '--is-ancestor', id, NOTES_REF]);
  return code === 0;
}

const isOvertaken = (text: string): boolean =>
  /fetch first|non-fast-forward|cannot lock ref|failed to update ref|incorrect old value/.test(
    text,
  );

function notPushed(remote: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name === 'AbortError') return thrown;
  const message = `the notes were not pushed to ${remote}: ${thrown.message}`;
  return new BotError('publish-failed', withoutPassword(message), {
    hint: `They are kept here; look at git remote -v, then: apfel-bot notes push ${shown(remote)}`,
    cause: thrown,
  });
}

/** As it can be typed again. */
const shown = (remote: string): string => (/^[\w.-]+$/.test(remote) ? remote : 'REMOTE');
