import { troubleOf } from '../github/failure.js';
import type { Github } from '../github/github.js';
import { type Pause, retryUntilStable } from './comment-body.js';
import { isInDoubt, type LinesOf } from './inline.js';
import {
  countMarked,
  type OwnSticky,
  ownFindings,
  ownStickies,
  type PostedFinding,
} from './own-comments.js';
import {
  isNothing,
  planReview,
  type ReviewOptions,
  type ReviewPlan,
  type Seen,
  type StickyState,
} from './plan-review.js';
import { type PullDiff, readPullDiff } from './pull-diff.js';
import { readSticky, type Sticky, type StickySubject, writeSticky } from './sticky.js';

export interface ReviewReport {
  readonly posted: number;
  readonly removed: number;
  readonly summary: StickyState;
  /** Ids that people asked to be left alone about. */
  readonly ignored: ReadonlySet<string>;
  /** Findings that are not said again, since a person deleted the comment. */
  readonly deleted: number;
  readonly text: string;
}

export type ReviewGithub = Pick<
  Github,
  | 'comments'
  | 'comment'
  | 'createComment'
  | 'updateComment'
  | 'deleteComment'
  | 'reviewComments'
  | 'createReview'
  | 'deleteReviewComment'
  | 'pullFiles'
  | 'fileAt'
>;

/** Findings → comments at their lines and one summary, so that posting twice changes nothing. */
export async function postReview(
  githubApi: ReviewGithub,
  options: ReviewOptions,
  pause: Pause,
): Promise<ReviewReport> {
  const { pull } = options;
  const diff = readPullDiff((await githubApi.pullFiles(pull.number)).files);
  const headLines = openHeadLines(githubApi, diff, pull.head.sha);
  const found = new Set(options.findings.map(({ id }) => id));
  const looks: Seen[] = [];
  const plans: ReviewPlan[] = [];
  const run: Run = { said: new Set(), removed: new Set(), isRefused: false, hasLooked: false };
  await retryUntilStable(async () => {
    const seen = await look(githubApi, options);
    const linesOf = await headLines(seen.posted, found);
    const plan = planReview(options, seen, { diff, linesOf, ...run });
    looks.push(seen);
    plans.push(plan);
    if (isNothing(plan) || options.isDryRun) return true;
    await options.mayWrite();
    return carryOut(githubApi, options, { plan, run });
  }, pause);
  return options.isDryRun ? forecastOf(plans) : reportOf(looks, plans);
}

/** What one round tells the next. */
interface Run {
  /** Ids of findings that GitHub took, which its lists may show only a moment later. */
  readonly said: Set<string>;
  /** Ids of findings whose comment we removed ourselves. */
  readonly removed: Set<string>;
  isRefused: boolean;
  /** Whether the summary was read after it was written, which is done once. */
  hasLooked: boolean;
}

async function look(githubApi: ReviewGithub, { pull, author }: ReviewOptions): Promise<Seen> {
  // In this order: what a summary calls posted was posted before it was written, so that a run
  // which writes both while we look cannot seem to have lost a comment.
  const comments = await githubApi.comments(pull.number);
  const remarks = await githubApi.reviewComments(pull.number);
  return { posted: ownFindings(remarks, author), stickies: ownStickies(comments, author) };
}

/**
 * The comments, then the summary that remembers them, then the removals: cut off anywhere, no comment
 * seems deleted by a person that was never made, or that we removed. False when another look is
 * needed: what is new another run may have written as well.
 */
async function carryOut(
  githubApi: ReviewGithub,
  options: ReviewOptions,
  { plan, run }: { readonly plan: ReviewPlan; readonly run: Run },
): Promise<boolean> {
  if (plan.toPost.length > 0) {
    run.isRefused ||= !(await sayInline(githubApi, options, plan));
    if (run.isRefused) return false;
    for (const { finding } of plan.toPost) run.said.add(finding.id);
  }
  const stands =
    plan.state === 'unchanged' || (await saySummary(githubApi, options, { plan, run }));
  if (!stands) return false;
  for (const { comment, mark } of plan.stale) {
    run.removed.add(mark.id);
    await githubApi.deleteReviewComment(comment);
  }
  for (const id of plan.remarkDoubles) await githubApi.deleteReviewComment(id);
  for (const id of plan.stickyDoubles) await githubApi.deleteComment(id);
  return plan.toPost.length === 0 && plan.state !== 'created';
}

/** False when GitHub finds fault with it; it does not say with which of the comments. */
async function sayInline(
  githubApi: ReviewGithub,
  { pull, commentBody, mayWrite }: ReviewOptions,
  { toPost }: ReviewPlan,
): Promise<boolean> {
  const many = toPost.length === 1 ? 'one comment' : `${toPost.length} comments`;
  const { sha } = pull.head;
  try {
    await githubApi.createReview(pull.number, {
      commit: sha,
      // Documented as required; people see it above the comments.
      body: `apfel-bot: ${many} on ${sha.slice(0, 7)}; the summary has the rest.`,
      comments: toPost.map(anchored => {
        const { path, side, line, startLine } = anchored.anchor;
        const span = startLine < line ? { startLine } : {};
        return { path, side, line, ...span, body: commentBody(anchored) };
      }),
    });
    return true;
  } catch (thrown) {
    if (troubleOf(thrown) !== 'refused') throw thrown;
    // The diff may have moved under it, and then it is no longer ours to post.
    await mayWrite();
    return false;
  }
}

