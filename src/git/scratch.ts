import { constants } from 'node:fs';
import {
  appendFile,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { pathToBytes } from '../core/path-bytes.js';
import { causeIn, complaintOf, writeFailure } from '../platform/files.js';
import { isolatedEnvironment, type RepositoryLocation } from './commit-plan.js';
import type { Repository } from './git.js';
import {
  type Announce,
  isInside,
  makeScratchFolder,
  removeScratchFolder,
} from './scratch-folder.js';
import { scratchModules } from './scratch-modules.js';
import { askGit, firstLine, type GitContext, runGit } from './spawn.js';
import { asObjectId, isRegular, listTree, type TreeEntry } from './tree.js';

/** A copy of one commit outside the repository, where linters may run and files may change. */
interface Scratch {
  /** Absolute; the top of the copy. */
  readonly dir: string;
  /** The commit it is a copy of. */
  readonly commit: string;
  /** What couldn't be copied, and why. */
  readonly remarks: readonly string[];
  /** Paths that share a file with another path on this disk, and why each is left alone. */
  readonly clashing: ReadonlyMap<string, string>;
  /** A tracked file as on disk, with line endings as checked out; undefined if it was deleted. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /** For tracked regular files only; never writes through a link. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Restores the commit's version of the file. */
  reset(path: string): Promise<void>;
  /** Deletes the copy; can be called twice. */
  remove(): Promise<void>;
}

/** A disk with less than this free counts as full. */
const FULL_BYTES = 1024 * 1024;

interface ScratchRequest extends RepositoryLocation {
  readonly commit: string;
  /** The system's temporary folder. */
  readonly temp: string;
  readonly announce: Announce;
}

/** A scratch copy together with its repository. */
export interface ScratchRepository extends Scratch {
  readonly context: GitContext;
  /** What `remove` deletes; the copy is inside. */
  readonly folder: string;
  /** `dir` before resolving links in the temporary folder's path, as some programs report it. */
  readonly givenDir: string;
}

/** Copies a commit out of the user's repository. If it fails, nothing is left behind. */
export async function openScratch(request: ScratchRequest): Promise<ScratchRepository> {
  const { temp, repository } = request;
  const commit = asObjectId(request.commit);
  let folder: string | undefined;
  try {
    await refuseTempInside(temp, repository);
    folder = await makeScratchFolder(temp, request.announce);
    const made = folder;
    const dir = join(made, 'tree');
    const givenDir = resolve(temp, basename(made), 'tree');
    const context = await scratchRepository({ ...request, dir, isBare: false });
    const tracked = await listTree(context, commit);
    await checkOut(context, commit);
    const shadow = await shadowModules(repository, dir, tracked);
    const clashing = await clashingPaths(dir, tracked);
    const files = scratchFiles({ context, tracked, clashing });
    const left = [...clashing].map(([path, reason]) => `${path} was left alone: ${reason}`);
    const remarks = [...shadow, ...left];
    const remove = async (): Promise<void> => void (await removeScratchFolder(made));
    return { dir, givenDir, commit, remarks, clashing, context, folder: made, ...files, remove };
  } catch (thrown) {
    const isFull = await isDiskFull(temp);
    if (folder !== undefined) await removeScratchFolder(folder).catch(() => undefined);
    if (await isLackingObjects(repository, thrown)) throw partialClone(thrown);
    const cause = isFull ? new Error('No space left on device', { cause: thrown }) : thrown;
    throw writeFailure(`cannot make a scratch copy in ${temp}`, cause);
  }
}

/** Tools search parent folders for their configuration, and would find the user's work tree. */
async function refuseTempInside(temp: string, { top, commonDir }: Repository): Promise<void> {
  const place = await realpath(temp);
  for (const forbidden of [top, commonDir]) {
    if (forbidden === undefined) continue;
    if (!isInside(await realpath(forbidden), place)) continue;
    throw new BotError('usage', `the temporary folder ${temp} is inside the repository`, {
      hint: 'Point TMPDIR at a folder outside it',
    });
  }
}

async function checkOut(context: GitContext, commit: string): Promise<void> {
  await askGit(context, ['read-tree', commit]);
  // This file is all that a detached HEAD needs, and no other git uses this repository.
  await writeFile(join(context.gitDir ?? context.cwd, 'HEAD'), `${commit}\n`);
  await writeIndexed(context);
}

/** Writes the files of the index. Names that are too long or not allowed on the disk are left out. */
export async function writeIndexed(context: GitContext): Promise<void> {
  const { code, stderr } = await runGit(context, ['checkout-index', '--all', '--force', '--index']);
  if (code === 0) return;
  const complaints = stderr.trim().split('\n');
  if (complaints.every(line => UNUSABLE_NAME.test(line))) return;
  const worst = complaints.find(line => causeIn(line) !== undefined) ?? firstLine(stderr);
  throw new BotError('git', `git checkout-index failed: ${worst}`, { cause: new Error(stderr) });
}

/** The last are glibc's words for what a Mac calls an illegal byte sequence. */
const UNUSABLE_NAME =
  /: (File name too long|Illegal byte sequence|Invalid or incomplete multibyte or wide character)$/;

async function shadowModules(
  { top }: Repository,
  dir: string,
  tracked: ReadonlyMap<string, TreeEntry>,
): Promise<readonly string[]> {
  if (top === undefined) return [];
  const folders = new Set(['']);
  for (const [path, { mode }] of tracked) {
    if (isRegular(mode) && path.endsWith('/package.json')) folders.add(path.slice(0, -13));
  }
  const shadow = await scratchModules({ top, dir, folders: [...folders] });
  return shadow.remarks;
}

/** Git doesn't report why it couldn't write a file, and its wording differs between versions. */
async function isDiskFull(temp: string): Promise<boolean> {
  const disk = await statfs(temp).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize < FULL_BYTES;
}

/** Another repository can't read objects that a partial clone has promised but not fetched. */
async function isLackingObjects(repository: Repository, thrown: unknown): Promise<boolean> {
  if (
    !/unable to read|failed to unpack tree|bad object|not a tree object|missing/i.test(
      complaintOf(thrown),
    )
  ) {
    return false;
  }
  const packs = await readdir(join(repository.commonDir, 'objects', 'pack')).catch(() => []);
  return packs.some(name => name.endsWith('.promisor'));
}

const partialClone = (cause: unknown): BotError =>
  new BotError('git', 'this is a partial clone, and files of the commit were never fetched', {
    hint: 'Fetch them first: git checkout the commit, or clone without --filter',
    cause,
  });

interface RepositoryOptions extends RepositoryLocation {
  /** Where to create the new repository. */
  readonly dir: string;
  readonly isBare: boolean;
}

/**
 * A separate repository that reads the user's objects and writes its own. Nothing is registered in
 * the user's repository; no template, hook or configuration of the user is used.
 */
export async function scratchRepository(options: RepositoryOptions): Promise<GitContext> {
  const { repository, dir, isBare, signal } = options;
  await mkdir(dir, { recursive: true });
  const context: GitContext = {
    cwd: dir,
    env: isolatedEnvironment(options.env),
    gitDir: isBare ? dir : join(dir, '.git'),
    signal,
  };
  const gitDir = context.gitDir ?? dir;
  const format = repository.emptyTree.length === 64 ? 'sha256' : 'sha1';
  const init = ['init', '--quiet', '--template=', `--object-format=${format}`];
  const bare = isBare ? ['--bare'] : [];
  await askGit(context, [...init, ...bare, '--initial-branch=apfel-bot-scratch']);
  // Nothing here outlives the run, so git needn't wait for the disk.
  await appendFile(join(gitDir, 'config'), '[core]\n\tfsync = none\n');
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true });
  const objects = Buffer.from(join(repository.commonDir, 'objects'));
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${quotePath(objects)}\n`);
  if (repository.isShallow) {
    await copyFile(join(repository.commonDir, 'shallow'), join(gitDir, 'shallow'));
  }
  return context;
}

/** In quotes, with everything but plain ASCII as octal: git reads this wherever it unquotes. */
export function quotePath(path: string | Uint8Array): string {
  const bytes = typeof path === 'string' ? pathToBytes(path) : path;
  let text = '"';
  for (const byte of bytes) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    text += isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return `${text}"`;
}

