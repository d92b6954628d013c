import { BotError, isBotError } from '../core/bot-error.js';
import { isFork } from '../github/place.js';
import { type Github, type GithubPull, troubleOf } from '../github/types.js';
import { isSamePull, isUntouched, type PullText } from './pull-text.js';

export interface PullEnd {
  readonly pull: GithubPull;
  readonly done: 'opened' | 'updated' | 'unchanged' | 'edited';
}

export interface PullOptions2 {
  readonly githubApi: Pick<Github, 'pullsFrom' | 'createPull' | 'updatePull'>;
  readonly branch: string;
  /** The branch it is to be merged into. */
  readonly home: string;
  readonly text: PullText;
  /** Does a round again until it says that there is nothing left to do. */
  readonly untilDone: (round: () => Promise<boolean>) => Promise<void>;
}

/** One open pull request from the branch, saying what we have to say unless people have edited it. */
export async function settlePullRequest(options: PullOptions2): Promise<PullEnd> {
  const { githubApi, branch, home, text, untilDone } = options;
  let end: PullEnd | undefined;
  let refusals = 0;
  await untilDone(async () => {
    const all = await githubApi.pullsFrom(branch);
    const [pull] = all
      .filter(({ base, isOpen }) => isOpen && base.ref === home)
      .sort((one, other) => one.number - other.number);
    if (pull !== undefined) {
      end = await refresh(options, pull);
      return true;
    }
    try {
      const made = await githubApi.createPull({
        ...text,
        head: branch,
        base: home,
        isDraft: false,
      });
      end = { pull: made, done: 'opened' };
      return true;
    } catch (thrown) {
      refusals += 1;
      // Somebody may have been quicker, which GitHub refuses; a second look tells.
      if (troubleOf(thrown) !== 'refused' || refusals > 1) throw thrown;
      return false;
    }
  });
  if (end === undefined) throw new BotError('bug', 'a pull request was settled without one');
  return end;
}

async function refresh({ githubApi, text }: PullOptions2, pull: GithubPull): Promise<PullEnd> {
  if (isSamePull(pull, text)) return { pull, done: 'unchanged' };
  if (!isUntouched(pull)) return { pull, done: 'edited' };
  await githubApi.updatePull(pull.number, text);
  return { pull, done: 'updated' };
}

/** The branch is there, and whoever may can open the pull request by the link. */
export function notOpened(thrown: unknown, compare: string): BotError {
  if (!isBotError(thrown) || thrown.code !== 'not-permitted') throw thrown;
  const isSetting = /not permitted to create/i.test(thrown.message);
  const hint = isSetting
    ? 'Settings, Actions, General: "Allow GitHub Actions to create and approve pull requests" is ' +
      'off; turn it on, use the token of a GitHub App, or push with --branch-only'
    : (thrown.hint ?? 'The job needs permissions: pull-requests: write');
  return new BotError(
    isSetting ? 'publish-failed' : 'not-permitted',
    `the branch is pushed, but there is no pull request: ${thrown.message}`,
    { hint: `${hint}\n  Open the pull request here: ${compare}`, cause: thrown },
  );
}

/** The pull request: open, of this repository, and still at the commit that was linted. */
export async function openPull(
  githubApi: Pick<Github, 'pull' | 'repository'>,
  { number, head }: { readonly number: number; readonly head: string },
): Promise<GithubPull> {
  const pull = await githubApi.pull(number);
  if (pull === undefined) {
    throw new BotError('publish-failed', `${githubApi.repository} has no pull request ${number}`, {
      hint: 'Check GITHUB_REPOSITORY; a token that may not read pull requests sees none',
    });
  }
  if (isFork(pull.head.repository, githubApi.repository)) {
    throw new BotError('not-permitted', `pull request ${number} comes from a fork`, {
      hint: 'Nothing is pushed for it: its branch is not in this repository',
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
    `the outcome is of ${head.slice(0, 12)}, and pull request ${number} is at ` +
      `${pull.head.sha.slice(0, 12)} by now; nothing was pushed`,
    { hint: 'Run fix-lint on the new head' },
  );
}

/**
 * The pull request from this branch that somebody closed without merging it, unless another one is
 * open. That was an answer, whoever had opened it.
 */
export async function declinedPull(
  githubApi: Pick<Github, 'pullsFrom'>,
  { branch, home }: { readonly branch: string; readonly home: string },
): Promise<GithubPull | undefined> {
  const all = await pullsFrom(githubApi, branch);
  const here = all.filter(({ base }) => base.ref === home);
  if (here.some(({ isOpen }) => isOpen)) return undefined;
  return [...here].sort((one, other) => other.number - one.number)[0];
}

/** A token that may push but not look is told so where the pull request is opened. */
async function pullsFrom(
  githubApi: Pick<Github, 'pullsFrom'>,
  branch: string,
): Promise<readonly GithubPull[]> {
  try {
    return await githubApi.pullsFrom(branch);
  } catch (thrown) {
    if (isBotError(thrown) && thrown.code === 'not-permitted') return [];
    throw thrown;
  }
}
