import { BotError } from '../core/bot-error.js';
import { pathFromBytes } from '../core/path-bytes.js';
import type { Environment } from '../platform/processes.js';
import { DIFF_ARGUMENTS, fromStart, gitEnvironment } from './flags.js';
import { describeRepository, namedGitDir, whereGitRuns } from './repository.js';
import {
  askGit,
  askGitWord,
  converseWithGit,
  type GitContext,
  gitFailure,
  runGit,
  streamGit,
} from './spawn.js';
import { findCommit, splitAtNul } from './tree.js';

/** The repository at the start of a run. */
export interface Repository {
  /** Absolute; in a linked worktree, its own. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** The top of the work tree; undefined in a bare repository. */
  readonly top: string | undefined;
  /** From the top to where the command was started, with a trailing slash, or empty. */
  readonly prefix: string;
  readonly isShallow: boolean;
  /** The commit of HEAD; undefined on an unborn branch. */
  readonly head: string | undefined;
  readonly headTree: string | undefined;
  /** The parents of HEAD; empty for the first commit. */
  readonly headParents: readonly string[];
  readonly emptyTree: string;
  /** The other parents of a merge in progress. */
  readonly mergeHeads: readonly string[];
}

export interface BlobRequest {
  readonly id: string;
  /** How many bytes from the start are wanted; the rest is skipped. */
  readonly keep: number;
}

export interface Blob {
  readonly id: string;
  readonly size: number;
  readonly bytes: Uint8Array;
}

export interface DiffRequest {
  readonly from: string;
  readonly to: string | 'index';
  /** Literal paths from the top; empty for all. */
  readonly paths: readonly string[];
  /** Show as text even what attributes or drivers call binary. */
  readonly asText: boolean;
}

/** Reading only. Revisions are resolved once; everything else takes full object ids. */
export interface Git {
  readonly repository: Repository;
  /** For other readers: git as the user sees it, at the top of the work tree. */
  readonly context: GitContext;
  /** The full id of the commit, or a failure that names the revision. */
  resolve(revision: string): Promise<string>;
  parents(commit: string): Promise<readonly string[]>;
  /** Whether it has parents that a shallow clone lacks. */
  isCutOff(commit: string): Promise<boolean>;
  mergeBase(one: string, other: string): Promise<string | undefined>;
  /** The subject of the one commit between these; undefined if there are more or none. */
  subject(base: string | null, head: string): Promise<string | undefined>;
  /** The commit of the branch's upstream, otherwise of the remote's default branch. */
  upstream(): Promise<string | undefined>;
  hasStagedChange(): Promise<boolean>;
  diff(options: DiffRequest): AsyncIterable<Uint8Array>;
  /** In the order of the requests; a missing object is left out. */
  blobs(requests: readonly BlobRequest[]): AsyncIterable<Blob>;
  listPaths(at: string | 'index'): Promise<readonly string[]>;
  /** A file as the commit or the index has it. */
  readFile(at: string | 'index', path: string): Promise<Uint8Array | undefined>;
}

interface GitOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** The staged change will be needed: its diff may start before the repository is known. */
  readonly expectsStaged: boolean;
}

/** Git for reading, as the user or the hook sees it, through hardened processes. */
export async function openGit(options: GitOptions): Promise<Git> {
  const context = userGitContext(options);
  // What a hook always needs starts now: processes that run in parallel take no extra time.
  const early = options.expectsStaged ? stagedDiff(context) : undefined;
  const blobs = openBlobs(context);
  const repository = await describeRepository(context);
  const { head = repository.emptyTree } = repository;
  const isEarly = (request: DiffRequest): boolean =>
    request.from === head &&
    request.to === 'index' &&
    request.paths.length === 0 &&
    !request.asText;
  // Paths are relative to the top, so git runs there.
  const top: GitContext = { ...context, cwd: repository.top ?? context.cwd };
  return {
    repository,
    context: top,
    resolve: revision => resolve(top, repository, revision),
    parents: commit => parents(top, commit),
    isCutOff: async commit => repository.isShallow && namesParent(top, commit),
    mergeBase: (one, other) => mergeBase(top, one, other),
    subject: (base, head) => subject(top, base, head),
    upstream: () => upstream(top),
    hasStagedChange: () => hasStagedChange(top, repository),
    diff: request => (early !== undefined && isEarly(request) ? early : diff(top, request)),
    blobs,
    listPaths: at => listPaths(top, at),
    readFile: (at, path) => readFile(top, at, path),
  };
}

/** The user's or the hook's own view of git, for reading only. */
export const userGitContext = ({
  cwd,
  env,
  signal,
}: Omit<GitOptions, 'expectsStaged'>): GitContext => ({
  cwd: whereGitRuns(cwd, env),
  env: gitEnvironment(fromStart(env, cwd), 'user'),
  gitDir: env['GIT_DIR'] === undefined ? namedGitDir(cwd) : undefined,
  signal,
});

async function resolve(
  context: GitContext,
  repository: Repository,
  revision: string,
): Promise<string> {
  const id = await findCommit(context, revision);
  if (id !== undefined) return id;
  // Only an event names a full id that isn't there.
  const replaced = /^[0-9a-f]{40,64}$/.test(revision)
    ? 'It may have been replaced by a force push. Choose what to review: --range A..B'
    : 'See what there is with: git log --oneline --all';
  throw new BotError('git', `unknown revision ${JSON.stringify(revision)}`, {
    hint: repository.isShallow
      ? 'This clone is shallow and may lack it: check out with fetch-depth: 0, or run git fetch --unshallow'
      : replaced,
  });
}

