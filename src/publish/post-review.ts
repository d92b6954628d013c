import { troubleOf } from '../github/failure.js';
import type { Github } from '../github/github.js';
import { type PullDiff, readPullDiff } from './anchor.js';
import { type Pause, retryUntilStable } from './conversation.js';
import {
  countMarked,
  ownFindings,
  ownStickies,
  type PostedFinding,
  readSticky,
  type StickySubject,
  writeSticky,
} from './own-comments.js';
import {
  type ExistingComments,
  isInDoubt,
  isNothing,
  type LinesOf,
  planReview,
  type ReviewOptions,
  type ReviewPlan,
  type StickyState,
} from './plan-review.js';

export interface ReviewReport {
  readonly posted: number;
  readonly removed: number;
  readonly summary: StickyState;
  /** Ids that people asked to ignore. */
  readonly ignored: ReadonlySet<string>;
  /** Findings that aren't posted again because a person deleted the comment. */
  readonly deleted: number;
  readonly text: string;
}

/** Posts comments on lines and one summary; posting twice changes nothing. */
export async function postReview(
  githubApi: Github,
  options: ReviewOptions,
  pause: Pause,
): Promise<ReviewReport> {
  const { pull } = options;
  const diff = readPullDiff(await githubApi.pullFiles(pull.number));
  const headLines = openHeadLines(githubApi, diff, pull.head.sha);
  const found = new Set(options.findings.map(({ id }) => id));
  const states: ExistingComments[] = [];
  const plans: ReviewPlan[] = [];
  const run: Run = { accepted: new Set(), removed: new Set(), isRefused: false, hasReread: false };
  await retryUntilStable(async () => {
    const seen = await readOwnComments(githubApi, options);
    const linesOf = await headLines(seen.posted, found);
    const plan = planReview(options, seen, { diff, linesOf, ...run });
    states.push(seen);
    plans.push(plan);
    if (isNothing(plan) || options.isDryRun) return true;
    await options.mayWrite();
    return writePlan(githubApi, options, { plan, run });
  }, pause);
  return options.isDryRun ? forecastOf(plans) : reportOf(states, plans, run.accepted);
}

/** What a round passes on to the next. */
interface Run {
  /** Ids of findings that GitHub accepted, although its lists may show them only a moment later. */
  readonly accepted: Set<string>;
  /** Ids of findings whose comment we removed ourselves. */
  readonly removed: Set<string>;
  isRefused: boolean;
  /** Whether the summary was read again after a write, which is done once. */
  hasReread: boolean;
}

async function readOwnComments(
  githubApi: Github,
  { pull, author }: ReviewOptions,
): Promise<ExistingComments> {
  // In this order: a run writes its comments before its summary, so what the summary records as
  // posted can't look deleted.
  const comments = await githubApi.comments(pull.number);
  const reviewComments = await githubApi.reviewComments(pull.number);
  return { posted: ownFindings(reviewComments, author), stickies: ownStickies(comments, author) };
}

/**
 * The comments, then the summary that records them, then the removals: wherever this is
 * interrupted, a comment that was never posted, or that we removed, can't look deleted by a person.
 * False if another round is needed, since another run may have posted the same.
 */
async function writePlan(
  githubApi: Github,
  options: ReviewOptions,
  { plan, run }: { readonly plan: ReviewPlan; readonly run: Run },
): Promise<boolean> {
  if (plan.toPost.length > 0) {
    run.isRefused ||= !(await postComments(githubApi, options, plan));
    if (run.isRefused) return false;
    for (const { finding } of plan.toPost) run.accepted.add(finding.id);
  }
  const isWritten =
    plan.state === 'unchanged' || (await postSummary(githubApi, options, { plan, run }));
  if (!isWritten) return false;
  for (const { comment, mark } of plan.stale) {
    run.removed.add(mark.id);
    await githubApi.deleteReviewComment(comment);
  }
  for (const id of plan.duplicateComments) await githubApi.deleteReviewComment(id);
  for (const id of plan.duplicateStickies) await githubApi.deleteComment(id);
  return plan.toPost.length === 0 && plan.state !== 'created';
}

