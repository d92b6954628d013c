import { BotError } from '../core/bot-error.js';
import { branchAbove, branchCandidates } from '../git/commit-plan.js';
import { troubleOf } from '../github/failure.js';
import type { GithubPull } from '../github/pulls.js';
import type { OpenBundle } from './bundle.js';
import type { Pause } from './conversation.js';
import {
  hasSameFiles,
  isOnBranch,
  pushBranch,
  type RemoteRepo,
  remoteBranches,
  whyNotOurs,
} from './remote-repo.js';

/** Nobody wants a tenth branch next to nine old ones. */
const MAX_NAMES = 9;
/** How often somebody else may be faster, or an answer may get lost, before we give up. */
const MAX_TRIES = 5;
const PAUSE_MS = 500;

interface BranchOptions {
  /** The first name to try. */
  readonly name: string;
  /** Branches that must never be written to. */
  readonly reserved: readonly string[];
  /** Called right before each push; throws when it must not happen. */
  readonly mayPush: () => Promise<void>;
  /** The pull request from this branch that people closed without a merge. */
  readonly declined: (name: string) => Promise<GithubPull | undefined>;
  readonly pause: Pause;
}

export interface PlacedBranch {
  readonly name: string;
  readonly done: 'created' | 'updated' | 'unchanged';
  /** Names that weren't used, and why. */
  readonly skipped: ReadonlyArray<{ readonly name: string; readonly reason: string }>;
}

/**
 * Nothing was pushed. A push would recreate a branch that people deleted, or make it impossible to
 * reopen the pull request: GitHub refuses that after a force-push.
 */
export interface DeclinedBranch extends Omit<PlacedBranch, 'done'> {
  readonly done: 'declined';
  readonly closed: GithubPull;
}

/**
 * Pushes the commits to a branch of the remote. A branch with somebody else's commit is left alone and
 * the next name is tried; a branch that moves meanwhile is read again.
 */
export async function placeBranch(
  repo: RemoteRepo,
  bundle: OpenBundle,
  options: BranchOptions,
): Promise<PlacedBranch | DeclinedBranch> {
  // What the push did, if its answer was lost but it turns out to have succeeded.
  let lost: PlacedBranch['done'] = 'unchanged';
  for (let attempt = 1; ; attempt += 1) {
    try {
      const branches = await remoteBranches(repo);
      const choice = await chooseBranch(branches, bundle, options);
      if (choice.done === 'declined') return choice;
      if (choice.done === 'unchanged') return { ...choice, done: lost };
      await options.mayPush();
      lost = choice.done;
      const result = await pushBranch(bundle, choice.name, branches.get(choice.name));
      if (result === 'pushed') return choice;
      if (attempt === MAX_TRIES) throw overtaken(options.name);
    } catch (thrown) {
      if (attempt === MAX_TRIES || troubleOf(thrown) !== 'unknown') throw thrown;
      await options.pause(PAUSE_MS * attempt);
    }
  }
}

/** The branch to push to, and what the push will do there. */
async function chooseBranch(
  branches: ReadonlyMap<string, string>,
  bundle: OpenBundle,
  { name: firstName, reserved, declined }: BranchOptions,
): Promise<PlacedBranch | DeclinedBranch> {
  const above = branchAbove(firstName, branches);
  if (above !== undefined) {
    throw new BotError('publish-failed', `the branch ${above} makes ${firstName} impossible`, {
      hint: 'Rename it, or set branch.prefix in the configuration',
    });
  }
  const skipped: Array<{ name: string; reason: string }> = [];
  for (const name of branchCandidates(firstName, MAX_NAMES)) {
    const seen = branches.get(name);
    const below = [...branches.keys()].find(branch => branch.startsWith(`${name}/`));
    let reason: string | undefined;
    if (seen !== bundle.tip) {
      if (reserved.includes(name)) reason = 'it is a branch that others work on';
      else if (below !== undefined) reason = `the branch ${below} is below it`;
      else if (seen !== undefined) reason = await whyNotOurs(bundle, seen);
    }
    if (reason !== undefined) {
      skipped.push({ name, reason });
      continue;
    }
    const closed = await declined(name);
    if (closed !== undefined) return { name, done: 'declined', closed, skipped };
    if (seen === undefined) return { name, done: 'created', skipped };
    const isSame = seen === bundle.tip || (await hasSameFiles(bundle, seen));
    return { name, done: isSame ? 'unchanged' : 'updated', skipped };
  }
  throw new BotError('publish-failed', `${firstName} and the names after it are taken`, {
    hint: 'Delete the branches you no longer need',
  });
}

const overtaken = (name: string): BotError =>
  new BotError('publish-failed', `others keep pushing to ${name} at the same time`, {
    hint: 'Give the job a concurrency group, so that one run publishes at a time, and run it again',
  });

/**
 * The branch that a commit's fixes are for if there is no pull request. A commit on none of our
 * branches is refused: it may come from a fork, whose objects GitHub serves under our name too.
 */
export async function findBaseBranch(
  repo: RemoteRepo,
  commit: string,
  { eventBranch, defaultBranch }: { eventBranch: string | undefined; defaultBranch: string },
): Promise<string> {
  const branches = await remoteBranches(repo);
  const likely = eventBranch ?? defaultBranch;
  if (branches.get(likely) === commit) return likely;
  if (branches.has(likely) && (await isOnBranch(repo, commit, likely))) return likely;
  if (eventBranch !== undefined) {
    throw new BotError(
      'not-permitted',
      `${commit.slice(0, 12)} is not in ${eventBranch}, the branch of this workflow's event`,
      {
        hint: 'It was pushed to or deleted in the meantime; run the workflow again on its current head',
      },
    );
  }
  const heads = [...branches].filter(([, head]) => head === commit).map(([name]) => name);
  const [only, ...more] = heads;
  if (only !== undefined && more.length === 0) return only;
  throw new BotError(
    'publish-failed',
    only === undefined
      ? `${commit.slice(0, 12)} is neither in ${defaultBranch} nor the head of another branch`
      : `${commit.slice(0, 12)} is the head of several branches (${heads.join(', ')})`,
    { hint: 'Push your commits first; if there is a pull request, name it with --pr N' },
  );
}
