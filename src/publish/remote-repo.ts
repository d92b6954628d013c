import { existsSync, rmSync } from 'node:fs';
import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { whyForeign } from '../git/branch.js';
import { isolatedEnvironment } from '../git/commit-plan.js';
import { QUIET_FETCH } from '../git/flags.js';
import type { Repository } from '../git/git.js';
import { runSimpleGit, withoutPassword } from '../git/remote.js';
import { askGit, askGitWord, firstLine, type GitContext, runGit } from '../git/spawn.js';
import { asObjectId } from '../git/tree.js';
import { githubError } from '../github/failure.js';
import { sinceMs } from '../platform/clock.js';
import { namesIn } from '../platform/files.js';
import type { Environment } from '../platform/processes.js';
import { withoutTokens } from '../platform/processes.js';
import type { OpenBundle } from './bundle.js';

/**
 * A folder for the git side of a push: it knows the remote, and nothing about the user's
 * repositories.
 */
export interface RemoteRepo {
  readonly remote: Remote;
  readonly folder: string;
  remove(): Promise<void>;
}

const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const;

/**
 * Other scratch folders are recorded in the user's repository; there is none here, so this one is
 * removed when the process ends.
 */
export async function openRemoteRepo(remote: Remote, temp: string): Promise<RemoteRepo> {
  await removeOld(temp);
  const folder = await mkdtemp(join(temp, 'apfel-bot-push-')).catch(thrown => {
    const reason = thrown instanceof Error ? thrown.message : '';
    throw new BotError('publish-failed', `can't create a folder in ${temp}: ${reason}`, {
      hint: 'Set TMPDIR to a writable folder on a disk with free space',
      cause: thrown,
    });
  });
  const removeNow = (): void => {
    try {
      rmSync(folder, REMOVAL);
    } catch {
      // Git may still be writing to it; the system clears its temporary folder.
    }
  };
  process.once('exit', removeNow);
  const remove = async (): Promise<void> => {
    await rm(folder, REMOVAL);
    process.off('exit', removeNow);
  };
  return { remote, folder: await realpath(folder), remove };
}

/** A push takes minutes: one of our folders that is a day old was left by a killed process. */
async function removeOld(temp: string): Promise<void> {
  for (const name of namesIn(temp)) {
    const folder = join(temp, name);
    const facts = /^apfel-bot-push-\w{6}$/.test(name)
      ? await lstat(folder).catch(() => undefined)
      : undefined;
    // In a shared temporary folder anybody can create one with such a name.
    const isOurs = facts?.isDirectory() === true && facts.uid === process.getuid?.();
    if (isOurs && sinceMs(facts.mtimeMs) >= DAY_MS)
      await rm(folder, REMOVAL).catch(() => undefined);
  }
}

const DAY_MS = 24 * 60 * 60_000;

/** The branches of the remote and their commits. */
export async function remoteBranches({ remote, folder }: RemoteRepo): Promise<Map<string, string>> {
  const args = ['ls-remote', '--heads', '--', remote.address];
  const listing = await askRemote(remote, localContext(remote, folder), args);
  const branches = new Map<string, string>();
  for (const row of listing.split('\n')) {
    const [, id, name] = /^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/.exec(row) ?? [];
    if (id !== undefined && name !== undefined) branches.set(name, id);
  }
  return branches;
}

/** Whether the branch's history has the commit. Fetches commits without files where it can. */
export async function isOnBranch(
  { remote, folder }: RemoteRepo,
  commit: string,
  branch: string,
): Promise<boolean> {
  const gitDir = join(folder, 'history.git');
  const lean = ['--bare', '--filter=tree:0', '--single-branch', '--no-tags', '--template='];
  const clone = ['clone', '--quiet', ...lean, '--branch', branch, '--', remote.address, gitDir];
  if (!existsSync(gitDir)) await askRemote(remote, localContext(remote, folder), clone);
  const args = ['merge-base', '--is-ancestor', asObjectId(commit), 'HEAD'];
  return (await runGit(localContext(remote, gitDir, gitDir), args)).code === 0;
}

