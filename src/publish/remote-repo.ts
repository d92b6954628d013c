import { createHash, randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BotError, isBotError } from '../core/bot-error.js';
import { whyForeign } from '../git/branch.js';
import { type CheckedBundle, checkBundle } from '../git/bundle.js';
import { OWN_NAME, runOfMessage } from '../git/commit-plan.js';
import type { Repository } from '../git/git.js';
import { askGit, askGitWord, type GitContext, runGit } from '../git/spawn.js';
import { asObjectId } from '../git/tree.js';
import { isAlive, processSpace } from '../platform/processes.js';
import { edited, type FixedBranch } from './pull-text.js';
import type { RemoteGit } from './remote-git.js';

/** The git side of a push: a repository of its own that knows the remote and nothing of the user's. */
export interface RemoteRepo {
  /** The branches of the remote and their commits. */
  branches(): Promise<ReadonlyMap<string, string>>;
  /** Whether the branch's history has the commit. */
  isPartOf(commit: string, branch: string): Promise<boolean>;
  /** Opens the bundle as if an enemy had written it; one straight line of edits, or a failure. */
  open(options: BundleOptions): Promise<OpenBundle>;
}

export interface BundleOptions {
  /** The name of the file beside the outcome. */
  readonly bundle: string;
  readonly base: string;
  readonly mayEdit: (path: string) => boolean;
}

export interface OpenBundle {
  readonly branch: string;
  readonly tip: string;
  /** Oldest first. */
  readonly commits: readonly BundleCommit[];
  /** Why a commit of the remote may not be replaced; undefined when all from the base on is ours. */
  whyNotOurs(commit: string): Promise<string | undefined>;
  /** Whether a commit that was found to be ours has the very files of the tip. */
  hasSameFiles(commit: string): Promise<boolean>;
  /** Only if the branch is where it was seen, `undefined` for nowhere; else it was overtaken. */
  push(step: PushStep): Promise<'pushed' | 'overtaken'>;
}

export interface PushStep {
  readonly branch: string;
  readonly seen: string | undefined;
}

export interface BundleCommit {
  readonly id: string;
  readonly paths: readonly string[];
  /** `name <address>` */
  readonly author: string;
  readonly committer: string;
  readonly message: string;
}

export interface RemoteRepoOptions {
  readonly remoteGit: RemoteGit;
  /** The file; the bundle lies beside it. */
  readonly outcome: string;
  readonly temp: string;
  readonly signal: AbortSignal;
}

export interface OpenRemoteRepo extends RemoteRepo {
  remove(): Promise<void>;
}

/** An empty folder of our own, in which there is no more of the project than the base and the bundle. */
export async function openRemoteRepo({
  remoteGit,
  outcome,
  temp,
  signal,
}: RemoteRepoOptions): Promise<OpenRemoteRepo> {
  const { folder, remove } = await makePushFolder(temp);
  return {
    branches: () => listBranches(remoteGit, folder),
    isPartOf: (commit, branch) => isPartOf(remoteGit, folder, { commit, branch }),
    open: async options => {
      const repository = await fetchBase(remoteGit, folder, options.base);
      const path = join(dirname(outcome), options.bundle);
      const place = { repository, env: remoteGit.context(folder).env, signal, temp: folder };
      // It lies inside ours, and goes with it.
      const announce = async (): Promise<void> => undefined;
      const check = { ...place, announce, path, base: options.base, allow: options.mayEdit };
      return opened(remoteGit, await asPublishing(checkBundle(check)), options);
    },
    remove,
  };
}

async function listBranches(remoteGit: RemoteGit, folder: string): Promise<Map<string, string>> {
  const listing = await remoteGit.reach(remoteGit.context(folder), [
    'ls-remote',
    '--heads',
    '--',
    remoteGit.address,
  ]);
  const branches = new Map<string, string>();
  for (const row of listing.split('\n')) {
    const [, id, name] = /^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/.exec(row) ?? [];
    if (id !== undefined && name !== undefined) branches.set(name, id);
  }
  return branches;
}

/** Asked of the history alone, without files, where the server can leave them out. */
async function isPartOf(
  remoteGit: RemoteGit,
  folder: string,
  { commit, branch }: { readonly commit: string; readonly branch: string },
): Promise<boolean> {
  const gitDir = join(folder, 'history.git');
  const lean = ['--bare', '--filter=tree:0', '--single-branch', '--no-tags', '--template='];
  const clone = ['clone', '--quiet', ...lean, '--branch', branch, '--', remoteGit.address, gitDir];
  if (!existsSync(gitDir)) await remoteGit.reach(remoteGit.context(folder), clone);
  const asked = ['merge-base', '--is-ancestor', asObjectId(commit), 'HEAD'];
  return (await runGit(remoteGit.context(gitDir, gitDir), asked)).code === 0;
}

