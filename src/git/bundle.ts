import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BotError, isBotError } from '../core/bot-error.js';
import { writeFailure } from '../platform/files.js';
import { type BuiltCommit, isPlainBranch, type RepositoryLocation } from './commit-plan.js';
import { withSimpleGit } from './remote.js';
import { scratchRepository } from './scratch.js';
import { type Announce, makeScratchFolder, removeScratchFolder } from './scratch-folder.js';
import { askGit, type GitContext, runGit } from './spawn.js';
import { asObjectId, isRegular, listChanges, whyNotAnEdit } from './tree.js';

/** Edits of source text are small; a larger bundle is something else. */
const MAX_BUNDLE_BYTES = 64 * 1024 * 1024;
const MAX_OBJECTS = 50_000;
const MAX_COMMITS = 1000;

interface BundleCheck extends RepositoryLocation {
  readonly path: string;
  /** The commit that the branch has to start from. */
  readonly base: string;
  readonly allow: (path: string) => boolean;
  readonly temp: string;
  readonly announce: Announce;
}

interface CheckedBundle {
  readonly branch: string;
  readonly tip: string;
  readonly base: string;
  /** Oldest first. */
  readonly commits: readonly BuiltCommit[];
  /** Where the commits are until `remove`; not in the user's repository. */
  readonly context: GitContext;
  remove(): Promise<void>;
}

