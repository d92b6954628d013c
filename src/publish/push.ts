import { BotError } from '../core/bot-error.js';
import { isPlainBranch } from '../git/commit-plan.js';
import type { Github, GithubPull } from '../github/types.js';
import { fitParts, footerOf, type Pause, retryUntilStable } from './comment-body.js';
import { postReply } from './conversation.js';
import { mustBeHere } from './outcome-file.js';
import {
  type DeclinedBranch,
  findBaseBranch,
  type PlacedBranch,
  placeBranch,
} from './place-branch.js';
import { declinedPull, notOpened, openPull, type PullEnd, settlePullRequest } from './pull.js';
import {
  branchOf,
  type FixedBranch,
  type FixedOutcome,
  markPull,
  type PullText,
  pullParts,
  pullTitle,
  WORKFLOW_LOGIN,
} from './pull-text.js';
import { answerMark, answerText, declinedLines, plannedLines, pushedLines } from './push-text.js';
import { type OpenBundle, type RemoteRepo, vetBundle } from './remote-repo.js';

export interface PushJob {
  readonly outcome: FixedOutcome & { readonly task: 'fix-lint' };
  /** The pull request it belongs to; undefined when it is of a branch. */
  readonly pull: number | undefined;
  readonly isDryRun: boolean;
  /** No pull request is opened; people do that by the link. */
  readonly isBranchOnly: boolean;
  /** Says on the pull request also that nothing was fixed: somebody waits for an answer. */
  readonly isAnswer: boolean;
  readonly runUrl: string | undefined;
  readonly pause: Pause;
  /** What the configuration says at this commit. */
  settingsAt(commit: string): Promise<PushSettings>;
}

export interface PushSettings {
  readonly prefix: string;
  readonly mayEdit: (path: string) => boolean;
  /** Whom we write as, where GitHub need not be asked. */
  readonly author: string | undefined;
}

export interface PushReport {
  readonly lines: readonly string[];
  /** What the job's summary shows. */
  readonly text: string;
}

interface Place {
  readonly job: PushJob;
  readonly githubApi: Github;
  readonly remoteRepo: RemoteRepo;
}

/** A branch and a pull request out of an outcome of `fix-lint`. The file is believed in nothing. */
export async function push(
  job: PushJob,
  { githubApi, remoteRepo }: { readonly githubApi: Github; readonly remoteRepo: RemoteRepo },
): Promise<PushReport> {
  const place = { job, githubApi, remoteRepo };
  const { outcome } = job;
  mustBeHere(outcome, githubApi.repository);
  const branch = branchOf(outcome);
  const { head } = outcome.change;
  const look = (number: number): Promise<GithubPull> => openPull(githubApi, { number, head });
  const pull = job.pull === undefined ? undefined : await look(job.pull);
  if (branch === undefined) return nothing(place, pull);
  const { base, bundle } = branch;
  const defaultBranch = await githubApi.defaultBranch();
  const home = pull?.head.ref ?? (await findBaseBranch(remoteRepo, base, defaultBranch));
  const settings = await job.settingsAt(pull?.base.sha ?? (await headOf(githubApi, defaultBranch)));
  const name = branchName(branch, settings.prefix);
  const opened = await remoteRepo.open({ bundle, base, mayEdit: settings.mayEdit });
  vetBundle(opened, branch, outcome.run);
  const login = settings.author ?? (await githubApi.login());
  const text = textOf({ place, opened, pull, home, login });
  // Who only wants the branch opens the pull request by hand, and knows of the other one.
  const declined = async (tried: string): Promise<GithubPull | undefined> =>
    job.isBranchOnly ? undefined : declinedPull(githubApi, { branch: tried, home });
  if (job.isDryRun) {
    const plan = { name, home, commits: opened.commits, text };
    return { lines: plannedLines({ ...plan, closed: await declined(name) }), text: '' };
  }
  const placed = await placeBranch(remoteRepo, opened, {
    name,
    taken: [defaultBranch, home, ...(pull === undefined ? [] : [pull.base.ref])],
    mayPush: async () => void (pull && (await look(pull.number))),
    declined,
    pause: job.pause,
  });
  if (placed.done === 'declined') return leave({ place, pull, login }, placed);
  return publish({ place, placed, opened, pull, home, login, text });
}

async function headOf(githubApi: Github, branch: string): Promise<string> {
  const head = await githubApi.branchHead(branch);
  if (head !== undefined) return head;
  throw new BotError('publish-failed', `${githubApi.repository} has no branch ${branch}`, {
    hint: 'An empty repository has nothing to start from',
  });
}

/** Nothing was fixed, which is an answer as well. */
async function nothing(place: Place, pull: GithubPull | undefined): Promise<PushReport> {
  const { job, githubApi } = place;
  const isReported = pull !== undefined && job.isAnswer && !job.isDryRun;
  const author = isReported ? (await job.settingsAt(pull.base.sha)).author : undefined;
  const login = isReported ? (author ?? (await githubApi.login())) : '';
  const said = isReported ? await answer({ place, pull, login }, undefined) : [];
  return { lines: ['nothing to push: no diagnostic was fixed', ...said], text: '' };
}