/** The one commit with its files, in a repository that nothing else is in. */
async function fetchBase(remoteGit: RemoteGit, folder: string, base: string): Promise<Repository> {
  const gitDir = join(folder, 'base.git');
  const id = asObjectId(base);
  const format = `--object-format=${id.length === 64 ? 'sha256' : 'sha1'}`;
  const init = ['init', '--quiet', '--bare', '--template=', format];
  await askGit(remoteGit.context(folder), [...init, '--initial-branch=apfel-bot-scratch', gitDir]);
  const options = `+${id}:refs/apfel-bot/base`;
  await remoteGit.reach(remoteGit.context(gitDir, gitDir), [
    ...FETCH,
    '--depth=1',
    '--',
    remoteGit.address,
    options,
  ]);
  return {
    gitDir,
    commonDir: gitDir,
    top: undefined,
    prefix: '',
    isShallow: existsSync(join(gitDir, 'shallow')),
    head: undefined,
    headTree: undefined,
    headParents: [],
    // Only its length counts here.
    emptyTree: id,
    mergeHeads: [],
  };
}

const FETCH = [
  '-c',
  'fetch.fsckObjects=false',
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--no-write-commit-graph',
];

/** Here a file that cannot be read is a publication that failed, not a wrong command line. */
async function asPublishing<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (!isBotError(thrown) || (thrown.code !== 'usage' && thrown.code !== 'git')) throw thrown;
    throw new BotError('publish-failed', thrown.message, {
      hint: thrown.hint ?? 'The bundle has to lie beside the outcome, as fix-lint --out wrote it',
      cause: thrown,
    });
  }
}

async function opened(
  remoteGit: RemoteGit,
  { context, branch, tip, commits }: CheckedBundle,
  { base }: BundleOptions,
): Promise<OpenBundle> {
  const words = await wordsOf(context, base, tip);
  const treeOf = (id: string): Promise<string> =>
    askGitWord(context, ['rev-parse', '--verify', `${asObjectId(id)}^{tree}`]);
  return {
    branch,
    tip,
    commits: commits.map(commit => ({ ...commit, ...(words.get(commit.id) ?? NOBODY) })),
    whyNotOurs: async commit => {
      const options = `+${asObjectId(commit)}:refs/apfel-bot/theirs`;
      await remoteGit.reach(context, [...FETCH, '--', remoteGit.address, options]);
      return whyForeign(context, { base, tip: commit, committer: OWN_NAME });
    },
    hasSameFiles: async commit => (await treeOf(commit)) === (await treeOf(tip)),
    push: step => pushStep(remoteGit, context, { ...step, tip }),
  };
}

type Words = Pick<BundleCommit, 'author' | 'committer' | 'message'>;
const NOBODY: Words = { author: '', committer: '', message: '' };

async function wordsOf(
  context: CheckedBundle['context'],
  base: string,
  tip: string,
): Promise<Map<string, Words>> {
  const format = '--format=%H%x01%an <%ae>%x01%cn <%ce>%x01%B';
  const listing = await askGit(context, [
    'log',
    '-z',
    '--encoding=UTF-8',
    format,
    `${base}..${tip}`,
  ]);
  const records = listing.toString('utf8').split('\0').filter(Boolean);
  return new Map(
    records.map(record => {
      const [id = '', author = '', committer = '', ...message] = record.split('\x01');
      return [id, { author, committer, message: message.join('\x01') }];
    }),
  );
}

/** The name says whose it is from the moment it exists: the machine or container, and the process. */
const NAME = /^apfel-bot-push-([0-9a-f]{8})-([0-9]{1,10})-[0-9a-f]{18}$/;
/** Ten minutes is what a push takes at most; one of another machine is left alone until then. */
const DAY_MS = 24 * 60 * 60_000;
const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const;

export interface PushFolder {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Those of this process. */
const inUse = new Set<string>();

/**
 * An empty folder in the temporary one. There is no repository to record it in, as other scratch
 * folders are: a signal takes it away with the process, and what a killed one left the next removes.
 */
export async function makePushFolder(temp: string): Promise<PushFolder> {
  const folder = await makeFolder(temp).catch(thrown => {
    throw new BotError('publish-failed', `cannot make a folder in ${temp}: ${words(thrown)}`, {
      hint: 'Point TMPDIR at a folder that can be written to, with room on its disk',
      cause: thrown,
    });
  });
  const removeNow = (): void => {
    try {
      rmSync(folder, REMOVAL);
    } catch {
      // Git may be writing there to the last; then the next run removes it.
    }
  };
  process.once('exit', removeNow);
  const remove = async (): Promise<void> => {
    await rm(folder, REMOVAL);
    inUse.delete(folder);
    process.off('exit', removeNow);
  };
  return { folder, remove };
}

async function makeFolder(temp: string): Promise<string> {
  const place = await realpath(temp);
  const space = createHash('sha256').update(await processSpace());
  const mark = space.digest('hex').slice(0, 8);
  await sweep(place, mark);
  const name = `apfel-bot-push-${mark}-${process.pid}-${randomBytes(9).toString('hex')}`;
  const folder = join(place, name);
  inUse.add(folder);
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

const words = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : '');

/** Never fails: what cannot be removed is somebody else's, or left for the next time. */
async function sweep(place: string, mark: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const [, space, pid] = NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const folder = join(place, name);
    const isLeft = await isLeftBehind(folder, { isHere: space === mark, pid: Number(pid) });
    if (isLeft) await rm(folder, REMOVAL).catch(() => undefined);
  }
}

