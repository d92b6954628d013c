import { type Forge, troubleOf } from '../core/forge.js';
import { NOTHING_REMEMBERED, readSticky, writeSticky } from '../core/sticky.js';
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

export interface ReviewReport {
  readonly posted: number;
  readonly removed: number;
  readonly summary: StickyState;
  /** Ids that people asked to be left alone about. */
  readonly ignored: ReadonlySet<string>;
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
  let isRefused = false;
  await converge(async () => {
    const seen = await look(forge, wish);
    const linesOf = await headLines(seen.posted, found);
    const plan = planReview(wish, seen, { diff, linesOf, isRefused });
    looks.push(seen);
    plans.push(plan);
    if (isNothing(plan) || wish.isDryRun) return true;
    await wish.mayWrite();
    const ending = await carryOut(forge, wish, plan);
    isRefused ||= ending === 'refused';
    return ending === 'settled';
  }, pause);
  return wish.isDryRun ? forecastOf(plans) : reportOf(looks, plans);
}

async function look(forge: ReviewForge, { pull, author }: ReviewWish): Promise<Seen> {
  const [remarks, comments] = await Promise.all([
    forge.reviewComments(pull.number),
    forge.comments(pull.number),
  ]);
  return { posted: ownFindings(remarks, author), stickies: ownStickies(comments, author) };
}

/** `open`: something new was written, and another run may have written it as well. */
async function carryOut(
  forge: ReviewForge,
  wish: ReviewWish,
  plan: ReviewPlan,
): Promise<'settled' | 'open' | 'refused'> {
  for (const id of [...plan.stale, ...plan.remarkDoubles]) await forge.deleteReviewComment(id);
  if (plan.toPost.length > 0 && !(await sayInline(forge, wish, plan))) return 'refused';
  if (plan.state !== 'unchanged') await saySummary(forge, wish, plan);
  for (const id of plan.stickyDoubles) await forge.deleteComment(id);
  return plan.toPost.length === 0 && plan.state !== 'created' ? 'settled' : 'open';
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
  { sticky, text }: ReviewPlan,
): Promise<void> {
  if (sticky === undefined) {
    const body = writeSticky({ ...NOTHING_REMEMBERED, subject }, text);
    await forge.createComment(pull.number, body);
    return;
  }
  // Somebody may have asked to be left alone since it was read.
  const fresh = await forge.comment(sticky.comment);
  const { ignored } = (fresh && readSticky(fresh.body)) ?? sticky.sticky;
  await forge.updateComment(sticky.comment, writeSticky({ ignored, subject }, text));
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
    removed: new Set(plans.flatMap(({ stale }) => stale)).size,
    summary: plans.find(({ state }) => state !== 'unchanged')?.state ?? 'unchanged',
    ignored: last?.ignored ?? new Set(),
    text: last?.text ?? '',
  };
}
