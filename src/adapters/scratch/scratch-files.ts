import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { BotError } from '../../core/failure.js';
import { pathToBytes } from '../../core/path-bytes.js';
import type { Scratch } from '../../core/scratch.js';
import { askGit } from '../commit/git-commit-ask.js';
import { isRegular, type TreeEntry } from '../commit/git-commit-tree.js';
import type { GitSpot } from '../git/git-spawn.js';
import { writeFailure } from './scratch-failure.js';

/** Larger files are no source text; a linter gone wild must not fill the memory. */
const MOST_FILE_BYTES = 64 * 1024 * 1024;

export interface Copied {
  readonly spot: GitSpot;
  readonly tracked: ReadonlyMap<string, TreeEntry>;
  /** Paths whose content on disk may be another's. */
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
    await askGit(copied.spot, asked, Buffer.concat([pathToBytes(path), Buffer.from([0])]));
  },
});

async function readTracked(copied: Copied, path: string): Promise<Uint8Array | undefined> {
  trackedMode(copied, path);
  if (!(await hasPlainParents(copied, path))) return undefined;
  const file = await open(onDisk(copied, path), READ).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > MOST_FILE_BYTES) {
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

/** A linter may have put a link where a folder was. */
async function hasPlainParents(copied: Copied, path: string): Promise<boolean> {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const found = await lstat(onDisk(copied, path.slice(0, slash))).catch(() => undefined);
    if (!found?.isDirectory()) return false;
  }
  return true;
}

const onDisk = ({ spot }: Copied, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${spot.cwd}/`), pathToBytes(path)]);
