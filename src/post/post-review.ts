import { type Forge, troubleOf } from '../core/forge.js';
import { writeSticky } from '../core/sticky.js';
import { converge, type Pause } from './converge.js';
import { openHeadLines } from './head-lines.js';
import { ownFindings, ownStickies } from './own-comments.js';
import {
  isNothing,
  planReview,
  type ReviewPlan,
  type ReviewWish,
  type Seen,
  type StickyState,
} from './plan-review.js';
import { readPullDiff } from './pull-diff.js';
import { updateSummary } from './update-summary.js';

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

export type ReviewForge = Pick<
  Forge,
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
  forge: ReviewForge,
  wish: ReviewWish,
  pause: Pause,
): Promise<ReviewReport> {
  const { pull } = wish;
  const diff = readPullDiff((await forge.pullFiles(pull.number)).files);
  const headLines = openHeadLines(forge, diff, pull.head.sha);
  const found = new Set(wish.findings.map(({ id }) => id));
  const looks: Seen[] = [];
  const plans: ReviewPlan[] = [];
  const run: Run = { said: new Set(), removed: new Set(), isRefused: false, hasLooked: false };
  await converge(async () => {
    const seen = await look(forge, wish);
    const linesOf = await headLines(seen.posted, found);
    const plan = planReview(wish, seen, { diff, linesOf, ...run });
    looks.push(seen);
    plans.push(plan);
    if (isNothing(plan) || wish.isDryRun) return true;
    await wish.mayWrite();
    return carryOut(forge, wish, { plan, run });
  }, pause);
  return wish.isDryRun ? forecastOf(plans) : reportOf(looks, plans);
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

async function look(forge: ReviewForge, { pull, author }: ReviewWish): Promise<Seen> {
  // In this order: what a summary calls posted was posted before it was written, so that a run
  // which writes both while we look cannot seem to have lost a comment.
  const comments = await forge.comments(pull.number);
  const remarks = await forge.reviewComments(pull.number);
  return { posted: ownFindings(remarks, author), stickies: ownStickies(comments, author) };
}

/**
 * The comments, then the summary that remembers them, then the removals: cut off anywhere, no comment
 * seems deleted by a person that was never made, or that we removed. False when another look is
 * needed: what is new another run may have written as well.
 */
async function carryOut(
  forge: ReviewForge,
  wish: ReviewWish,
  { plan, run }: { readonly plan: ReviewPlan; readonly run: Run },
): Promise<boolean> {
  if (plan.toPost.length > 0) {
    run.isRefused ||= !(await sayInline(forge, wish, plan));
    if (run.isRefused) return false;
    for (const { finding } of plan.toPost) run.said.add(finding.id);
  }
  const stands = plan.state === 'unchanged' || (await saySummary(forge, wish, { plan, run }));
  if (!stands) return false;
  for (const { comment, mark } of plan.stale) {
    run.removed.add(mark.id);
    await forge.deleteReviewComment(comment);
  }
  for (const id of plan.remarkDoubles) await forge.deleteReviewComment(id);
  for (const id of plan.stickyDoubles) await forge.deleteComment(id);
  return plan.toPost.length === 0 && plan.state !== 'created';
}

/** False when GitHub finds fault with it; it does not say with which of the comments. */
async function sayInline(
  forge: ReviewForge,
  { pull, commentBody, mayWrite }: ReviewWish,
  { toPost }: ReviewPlan,
): Promise<boolean> {
  const many = toPost.length === 1 ? 'one comment' : `${toPost.length} comments`;
  const { sha } = pull.head;
  try {
    await forge.createReview(pull.number, {
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
  forge: ReviewForge,
  { pull, subject }: ReviewWish,
  { plan, run }: { readonly plan: ReviewPlan; readonly run: Run },
): Promise<boolean> {
  const { sticky, text, posted, ignored } = plan;
  const wanted = { ignored: [...ignored], posted, subject };
  if (sticky === undefined) {
    await forge.createComment(pull.number, writeSticky(wanted, text));
    return true;
  }
  const looksAfter = !run.hasLooked;
  run.hasLooked = true;
  return updateSummary(forge, sticky, { wanted, text, looksAfter });
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
