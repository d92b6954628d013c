import { BotError } from '../../core/failure.js';
import { pathFromBytes } from '../../core/path-bytes.js';
import type { DiffWish, Git, Repository } from '../../world.js';
import { openBlobs } from './git-blobs.js';
import { DIFF_ARGUMENTS, type Environment, fromStart, gitEnvironment } from './git-flags.js';
import { describeRepository, namedGitDir } from './git-repository.js';
import { type GitSpot, gitFailure, runGit, streamGit } from './git-spawn.js';

export interface GitOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** The staged change will be asked for: its diff may start before the repository is known. */
  readonly expectsStaged: boolean;
}

/** The reading hand: git as the user or the hook sees it, asked through a hardened process. */
export async function openGit(options: GitOptions): Promise<Git> {
  const spot = userSpot(options);
  // What a hook always needs starts now: processes that run side by side cost it no time.
  const early = options.expectsStaged ? stagedDiff(spot) : undefined;
  const blobs = openBlobs(spot);
  const repository = await describeRepository(spot);
  const { head = repository.emptyTree } = repository;
  const isEarly = (wish: DiffWish): boolean =>
    wish.from === head && wish.to === 'index' && wish.paths.length === 0 && !wish.asText;
  // Paths are told from the top, so git is asked there.
  const top: GitSpot = { ...spot, cwd: repository.top ?? spot.cwd };
  return {
    repository,
    resolve: revision => resolve(top, repository, revision),
    parents: commit => parents(top, commit),
    mergeBase: (one, other) => mergeBase(top, one, other),
    upstream: () => upstream(top),
    hasStagedChange: () => hasStagedChange(top, repository),
    diff: wish => (early !== undefined && isEarly(wish) ? early : diff(top, wish)),
    blobs,
    listPaths: at => listPaths(top, at),
    readFile: (at, path) => readFile(top, at, path),
  };
}

/** Git as the user or the hook means it, for reading only. */
export const userSpot = ({ cwd, env, signal }: Omit<GitOptions, 'expectsStaged'>): GitSpot => ({
  cwd,
  env: gitEnvironment(fromStart(env, cwd), 'user'),
  gitDir: env['GIT_DIR'] === undefined ? namedGitDir(cwd) : undefined,
  signal,
});

async function resolve(spot: GitSpot, repository: Repository, revision: string): Promise<string> {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { code, stdout } = await runGit(spot, asked);
  // Git 2.39 echoes --end-of-options; the id is the last line.
  const id = stdout.toString('utf8').trim().split('\n').pop() ?? '';
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(id)) return id;
  throw new BotError('git', `unknown revision ${JSON.stringify(revision)}`, {
    hint: repository.isShallow
      ? 'This clone is shallow and may lack it: check out with fetch-depth: 0, or run git fetch --unshallow'
      : 'See what there is with: git log --oneline --all',
  });
}

async function parents(spot: GitSpot, commit: string): Promise<string[]> {
  const asked = ['rev-list', '--parents', '--max-count=1', commit, '--'];
  const { code, stdout, stderr } = await runGit(spot, asked);
  if (code !== 0) throw gitFailure(asked, stderr);
  return stdout.toString('utf8').trim().split(' ').slice(1);
}

async function mergeBase(spot: GitSpot, one: string, other: string): Promise<string | undefined> {
  const asked = ['merge-base', one, other];
  const { code, stdout, stderr } = await runGit(spot, asked);
  if (code > 1) throw gitFailure(asked, stderr);
  return stdout.toString('utf8').trim() || undefined;
}

/** Where this branch will go: its upstream, else what the remote calls its default branch. */
async function upstream(spot: GitSpot): Promise<string | undefined> {
  const candidates = ['@{upstream}', 'refs/remotes/origin/HEAD'];
  for (const candidate of candidates) {
    const asked = ['rev-parse', '--verify', '--quiet', `${candidate}^{commit}`];
    const { code, stdout } = await runGit(spot, asked);
    if (code === 0) return stdout.toString('utf8').trim();
  }
  return undefined;
}

async function hasStagedChange(spot: GitSpot, repository: Repository): Promise<boolean> {
  const asked = ['diff', '--cached', '--quiet', '--no-ext-diff', '--ignore-submodules=none'];
  const from = repository.head ?? repository.emptyTree;
  const { code, stderr } = await runGit(spot, [...asked, from, '--']);
  if (code > 1) throw gitFailure(asked, stderr);
  return code === 1;
}

/** Against HEAD, or against nothing on an unborn branch. */
const stagedDiff = (spot: GitSpot): AsyncIterable<Uint8Array> =>
  streamGit(spot, ['diff', ...DIFF_ARGUMENTS, '--cached']);

function diff(spot: GitSpot, wish: DiffWish): AsyncIterable<Uint8Array> {
  const ends = wish.to === 'index' ? ['--cached', wish.from] : [wish.from, wish.to];
  const text = wish.asText ? ['--text'] : [];
  return streamGit(spot, ['diff', ...DIFF_ARGUMENTS, ...text, ...ends, '--', ...wish.paths]);
}

async function listPaths(spot: GitSpot, at: string | 'index'): Promise<string[]> {
  const asked =
    at === 'index' ? ['ls-files', '-z'] : ['ls-tree', '-r', '-z', '--name-only', '--full-tree', at];
  const { code, stdout, stderr } = await runGit(spot, asked);
  if (code !== 0) throw gitFailure(asked, stderr);
  const paths: string[] = [];
  for (let from = 0; from < stdout.length; ) {
    const end = stdout.indexOf(0, from);
    paths.push(pathFromBytes(stdout.subarray(from, end)));
    from = end + 1;
  }
  return paths;
}

async function readFile(
  spot: GitSpot,
  at: string | 'index',
  path: string,
): Promise<Uint8Array | undefined> {
  const place = at === 'index' ? `:0:${path}` : `${at}:${path}`;
  const { code, stdout } = await runGit(spot, ['cat-file', 'blob', place]);
  return code === 0 ? stdout : undefined;
}
