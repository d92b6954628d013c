import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, objectOf } from '../core/json-fields.js';
import type { Repository } from '../git/git.js';
import { type GitContext, streamGit } from '../git/spawn.js';
import { asObjectId } from '../git/tree.js';
import { ownPlace, readOwnFile, removeOwnFile, writeOwnFile } from '../platform/own-files.js';
import { type Finished, noteOf, readRecord } from './record.js';

/** Two hundred findings with their quotes take a tenth of this. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What pre-commit saves for post-commit: which change it saw, and what it found. */
export interface HandOver {
  /** The parent commit, or the empty tree. */
  readonly head: string;
  /** The parents of that one: a new commit with the same parents replaces it, as an amend does. */
  readonly parents: readonly string[];
  readonly digest: string;
  readonly finished: Finished;
}

/**
 * A digest of the change that is about to be committed: the index against HEAD, or against nothing
 * on an unborn branch. Doesn't touch the index.
 */
export const stagedDigest = (context: GitContext): Promise<string> =>
  digestOf(streamGit(context, ['diff', '--cached', ...RAW]));

/** The same for the new commit. */
export const committedDigest = (
  context: GitContext,
  before: string,
  commit: string,
): Promise<string> =>
  digestOf(
    streamGit(context, ['diff-tree', '-r', ...RAW, asObjectId(before), asObjectId(commit), '--']),
  );

const RAW = [
  '--raw',
  '-z',
  '--no-renames',
  '--abbrev=64',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--ignore-submodules=none',
  '-O/dev/null',
];

async function digestOf(output: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of output) hash.update(chunk);
  return hash.digest('hex');
}

export async function saveHandOver(repository: Repository, left: HandOver): Promise<void> {
  const text = { v: 1, ...left };
  // Too large to save: the background run will review it again.
  if (JSON.stringify(text).length > MAX_BYTES) return dropHandOver(repository);
  await writeOwnFile(placeIn(repository), text);
}

/** Undefined if there is none that can be used. */
export async function readHandOver(repository: Repository): Promise<HandOver | undefined> {
  const value = await readOwnFile(placeIn(repository), MAX_BYTES);
  const { head, parents, digest, finished } = objectOf(value);
  if (!isObjectId(head) || !Array.isArray(parents) || !parents.every(isObjectId)) return undefined;
  if (typeof digest !== 'string' || !isObject(finished)) return undefined;
  // Validated like any record; which commit it belongs to is checked later.
  const record = readRecord({ ...finished, commit: head, tree: head });
  return record && { head, parents, digest, finished: noteOf(record, record) };
}

const isObjectId = (value: unknown): value is string =>
  typeof value === 'string' && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value);

export const dropHandOver = (repository: Repository): Promise<void> =>
  removeOwnFile(placeIn(repository));

/** Each worktree commits separately. */
const placeIn = ({ gitDir }: Repository): string => ownPlace(gitDir, 'hand-over.json');

/** Whether a rebase, an am or a cherry-pick is in progress. */
export const isUnderWay = ({ gitDir }: Repository): boolean =>
  ['rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD'].some(name => existsSync(join(gitDir, name)));
