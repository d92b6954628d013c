import type { FailOn } from '../config/config.js';
import { BotError } from '../core/bot-error.js';
import type { Finding } from '../core/finding.js';
import type { Github, GithubPull } from '../github/types.js';
import { ignoreLine } from '../report/ignore-comment.js';
import { orderFindings } from '../report/style.js';
import { factLine, listFacts, summarise } from '../report/summary-line.js';
import { checkRun, postCheck } from './check.js';
import { commentBody, footerOf, type Pause } from './comment-body.js';
import { postReply, replyOf } from './conversation.js';
import type { NotInline } from './inline.js';
import {
  type AnyOutcome,
  isReview,
  mustBeHead,
  mustBeHere,
  type ReviewOutcome,
  trusted,
} from './outcome-file.js';
import { postReview, type ReviewReport, reviewLine } from './post-review.js';
import { summaryText } from './summary.js';

export interface PostJob {
  readonly outcome: AnyOutcome;
  /** Undefined when only the check of a commit is wanted. */
  readonly pull: number | undefined;
  readonly withCheck: boolean;
  /** Tell what would be written, and write nothing. */
  readonly isDryRun: boolean;
  /** Where the run can be looked at, for people. */
  readonly runUrl: string | undefined;
  readonly pause: Pause;
  /** What the configuration says where the pull request starts from. */
  settingsFor(pull: GithubPull | undefined): Promise<PostSettings>;
  /** What GitHub did not take; it is shown where the job can show it. */
  keep(text: string): Promise<unknown>;
}

export interface PostSettings {
  readonly failOn: FailOn;
  readonly maxComments: number;
  /** Whom we write as, where GitHub need not be asked. */
  readonly author: string | undefined;
}

export interface PostReport {
  /** What was done, for people. */
  readonly lines: readonly string[];
  /** What the job's summary shows. */
  readonly text: string;
}

/** An outcome in, comments out. Nothing in the outcome is believed that GitHub can be asked. */
export async function post(job: PostJob, githubApi: Github): Promise<PostReport> {
  mustBeHere(job.outcome, githubApi.repository);
  const pull = job.pull === undefined ? undefined : await openPull(job.pull, githubApi);
  if (pull !== undefined) mustBeHead(job.outcome, pull);
  const { outcome } = job;
  const settings = await job.settingsFor(pull);
  if (!isReview(outcome)) return talk(job, githubApi, { pull, settings });
  const sound = trusted(outcome);
  const said = pull && (await review(sound, { job, githubApi, pull, settings }));
  const check = job.withCheck ? await setCheck(sound, { job, githubApi, settings, said }) : [];
  const text = said?.text ?? summaryOf(sound, { job, githubApi });
  const report = pull && said ? [reviewLine(said, pull.url, job.isDryRun)] : [];
  return { lines: [...report, ...check], text };
}

async function openPull(number: number, githubApi: Github): Promise<GithubPull> {
  const pull = await githubApi.pull(number);
  if (pull !== undefined) return pull;
  throw new BotError('publish-failed', `${githubApi.repository} has no pull request ${number}`, {
    hint: 'Check --pr and GITHUB_REPOSITORY; a token that may not read pull requests sees none',
  });
}

interface Scene {
  readonly job: PostJob;
  readonly githubApi: Github;
  readonly pull: GithubPull;
  readonly settings: PostSettings;
}

async function review(outcome: ReviewOutcome, scene: Scene): Promise<ReviewReport> {
  const { job, githubApi, pull, settings } = scene;
  const { task, run, startedAt, findings, change } = outcome;
  const options = {
    pull,
    author: settings.author ?? (await githubApi.login()),
    findings: orderFindings(findings),
    subject: { task, run, startedAt, head: change.head },
    maxComments: settings.maxComments,
    isDryRun: job.isDryRun,
    commentBody: (anchored: Parameters<typeof commentBody>[0]) =>
      commentBody(anchored, silenceLine),
    summary: ({ notInline }: { notInline: Notes }, ignored: ReadonlySet<string>) =>
      summaryOf(outcome, { job, githubApi, notInline, ignored }),
    mayWrite: () => mustStand(scene),
  };
  try {
    return await postReview(githubApi, options, job.pause);
  } catch (thrown) {
    await job.keep(summaryOf(outcome, { job, githubApi }));
    throw thrown;
  }
}