/** Larger files aren't source text; a runaway linter must not fill the memory. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

interface Copied {
  readonly context: GitContext;
  readonly tracked: ReadonlyMap<string, TreeEntry>;
  /** Paths whose content on disk may be that of another path. */
  readonly clashing: ReadonlyMap<string, string>;
}

/** Reading, writing and resetting tracked regular files of a checked-out commit. */
const scratchFiles = (copied: Copied): Pick<Scratch, 'readFile' | 'writeFile' | 'reset'> => ({
  readFile: path => readTracked(copied, path),
  writeFile: (path, bytes) => writeTracked(copied, path, bytes),
  reset: async path => {
    trackedMode(copied, path);
    const args = ['checkout-index', '--force', '--quiet', '--index', '-z', '--stdin'];
    await askGit(copied.context, args, Buffer.concat([pathToBytes(path), Buffer.from([0])]));
  },
});

async function readTracked(copied: Copied, path: string): Promise<Uint8Array | undefined> {
  trackedMode(copied, path);
  if (!(await hasPlainParents(copied, path))) return undefined;
  const file = await open(onDisk(copied, path), READ).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES) {
      throw new BotError('git', `${JSON.stringify(path)} has grown to ${size} bytes`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function writeTracked(copied: Copied, path: string, bytes: Uint8Array): Promise<void> {
  const mode = trackedMode(copied, path);
  if (!(await hasPlainParents(copied, path))) {
    throw new BotError('not-permitted', `the folder of ${JSON.stringify(path)} is gone or a link`);
  }
  try {
    const file = await open(onDisk(copied, path), WRITE, mode === '100755' ? 0o777 : 0o666);
    await file.writeFile(bytes).finally(() => file.close());
  } catch (thrown) {
    throw writeFailure(`cannot write ${JSON.stringify(path)} in the scratch copy`, thrown);
  }
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

function trackedMode({ tracked, clashing }: Copied, path: string): string {
  const clash = clashing.get(path);
  if (clash !== undefined) throw new BotError('not-permitted', `${JSON.stringify(path)}: ${clash}`);
  const entry = tracked.get(path);
  if (entry !== undefined && isRegular(entry.mode)) return entry.mode;
  const problem = entry === undefined ? 'is not a tracked file' : 'is not a regular file';
  throw new BotError('not-permitted', `${JSON.stringify(path)} ${problem}`);
}

/** A linter may have replaced a folder with a link. */
async function hasPlainParents(copied: Copied, path: string): Promise<boolean> {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const found = await lstat(onDisk(copied, path.slice(0, slash))).catch(() => undefined);
    if (!found?.isDirectory()) return false;
  }
  return true;
}

const onDisk = ({ context }: Copied, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${context.cwd}/`), pathToBytes(path)]);

/** How many files are read in parallel. */
const AT_ONCE = 200;

/**
 * A disk that ignores case or Unicode form has one file where the commit has two, with the content
 * of the one written last. Returns every such path, with the reason why its content may be wrong.
 */
async function clashingPaths(
  dir: string,
  tracked: ReadonlyMap<string, TreeEntry>,
): Promise<Map<string, string>> {
  const paths = [...tracked].filter(([, { mode }]) => mode !== SUBMODULE).map(([path]) => path);
  const clashing = new Map<string, string>();
  const firstAt = new Map<string, string>();
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const some = paths.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map(path => statFile(dir, path)));
    for (const [at, path] of some.entries()) {
      const file = found[at];
      const first = firstAt.get(file?.id ?? '');
      if (file === undefined) clashing.set(path, 'this disk takes no file of that name');
      else if (file.isFolder) clashing.set(path, 'on this disk it is a folder');
      else if (first === undefined) firstAt.set(file.id, path);
      else {
        clashing.set(path, `on this disk it is the same file as ${first}`);
        clashing.set(first, `on this disk it is the same file as ${path}`);
      }
    }
  }
  return clashing;
}

const SUBMODULE = '160000';

async function statFile(
  dir: string,
  path: string,
): Promise<{ id: string; isFolder: boolean } | undefined> {
  const place = Buffer.concat([Buffer.from(`${dir}/`), pathToBytes(path)]);
  const found = await lstat(place, { bigint: true }).catch(() => undefined);
  return found && { id: `${found.dev}:${found.ino}`, isFolder: found.isDirectory() };
}

/** The regular files that may be read from the copy and written to it. */
export const usableFiles = (
  tracked: ReadonlyMap<string, TreeEntry>,
  clashing: ReadonlyMap<string, string>,
): string[] =>
  [...tracked]
    .filter(([path, { mode }]) => isRegular(mode) && !clashing.has(path))
    .map(([path]) => path);
