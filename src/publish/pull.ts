import { BotError, isBotError } from '../core/bot-error.js';
import { troubleOf } from '../github/failure.js';
import type { Github } from '../github/github.js';
import { isFork } from '../github/target.js';
import type { GithubPull } from '../github/types.js';
import { type Pause, retryUntilStable } from './comment-body.js';
import { isSamePull, isUntouched, type PullText } from './pull-text.js';

export interface PullResult {
  readonly pull: GithubPull;
  readonly done: 'opened' | 'updated' | 'unchanged' | 'edited';
}

interface PullOptions {
  readonly branch: string;
  /** The branch to merge it into. */
  readonly baseBranch: string;
  readonly text: PullText;
}

/** Opens one pull request from the branch, or updates its text unless people have edited that. */
export async function openOrUpdatePull(
  githubApi: Github,
  { branch, baseBranch, text }: PullOptions,
  pause: Pause,
): Promise<PullResult> {
  let result: PullResult | undefined;
  let refusals = 0;
  await retryUntilStable(async () => {
    const [pull] = (await githubApi.pullsFrom(branch))
      .filter(({ base, isOpen }) => isOpen && base.ref === baseBranch)
      .sort((one, other) => one.number - other.number);
    if (pull !== undefined) {
      result = await updateText(githubApi, pull, text);
      return true;
    }
    try {
      const made = await githubApi.createPull({ ...text, head: branch, base: baseBranch });
      result = { pull: made, done: 'opened' };
      return true;
    } catch (thrown) {
      refusals += 1;
      // GitHub refuses a second one from the same branch: somebody may have been faster.
      if (troubleOf(thrown) !== 'refused' || refusals > 1) throw thrown;
      return false;
    }
  }, pause);
  if (result === undefined) throw new BotError('bug', 'no pull request was opened or found');
  return result;
}

async function updateText(
  githubApi: Github,
  pull: GithubPull,
  text: PullText,
): Promise<PullResult> {
  if (isSamePull(pull, text)) return { pull, done: 'unchanged' };
  if (!isUntouched(pull)) return { pull, done: 'edited' };
  await githubApi.updatePull(pull.number, text);
  return { pull, done: 'updated' };
}

/** The branch is pushed; people with permission can open the pull request with the link. */
export function notOpened(thrown: unknown, compare: string): BotError {
  if (!isBotError(thrown) || thrown.code !== 'not-permitted') throw thrown;
  const isSetting = /not permitted to create/i.test(thrown.message);
  const hint = isSetting
    ? 'Turn on "Allow GitHub Actions to create and approve pull requests" under Settings, Actions, ' +
      'General; or use the token of a GitHub App, or push with --branch-only'
    : (thrown.hint ?? 'The job needs permissions: pull-requests: write');
  return new BotError(
    isSetting ? 'publish-failed' : 'not-permitted',
    `the branch was pushed, but no pull request was opened: ${thrown.message}`,
    { hint: `${hint}\n  Open the pull request here: ${compare}`, cause: thrown },
  );
}

export async function readPull(
  githubApi: Pick<Github, 'repository' | 'pull'>,
  number: number,
): Promise<GithubPull> {
  const pull = await githubApi.pull(number);
  if (pull !== undefined) return pull;
  throw new BotError('publish-failed', `${githubApi.repository} has no pull request ${number}`, {
    hint: "Check --pr and GITHUB_REPOSITORY; a token that can't read pull requests sees none",
  });
}

/** The pull request to push for: open, from this repository, and still at the linted commit. */
export async function readOwnPull(
  githubApi: Github,
  number: number,
  head: string,
): Promise<GithubPull> {
  const pull = await readPull(githubApi, number);
  if (isFork(pull.head.repository, githubApi.repository)) {
    throw new BotError('not-permitted', `pull request ${number} comes from a fork`, {
      hint: "Its branch isn't in this repository, so nothing can be pushed for it",
    });
  }
  if (!pull.isOpen) {
    throw new BotError('publish-failed', `pull request ${number} is closed; nothing was pushed`, {
      hint: 'Reopen it, or run fix-lint on the branch it was merged into',
    });
  }
  if (pull.head.sha === head) return pull;
  throw new BotError(
    'publish-failed',
    `the outcome is for ${head.slice(0, 12)}, but pull request ${number} is now at ` +
      `${pull.head.sha.slice(0, 12)}; nothing was pushed`,
    { hint: 'Run fix-lint on the new head' },
  );
}

/** The pull request from this branch that people closed without a merge, unless another is open. */
export async function declinedPull(
  githubApi: Pick<Github, 'pullsFrom'>,
  branch: string,
  baseBranch: string,
): Promise<GithubPull | undefined> {
  let all: readonly GithubPull[] = [];
  try {
    all = await githubApi.pullsFrom(branch);
  } catch (thrown) {
    // With a token that may push but not read, opening the pull request will report it.
    if (!isBotError(thrown) || thrown.code !== 'not-permitted') throw thrown;
  }
  const here = all.filter(({ base }) => base.ref === baseBranch);
  if (here.some(({ isOpen }) => isOpen)) return undefined;
  return here.sort((one, other) => other.number - one.number)[0];
}
