import { createHash } from 'node:crypto';
import type { CommitWish } from '../../core/commit-plan.js';
import { BotError } from '../../core/failure.js';
import { pathFromBytes, pathToBytes } from '../../core/path-bytes.js';
import type { GitSpot } from '../git/git-spawn.js';
import { askGit } from './git-commit-ask.js';
import {
  ATTRIBUTES,
  type Attributes,
  toBlobForm,
  whyNotConvertible,
} from './git-commit-line-ends.js';
import { isRegular, readObjects, type TreeEntry } from './git-commit-tree.js';

export interface BlobRequest {
  readonly spot: GitSpot;
  /** Of the commit all edits start from. */
  readonly tree: ReadonlyMap<string, TreeEntry>;
  readonly wish: CommitWish;
}

/** The wished files as blobs; refused when one is no regular file of the tree or not convertible. */
export async function asBlobs(request: BlobRequest): Promise<Map<string, Uint8Array>> {
  const { spot, tree, wish } = request;
  for (const path of wish.files.keys()) refuseIrregular(path, tree.get(path));
  const attributes = await readAttributes(spot, [...wish.files.keys()]);
  const ids = [...wish.files.keys()].map(path => tree.get(path)?.id ?? '');
  const bases = await readObjects(spot, ids);
  const blobs = new Map<string, Uint8Array>();
  for (const [path, bytes] of wish.files) {
    const told = attributes.get(path) ?? new Map();
    const obstacle = whyNotConvertible(told);
    if (obstacle !== undefined) throw cannotCommit(path, obstacle);
    const base = bases.get(tree.get(path)?.id ?? '');
    if (base === undefined) throw cannotCommit(path, 'its blob cannot be read');
    const form = toBlobForm(bytes, base, told);
    if (!form.isKnown) throw cannotCommit(path, form.reason);
    blobs.set(path, form.bytes);
  }
  return blobs;
}

/** The id git gives to these bytes in a repository with ids of this length. */
export function blobId(bytes: Uint8Array, length: number): string {
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Why files of a scratch copy cannot be committed, for a caller who can do without them. */
export async function whyNotCommittable(
  spot: GitSpot,
  tree: ReadonlyMap<string, TreeEntry>,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  const attributes = await readAttributes(spot, paths);
  for (const path of paths) {
    const reason =
      irregularity(tree.get(path)) ?? whyNotConvertible(attributes.get(path) ?? new Map());
    if (reason !== undefined) reasons.set(path, reason);
  }
  return reasons;
}

function refuseIrregular(path: string, entry: TreeEntry | undefined): void {
  const reason = irregularity(entry);
  if (reason !== undefined) throw cannotCommit(path, reason);
}

function irregularity(entry: TreeEntry | undefined): string | undefined {
  if (entry === undefined) return 'it is not in the commit it would change';
  if (entry.mode === '120000') return 'it is a symbolic link';
  if (entry.mode === '160000') return 'it is a submodule';
  return isRegular(entry.mode) ? undefined : `it has the mode ${entry.mode}`;
}

const cannotCommit = (path: string, reason: string): BotError =>
  new BotError('not-permitted', `${JSON.stringify(path)} cannot be edited: ${reason}`);

/** As the commit has them: the index of the scratch copy, not the files a linter may have touched. */
async function readAttributes(
  spot: GitSpot,
  paths: readonly string[],
): Promise<Map<string, Attributes>> {
  if (paths.length === 0) return new Map();
  const input = Buffer.concat(paths.flatMap(path => [pathToBytes(path), Buffer.from([0])]));
  const answer = await askGit(
    spot,
    ['check-attr', '--cached', '-z', '--stdin', ...ATTRIBUTES],
    input,
  );
  const words = answer.toString('latin1').split('\0');
  const told = new Map<string, Map<string, string>>();
  for (let at = 0; at + 2 < words.length; at += 3) {
    const path = pathFromBytes(Buffer.from(words[at] ?? '', 'latin1'));
    const attributes = told.get(path) ?? new Map<string, string>();
    told.set(path, attributes.set(words[at + 1] ?? '', words[at + 2] ?? ''));
  }
  return told;
}