/** Fetches this one commit with its files into an empty repository. */
export async function fetchBase(
  { remote, folder }: Pick<RemoteRepo, 'remote' | 'folder'>,
  base: string,
): Promise<Repository> {
  const gitDir = join(folder, 'base.git');
  const id = asObjectId(base);
  const format = `--object-format=${id.length === 64 ? 'sha256' : 'sha1'}`;
  const init = ['init', '--quiet', '--bare', '--template=', format];
  await askGit(localContext(remote, folder), [
    ...init,
    '--initial-branch=apfel-bot-scratch',
    gitDir,
  ]);
  const refspec = `+${id}:refs/apfel-bot/base`;
  const fetch = [...FETCH, '--depth=1', '--', remote.address, refspec];
  await askRemote(remote, localContext(remote, gitDir, gitDir), fetch);
  return {
    gitDir,
    commonDir: gitDir,
    top: undefined,
    prefix: '',
    isShallow: existsSync(join(gitDir, 'shallow')),
    head: undefined,
    headTree: undefined,
    headParents: [],
    // Only its length matters here.
    emptyTree: id,
    mergeHeads: [],
  };
}

/**
 * Why a commit on the remote must not be replaced; undefined if everything since the base is ours.
 */
export async function whyNotOurs(
  { remote, context, base }: OpenBundle,
  commit: string,
): Promise<string | undefined> {
  const refspec = `+${asObjectId(commit)}:refs/apfel-bot/theirs`;
  await askRemote(remote, context, [...FETCH, '--', remote.address, refspec]);
  return whyForeign(context, { base, tip: commit });
}

/** Whether a commit that `whyNotOurs` has fetched has the same files as the tip. */
export async function hasSameFiles({ context, tip }: OpenBundle, commit: string): Promise<boolean> {
  const treeOf = (id: string): Promise<string> =>
    askGitWord(context, ['rev-parse', '--verify', `${asObjectId(id)}^{tree}`]);
  return (await treeOf(commit)) === (await treeOf(tip));
}

/** Pushes only if the branch is still at `seen` (undefined: absent). No hook, tag or signature. */
export async function pushBranch(
  { remote, context, tip }: OpenBundle,
  branch: string,
  seen: string | undefined,
): Promise<'pushed' | 'overtaken'> {
  const ref = `refs/heads/${branch}`;
  const { output, failure } = await tryRemote(remote, context, [
    'push',
    '--porcelain',
    '--no-verify',
    '--no-signed',
    '--no-follow-tags',
    '--no-recurse-submodules',
    // Nothing after the colon: only if there is no such branch.
    `--force-with-lease=${ref}:${seen ?? ''}`,
    '--',
    remote.address,
    `${tip}:${ref}`,
  ]);
  if (failure === undefined) return 'pushed';
  const [, summary] = /^!\t[^\t]*\t(.*)$/m.exec(output) ?? [];
  if (summary === undefined) throw failure;
  if (OVERTAKEN.test(summary)) return 'overtaken';
  throw new BotError('not-permitted', `GitHub refused the branch ${branch}: ${summary}`, {
    hint: summary.includes('branch is currently checked out')
      ? 'Push to a bare repository, or check out another branch there'
      : 'A rule of the repository forbids it; exempt branches with this prefix, or the app',
    cause: failure,
  });
}

/** Rejected by our lease, or by a lock on the server. */
const OVERTAKEN =
  /stale info|non-fast-forward|fetch first|already exists|cannot lock ref|failed to update ref|incorrect old value/;

const FETCH = ['-c', 'fetch.fsckObjects=false', 'fetch', ...QUIET_FETCH];

/**
 * A repository on GitHub and its token, which never appears in an argument, a file or a message.
 */
