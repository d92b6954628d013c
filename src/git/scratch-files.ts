import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { BotError } from '../core/bot-error.js';
import { pathToBytes } from '../core/path-bytes.js';
import { writeFailure } from '../platform/files.js';
import type { Scratch } from './scratch.js';
import { askGit, type GitContext } from './spawn.js';
import { isRegular, type TreeEntry } from './tree.js';

/** Larger files aren't source text; a runaway linter must not fill the memory. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

interface Copied {
  readonly context: GitContext;
  readonly tracked: ReadonlyMap<string, TreeEntry>;
  /** Paths whose content on disk may be that of another path. */
  readonly clashing: ReadonlyMap<string, string>;
}

/** Reading, writing and resetting tracked regular files of a checked-out commit. */
export const scratchFiles = (
  copied: Copied,
): Pick<Scratch, 'readFile' | 'writeFile' | 'reset'> => ({
  readFile: path => readTracked(copied, path),
  writeFile: (path, bytes) => writeTracked(copied, path, bytes),
  reset: async path => {
    trackedMode(copied, path);
    const asked = ['checkout-index', '--force', '--quiet', '--index', '-z', '--stdin'];
    await askGit(copied.context, asked, Buffer.concat([pathToBytes(path), Buffer.from([0])]));
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
export async function clashingPaths(
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
