import { basename } from 'node:path';
import { count } from '../core/count.js';
import { bringOver } from '../git/branch.js';
import { writeBundle } from '../git/bundle.js';
import { buildCommits } from '../git/commit.js';
import { type PlannedCommit, writeContext } from '../git/commit-plan.js';
import { DIFF_ARGUMENTS } from '../git/flags.js';
import type { Repository } from '../git/git.js';
import type { ScratchRepository } from '../git/scratch.js';
import type { GitContext } from '../git/spawn.js';
import { askGit, runGit } from '../git/spawn.js';
import type { Environment } from '../platform/processes.js';

interface CommitWriterOptions {
  readonly scratch: ScratchRepository;
  readonly repository: Repository;
  readonly env: Environment;
  /** Not the run's own: verified edits are saved even after the run was stopped. */
  readonly signal: AbortSignal;
  /** Of every commit, in seconds since the epoch. */
  readonly at: number;
  readonly run: string;
  /** The preferred name of the branch. */
  readonly branch: string;
  /** Where the outcome goes; the bundle is written next to it. */
  readonly out: string | undefined;
}

/** How many fixes the subjects of our commits count; 0 if there is no such branch. */
async function fixesIn(context: GitContext, range: string): Promise<number> {
  const { code, stdout } = await runGit(context, ['log', '--format=%s', range, '--']);
  if (code !== 0) return 0;
  const counts = stdout.toString('utf8').matchAll(/\((\d{1,9}) places?\)/g);
  return [...counts].reduce((sum, [, amount]) => sum + Number(amount), 0);
}

/** Makes commits in the scratch repository and transfers them to the user's. */
export class CommitWriter {
  readonly #options: CommitWriterOptions;
  readonly #context: GitContext;
  readonly #base: string;

  constructor(options: CommitWriterOptions) {
    this.#options = options;
    this.#context = { ...options.scratch.context, signal: options.signal };
    this.#base = options.scratch.commit;
  }

  async build(commits: readonly PlannedCommit[]): Promise<{ tip: string; count: number }> {
    const { at, run } = this.#options;
    const scratch = { context: this.#context };
    const built = await buildCommits({ scratch, base: this.#base, commits, at, run });
    return { tip: built.tip, count: built.commits.length };
  }

  async diff(tip: string): Promise<string> {
    const shown = DIFF_ARGUMENTS.filter(word => word !== '--full-index');
    const output = await askGit(this.#context, ['diff', ...shown, this.#base, tip, '--']);
    return output.toString('utf8');
  }

  /** Transfers the commits to the user's repository; the branch may get another name. */
  async bring(tip: string): Promise<{ branch: string; notices: readonly string[] }> {
    const into = writeContext(this.#options);
    const fresh = await fixesIn(this.#context, `${this.#base}..${tip}`);
    const { branch, passedOver } = await bringOver({
      from: this.#context,
      base: this.#base,
      tip,
      into,
      branch: this.#options.branch,
      whyKept: async older => {
        const old = await fixesIn(into, `${this.#base}..${older}`);
        if (old <= fresh) return undefined;
        return `it has ${count(old, 'fix', 'fixes')} from an earlier run, this one has ${fresh}`;
      },
    });
    const notices = passedOver.map(
      each => `the branch ${each.branch} was left alone: ${each.reason}`,
    );
    return { branch, notices };
  }

  /** The notice about an earlier run's branch if this run fixed nothing. */
  async earlierFixes(): Promise<string[]> {
    const { branch } = this.#options;
    const range = `${this.#base}..refs/heads/${branch}`;
    const old = await fixesIn(writeContext(this.#options), range);
    if (old === 0) return [];
    return [
      `the branch ${branch} was left alone: it has ${count(old, 'fix', 'fixes')} from an earlier run, this one has none`,
    ];
  }

  /** Writes the bundle; returns its path relative to the outcome. */
  async bundle(tip: string, branch: string): Promise<string | null> {
    const { out } = this.#options;
    if (out === undefined) return null;
    const path = `${out.replace(/\.json$/, '')}.bundle`;
    await writeBundle({ from: this.#context, base: this.#base, tip, branch, path });
    return basename(path);
  }
}