/**
 * Opens a bundle as if an attacker had written it, in a separate repository. The result is a
 * straight line of commits from `base`, each with nothing but edits of allowed, existing files.
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
    const context = await scratchRepository({ ...check, dir, isBare: true });
    await requireBase(context, base);
    await unpack(context, bytes.subarray(header.packAt));
    const { branch, tip } = header;
    const commits = await checkCommits(context, { base, tip, allow: check.allow });
    await withSimpleGit(context, git => git.raw(['update-ref', `refs/heads/${branch}`, tip]));
    return { branch, tip, base, commits, context, remove };
  } catch (thrown) {
    await remove().catch(() => undefined);
    throw thrown;
  }
}

/** Only a regular file, and read once: what was checked is what is used. */
async function readBounded(path: string): Promise<Buffer> {
  // Non-blocking: a pipe would block us forever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(thrown => {
    throw new BotError('usage', `cannot read the bundle ${path}`, { cause: thrown });
  });
  try {
    const found = await file.stat();
    if (!found.isFile()) throw badBundle(`${path} is not a file`);
    if (found.size > MAX_BUNDLE_BYTES) throw badBundle(`it has ${found.size} bytes`);
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await file.read(bytes, 0, found.size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function requireBase(context: GitContext, base: string): Promise<void> {
  const { code } = await runGit(context, ['cat-file', '-e', `${base}^{commit}`]);
  if (code === 0) return;
  throw new BotError('git', `the bundle starts at ${base}, which is not in this repository`, {
    hint: 'Fetch it first; in CI check out with fetch-depth: 0',
  });
}

async function unpack(context: GitContext, pack: Buffer): Promise<void> {
  const count = pack.length < 12 ? 0 : pack.readUInt32BE(8);
  if (count > MAX_OBJECTS) throw badBundle(`it holds ${count} objects`);
  // Large objects are streamed, not kept in memory; broken or unconnected ones are refused.
  const flags = ['-c', 'core.bigFileThreshold=1m'];
  const args = ['index-pack', '--stdin', '--fix-thin', '--strict', '--threads=1'];
  const limit = `--max-input-size=${MAX_BUNDLE_BYTES}`;
  await askGit(context, [...flags, ...args, limit], pack).catch(thrown => {
    const failure = writeFailure('cannot unpack the bundle', thrown);
    throw failure === thrown ? refusal('its objects are broken', thrown) : failure;
  });
}

/** A failure of git is the bundle's fault; an aborted run isn't. */
const refusal = (reason: string, thrown: unknown): unknown =>
  isBotError(thrown) ? badBundle(reason, thrown) : thrown;

interface Line {
  readonly base: string;
  readonly tip: string;
  readonly allow: (path: string) => boolean;
}

/** Each commit separately: what one adds and the next removes would still be published. */
async function checkCommits(
  context: GitContext,
  { base, tip, allow }: Line,
): Promise<BuiltCommit[]> {
  const count = `--max-count=${MAX_COMMITS + 1}`;
  const args = ['rev-list', '--parents', '--topo-order', '--reverse', count];
  const listing = await askGit(context, [...args, tip, `^${base}`, '--']).catch(thrown => {
    throw refusal(`${tip} is not a commit`, thrown);
  });
  const rows = listing.toString('latin1').split('\n').filter(Boolean);
  if (rows.length === 0) throw badBundle('it holds no commit');
  if (rows.length > MAX_COMMITS) throw badBundle(`it holds more than ${MAX_COMMITS} commits`);
  const commits: BuiltCommit[] = [];
  let parent = base;
  for (const row of rows) {
    const [id = '', ...parents] = row.split(' ');
    if (parents.length !== 1 || parents[0] !== parent) {
      throw badBundle(`commit ${id} does not follow ${parent}`);
    }
    commits.push({ id, paths: await checkEdits(context, { parent, id, allow }) });
    parent = id;
  }
  if (parent !== tip) throw badBundle(`its commits do not end at ${tip}`);
  return commits;
}

async function checkEdits(
  context: GitContext,
  step: { readonly parent: string; readonly id: string; readonly allow: Line['allow'] },
): Promise<string[]> {
  const changes = await listChanges(context, step.parent, step.id);
  for (const change of changes) {
    const reason = whyNotAnEdit(change);
    if (reason !== undefined) throw badBundle(`in commit ${step.id}, ${reason}`);
    if (!isRegular(change.after.mode) || !step.allow(change.path)) {
      throw badBundle(`${JSON.stringify(change.path)} may not be edited`);
    }
  }
  return changes.map(({ path }) => path);
}

/** One ref and one prerequisite with a subject line need far less. */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_HEADER_LINES = 20;

interface BundleHeader {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly tip: string;
  readonly prerequisites: readonly string[];
  /** Where the pack begins. */
  readonly packAt: number;
}

/** Reads the header of an untrusted bundle. Anything unusual is refused. */
export function readBundleHeader(bytes: Buffer, idLength: number): BundleHeader {
  const end = bytes.subarray(0, MAX_HEADER_BYTES).indexOf('\n\n');
  const [signature = '', ...lines] = bytes.toString('latin1', 0, Math.max(end, 0)).split('\n');
  if (!/^# v[23] git bundle$/.test(signature) || lines.length > MAX_HEADER_LINES) {
    throw badBundle('it is not a git bundle');
  }
  const prerequisites: string[] = [];
  const refs: string[] = [];
  for (const line of lines) {
    if (line.startsWith('@')) refuseCapability(line, idLength);
    else if (line.startsWith('-')) prerequisites.push(idAt(line, { from: 1, idLength }));
    else refs.push(line);
  }
  const [ref] = refs;
  if (ref === undefined || refs.length > 1)
    throw badBundle(`it holds ${refs.length} refs, not one`);
  const tip = idAt(ref, { from: 0, idLength });
  const name = /^refs\/heads\/(.+)$/.exec(ref.slice(idLength + 1))?.[1];
  if (name === undefined || !isPlainBranch(name)) {
    throw badBundle(`${JSON.stringify(ref.slice(idLength + 1, 300))} isn't a plain branch name`);
  }
  return { branch: name, tip, prerequisites, packAt: end + 2 };
}

const badBundle = (reason: string, cause?: unknown): BotError =>
  new BotError('not-permitted', `the bundle is refused: ${reason}`, {
    hint: 'Make it again with: apfel-bot fix-lint --out FILE',
    cause,
  });

function refuseCapability(line: string, idLength: number): void {
  const expected = `@object-format=${idLength === 64 ? 'sha256' : 'sha1'}`;
  if (line !== expected) throw badBundle(`it asks for ${JSON.stringify(line.slice(0, 100))}`);
}

function idAt(line: string, place: { readonly from: number; readonly idLength: number }): string {
  const end = place.from + place.idLength;
  const id = line.slice(place.from, end);
  if (/^[0-9a-f]+$/.test(id) && id.length === place.idLength && /^( |$)/.test(line.slice(end))) {
    return id;
  }
  throw badBundle(`${JSON.stringify(line.slice(0, 100))} isn't an object id`);
}

interface BundleRequest {
  /** The scratch repository that has the commits. */
  readonly from: GitContext;
  readonly base: string;
  readonly tip: string;
  /** The only ref in the bundle, without `refs/heads/`. */
  readonly branch: string;
  /** Replaced atomically. */
  readonly path: string;
}

/** The commits between `base` and `tip` as one file, for a repository that has `base`. */
export async function writeBundle(request: BundleRequest): Promise<void> {
  const { from, branch } = request;
  const path = resolve(request.path);
  if (!isPlainBranch(branch)) {
    throw new BotError('usage', `${JSON.stringify(branch)} isn't a usable branch name`);
  }
  const ref = `refs/heads/${branch}`;
  try {
    const update = ['update-ref', ref, asObjectId(request.tip)];
    await withSimpleGit(from, git => git.raw(update));
    const create = ['bundle', 'create', '--quiet', path, ref, `^${asObjectId(request.base)}`];
    await withSimpleGit(from, git => git.raw(create));
  } catch (thrown) {
    throw writeFailure(`cannot write the bundle ${path}`, thrown);
  }
}
