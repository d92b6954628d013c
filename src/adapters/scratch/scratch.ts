import { readdir, realpath, statfs } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { BotError } from '../../core/failure.js';
import type { Scratch } from '../../core/scratch.js';
import type { Repository } from '../../world.js';
import { askGit, complaintOf } from '../commit/git-commit-ask.js';
import type { Whereabouts } from '../commit/git-commit-spot.js';
import { asObjectId, isRegular, listTree, type TreeEntry } from '../commit/git-commit-tree.js';
import { firstLine, type GitSpot, runGit } from '../git/git-spawn.js';
import { clashingPaths } from './scratch-clashes.js';
import { causeIn, writeFailure } from './scratch-failure.js';
import { scratchFiles } from './scratch-files.js';
import {
  type Announce,
  isInside,
  makeScratchFolder,
  removeScratchFolder,
} from './scratch-folder.js';
import { scratchModules } from './scratch-modules.js';
import { scratchRepository } from './scratch-repository.js';

/** A disk with less than this left is called full. */
const NO_ROOM_BYTES = 1024 * 1024;

export interface ScratchRequest extends Whereabouts {
  readonly commit: string;
  /** The system's temporary folder. */
  readonly temp: string;
  readonly announce: Announce;
}

/** A scratch copy together with the repository it is. */
export interface ScratchRepository extends Scratch {
  readonly spot: GitSpot;
  /** What `remove` deletes; the copy is inside. */
  readonly folder: string;
  /** `dir` with the links of the temporary folder's name in it; some programs report it so. */
  readonly givenDir: string;
}

/** Copies a commit out of the user's repository. When it fails, nothing is left behind. */
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
    const spot = await scratchRepository({ ...request, dir, isBare: false });
    const tracked = await listTree(spot, commit);
    const missing = await checkOut(spot, commit);
    const shadow = await shadowModules(repository, dir, tracked);
    const clashing = await clashingPaths(dir, tracked);
    const files = scratchFiles({ spot, tracked, clashing });
    const left = [...clashing].map(([path, reason]) => `${path} was left: ${reason}`);
    const remarks = [...missing, ...shadow, ...left];
    const remove = async (): Promise<void> => void (await removeScratchFolder(made));
    return { dir, givenDir, commit, remarks, clashing, spot, folder: made, ...files, remove };
  } catch (thrown) {
    const isFull = await isDiskFull(temp, thrown);
    if (folder !== undefined) await removeScratchFolder(folder).catch(() => undefined);
    if (await isLackingObjects(repository, thrown)) throw partialClone(thrown);
    const cause = isFull ? new Error('No space left on device', { cause: thrown }) : thrown;
    throw writeFailure(`cannot make a scratch copy in ${temp}`, cause);
  }
}

/** Tools look for their configuration upwards; there they would find the user's work tree. */
async function refuseTempInside(temp: string, { top, commonDir }: Repository): Promise<void> {
  const place = await realpath(temp);
  for (const forbidden of [top, commonDir]) {
    if (forbidden === undefined) continue;
    if (!isInside(await realpath(forbidden), place)) continue;
    throw new BotError('usage', `the temporary folder ${temp} lies inside the repository`, {
      hint: 'Point TMPDIR at a folder outside it',
    });
  }
}

/** Gives what the disk cannot hold: names that are too long or not allowed there. */
async function checkOut(spot: GitSpot, commit: string): Promise<string[]> {
  await askGit(spot, ['update-ref', '--no-deref', 'HEAD', commit]);
  await askGit(spot, ['read-tree', commit]);
  const { code, stderr } = await runGit(spot, ['checkout-index', '--all', '--force', '--index']);
  if (code === 0) return [];
  const complaints = stderr.trim().split('\n');
  if (complaints.every(line => UNUSABLE_NAME.test(line))) return complaints;
  const worst = complaints.find(line => causeIn(line) !== undefined) ?? firstLine(stderr);
  throw new BotError('git', `git checkout-index failed: ${worst}`, { cause: new Error(stderr) });
}

const UNUSABLE_NAME = /: (File name too long|Illegal byte sequence)$/;

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

/** Git does not say why it could not write a file. */
async function isDiskFull(temp: string, thrown: unknown): Promise<boolean> {
  if (!/unable to write/.test(complaintOf(thrown))) return false;
  const disk = await statfs(temp).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize < NO_ROOM_BYTES;
}

/** Objects that a partial clone has promised but not fetched cannot be read by anybody else. */
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