async function parents(context: GitContext, commit: string): Promise<string[]> {
  const args = ['rev-list', '--parents', '--max-count=1', commit, '--'];
  return (await askGitWord(context, args)).split(' ').slice(1);
}

/** From the commit's own text, which a shallow clone doesn't change. */
async function namesParent(context: GitContext, commit: string): Promise<boolean> {
  const text = await askGit(context, ['cat-file', 'commit', commit]);
  return /^tree .*\nparent /.test(text.toString('latin1'));
}

async function mergeBase(
  context: GitContext,
  one: string,
  other: string,
): Promise<string | undefined> {
  const args = ['merge-base', one, other];
  const { code, stdout, stderr } = await runGit(context, args);
  if (code > 1) throw gitFailure(args, stderr);
  return stdout.toString('utf8').trim() || undefined;
}

async function subject(
  context: GitContext,
  base: string | null,
  head: string,
): Promise<string | undefined> {
  const range = base === null ? head : `${base}..${head}`;
  const args = ['log', '--max-count=2', '--no-color', '--no-show-signature', '--format=%s', range];
  const { code, stdout } = await runGit(context, [...args, '--']);
  const subjects = stdout.toString('utf8').split('\n').filter(Boolean);
  return code === 0 && subjects.length === 1 ? subjects[0] : undefined;
}

/** Where this branch will go: its upstream, otherwise the remote's default branch. */
async function upstream(context: GitContext): Promise<string | undefined> {
  const own = await findCommit(context, '@{upstream}');
  return own ?? (await findCommit(context, 'refs/remotes/origin/HEAD'));
}

async function hasStagedChange(context: GitContext, repository: Repository): Promise<boolean> {
  const args = ['diff', '--cached', '--quiet', '--no-ext-diff', '--ignore-submodules=none'];
  const from = repository.head ?? repository.emptyTree;
  const { code, stderr } = await runGit(context, [...args, from, '--']);
  if (code > 1) throw gitFailure(args, stderr);
  return code === 1;
}

/** Against HEAD, or against nothing on an unborn branch. */
const stagedDiff = (context: GitContext): AsyncIterable<Uint8Array> =>
  streamGit(context, ['diff', ...DIFF_ARGUMENTS, '--cached']);

function diff(context: GitContext, request: DiffRequest): AsyncIterable<Uint8Array> {
  const ends = request.to === 'index' ? ['--cached', request.from] : [request.from, request.to];
  const text = request.asText ? ['--text'] : [];
  return streamGit(context, ['diff', ...DIFF_ARGUMENTS, ...text, ...ends, '--', ...request.paths]);
}

async function listPaths(context: GitContext, at: string | 'index'): Promise<string[]> {
  const args =
    at === 'index' ? ['ls-files', '-z'] : ['ls-tree', '-r', '-z', '--name-only', '--full-tree', at];
  return splitAtNul(await askGit(context, args)).map(pathFromBytes);
}

async function readFile(
  context: GitContext,
  at: string | 'index',
  path: string,
): Promise<Uint8Array | undefined> {
  const place = at === 'index' ? `:0:${path}` : `${at}:${path}`;
  const { code, stdout } = await runGit(context, ['cat-file', 'blob', place]);
  return code === 0 ? stdout : undefined;
}

const NEWLINE = 10;

/**
 * Reads objects through one `cat-file --batch` that starts at once and lives as long as the run.
 */
function openBlobs(
  context: GitContext,
): (requests: readonly BlobRequest[]) => AsyncGenerator<Blob> {
  const conversation = converseWithGit(context, ['cat-file', '--batch']);
  conversation.await(false);
  const reader = new ByteReader(conversation.output[Symbol.asyncIterator]());
  return async function* read(requests) {
    if (requests.length === 0) return;
    conversation.await(true);
    try {
      conversation.ask(`${requests.map(options => options.id).join('\n')}\n`);
      for (const options of requests) yield* readOne(reader, options);
    } finally {
      conversation.await(false);
    }
  };
}

async function* readOne(reader: ByteReader, options: BlobRequest): AsyncGenerator<Blob> {
  const header = await reader.line();
  // Git repeats the whole requested name, including spaces.
  if (header.endsWith(' missing')) return;
  const [, type, size] = header.split(' ');
  if (size === undefined || !/^\d+$/.test(size)) {
    throw new BotError('git', `git cat-file answered ${JSON.stringify(header)}`);
  }
  const bytes = await reader.take(Number(size), options.keep);
  await reader.take(1, 0);
  // The path is a folder now: there is no such file.
  if (type === 'blob') yield { id: options.id, size: Number(size), bytes };
}

/** Takes lines and counted bytes from a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  async line(): Promise<string> {
    let text = '';
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE);
      text += Buffer.from(end < 0 ? this.#rest : this.#rest.subarray(0, end)).toString('latin1');
      this.#rest = end < 0 ? new Uint8Array(0) : this.#rest.subarray(end + 1);
      if (end >= 0) return text;
      await this.#more();
    }
  }

  /** Reads `count` bytes and returns the first `keep` of them. */
  async take(count: number, keep: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let wanted = Math.min(count, keep);
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) await this.#more();
      const piece = this.#rest.subarray(0, left);
      if (wanted > 0) pieces.push(piece.subarray(0, wanted));
      wanted -= Math.min(wanted, piece.length);
      left -= piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done) throw new BotError('git', 'git cat-file ended in the middle of an object');
    this.#rest = next.value;
  }
}
