import { basename } from 'node:path';
import type { Signature } from '../../core/commit-plan.js';
import type { Press } from '../../fix/workshop.js';
import type { Repository } from '../../world.js';
import { buildCommits } from '../commit/git-commit.js';
import { askGit } from '../commit/git-commit-ask.js';
import { bringOver } from '../commit/git-commit-branch.js';
import { writeBundle } from '../commit/git-commit-bundle.js';
import { writingSpot } from '../commit/git-commit-spot.js';
import { DIFF_ARGUMENTS, type Environment } from '../git/git-flags.js';
import type { ScratchRepository } from '../scratch/scratch.js';

export interface PressWish {
  readonly scratch: ScratchRepository;
  readonly repository: Repository;
  readonly env: Environment;
  /** Not the run's own: what was verified is brought home after the run was stopped, too. */
  readonly signal: AbortSignal;
  readonly author: Signature;
  readonly run: string;
  /** The branch wished for. */
  readonly branch: string;
  /** Where the outcome goes; the bundle lies beside it. */
  readonly out: string | undefined;
}

/** Commits made in the scratch copy, and the two ways out of it. */
export function openPress(wish: PressWish): Press {
  const { scratch, repository, env, signal, author, run, branch, out } = wish;
  const spot = { ...scratch.spot, signal };
  const base = scratch.commit;
  return {
    build: async commits => {
      const built = await buildCommits({ scratch: { spot }, base, commits, author, run });
      return { tip: built.tip, count: built.commits.length };
    },
    diff: async tip => {
      const shown = DIFF_ARGUMENTS.filter(word => word !== '--full-index');
      return (await askGit(spot, ['diff', ...shown, base, tip, '--'])).toString('utf8');
    },
    bring: async tip => {
      const into = writingSpot({ repository, env, signal });
      const done = await bringOver({ from: spot, base, tip, into, branch, committer: author });
      return {
        branch: done.branch,
        notices: done.passedOver.map(each => `the branch ${each.branch} was left: ${each.reason}`),
      };
    },
    bundle: async (tip, name) => {
      if (out === undefined) return null;
      const path = `${out.replace(/\.json$/, '')}.bundle`;
      await writeBundle({ from: spot, base, tip, branch: name, path });
      return basename(path);
    },
  };
}