async function saySummary(
  githubApi: ReviewGithub,
  { pull, subject }: ReviewOptions,
  { plan, run }: { readonly plan: ReviewPlan; readonly run: Run },
): Promise<boolean> {
  const { sticky, text, posted, ignored } = plan;
  const wanted = { ignored: [...ignored], posted, subject };
  if (sticky === undefined) {
    await githubApi.createComment(pull.number, writeSticky(wanted, text));
    return true;
  }
  const looksAfter = !run.hasLooked;
  run.hasLooked = true;
  return updateSummary(githubApi, sticky, { wanted, text, looksAfter });
}

function forecastOf(plans: readonly ReviewPlan[]): ReviewReport {
  const [plan] = plans;
  const posted = plan?.toPost.length ?? 0;
  return { ...reportOf([], plans), posted };
}

/** Counted by what was seen before and after, since an answer that got lost says nothing. */
function reportOf(looks: readonly Seen[], plans: readonly ReviewPlan[]): ReviewReport {
  const before = new Set(looks[0]?.posted.map(({ comment }) => comment));
  const after = looks.at(-1)?.posted ?? [];
  const last = plans.at(-1);
  return {
    posted: after.filter(({ comment }) => !before.has(comment)).length,
    removed: new Set(plans.flatMap(({ stale }) => stale.map(({ comment }) => comment))).size,
    summary: plans.find(({ state }) => state !== 'unchanged')?.state ?? 'unchanged',
    ignored: last?.ignored ?? new Set(),
    deleted: last?.deleted ?? 0,
    text: last?.text ?? '',
  };
}

/** What was done, in one line for people. */
export function reviewLine(report: ReviewReport, url: string, isDryRun: boolean): string {
  const { posted, removed, deleted, summary } = report;
  if (summary === 'overtaken') {
    return `nothing posted: a later run on the same commit has its say at ${url}`;
  }
  const comments = posted === 1 ? '1 comment' : `${posted} comments`;
  const kept = deleted === 0 ? '' : `, ${deleted} deleted by hand and not repeated`;
  const done = `${comments} posted, ${removed} removed${kept}, summary ${summary}: ${url}`;
  return isDryRun ? `nothing written; it would be: ${done}` : done;
}

export interface SummaryOptions {
  readonly wanted: Sticky & { readonly subject: StickySubject };
  readonly text: string;
  /** Whether it is read once more when it is written. */
  readonly looksAfter: boolean;
}

/**
 * Replaces the summary. GitHub has no way to say "only if it is as I read it", and `/apfel ignore`
 * writes there as well: so it is read right before, and after. False when it was undone meanwhile.
 */
export async function updateSummary(
  githubApi: Pick<Github, 'comment' | 'updateComment'>,
  { comment, sticky }: OwnSticky,
  { wanted, text, looksAfter }: SummaryOptions,
): Promise<boolean> {
  const read = async () => {
    const found = await githubApi.comment(comment);
    return found && readSticky(found.body);
  };
  // Somebody may have asked to be left alone since it was read.
  const fresh = (await read()) ?? sticky;
  const ignored = [...wanted.ignored, ...fresh.ignored];
  await githubApi.updateComment(comment, writeSticky({ ...wanted, ignored }, text));
  if (!looksAfter || isSame(fresh.subject, wanted.subject)) return true;
  const after = await read();
  return after === undefined || !isSame(after.subject, fresh.subject);
}

const isSame = (one: StickySubject | null, other: StickySubject | null): boolean =>
  one?.run === other?.run && one?.head === other?.head && one?.task === other?.task;

/**
 * The lines that decide whether a comment's text is gone. Mostly the pull request shows it; only a
 * text that it does not show is looked for in the file itself.
 */
export function openHeadLines(
  githubApi: Pick<Github, 'fileAt'>,
  diff: PullDiff,
  head: string,
): (posted: readonly PostedFinding[], found: ReadonlySet<string>) => Promise<LinesOf> {
  const files = new Map<string, readonly string[] | undefined>();
  return async (posted, found) => {
    for (const each of posted) {
      const { path } = each;
      if (!isInDoubt(each, found) || files.has(path) || isShown(each, posted, diff)) continue;
      const file = await githubApi.fileAt(head, path);
      if (file.state === 'unknown') files.set(path, undefined);
      else files.set(path, file.state === 'there' ? file.text.split('\n') : []);
    }
    return each => {
      if (each.side === 'LEFT') return leftLines(each, diff);
      return files.has(each.path) ? files.get(each.path) : diff.textsOf(each.path, 'RIGHT');
    };
  };
}

/** As often as there are comments that may be about it. */
function isShown(each: PostedFinding, posted: readonly PostedFinding[], diff: PullDiff): boolean {
  if (each.side === 'LEFT') return true;
  const equal = posted.filter(
    other => other.path === each.path && other.mark.text === each.mark.text,
  );
  return countMarked(each.mark, diff.textsOf(each.path, 'RIGHT')) >= equal.length;
}

/** A removed line is nowhere but in the diff; without a patch it cannot be known. */
function leftLines({ path }: PostedFinding, diff: PullDiff): readonly string[] | undefined {
  const texts = diff.textsOf(path, 'LEFT');
  return texts.length === 0 && diff.has(path) ? undefined : texts;
}
