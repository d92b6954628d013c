import { BotError } from '../core/failure.js';
import { askGit, complaintOf } from './git-commit-ask.js';
import type { Whereabouts } from './git-commit-spot.js';
import { asObjectId } from './git-commit-tree.js';
import { type Environment, gitEnvironment } from './git-flags.js';
import { NOTES_REF, type NotesPlace, notesTip, rewriteNotes } from './git-notes-room.js';
import { openSimpleGit, type SimpleHand } from './git-simple.js';
import { type GitSpot, runGit } from './git-spawn.js';

/** How often the remote may be ahead of us again before we give up. */
const MOST_PUSHES = 8;

export interface NotesRemote {
  readonly place: NotesPlace;
  readonly hand: SimpleHand;
  /** A name or an address. */
  readonly remote: string;
}

/** Asks the remote with the user's own configuration, credentials included. */
export const openNotesHand = ({ repository, env, signal }: Whereabouts): Promise<SimpleHand> =>
  openSimpleGit({
    cwd: repository.top ?? repository.gitDir,
    gitDir: repository.gitDir,
    env: { ...gitEnvironment(env, 'clean'), ...keyholders(env) },
    signal,
  });

/** Gets the remote's notes and joins them with ours, line by line. False when nothing was new. */
export async function fetchNotes({ place, hand, remote }: NotesRemote): Promise<boolean> {
  const listing = await hand.run([
    ...REACH,
    'ls-remote',
    '--refs',
    '--',
    usable(remote),
    NOTES_REF,
  ]);
  const theirs = listing.split(/\s/, 1)[0] ?? '';
  if (theirs === '') return false;
  const id = asObjectId(theirs);
  if (await isIncluded(place.spot, id)) return false;
  await hand.run([...REACH, 'fetch', ...QUIET_FETCH, '--', remote, NOTES_REF]);
  return rewriteNotes(place, `what ${withoutPassword(remote)} has noted`, async room => {
    await askGit(room, ['update-ref', 'refs/notes/theirs', id]);
    const tip = await notesTip(room);
    // Nothing of our own yet: theirs is ours.
    if (tip === undefined) await askGit(room, ['update-ref', NOTES_REF, id]);
    else {
      const how = ['merge', '--quiet', '--strategy=cat_sort_uniq', 'refs/notes/theirs'];
      await askGit(room, ['notes', `--ref=${NOTES_REF}`, ...how]);
    }
    return true;
  });
}

/** Adds our notes to the remote's; when somebody was quicker, theirs are joined first. */
export async function pushNotes(sync: NotesRemote): Promise<'pushed' | 'nothing'> {
  const { place, hand } = sync;
  const remote = usable(sync.remote);
  for (let attempt = 1; ; attempt += 1) {
    const tip = await notesTip(place.spot);
    if (tip === undefined) return 'nothing';
    try {
      await hand.run([...REACH, 'push', ...QUIET_PUSH, '--', remote, `${tip}:${NOTES_REF}`]);
      return 'pushed';
    } catch (thrown) {
      if (!isOvertaken(complaintOf(thrown)) || attempt === MOST_PUSHES) {
        throw notPushed(remote, thrown);
      }
      await fetchNotes(sync);
    }
  }
}

/** The usual transports and no others; what a repository configures by itself stays off. */
const REACH = [
  ...['https', 'http', 'ssh', 'git', 'file'].flatMap(name => [
    '-c',
    `protocol.${name}.allow=always`,
  ]),
  '-c',
  'core.alternateRefsCommand=true',
];

const QUIET_FETCH = [
  '--quiet',
  '--no-tags',
  '--no-prune',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--no-write-commit-graph',
];

const QUIET_PUSH = [
  '--porcelain',
  '--no-verify',
  '--no-signed',
  '--no-follow-tags',
  '--no-recurse-submodules',
];

/** How the user lets git in without a terminal. */
function keyholders(env: Environment): Record<string, string> {
  const names = ['GIT_ASKPASS', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO'];
  return Object.fromEntries(
    names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

function usable(remote: string): string {
  if (remote !== '' && !remote.startsWith('-') && !/[\0\n]/.test(remote)) return remote;
  throw new BotError('usage', `${JSON.stringify(remote)} is no remote`);
}

async function isIncluded(spot: GitSpot, id: string): Promise<boolean> {
  const { code } = await runGit(spot, ['merge-base', '--is-ancestor', id, NOTES_REF]);
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
    hint: 'They are kept here; try again with: apfel-bot notes',
    cause: thrown,
  });
}

/** An address may carry a token. */
const withoutPassword = (text: string): string => text.replace(/\/\/[^/@\s]*@/g, '//');