/** Somebody has said no; whoever waits for an answer is told that, and nobody else is bothered. */
async function leave(
  { place, pull, login }: Omit<Printed, 'pull'> & { readonly pull: GithubPull | undefined },
  branch: DeclinedBranch,
): Promise<PushReport> {
  const { closed } = branch;
  const isReported = pull !== undefined && place.job.isAnswer;
  const said = isReported ? await answer({ place, pull, login }, { closed }) : [];
  const lines = declinedLines(branch);
  return { lines: [...lines, ...said], text: lines.join('\n\n') };
}

/** A description takes 65,536 characters. */
const MOST_BODY = 60_000;

interface Scene {
  readonly place: Place;
  readonly opened: OpenBundle;
  readonly pull: GithubPull | undefined;
  readonly home: string;
  readonly login: string;
}

function textOf({ place, opened, pull, home, login }: Scene): PullText {
  const { outcome } = place.job;
  const { commits } = opened;
  const footer = footerText(place.job);
  const parts = pullParts({ outcome, commits, pull: pull?.number, home, login, footer });
  const { text } = fitParts(parts, MOST_BODY);
  return markPull({ title: pullTitle(outcome), body: text });
}

const footerText = ({ outcome, runUrl }: PushJob): string[] =>
  footerOf(outcome, { time: '', runUrl });

async function publish(
  scene: Scene & { readonly placed: PlacedBranch; readonly text: PullText },
): Promise<PushReport> {
  const { place, placed, pull, home, login, text } = scene;
  const { job, githubApi } = place;
  const { webUrl, repository } = githubApi;
  const { name: branch } = placed;
  const compare = compareUrl({ webUrl, repository, base: home, branch });
  const untilDone = (round: () => Promise<boolean>): Promise<void> =>
    retryUntilStable(round, job.pause);
  const options = { githubApi, branch, home, text, untilDone };
  let end: PullEnd | undefined;
  let refusal: BotError | undefined;
  try {
    end = job.isBranchOnly ? undefined : await settlePullRequest(options);
  } catch (thrown) {
    refusal = notOpened(thrown, compare);
  }
  const fixed = { pull: end?.pull, compare };
  const said = pull === undefined ? [] : await answer({ place, pull, login }, fixed);
  // Whoever asked has the link by now; the job says what is missing.
  if (refusal !== undefined) throw refusal;
  const isSilent = end?.done === 'opened' && login === WORKFLOW_LOGIN;
  return { lines: [...pushedLines({ placed, end, compare, isSilent }), ...said], text: text.body };
}

interface Printed {
  readonly place: Place;
  readonly pull: GithubPull;
  readonly login: string;
}

/** What became of the fixes. */
interface Fixed {
  readonly pull?: GithubPull | undefined;
  readonly compare?: string;
  readonly closed?: GithubPull;
}

/** One comment for one run on the pull request that was linted. */
async function answer(
  { place, pull, login }: Printed,
  fixed: Fixed | undefined,
): Promise<string[]> {
  const { job, githubApi } = place;
  if (pull.isLocked) return [`#${pull.number} was not told: its conversation is locked`];
  const { pull: made, compare, closed } = fixed ?? {};
  const facts = { pull: made, compare, closed, footer: footerText(job) };
  const body = answerText({ outcome: job.outcome, ...facts });
  const mark = answerMark(job.outcome);
  const options = { pull: pull.number, author: login, mark, body, mayWrite: async () => undefined };
  const ending = await postReply(githubApi, options, job.pause);
  return [`#${pull.number} ${ending === 'posted' ? 'was told' : 'had been told'}: ${pull.url}`];
}

/**
 * The name to begin with at the remote. It follows from the prefix and the commit; the file's own
 * may only differ by the number of a second try, which belongs to the repository it was made in.
 */
export function branchName({ name, base }: FixedBranch, prefix: string): string {
  const own = `${prefix}/fix-lint-${base.slice(0, 12)}`;
  const rest = name.startsWith(own) ? name.slice(own.length) : undefined;
  if (rest !== undefined && /^(?:-\d{1,3})?$/.test(rest) && isPlainBranch(own)) return own;
  throw new BotError(
    'not-permitted',
    `${JSON.stringify(name.slice(0, 200))} is no branch of ours`,
    {
      hint: `Here they are called ${own}; branch.prefix counts as the base has it, or as --config says`,
    },
  );
}

export interface Compared {
  readonly webUrl: string;
  readonly repository: string;
  readonly base: string;
  readonly branch: string;
}

/** Where people open the pull request themselves, with one press of a button. */
export const compareUrl = ({ webUrl, repository, base, branch }: Compared): string =>
  `${webUrl}/${repository}/compare/${part(base)}...${part(branch)}?expand=1`;

/** Brackets would end the link that the address stands in. */
const part = (name: string): string =>
  name
    .split('/')
    .map(each => encodeURIComponent(each).replace(/[()'*!]/g, inHex))
    .join('/');

const inHex = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
