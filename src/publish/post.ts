import { BotError } from '../core/bot-error.js';
import type { FailOn, Finding } from '../core/finding.js';
import type { AnyOutcome, Outcome } from '../core/outcome.js';
import type { Github } from '../github/github.js';
import type { GithubPull } from '../github/pulls.js';
import { ignoreLine } from '../report/ignore-comment.js';
import { orderFindings } from '../report/style.js';
import { factLine, listFacts, summarise } from '../report/summary-line.js';
import { checkRun, postCheck } from './check.js';
import { commentBody, footerOf, summaryText } from './comment-body.js';
import { type Pause, postReply, replyOf } from './conversation.js';
import { isReview, mustBeHead, mustBeHere, readPull, trusted } from './outcome-file.js';
import type { NotInline } from './plan-review.js';
import { postReview, type ReviewReport, reviewLine } from './post-review.js';

export interface PostJob {
  readonly outcome: AnyOutcome;
  /** Undefined to set only the check of a commit. */
  readonly pull: number | undefined;
  readonly withCheck: boolean;
  /** Report what would be written, and write nothing. */
  readonly isDryRun: boolean;
  /** The page of the run. */
  readonly runUrl: string | undefined;
  readonly pause: Pause;
  /** From the configuration at the base of the pull request. */
  settingsFor(pull: GithubPull | undefined): Promise<PostSettings>;
  /** Called with the summary when posting fails, so that the job can still show it. */
  keep(text: string): Promise<unknown>;
}

export interface PostSettings {
  readonly failOn: FailOn;
  readonly maxComments: number;
  /** The login we write as; undefined to ask GitHub. */
  readonly author: string | undefined;
}

export interface PostReport {
  readonly lines: readonly string[];
  /** For the job's summary. */
  readonly text: string;
}

/** Posts an outcome. What GitHub knows better isn't taken from the file. */
export async function post(job: PostJob, githubApi: Github): Promise<PostReport> {
  mustBeHere(job.outcome, githubApi.repository);
  const pull = job.pull === undefined ? undefined : await readPull(githubApi, job.pull);
  if (pull !== undefined) mustBeHead(job.outcome, pull);
  const { outcome } = job;
  const settings = await job.settingsFor(pull);
  if (!isReview(outcome)) return postAnswer(job, githubApi, { pull, settings });
  const sound = trusted(outcome);
  const report = pull && (await review(sound, { job, githubApi, pull, settings }));
  const check = job.withCheck ? await setCheck(sound, { job, githubApi, settings, report }) : [];
  const text = report?.text ?? summaryOf(sound, { job, githubApi });
  const lines = pull && report ? [reviewLine(report, pull.url, job.isDryRun)] : [];
  return { lines: [...lines, ...check], text };
}

interface Target {
  readonly job: PostJob;
  readonly githubApi: Github;
  readonly pull: GithubPull;
  readonly settings: PostSettings;
}

async function review(outcome: Outcome, target: Target): Promise<ReviewReport> {
  const { job, githubApi, pull, settings } = target;
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
    mayWrite: () => mustStillBeHead(target),
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

/** A push can happen between any two requests. */
async function mustStillBeHead(target: Omit<Target, 'settings'>): Promise<void> {
  const { job, githubApi, pull } = target;
  mustBeHead(job.outcome, await readPull(githubApi, pull.number));
}

interface SummaryFacts {
  readonly job: PostJob;
  readonly githubApi: Github;
  readonly notInline?: Notes;
  readonly ignored?: ReadonlySet<string>;
}

function summaryOf(outcome: Outcome, facts: SummaryFacts): string {
  const { job, githubApi, notInline = new Map(), ignored = new Set() } = facts;
  const all = orderFindings(outcome.findings);
  const findings = all.filter(({ id }) => !ignored.has(id));
  const { verdict, coverage } = summarise(withoutCache(outcome, findings));
  return summaryText({
    verdict,
    // Its last item is the time, which is in the footer.
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

/** Counts cached answers as reviewed; otherwise a second run would change the summary. */
function withoutCache(outcome: Outcome, findings: readonly Finding[]): Outcome {
  const { ledger } = outcome;
  const reviewed = ledger.reviewed + ledger.cached;
  return { ...outcome, findings, ledger: { ...ledger, reviewed, cached: 0 } };
}

async function setCheck(
  outcome: Outcome,
  target: Omit<Target, 'pull'> & { report: ReviewReport | undefined },
): Promise<string[]> {
  const { job, githubApi, settings, report } = target;
  if (report?.summary === 'overtaken') return [];
  const findings = outcome.findings.filter(({ id }) => !report?.ignored.has(id));
  const { verdict } = summarise(withoutCache(outcome, findings));
  const summary = report?.text ?? summaryOf(outcome, { job, githubApi });
  const plan = checkRun({ outcome, findings, verdict, summary, failOn: settings.failOn });
  if (job.isDryRun) return [`check ${plan.check.name} would be ${plan.check.conclusion}`];
  const done = await postCheck(githubApi, plan, job.pause);
  return [`check ${plan.check.name} ${done}: ${plan.check.conclusion}`];
}

/** An answer or a description, as one comment. */
async function postAnswer(
  job: PostJob,
  githubApi: Github,
  { pull, settings }: { pull: GithubPull | undefined; settings: PostSettings },
): Promise<PostReport> {
  const { outcome } = job;
  if (pull === undefined || isReview(outcome)) {
    throw new BotError(
      'usage',
      `an outcome of ${outcome.task} can only be posted on a pull request`,
      {
        hint: 'Name it with --pr N',
      },
    );
  }
  const author = settings.author ?? (await githubApi.login());
  const { mark, body } = replyOf(outcome, { runUrl: job.runUrl });
  if (job.isDryRun) {
    return { lines: [`nothing written; the comment would go to ${pull.url}`], text: body };
  }
  const mayWrite = (): Promise<void> => mustStillBeHead({ job, githubApi, pull });
  const reply = { pull: pull.number, author, mark, body, mayWrite };
  const done = await postReply(githubApi, reply, job.pause);
  return { lines: [`comment ${done}: ${pull.url}`], text: body };
}
