import { basename } from 'node:path';
import { bringOver } from '../git/branch.js';
import { writeBundle } from '../git/bundle.js';
import { buildCommits } from '../git/commit.js';
import { type Signature, writeContext } from '../git/commit-plan.js';
import { DIFF_ARGUMENTS } from '../git/flags.js';
import type { Repository } from '../git/git.js';
import type { ScratchRepository } from '../git/scratch.js';
import { askGit } from '../git/spawn.js';
import type { Environment } from '../platform/processes.js';
import type { CommitWriter } from './try-edit.js';

export interface CommitWriterOptions {
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
export function openCommitWriter(options: CommitWriterOptions): CommitWriter {
  const { scratch, repository, env, signal, author, run, branch, out } = options;
  const context = { ...scratch.context, signal };
  const base = scratch.commit;
  return {
    build: async commits => {
      const built = await buildCommits({ scratch: { context }, base, commits, author, run });
      return { tip: built.tip, count: built.commits.length };
    },
    diff: async tip => {
      const shown = DIFF_ARGUMENTS.filter(word => word !== '--full-index');
      return (await askGit(context, ['diff', ...shown, base, tip, '--'])).toString('utf8');
    },
    bring: async tip => {
      const into = writeContext({ repository, env, signal });
      const done = await bringOver({ from: context, base, tip, into, branch, committer: author });
      return {
        branch: done.branch,
        notices: done.passedOver.map(each => `the branch ${each.branch} was left: ${each.reason}`),
      };
    },
    bundle: async (tip, name) => {
      if (out === undefined) return null;
      const path = `${out.replace(/\.json$/, '')}.bundle`;
      await writeBundle({ from: context, base, tip, branch: name, path });
      return basename(path);
    },
  };
}
