import { BotError } from '../core/bot-error.js';
import { type RepositoryLocation, writeContext } from './commit-plan.js';
import { QUIET_FETCH } from './flags.js';
import { openRemoteGit, type RemoteGit, type RemotePlace } from './isolated-remote.js';
import { runGit } from './spawn.js';

/** A remote that does not answer. */
const LONGEST_MS = 5 * 60_000;

export interface FetchPullOptions {
  readonly pull: number;
  /** A name or an address; `origin` as a rule. */
  readonly remote: string;
}

/**
 * Brings the head of a pull request here and tells its id. Nobody's branch, FETCH_HEAD or work tree
 * is touched: it lands in a ref of ours, which also keeps it from being collected.
 */
export async function fetchPull(
  where: RemotePlace,
  { pull, remote }: FetchPullOptions,
): Promise<string> {
  const own = `refs/apfel-bot/pull/${pullNumber(pull)}`;
  await bring(where, { remote, ref: `refs/pull/${pull}/head`, own });
  const id = await commitAt(where, own);
  if (id !== undefined) return id;
  throw new BotError('git', `the head of pull request ${pull} was fetched, but is no commit`);
}

/** Whether some branch of the remote has exactly this commit as its head. */
export async function isBranchHead(
  where: RemotePlace,
  { remote, commit }: { readonly remote: string; readonly commit: string },
): Promise<boolean> {
  const listing = await reach(where, git =>
    git.run(['ls-remote', '--heads', '--', usable(remote)]),
  );
  return listing.split('\n').some(row => row.startsWith(`${commit}\trefs/heads/`));
}

/** Undefined when the remote does not say. */
export async function remoteDefaultBranch(
  where: RemotePlace,
  remote: string,
): Promise<string | undefined> {
  const asked = ['ls-remote', '--symref', '--', usable(remote), 'HEAD'];
  const listing = await reach(where, git => git.run(asked));
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listing)?.[1];
}

/** Brings a branch of the remote here, as `fetchPull` does, and tells its commit. */
export async function fetchRevision(
  where: RemotePlace,
  { remote, ref }: { readonly remote: string; readonly ref: string },
): Promise<string> {
  const own = 'refs/apfel-bot/base';
  await bring(where, { remote, ref, own });
  const id = await commitAt(where, own);
  if (id !== undefined) return id;
  throw new BotError('git', `${ref} was fetched, but is no commit`);
}

/** Name to address, as the configuration has them. */
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

/** The full id when the commit is here already. */
export const commitHere = (
  where: RepositoryLocation,
  commit: string,
): Promise<string | undefined> => commitAt(where, commit);

/** Whether a remote of that name is set up. */
export async function hasRemote(where: RepositoryLocation, remote: string): Promise<boolean> {
  const { code } = await runGit(writeContext(where), [
    'config',
    '--get-all',
    `remote.${remote}.url`,
  ]);
  return code === 0;
}

function pullNumber(pull: number): number {
  if (Number.isSafeInteger(pull) && pull > 0) return pull;
  throw new BotError('usage', `${pull} is no pull request`);
}

function usable(remote: string): string {
  if (remote !== '' && !remote.startsWith('-') && !/[\0\n]/.test(remote)) return remote;
  throw new BotError('usage', `${JSON.stringify(remote)} is no remote`);
}

const bring = (
  where: RemotePlace,
  { remote, ref, own }: { readonly remote: string; readonly ref: string; readonly own: string },
): Promise<string> =>
  reach(where, git =>
    git.fetch({ args: ['fetch', ...QUIET_FETCH], remote: usable(remote), ref, own }),
  );

async function reach(
  where: RemotePlace,
  work: (git: RemoteGit) => Promise<string>,
): Promise<string> {
  const late = AbortSignal.timeout(LONGEST_MS);
  try {
    return await work(
      await openRemoteGit({ ...where, signal: AbortSignal.any([where.signal, late]) }),
    );
  } catch (thrown) {
    if (!late.aborted || where.signal.aborted) throw thrown;
    throw new BotError('git', 'the remote did not answer within 5 minutes', { cause: thrown });
  }
}

async function commitAt(where: RepositoryLocation, revision: string): Promise<string | undefined> {
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