/** False when GitHub refuses it; it doesn't say which of the comments is wrong. */
async function postComments(
  githubApi: Github,
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
        return { path, side, line, startLine, body: commentBody(anchored) };
      }),
    });
    return true;
  } catch (thrown) {
    if (troubleOf(thrown) !== 'refused') throw thrown;
    // The head may have moved, and then the review must not be posted.
    await mayWrite();
    return false;
  }
}

/**
 * Writes the summary. GitHub has no conditional write, and `/apfel ignore` writes to it as well, so
 * it is read right before and once after. False if somebody else has overwritten it.
 */
async function postSummary(
  githubApi: Github,
  { pull, subject }: ReviewOptions,
  { plan, run }: { readonly plan: ReviewPlan; readonly run: Run },
): Promise<boolean> {
  const { sticky: old, text, posted } = plan;
  const wanted = { ignored: [...plan.ignored], posted, subject };
  if (old === undefined) {
    await githubApi.createComment(pull.number, writeSticky(wanted, text));
    return true;
  }
  const read = async () => {
    const found = await githubApi.comment(old.comment);
    return found && readSticky(found.body);
  };
  // Somebody may have ignored a finding since it was read.
  const fresh = (await read()) ?? old.sticky;
  const ignored = [...wanted.ignored, ...fresh.ignored];
  await githubApi.updateComment(old.comment, writeSticky({ ...wanted, ignored }, text));
  const isSettled = run.hasReread || isSame(fresh.subject, subject);
  run.hasReread = true;
  if (isSettled) return true;
  const after = await read();
  return after === undefined || !isSame(after.subject, fresh.subject);
}

const isSame = (one: StickySubject | null, other: StickySubject | null): boolean =>
  one?.run === other?.run && one?.head === other?.head && one?.task === other?.task;

function forecastOf(plans: readonly ReviewPlan[]): ReviewReport {
  const [plan] = plans;
  const posted = plan?.toPost.length ?? 0;
  return { ...reportOf([], plans, new Set()), posted };
}

/** An answer may be lost and a list may lag, so what either of them shows was posted. */
function reportOf(
  states: readonly ExistingComments[],
  plans: readonly ReviewPlan[],
  accepted: ReadonlySet<string>,
): ReviewReport {
  const before = new Set(states[0]?.posted.map(({ comment }) => comment));
  const listed = (states.at(-1)?.posted ?? []).filter(({ comment }) => !before.has(comment));
  const last = plans.at(-1);
  return {
    posted: new Set([...accepted, ...listed.map(({ mark }) => mark.id)]).size,
    removed: new Set(plans.flatMap(({ stale }) => stale.map(({ comment }) => comment))).size,
    summary: plans.find(({ state }) => state !== 'unchanged')?.state ?? 'unchanged',
    ignored: last?.ignored ?? new Set(),
    deleted: last?.deleted ?? 0,
    text: last?.text ?? '',
  };
}

export function reviewLine(report: ReviewReport, url: string, isDryRun: boolean): string {
  const { posted, removed, deleted, summary } = report;
  if (summary === 'overtaken') {
    return `nothing posted: a later run on the same commit has posted at ${url}`;
  }
  const comments = posted === 1 ? '1 comment' : `${posted} comments`;
  const kept = deleted === 0 ? '' : `, ${deleted} deleted by hand and not posted again`;
  const done = `${comments} posted, ${removed} removed${kept}, summary ${summary}: ${url}`;
  return isDryRun ? `nothing written; would be: ${done}` : done;
}

/**
 * The lines that decide whether a comment's text is gone. Only text that the pull request doesn't
 * show is looked up in the file itself.
 */
function openHeadLines(
  githubApi: Github,
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

/** Whether the diff shows the text as often as there are comments on it. */
function isShown(each: PostedFinding, posted: readonly PostedFinding[], diff: PullDiff): boolean {
  if (each.side === 'LEFT') return true;
  const equal = posted.filter(
    other => other.path === each.path && other.mark.text === each.mark.text,
  );
  return countMarked(each.mark, diff.textsOf(each.path, 'RIGHT')) >= equal.length;
}

/** A removed line is only in the diff; without a patch it is unknown. */
function leftLines({ path }: PostedFinding, diff: PullDiff): readonly string[] | undefined {
  const texts = diff.textsOf(path, 'LEFT');
  return texts.length === 0 && diff.has(path) ? undefined : texts;
}