async function isLeftBehind(
  folder: string,
  { isHere, pid }: { readonly isHere: boolean; readonly pid: number },
): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  // In a temporary folder that all share anybody can make one of that name.
  const isOurs = found?.isDirectory() === true && found.uid === process.getuid?.();
  if (!isOurs || inUse.has(folder)) return false;
  if (Date.now() - found.mtimeMs >= DAY_MS) return true;
  // In a container the numbers are few: ours may have been another's before.
  return isHere && (pid === process.pid || !(await isAlive(pid, undefined)));
}

/** One ref, and only if the remote has it where it was seen. No hook, no tag, no signature. */
export async function pushStep(
  remoteGit: RemoteGit,
  context: GitContext,
  { branch, seen, tip }: PushStep & { readonly tip: string },
): Promise<'pushed' | 'overtaken'> {
  const ref = `refs/heads/${branch}`;
  const asked = [
    'push',
    '--porcelain',
    '--no-verify',
    '--no-signed',
    '--no-follow-tags',
    '--no-recurse-submodules',
    // Without a value behind the colon: only if there is no such branch.
    `--force-with-lease=${ref}:${seen ?? ''}`,
  ];
  const { output, failure } = await remoteGit.tryToReach(context, [
    ...asked,
    '--',
    remoteGit.address,
    `${tip}:${ref}`,
  ]);
  if (failure === undefined) return 'pushed';
  const [, summary] = /^!\t[^\t]*\t(.*)$/m.exec(output) ?? [];
  if (summary === undefined) throw failure;
  if (OVERTAKEN.test(summary)) {
    return 'overtaken';
  }
  throw new BotError('not-permitted', `GitHub refused the branch ${branch}: ${summary}`, {
    hint: 'A rule of the repository is against it; exempt branches of this name, or the app',
    cause: failure,
  });
}

/** By the lease on our side, or by the lock on theirs. */
const OVERTAKEN =
  /stale info|non-fast-forward|fetch first|already exists|cannot lock ref|failed to update ref|incorrect old value/;

const OURS = `${OWN_NAME.name} <${OWN_NAME.email}>`;

/** What the bundle holds must be what the outcome says, made by us in that run. */
export function vetBundle(opened: OpenBundle, branch: FixedBranch, run: string): void {
  if (opened.branch !== branch.name) {
    throw edited(`its bundle holds ${opened.branch}, and it speaks of ${branch.name}`);
  }
  if (opened.tip !== branch.commit) {
    throw edited(`its bundle ends at ${opened.tip}, and it speaks of ${branch.commit}`);
  }
  for (const commit of opened.commits) {
    const problem = problemOf(commit, run);
    if (problem === undefined) continue;
    throw new BotError('not-permitted', `the bundle is refused: commit ${commit.id} ${problem}`, {
      hint: 'Make it again with: apfel-bot fix-lint --out FILE',
    });
  }
}

/** Merging a commit closes issues, names co-authors and skips checks, by words in its message. */
const OBEYED: ReadonlyArray<readonly [pattern: RegExp, what: string]> = [
  [
    /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s{1,10}(?:\S{0,200}#\d|gh-\d|https?:\/\/\S{0,300}\/(?:issues|pull)\/\d)/i,
    'would close an issue',
  ],
  [
    /\[(?:(?:skip|no) ci|ci skip|skip actions|actions skip)\]|^skip-checks:/im,
    'would skip the checks',
  ],
  [/^(?:co-authored-by|signed-off-by|reviewed-by|acked-by):/im, 'speaks for somebody'],
];

/** Ours list fifty places, of a line each, for each of three hands. */
const MOST_MESSAGE = 64 * 1024;

function problemOf({ author, committer, message }: BundleCommit, run: string): string | undefined {
  if (author !== OURS || committer !== OURS) return `is by ${author}, not by ${OURS}`;
  if (message.length > MOST_MESSAGE) return 'says more than any of ours';
  if (runOfMessage(message) !== run) return 'is not of the run of this outcome';
  return OBEYED.find(([pattern]) => pattern.test(message))?.[1];
}