export interface Remote {
  readonly address: string;
  readonly token: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** For git commands that stay on this machine: without the token. */
export const localContext = (
  { env, signal }: Remote,
  dir: string,
  gitDir?: string,
): GitContext => ({ cwd: dir, env: isolatedEnvironment(withoutTokens(env)), gitDir, signal });

/** Runs a git command that contacts the remote: its output, or a failure that says what to do. */
async function askRemote(
  remote: Remote,
  context: GitContext,
  args: readonly string[],
): Promise<string> {
  const { output, failure } = await tryRemote(remote, context, args);
  if (failure !== undefined) throw failure;
  return output;
}

/** The same for callers that read a refusal in git's output themselves. */
async function tryRemote(
  { address, token, env }: Remote,
  context: GitContext,
  args: readonly string[],
): Promise<{ readonly output: string; readonly failure: BotError | undefined }> {
  const header = Buffer.from(`x-access-token:${token}`).toString('base64');
  const withToken = {
    ...context.env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${address}.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${header}`,
    // Empty: git never prompts, on a terminal or in a window.
    GIT_ASKPASS: '',
    ...certificates(env),
  };
  const { code, stdout, stderr } = await runSimpleGit({ ...context, env: withToken }, [
    ...SETTINGS,
    ...args,
  ]);
  const shown = withoutPassword(stderr).replaceAll(token, '***').replaceAll(header, '***');
  return { output: stdout.toString('utf8'), failure: code === 0 ? undefined : failureOf(shown) };
}

const SETTINGS = [
  'protocol.https.allow=always',
  'protocol.http.allow=always',
  // Git would follow a redirect with the token.
  'http.followRedirects=false',
  // No stored credentials are used, and ours are not stored.
  'credential.helper=',
  // Give up on a connection that has been silent for a minute.
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=60',
].flatMap(setting => ['-c', setting]);

/** A private server may use a private certificate authority. */
const certificates = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    ['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'].flatMap(name =>
      env[name] === undefined ? [] : [[name, env[name]]],
    ),
  );

const NEEDS = 'The job needs permissions: contents: write';

function failureOf(stderr: string): BotError {
  const cause = new Error(stderr);
  const message = serverMessage(stderr);
  if (/archived/i.test(stderr)) {
    return new BotError('not-permitted', `the repository is archived (${message})`, {
      hint: 'Nothing can be pushed to it; the bundle next to the outcome has the commits',
      cause,
    });
  }
  if (/returned error: 403|denied to|not permitted|permission/i.test(stderr)) {
    return new BotError('not-permitted', `the token isn't allowed to push (${message})`, {
      hint: `${NEEDS}; a workflow that runs for a pull request from a fork has a read-only token`,
      cause,
    });
  }
  if (/returned error: 401|Authentication failed|could not read Username/i.test(stderr)) {
    return new BotError('publish-failed', 'GitHub rejected the token', {
      hint: 'GITHUB_TOKEN has expired, was revoked or is for another server; set a valid one',
      cause,
    });
  }
  if (/not found|returned error: 404|not our ref|find remote ref/i.test(stderr)) {
    return githubError('gone', `no such repository or commit on GitHub (${message})`, {
      hint: `Check GITHUB_REPOSITORY. ${NEEDS}: without them a private repository looks missing`,
      cause,
    });
  }
  return githubError('unknown', `git could not reach GitHub: ${message}`, {
    hint: 'Run it again later: nothing is pushed twice',
    cause,
  });
}

/** The server's own message if there is one, otherwise git's. */
function serverMessage(stderr: string): string {
  const lines = stderr.split('\n').flatMap(line => /^remote: (.*\S)/.exec(line)?.[1] ?? []);
  const messages = lines.filter(line => !/^error: /.test(line)).slice(0, 3);
  return (messages.length > 0 ? messages.join(' ') : firstLine(stderr)).slice(0, 300);
}
