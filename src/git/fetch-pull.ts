import { BotError } from '../core/bot-error.js';
import { type RepositoryLocation, writeContext } from './commit-plan.js';
import { fetchAs, type RemoteLocation, withRemoteGit } from './isolated-remote.js';
import { runGit } from './spawn.js';

/** A remote that takes longer than this counts as not answering. */
const LONGEST_MS = 5 * 60_000;

/**
 * Fetches the head of a pull request and returns its id. No branch, FETCH_HEAD or work tree is
 * touched: it goes to apfel-bot's own ref, which also protects it from garbage collection.
 */
export async function fetchPull(
  where: RemoteLocation,
  { pull, remote }: { readonly pull: number; readonly remote: string },
): Promise<string> {
  if (!Number.isSafeInteger(pull) || pull <= 0) {
    throw new BotError('usage', `${pull} isn't the number of a pull request`);
  }
  const ref = `refs/pull/${pull}/head`;
  return fetchCommit(where, { remote, ref, own: `refs/apfel-bot/pull/${pull}` });
}

/** Whether some branch of the remote has exactly this commit as its head. */
export async function isBranchHead(
  where: RemoteLocation,
  { remote, commit }: { readonly remote: string; readonly commit: string },
): Promise<boolean> {
  const listing = await inTime(where, timed =>
    withRemoteGit(timed, remote, git => git.listRemote(['--heads', '--', remote])),
  );
  return listing.split('\n').some(row => row.startsWith(`${commit}\trefs/heads/`));
}

/** Undefined if the remote doesn't report one. */
export async function remoteDefaultBranch(
  where: RemoteLocation,
  remote: string,
): Promise<string | undefined> {
  const listing = await inTime(where, timed =>
    withRemoteGit(timed, remote, git => git.listRemote(['--symref', '--', remote, 'HEAD'])),
  );
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listing)?.[1];
}

/** Fetches a ref of the remote as `fetchPull` does, and returns its commit. */
export const fetchRevision = (
  where: RemoteLocation,
  { remote, ref }: { readonly remote: string; readonly ref: string },
): Promise<string> => fetchCommit(where, { remote, ref, own: 'refs/apfel-bot/base' });

/** URLs by name, as configured. */
export async function listRemotes(where: RepositoryLocation): Promise<Map<string, string>> {
  const asked = ['config', '-z', '--get-regexp', '^remote\\..*\\.url$'];
  const { code, stdout } = await runGit(writeContext(where), asked);
  const remotes = new Map<string, string>();
  for (const record of code === 0 ? stdout.toString('utf8').split('\0') : []) {
    const [, name, address] = /^remote\.(.*)\.url\n([\s\S]*)$/.exec(record) ?? [];
    if (name !== undefined && address !== undefined && !remotes.has(name)) {
      remotes.set(name, address);
    }
  }
  return remotes;
}

/** Whether a remote of that name is configured. */
export async function hasRemote(where: RepositoryLocation, remote: string): Promise<boolean> {
  const { code } = await runGit(writeContext(where), [
    'config',
    '--get-all',
    `remote.${remote}.url`,
  ]);
  return code === 0;
}

async function fetchCommit(
  where: RemoteLocation,
  asked: { readonly remote: string; readonly ref: string; readonly own: string },
): Promise<string> {
  await inTime(where, timed => fetchAs(timed, asked));
  const id = await commitHere(where, asked.own);
  if (id !== undefined) return id;
  throw new BotError('git', `${asked.ref} was fetched, but it isn't a commit`);
}

async function inTime(
  where: RemoteLocation,
  work: (timed: RemoteLocation) => Promise<string>,
): Promise<string> {
  const late = AbortSignal.timeout(LONGEST_MS);
  try {
    return await work({ ...where, signal: AbortSignal.any([where.signal, late]) });
  } catch (thrown) {
    if (!late.aborted || where.signal.aborted) throw thrown;
    throw new BotError('git', 'the remote did not answer within 5 minutes', { cause: thrown });
  }
}

/** The full id if the commit is in this repository. */
export async function commitHere(
  where: RepositoryLocation,
  revision: string,
): Promise<string | undefined> {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { code, stdout } = await runGit(writeContext(where), asked);
  // Git 2.39 echoes --end-of-options; the id is the last line.
  const id = stdout.toString('utf8').trim().split('\n').pop() ?? '';
  return code === 0 && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

/** Whether a branch of the remote, as it was last fetched, has exactly this commit as its head. */
export async function isFetchedBranchHead(
  where: RepositoryLocation,
  { remote, commit }: { readonly remote: string; readonly commit: string },
): Promise<boolean> {
  const listing = ['for-each-ref', '--format=%(objectname)', `refs/remotes/${remote}/`];
  const { code, stdout } = await runGit(writeContext(where), listing);
  return code === 0 && stdout.toString('latin1').split('\n').includes(commit);
}
