import { dirname, join } from 'node:path';
import { BotError, isBotError } from '../core/bot-error.js';
import type { FixBranch } from '../core/outcome.js';
import { isPlainBranch } from '../git/commit-plan.js';
import { troubleOf } from '../github/failure.js';
import type { Github } from '../github/github.js';
import { WORKFLOW_LOGIN } from '../github/people.js';
import type { GithubPull } from '../github/pulls.js';
import { isFork } from '../github/target.js';
import { checkBundleMatches, type OpenBundle, openBundle } from './bundle.js';
import { fitParts, footerOf, urlPath } from './comment-body.js';
import { type Pause, postReply, retryUntilStable } from './conversation.js';
import { mustBeHere, readPull } from './outcome-file.js';
import {
  type DeclinedBranch,
  findBaseBranch,
  type PlacedBranch,
  placeBranch,
} from './place-branch.js';
import {
  answerMark,
  answerText,
  branchOf,
  declinedLines,
  type FixedOutcome,
  isSamePull,
  isUntouched,
  markPull,
  type PullText,
  plannedLines,
  pullParts,
  pullTitle,
  pushedLines,
} from './pull-text.js';
import type { RemoteRepo } from './remote-repo.js';

export interface PushJob {
  readonly outcome: FixedOutcome & { readonly task: 'fix-lint' };
  /** The outcome's file; the bundle is next to it. */
  readonly file: string;
  /** The pull request that was linted; undefined when it was a branch. */
  readonly pull: number | undefined;
  /** The branch that the workflow's event is about; undefined elsewhere. */
  readonly eventBranch: string | undefined;
  readonly isDryRun: boolean;
  /** Print a link instead of opening a pull request. */
  readonly isBranchOnly: boolean;
  /** Comment on the pull request even if nothing was fixed: somebody is waiting for an answer. */
  readonly isAnswer: boolean;
  readonly runUrl: string | undefined;
  readonly pause: Pause;
  /** The configuration at this commit. */
  settingsAt(commit: string): Promise<PushSettings>;
}

export interface PushSettings {
  readonly prefix: string;
  readonly mayEdit: (path: string) => boolean;
  /** The login we write as; undefined to ask GitHub. */
  readonly author: string | undefined;
}

export interface PushReport {
  readonly lines: readonly string[];
  /** For the job's summary. */
  readonly text: string;
}

/** What `push` knows once the outcome and the pull request are read. */
interface Context {
  readonly job: PushJob;
  readonly githubApi: Github;
  /** The pull request that was linted. */
  readonly pull: GithubPull | undefined;
  /** The login we write as. */
  readonly login: string;
}

/** A branch and a pull request from an outcome of `fix-lint`. Nothing in the file is trusted. */
export async function push(
  job: PushJob,
  { githubApi, remoteRepo }: { readonly githubApi: Github; readonly remoteRepo: RemoteRepo },
): Promise<PushReport> {
  const { outcome } = job;
  mustBeHere(outcome, githubApi.repository);
  const branch = branchOf(outcome);
  const { head } = outcome.change;
  const pull = job.pull === undefined ? undefined : await readOwnPull(githubApi, job.pull, head);
  if (branch === undefined) return reportNothingFixed(job, githubApi, pull);
  const { base } = branch;
  const defaultBranch = await githubApi.defaultBranch();
  const { eventBranch } = job;
  const baseBranch =
    pull?.head.ref ?? (await findBaseBranch(remoteRepo, base, { eventBranch, defaultBranch }));
  const settings = await job.settingsAt(pull?.base.sha ?? (await headOf(githubApi, defaultBranch)));
  const name = branchName(branch, settings.prefix);
  const path = join(dirname(job.file), branch.bundle);
  const bundle = await openBundle(remoteRepo, { path, base, mayEdit: settings.mayEdit });
  checkBundleMatches(bundle, branch, outcome.run);
  const login = settings.author ?? (await githubApi.login());
  const context: Context = { job, githubApi, pull, login };
  const text = pullText(context, bundle, baseBranch);
  // With --branch-only people open the pull request themselves, and can see the closed one.
  const declined = async (tried: string): Promise<GithubPull | undefined> =>
    job.isBranchOnly ? undefined : declinedPull(githubApi, tried, baseBranch);
  if (job.isDryRun) {
    const plan = { name, baseBranch, commits: bundle.commits, text };
    return { lines: plannedLines({ ...plan, closed: await declined(name) }), text: '' };
  }
  const placed = await placeBranch(remoteRepo, bundle, {
    name,
    reserved: [defaultBranch, baseBranch, ...(pull === undefined ? [] : [pull.base.ref])],
    mayPush: async () => void (pull && (await readOwnPull(githubApi, pull.number, head))),
    declined,
    pause: job.pause,
  });
  return placed.done === 'declined'
    ? reportDeclined(context, placed)
    : publishPull(context, { placed, baseBranch, text });
}

async function headOf(githubApi: Github, branch: string): Promise<string> {
  const head = await githubApi.branchHead(branch);
  if (head !== undefined) return head;
  throw new BotError('publish-failed', `${githubApi.repository} has no branch ${branch}`, {
    hint: 'Push a first commit to the repository',
  });
}

