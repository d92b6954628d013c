import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltCommit } from '../../core/commit-plan.js';
import { BotError, isBotError } from '../../core/failure.js';
import { type GitSpot, runGit } from '../git/git-spawn.js';
import { writeFailure } from '../scratch/scratch-failure.js';
import {
  type Announce,
  makeScratchFolder,
  removeScratchFolder,
} from '../scratch/scratch-folder.js';
import { scratchRepository } from '../scratch/scratch-repository.js';
import { askGit } from './git-commit-ask.js';
import { badBundle, readBundleHeader } from './git-commit-bundle-header.js';
import type { Whereabouts } from './git-commit-spot.js';
import { asObjectId, isRegular, listChanges, whyNotAnEdit } from './git-commit-tree.js';

/** Edits of source text are small; whoever sends more wants something else. */
const MOST_BUNDLE_BYTES = 64 * 1024 * 1024;
const MOST_OBJECTS = 50_000;
const MOST_COMMITS = 1000;

export interface BundleCheck extends Whereabouts {
  readonly path: string;
  /** The commit that the branch has to start from. */
  readonly base: string;
  readonly allow: (path: string) => boolean;
  readonly temp: string;
  readonly announce: Announce;
}

export interface CheckedBundle {
  readonly branch: string;
  readonly tip: string;
  readonly base: string;
  /** Oldest first. */
  readonly commits: readonly BuiltCommit[];
  /** Where the commits are until `remove`: not in the user's repository. */
  readonly spot: GitSpot;
  remove(): Promise<void>;
}

/**
 * Opens a bundle as if an enemy had written it, in a repository of its own. What comes back is one
 * straight line of commits from `base`, each nothing but edits of allowed, existing files.
 */
export async function checkBundle(check: BundleCheck): Promise<CheckedBundle> {
  const base = asObjectId(check.base);
  const bytes = await readBounded(check.path);
  const header = readBundleHeader(bytes, base.length);
  if (header.prerequisites.some(id => id !== base))
    throw badBundle('it does not start at the base');
  const folder = await makeScratchFolder(check.temp, check.announce).catch(thrown => {
    throw writeFailure(`cannot open the bundle in ${check.temp}`, thrown);
  });
  const remove = async (): Promise<void> => void (await removeScratchFolder(folder));
  try {
    const dir = join(folder, 'bundle.git');
    const spot = await scratchRepository({ ...check, dir, isBare: true });
    await requireBase(spot, base);
    await unpack(spot, bytes.subarray(header.packAt));
    const { branch, tip } = header;
    const commits = await checkCommits(spot, { base, tip, allow: check.allow });
    await askGit(spot, ['update-ref', `refs/heads/${branch}`, tip]);
    return { branch, tip, base, commits, spot, remove };
  } catch (thrown) {
    await remove().catch(() => undefined);
    throw thrown;
  }
}

/** Only a regular file, and read once: what was checked is what is used. */
async function readBounded(path: string): Promise<Buffer> {
  // Without waiting, or a pipe would keep us for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(thrown => {
    throw new BotError('usage', `cannot read the bundle ${path}`, { cause: thrown });
  });
  try {
    const found = await file.stat();
    if (!found.isFile()) throw badBundle(`${path} is not a file`);
    if (found.size > MOST_BUNDLE_BYTES) throw badBundle(`it has ${found.size} bytes`);
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await file.read(bytes, 0, found.size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function requireBase(spot: GitSpot, base: string): Promise<void> {
  const { code } = await runGit(spot, ['cat-file', '-e', `${base}^{commit}`]);
  if (code === 0) return;
  throw new BotError('git', `the bundle starts at ${base}, which is not in this repository`, {
    hint: 'Fetch it first; in CI check out with fetch-depth: 0',
  });
}

async function unpack(spot: GitSpot, pack: Buffer): Promise<void> {
  const count = pack.length < 12 ? 0 : pack.readUInt32BE(8);
  if (count > MOST_OBJECTS) throw badBundle(`it holds ${count} objects`);
  // Large objects are streamed, not held in memory; broken or unconnected ones are refused.
  const flags = ['-c', 'core.bigFileThreshold=1m'];
  const asked = ['index-pack', '--stdin', '--fix-thin', '--strict', '--threads=1'];
  const limit = `--max-input-size=${MOST_BUNDLE_BYTES}`;
  await askGit(spot, [...flags, ...asked, limit], pack).catch(thrown => {
    const failure = writeFailure('cannot unpack the bundle', thrown);
    throw failure === thrown ? refusal('its objects are broken', thrown) : failure;
  });
}

/** What git complains of is the bundle's fault; a run that was stopped is not. */
const refusal = (reason: string, thrown: unknown): unknown =>
  isBotError(thrown) ? badBundle(reason, thrown) : thrown;

interface Line {
  readonly base: string;
  readonly tip: string;
  readonly allow: (path: string) => boolean;
}

/** Each commit by itself: what one adds and the next removes would be published all the same. */
async function checkCommits(spot: GitSpot, { base, tip, allow }: Line): Promise<BuiltCommit[]> {
  const count = `--max-count=${MOST_COMMITS + 1}`;
  const asked = ['rev-list', '--parents', '--topo-order', '--reverse', count];
  const listing = await askGit(spot, [...asked, tip, `^${base}`, '--']).catch(thrown => {
    throw refusal(`${tip} is not a commit`, thrown);
  });
  const rows = listing.toString('latin1').split('\n').filter(Boolean);
  if (rows.length === 0) throw badBundle('it holds no commit');
  if (rows.length > MOST_COMMITS) throw badBundle(`it holds more than ${MOST_COMMITS} commits`);
  const commits: BuiltCommit[] = [];
  let parent = base;
  for (const row of rows) {
    const [id = '', ...parents] = row.split(' ');
    if (parents.length !== 1 || parents[0] !== parent) {
      throw badBundle(`commit ${id} does not follow ${parent}`);
    }
    commits.push({ id, paths: await checkEdits(spot, { parent, id, allow }) });
    parent = id;
  }
  if (parent !== tip) throw badBundle(`its commits do not end at ${tip}`);
  return commits;
}

async function checkEdits(
  spot: GitSpot,
  step: { readonly parent: string; readonly id: string; readonly allow: Line['allow'] },
): Promise<string[]> {
  const changes = await listChanges(spot, step.parent, step.id);
  for (const change of changes) {
    const reason = whyNotAnEdit(change);
    if (reason !== undefined) throw badBundle(`in commit ${step.id}, ${reason}`);
    if (!isRegular(change.after.mode) || !step.allow(change.path)) {
      throw badBundle(`${JSON.stringify(change.path)} may not be edited`);
    }
  }
  return changes.map(({ path }) => path);
}
