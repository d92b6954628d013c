import { BotError } from './core/failure.js';
import type { Forge, ForgePull } from './core/forge.js';
import { converge, type Pause } from './post/converge.js';
import { fitParts } from './post/fit-parts.js';
import { postTalk } from './post/post-talk.js';
import { footerOf } from './post/run-footer.js';
import { mustBeHere } from './post/trust.js';
import { answerMark, answerText } from './push/answer-text.js';
import { branchName } from './push/branch-name.js';
import { compareUrl } from './push/compare-url.js';
import { declinedPull } from './push/declined-pull.js';
import { findHome } from './push/find-home.js';
import { branchOf, type FixedOutcome } from './push/fixed-outcome.js';
import { openPull } from './push/open-pull.js';
import { type DeclinedBranch, type PlacedBranch, placeBranch } from './push/place-branch.js';
import { markPull, type PullText } from './push/pull-mark.js';
import { pullParts, pullTitle, WORKFLOW_LOGIN } from './push/pull-text.js';
import { declinedLines, plannedLines, pushedLines } from './push/push-lines.js';
import type { OpenBundle, PushRoom } from './push/room.js';
import { notOpened, type PullEnd, settlePull } from './push/settle-pull.js';
import { vetBundle } from './push/vet-bundle.js';

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
  readonly forge: Forge;
  readonly room: PushRoom;
}

/** A branch and a pull request out of an outcome of `fix-lint`. The file is believed in nothing. */
export async function push(
  job: PushJob,
  { forge, room }: { readonly forge: Forge; readonly room: PushRoom },
): Promise<PushReport> {
  const place = { job, forge, room };
  const { outcome } = job;
  mustBeHere(outcome, forge.repository);
  const branch = branchOf(outcome);
  const { head } = outcome.change;
  const look = (number: number): Promise<ForgePull> => openPull(forge, { number, head });
  const pull = job.pull === undefined ? undefined : await look(job.pull);
  if (branch === undefined) return nothing(place, pull);
  const { base, bundle } = branch;
  const defaultBranch = await forge.defaultBranch();
  const home = pull?.head.ref ?? (await findHome(room, base, defaultBranch));
  const settings = await job.settingsAt(pull?.base.sha ?? (await headOf(forge, defaultBranch)));
  const name = branchName(branch, settings.prefix);
  const opened = await room.open({ bundle, base, mayEdit: settings.mayEdit });
  vetBundle(opened, branch, outcome.run);
  const login = settings.author ?? (await forge.login());
  const text = textOf({ place, opened, pull, home, login });
  // Who only wants the branch opens the pull request by hand, and knows of the other one.
  const declined = async (tried: string): Promise<ForgePull | undefined> =>
    job.isBranchOnly ? undefined : declinedPull(forge, { branch: tried, home });
  if (job.isDryRun) {
    const plan = { name, home, commits: opened.commits, text };
    return { lines: plannedLines({ ...plan, closed: await declined(name) }), text: '' };
  }
  const placed = await placeBranch(room, opened, {
    name,
    taken: [defaultBranch, home, ...(pull === undefined ? [] : [pull.base.ref])],
    mayPush: async () => void (pull && (await look(pull.number))),
    declined,
    pause: job.pause,
  });
  if (placed.done === 'declined') return leave({ place, pull, login }, placed);
  return publish({ place, placed, opened, pull, home, login, text });
}

async function headOf(forge: Forge, branch: string): Promise<string> {
  const head = await forge.branchHead(branch);
  if (head !== undefined) return head;
  throw new BotError('publish-failed', `${forge.repository} has no branch ${branch}`, {
    hint: 'An empty repository has nothing to start from',
  });
}

/** Nothing was fixed, which is an answer as well. */
async function nothing(place: Place, pull: ForgePull | undefined): Promise<PushReport> {
  const { job, forge } = place;
  const isTold = pull !== undefined && job.isAnswer && !job.isDryRun;
  const author = isTold ? (await job.settingsAt(pull.base.sha)).author : undefined;
  const login = isTold ? (author ?? (await forge.login())) : '';
  const said = isTold ? await answer({ place, pull, login }, undefined) : [];
  return { lines: ['nothing to push: no diagnostic was fixed', ...said], text: '' };
}

/** Somebody has said no; whoever waits for an answer is told that, and nobody else is bothered. */
async function leave(
  { place, pull, login }: Omit<Told, 'pull'> & { readonly pull: ForgePull | undefined },
  branch: DeclinedBranch,
): Promise<PushReport> {
  const { closed } = branch;
  const isTold = pull !== undefined && place.job.isAnswer;
  const said = isTold ? await answer({ place, pull, login }, { closed }) : [];
  const lines = declinedLines(branch);
  return { lines: [...lines, ...said], text: lines.join('\n\n') };
}

/** A description takes 65,536 characters. */
const MOST_BODY = 60_000;

interface Scene {
  readonly place: Place;
  readonly opened: OpenBundle;
  readonly pull: ForgePull | undefined;
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
  const { job, forge } = place;
  const { webUrl, repository } = forge;
  const { name: branch } = placed;
  const compare = compareUrl({ webUrl, repository, base: home, branch });
  const untilDone = (round: () => Promise<boolean>): Promise<void> => converge(round, job.pause);
  const wish = { forge, branch, home, text, untilDone };
  let end: PullEnd | undefined;
  let refusal: BotError | undefined;
  try {
    end = job.isBranchOnly ? undefined : await settlePull(wish);
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

interface Told {
  readonly place: Place;
  readonly pull: ForgePull;
  readonly login: string;
}

/** What became of the fixes. */
interface Fixed {
  readonly pull?: ForgePull | undefined;
  readonly compare?: string;
  readonly closed?: ForgePull;
}

/** One comment for one run on the pull request that was linted. */
async function answer({ place, pull, login }: Told, fixed: Fixed | undefined): Promise<string[]> {
  const { job, forge } = place;
  if (pull.isLocked) return [`#${pull.number} was not told: its conversation is locked`];
  const { pull: made, compare, closed } = fixed ?? {};
  const facts = { pull: made, compare, closed, footer: footerText(job) };
  const body = answerText({ outcome: job.outcome, ...facts });
  const mark = answerMark(job.outcome);
  const wish = { pull: pull.number, author: login, mark, body, mayWrite: async () => undefined };
  const ending = await postTalk(forge, wish, job.pause);
  return [`#${pull.number} ${ending === 'posted' ? 'was told' : 'had been told'}: ${pull.url}`];
}