async function reportNothingFixed(
  job: PushJob,
  githubApi: Github,
  pull: GithubPull | undefined,
): Promise<PushReport> {
  const lines = ['nothing to push: no diagnostic was fixed'];
  if (pull === undefined || !job.isAnswer || job.isDryRun) return { lines, text: '' };
  const login = (await job.settingsAt(pull.base.sha)).author ?? (await githubApi.login());
  const answered = await answer({ job, githubApi, pull, login }, {});
  return { lines: [...lines, ...answered], text: '' };
}

/** People closed the pull request; only an `/apfel` command gets an answer about it. */
async function reportDeclined(context: Context, branch: DeclinedBranch): Promise<PushReport> {
  const lines = declinedLines(branch);
  const answered = context.job.isAnswer ? await answer(context, { closed: branch.closed }) : [];
  return { lines: [...lines, ...answered], text: lines.join('\n\n') };
}

/** A description takes 65,536 characters. */
const MAX_BODY = 60_000;

function pullText(
  { job, pull, login }: Context,
  { commits }: OpenBundle,
  baseBranch: string,
): PullText {
  const { outcome } = job;
  const footer = footerText(job);
  const parts = pullParts({ outcome, commits, pull: pull?.number, baseBranch, login, footer });
  return markPull({ title: pullTitle(outcome), body: fitParts(parts, MAX_BODY).text });
}

const footerText = ({ outcome, runUrl }: PushJob): string[] =>
  footerOf(outcome, { time: '', runUrl });

async function publishPull(
  context: Context,
  options: {
    readonly placed: PlacedBranch;
    readonly baseBranch: string;
    readonly text: PullText;
  },
): Promise<PushReport> {
  const { job, githubApi, login } = context;
  const { placed, baseBranch, text } = options;
  const { name: branch } = placed;
  const compare = compareUrl(githubApi, baseBranch, branch);
  let result: PullResult | undefined;
  let refusal: BotError | undefined;
  try {
    result = job.isBranchOnly
      ? undefined
      : await openOrUpdatePull(githubApi, { branch, baseBranch, text }, job.pause);
  } catch (thrown) {
    refusal = notOpened(thrown, compare);
  }
  const answered = await answer(context, { pull: result?.pull, compare });
  // After the answer, so that people get the link even though the job fails.
  if (refusal !== undefined) throw refusal;
  const isSilent = result?.done === 'opened' && login === WORKFLOW_LOGIN;
  const lines = pushedLines({ placed, result, compare, isSilent });
  return { lines: [...lines, ...answered], text: text.body };
}

/** One comment for one run on the pull request that was linted, if there is one. */
async function answer(
  { job, githubApi, pull, login }: Context,
  fixes: { readonly pull?: GithubPull | undefined; compare?: string; closed?: GithubPull },
): Promise<string[]> {
  if (pull === undefined) return [];
  if (pull.isLocked) return [`no comment on #${pull.number}: its conversation is locked`];
  const { outcome } = job;
  const reply = {
    pull: pull.number,
    author: login,
    mark: answerMark(outcome),
    body: answerText({ outcome, footer: footerText(job), ...fixes }),
    mayWrite: async () => undefined,
  };
  const done = await postReply(githubApi, reply, job.pause);
  return [`comment on #${pull.number} ${done === 'posted' ? 'posted' : 'unchanged'}: ${pull.url}`];
}

/**
 * The first branch name to try on the remote. It is derived from the prefix and the commit; the
 * name in the file may only differ by a number at its end, which belongs to the repository where it
 * was made.
 */
function branchName({ name, base }: FixBranch, prefix: string): string {
  const own = `${prefix}/fix-lint-${base.slice(0, 12)}`;
  const rest = name.startsWith(own) ? name.slice(own.length) : undefined;
  if (rest !== undefined && /^(?:-\d{1,3})?$/.test(rest) && isPlainBranch(own)) return own;
  throw new BotError(
    'not-permitted',
    `${JSON.stringify(name.slice(0, 200))} isn't one of apfel-bot's branch names`,
    {
      hint: `Expected ${own}; branch.prefix comes from the base commit, or from --config`,
    },
  );
}

/** The page on which people open the pull request with one click. */
const compareUrl = ({ webUrl, repository }: Github, baseBranch: string, branch: string): string =>
  `${webUrl}/${repository}/compare/${urlPath(baseBranch)}...${urlPath(branch)}?expand=1`;

export interface PullResult {
  readonly pull: GithubPull;
  readonly done: 'opened' | 'updated' | 'unchanged' | 'edited';
}

/** Opens one pull request from the branch, or updates its text unless people have edited that. */
async function openOrUpdatePull(
  githubApi: Github,
  { branch, baseBranch, text }: { branch: string; baseBranch: string; text: PullText },
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
function notOpened(thrown: unknown, compare: string): BotError {
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

/** The pull request to push for: open, from this repository, and still at the linted commit. */
async function readOwnPull(githubApi: Github, number: number, head: string): Promise<GithubPull> {
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