type Notes = ReadonlyMap<string, NotInline>;

const silenceLine = ({ rule, path }: Finding): string => ignoreLine(rule, path);

/** A push can come between any two requests. */
async function mustStand({ job, githubApi, pull }: Omit<Scene, 'settings'>): Promise<void> {
  mustBeHead(job.outcome, await openPull(pull.number, githubApi));
}

interface SummaryFacts {
  readonly job: PostJob;
  readonly githubApi: Github;
  readonly notInline?: Notes;
  readonly ignored?: ReadonlySet<string>;
}

function summaryOf(outcome: ReviewOutcome, facts: SummaryFacts): string {
  const { job, githubApi, notInline = new Map(), ignored = new Set() } = facts;
  const all = orderFindings(outcome.findings);
  const findings = all.filter(({ id }) => !ignored.has(id));
  const { verdict, coverage } = summarise(settled(outcome, findings));
  return summaryText({
    verdict,
    // Its last word is the time, which the last line tells.
    coverage: coverage.slice(0, -1),
    findings,
    ignored: all.filter(({ id }) => ignored.has(id)),
    notInline,
    facts: listFacts(outcome).map(fact => {
      const { text, items } = factLine(fact, false);
      return { label: fact.label, text: [text, ...items].join('; ') };
    }),
    ignoreLine: silenceLine,
    filesUrl: `${githubApi.webUrl}/${githubApi.repository}/blob/${outcome.change.head}`,
    footer: footerOf(outcome, { time: coverage.at(-1) ?? '', runUrl: job.runUrl }),
  });
}

/** An answer from the cache is a review all the same: saying so would be news without any. */
function settled(outcome: ReviewOutcome, findings: readonly Finding[]): ReviewOutcome {
  const { ledger } = outcome;
  const reviewed = ledger.reviewed + ledger.cached;
  return { ...outcome, findings, ledger: { ...ledger, reviewed, cached: 0 } };
}

async function setCheck(
  outcome: ReviewOutcome,
  { job, githubApi, settings, said }: Omit<Scene, 'pull'> & { said: ReviewReport | undefined },
): Promise<string[]> {
  if (said?.summary === 'overtaken') return [];
  const findings = outcome.findings.filter(({ id }) => !said?.ignored.has(id));
  const { verdict } = summarise(settled(outcome, findings));
  const summary = said?.text ?? summaryOf(outcome, { job, githubApi });
  const plan = checkRun({ outcome, findings, verdict, summary, failOn: settings.failOn });
  if (job.isDryRun) return [`check ${plan.check.name} would be ${plan.check.conclusion}`];
  const ending = await postCheck(githubApi, plan, job.pause);
  const words = ending === 'set' ? 'set' : 'was set already';
  return [`check ${plan.check.name} ${words}: ${plan.check.conclusion}`];
}

async function talk(
  job: PostJob,
  githubApi: Github,
  { pull, settings }: { pull: GithubPull | undefined; settings: PostSettings },
): Promise<PostReport> {
  const { outcome } = job;
  if (pull === undefined || isReview(outcome)) {
    throw new BotError('usage', `an outcome of ${outcome.task} is posted on a pull request`, {
      hint: 'Say which one: --pr N',
    });
  }
  const author = settings.author ?? (await githubApi.login());
  const { mark, body } = replyOf(outcome, { runUrl: job.runUrl });
  if (job.isDryRun)
    return { lines: [`nothing written; it would be said at ${pull.url}`], text: body };
  const mayWrite = (): Promise<void> => mustStand({ job, githubApi, pull });
  const options = { pull: pull.number, author, mark, body, mayWrite };
  const ending = await postReply(githubApi, options, job.pause);
  const words = ending === 'posted' ? 'posted' : 'was posted already';
  return { lines: [`${outcome.task} ${words}: ${pull.url}`], text: body };
}
