import { existsSync, rmSync } from 'node:fs';
import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lookalikeWords } from '../checks/hidden-unicode.js';
import { BotError, isBotError } from '../core/bot-error.js';
import type { FixBranch } from '../core/outcome.js';
import { whyForeign } from '../git/branch.js';
import { checkBundle } from '../git/bundle.js';
import { whyNotOurMessage } from '../git/commit.js';
import { OWN_SIGNATURE } from '../git/commit-plan.js';
import { QUIET_FETCH } from '../git/flags.js';
import type { Repository } from '../git/git.js';
import { askGit, askGitWord, type GitContext, runGit } from '../git/spawn.js';
import { asObjectId } from '../git/tree.js';
import { sinceMs } from '../platform/clock.js';
import { namesIn } from '../platform/files.js';
import { findSecrets } from '../secrets/scan.js';
import { checkContents } from './bundle-contents.js';
import { edited } from './pull-text.js';
import { askRemote, localContext, type Remote, tryRemote } from './remote-git.js';

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

/** A bundle that was checked, unpacked into a repository that has only it and its base. */
export interface OpenBundle {
  readonly remote: Remote;
  readonly context: GitContext;
  readonly base: string;
  readonly branch: string;
  readonly tip: string;
  /** Oldest first. */
  readonly commits: readonly BundleCommit[];
}

export interface BundleCommit extends CommitText {
  readonly id: string;
  readonly paths: readonly string[];
}

interface CommitText {
  /** `name <address>` */
  readonly author: string;
  readonly committer: string;
  readonly message: string;
}

/** Opens the bundle as if an attacker had written it: a straight line of edits, or a failure. */
export async function openBundle(
  { remote, folder }: RemoteRepo,
  options: {
    readonly path: string;
    readonly base: string;
    readonly mayEdit: (path: string) => boolean;
  },
): Promise<OpenBundle> {
  const { path, base, mayEdit } = options;
  const checked = checkBundle({
    repository: await fetchBase(remote, folder, base),
    env: localContext(remote, folder).env,
    signal: remote.signal,
    temp: folder,
    // Its scratch folder is inside ours and is removed with it.
    announce: async () => undefined,
    path,
    base,
    allow: mayEdit,
  });
  const { context, branch, tip, commits } = await asPublishing(checked);
  await checkContents(context, base, commits);
  const texts = await commitTexts(context, base, tip);
  return {
    remote,
    context,
    base,
    branch,
    tip,
    commits: commits.map(commit => ({ ...commit, ...(texts.get(commit.id) ?? NO_TEXT) })),
  };
}

/** Fetches this one commit with its files into an empty repository. */
async function fetchBase(remote: Remote, folder: string, base: string): Promise<Repository> {
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

const FETCH = ['-c', 'fetch.fsckObjects=false', 'fetch', ...QUIET_FETCH];

/** Here an unreadable file means that publishing failed, not that the command line is wrong. */
async function asPublishing<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (!isBotError(thrown) || (thrown.code !== 'usage' && thrown.code !== 'git')) throw thrown;
    throw new BotError('publish-failed', thrown.message, {
      hint: thrown.hint ?? 'Keep the bundle next to the outcome, where fix-lint --out wrote it',
      cause: thrown,
    });
  }
}

const NO_TEXT: CommitText = { author: '', committer: '', message: '' };

async function commitTexts(
  context: GitContext,
  base: string,
  tip: string,
): Promise<Map<string, CommitText>> {
  const format = '--format=%H%x01%an <%ae>%x01%cn <%ce>%x01%B';
  const args = ['log', '-z', '--encoding=UTF-8', format, `${base}..${tip}`];
  const records = (await askGit(context, args)).toString('utf8').split('\0').filter(Boolean);
  return new Map(
    records.map(record => {
      const [id = '', author = '', committer = '', ...message] = record.split('\x01');
      return [id, { author, committer, message: message.join('\x01') }];
    }),
  );
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

/** The bundle must contain what the outcome says, made by us in that run. */
export function checkBundleMatches(bundle: OpenBundle, branch: FixBranch, run: string): void {
  if (bundle.branch !== branch.name) {
    throw edited(`it names the branch ${branch.name}, but its bundle has ${bundle.branch}`);
  }
  if (bundle.tip !== branch.commit) {
    throw edited(`it names the commit ${branch.commit}, but its bundle ends at ${bundle.tip}`);
  }
  for (const commit of bundle.commits) {
    const problem = problemOf(commit, run);
    if (problem === undefined) continue;
    throw new BotError('not-permitted', `the bundle is refused: commit ${commit.id} ${problem}`, {
      hint: 'Make it again with: apfel-bot fix-lint --out FILE',
    });
  }
}

function problemOf({ author, committer, message }: BundleCommit, run: string): string | undefined {
  if (author !== OWN_SIGNATURE || committer !== OWN_SIGNATURE)
    return `is by ${author}, not by ${OWN_SIGNATURE}`;
  if (findSecrets(message).length > 0) return 'has a secret in its message';
  const [subject = ''] = message.split('\n', 1);
  if (lookalikeWords(subject).length > 0)
    return 'has a word in its subject that looks Latin and mixes scripts';
  return whyNotOurMessage(message, run);
}
