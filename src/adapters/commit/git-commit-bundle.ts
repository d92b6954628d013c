import { resolve } from 'node:path';
import { isPlainBranch } from '../../core/commit-plan.js';
import { BotError } from '../../core/failure.js';
import type { GitSpot } from '../git/git-spawn.js';
import { writeFailure } from '../scratch/scratch-failure.js';
import { askGit } from './git-commit-ask.js';
import { asObjectId } from './git-commit-tree.js';

export interface BundleRequest {
  /** The scratch repository that has the commits. */
  readonly from: GitSpot;
  readonly base: string;
  readonly tip: string;
  /** The only ref in the bundle, without `refs/heads/`. */
  readonly branch: string;
  /** Replaced in one step. */
  readonly path: string;
}

/** The commits between `base` and `tip` as one file, for a repository that has `base`. */
export async function writeBundle(request: BundleRequest): Promise<void> {
  const { from, branch } = request;
  const path = resolve(request.path);
  if (!isPlainBranch(branch)) {
    throw new BotError('usage', `${JSON.stringify(branch)} is no usable branch name`);
  }
  const ref = `refs/heads/${branch}`;
  try {
    await askGit(from, ['update-ref', ref, asObjectId(request.tip)]);
    await askGit(from, ['bundle', 'create', '--quiet', path, ref, `^${asObjectId(request.base)}`]);
  } catch (thrown) {
    throw writeFailure(`cannot write the bundle ${path}`, thrown);
  }
}
