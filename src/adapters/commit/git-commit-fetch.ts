import { BotError } from '../../core/failure.js';
import { QUIET_FETCH } from '../git/git-flags.js';
import type { GitSpot } from '../git/git-spawn.js';
import { writeFailure } from '../scratch/scratch-failure.js';
import { askGit, complaintOf } from './git-commit-ask.js';

export interface FetchRequest {
  readonly from: GitSpot;
  readonly into: GitSpot;
  readonly tip: string;
}

/** Creates the branch with everything it needs, in one step; git refuses one that is checked out. */
export const fetchToBranch = (request: FetchRequest, branch: string): Promise<void> =>
  fetch(request, [`${request.tip}:refs/heads/${branch}`]);

/** Only the objects. */
export const fetchObjects = (request: FetchRequest): Promise<void> => fetch(request, [request.tip]);

/** From one known commit to another, whatever lies between; not if the branch is checked out. */
export async function moveBranch(
  request: FetchRequest,
  { branch, old }: { readonly branch: string; readonly old: string },
): Promise<void> {
  // A rehearsal: fetch knows of every work tree, rebase and bisect that uses the branch.
  await fetch(request, [`+${request.tip}:refs/heads/${branch}`], ['--dry-run']);
  const step = `start\nupdate refs/heads/${branch} ${request.tip} ${old}\nprepare\ncommit\n`;
  try {
    const asked = ['update-ref', '-m', 'apfel-bot: made again', '--stdin'];
    await askGit(request.into, asked, Buffer.from(step));
  } catch (thrown) {
    throw refFailure(`cannot update the branch ${branch}`, thrown);
  }
}

/** By the id, so that no rewritten address can lead to other commits. */
async function fetch(
  { from, into }: FetchRequest,
  refspecs: readonly string[],
  more: readonly string[] = [],
): Promise<void> {
  try {
    await askGit(into, [...LOCAL_FETCH, ...more, '--', from.gitDir ?? from.cwd, ...refspecs]);
  } catch (thrown) {
    throw refFailure('cannot bring the commits into the repository', thrown);
  }
}

const LOCAL_FETCH = [
  '-c',
  'protocol.file.allow=always',
  // A repository with alternates would start what is configured here.
  '-c',
  'core.alternateRefsCommand=true',
  // Below this many objects git writes them one by one and leaves no half-written pack.
  '-c',
  'fetch.unpackLimit=10000',
  'fetch',
  ...QUIET_FETCH,
  '--atomic',
  '--no-show-forced-updates',
];

function refFailure(what: string, thrown: unknown): unknown {
  const lock = /Unable to create '([^']*\.lock)': File exists/.exec(complaintOf(thrown))?.[1];
  if (lock === undefined) return writeFailure(what, thrown);
  return new BotError('git', `${what}: ${lock} is in the way`, {
    hint: 'Another git is at work, or one was killed; a lock of ours older than a minute is removed at the next run',
    cause: thrown,
  });
}
