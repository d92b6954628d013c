import { type Finding, SEVERITIES } from '../core/finding.js';
import { groupBy } from '../core/group-by.js';
import type { GithubPull } from '../github/pulls.js';
import { type Anchor, findAnchor, type PullDiff } from './anchor.js';
import { isSameSummary } from './comment-body.js';
import {
  countMarked,
  keptPosted,
  type OwnSticky,
  type PostedFinding,
  type StickySubject,
} from './own-comments.js';

export interface ReviewOptions {
  readonly pull: GithubPull;
  readonly author: string;
  readonly findings: readonly Finding[];
  readonly subject: StickySubject;
  readonly maxComments: number;
  /** Read and plan, write nothing. */
  readonly isDryRun: boolean;
  readonly commentBody: (anchored: AnchoredFinding) => string;
  /** The text of the summary. */
  readonly summary: (decision: InlineDecision, ignored: ReadonlySet<string>) => string;
  /** Called right before the first write of a round; throws if it must not happen. */
  readonly mayWrite: () => Promise<void>;
}

/** Our comments on the pull request. */
export interface ExistingComments {
  readonly posted: readonly PostedFinding[];
  /** Oldest first. */
  readonly stickies: readonly OwnSticky[];
}

/** `overtaken`: a later run on the same commit has posted, so this one doesn't. */
export type StickyState = 'created' | 'updated' | 'unchanged' | 'overtaken';

export interface ReviewPlan {
  readonly toPost: readonly AnchoredFinding[];
  /** Comments whose lines are gone. */
  readonly stale: readonly PostedFinding[];
  /** What racing runs posted twice. */
  readonly duplicateComments: readonly number[];
  readonly duplicateStickies: readonly number[];
  readonly state: StickyState;
  readonly sticky: OwnSticky | undefined;
  readonly text: string;
  readonly ignored: ReadonlySet<string>;
  /** What the summary records as posted, once `toPost` is. */
  readonly posted: readonly string[];
  /** How many findings have no comment because a person deleted it. */
  readonly deleted: number;
}

interface PlanFacts {
  readonly diff: PullDiff;
  readonly linesOf: LinesOf;
  readonly isRefused: boolean;
  /** Ids that this run posted, and those whose comment it removed. */
  readonly accepted: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** Compares the comments that exist with those that should. Pure, so that it can be repeated. */
export function planReview(
  options: ReviewOptions,
  seen: ExistingComments,
  facts: PlanFacts,
): ReviewPlan {
  const { posted: there, stickies } = seen;
  const [sticky, ...others] = stickies;
  // Racing runs, and `/apfel ignore`, may each have written a summary: all of them count.
  const ignored = new Set(stickies.flatMap(each => each.sticky.ignored));
  const accounted = idsOf(there, [...facts.accepted, ...facts.removed]);
  // People deleted these comments, even if a run in between didn't find the problem.
  const deleted = new Set(
    stickies.flatMap(each => each.sticky.posted ?? []).filter(id => !accounted.has(id)),
  );
  const findings = options.findings.filter(({ id }) => !ignored.has(id));
  const { maxComments } = options;
  const decision = decideInline({ ...facts, findings, posted: there, deleted, maxComments });
  const text = options.summary(decision, ignored);
  const found = new Set(options.findings.map(({ id }) => id));
  const stale = decideRemovals(there, found, facts.linesOf);
  // Without the stale ones: if one comes back it is new, not deleted by people.
  const staying = there.filter(({ comment }) => !stale.includes(comment));
  const toPost = decision.toPost.map(({ finding }) => finding.id);
  const standing = [...idsOf(staying, [...facts.accepted, ...toPost])];
  // Deleted ones come last, so they are kept longest.
  const posted = keptPosted([...standing.filter(id => !deleted.has(id)), ...deleted]);
  const isRemembered =
    sticky !== undefined &&
    isSameSet(sticky.sticky.ignored, [...ignored]) &&
    isSameSet(sticky.sticky.posted ?? [], posted);
  return {
    toPost: decision.toPost,
    stale: there.filter(({ comment }) => stale.includes(comment)),
    duplicateComments: decision.duplicates.filter(id => !stale.includes(id)),
    duplicateStickies: others.map(({ comment }) => comment),
    state: stickyState(sticky, { subject: options.subject, text, isRemembered }),
    sticky,
    text,
    ignored,
    posted,
    deleted: [...decision.notInline.values()].filter(why => why === 'deleted').length,
  };
}

const idsOf = (posted: readonly PostedFinding[], more: Iterable<string>): Set<string> =>
  new Set([...posted.map(({ mark }) => mark.id), ...more]);

export const isNothing = ({
  toPost,
  stale,
  duplicateComments,
  duplicateStickies,
  state,
}: ReviewPlan) =>
  state === 'overtaken' ||
  (state === 'unchanged' &&
    [toPost, stale, duplicateComments, duplicateStickies].every(list => list.length === 0));

function stickyState(
  sticky: OwnSticky | undefined,
  { subject, text, isRemembered }: { subject: StickySubject; text: string; isRemembered: boolean },
): StickyState {
  if (sticky === undefined) return 'created';
  const was = sticky.sticky.subject;
  if (was?.head !== subject.head || was.task !== subject.task) return 'updated';
  // Of two runs on one commit the later one wins.
  if (was.startedAt > subject.startedAt) return 'overtaken';
  return isRemembered && isSameSummary(sticky.sticky.text, text) ? 'unchanged' : 'updated';
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && [...left].every(id => right.has(id));
}

export interface AnchoredFinding {
  readonly finding: Finding;
  readonly anchor: Anchor;
}

/** Why a finding is only in the summary. */
export type NotInline = 'outside-diff' | 'other-text' | 'too-many' | 'refused' | 'deleted';

interface InlineDecision {
  /** To post now, all in one review. */
  readonly toPost: readonly AnchoredFinding[];
  /** Why the others have no comment on their line. */
  readonly notInline: ReadonlyMap<string, NotInline>;
  /** Comments for a finding that already has another of our comments. */
  readonly duplicates: readonly number[];
}

interface InlineOptions {
  readonly findings: readonly Finding[];
  readonly diff: PullDiff;
  readonly posted: readonly PostedFinding[];
  /** Ids that this run has posted, even if GitHub doesn't show them yet. */
  readonly accepted: ReadonlySet<string>;
  /** Ids whose comment a person deleted. */
  readonly deleted: ReadonlySet<string>;
  readonly maxComments: number;
  /** GitHub refused the comments once, so they go in the summary. */
  readonly isRefused: boolean;
}

/** Which findings get a comment on their line. Those that have one are left alone. */
export function decideInline(options: InlineOptions): InlineDecision {
  const { findings, diff, posted, maxComments } = options;
  const known = new Set([...posted.map(({ mark }) => mark.id), ...options.accepted]);
  const notInline = new Map<string, NotInline>();
  const wanted: AnchoredFinding[] = [];
  for (const finding of findings) {
    if (known.has(finding.id)) continue;
    if (options.deleted.has(finding.id)) {
      notInline.set(finding.id, 'deleted');
      continue;
    }
    const found = findAnchor(finding, diff);
    if (!found.ok) notInline.set(finding.id, found.reason);
    else if (options.isRefused) notInline.set(finding.id, 'refused');
    else wanted.push({ finding, anchor: found.anchor });
  }
  const present = findings.filter(({ id }) => known.has(id)).length;
  const free = Math.max(0, maxComments - present);
  const ranked = [...wanted].sort(mostSevereFirst);
  for (const { finding } of ranked.slice(free)) notInline.set(finding.id, 'too-many');
  return {
    toPost: wanted.filter(({ finding }) => !notInline.has(finding.id)),
    notInline,
    duplicates: duplicatesIn(posted),
  };
}

const mostSevereFirst = (one: AnchoredFinding, other: AnchoredFinding): number =>
  SEVERITIES.indexOf(other.finding.severity) - SEVERITIES.indexOf(one.finding.severity);

/**
 * Of several with one id, keeps one with a reply, otherwise the oldest: racing runs agree on it.
 */
function duplicatesIn(posted: readonly PostedFinding[]): number[] {
  const kept = new Set<string>();
  const ranked = [...posted].sort(
    (one, other) => Number(other.isReplied) - Number(one.isReplied) || one.comment - other.comment,
  );
  return ranked.flatMap(each => {
    const isFirst = !kept.has(each.mark.id);
    kept.add(each.mark.id);
    return isFirst || each.isReplied ? [] : [each.comment];
  });
}

/** The lines of a file; if undefined, they are unknown and nothing is removed. */
export type LinesOf = (posted: PostedFinding) => readonly string[] | undefined;

/**
 * The comments whose lines are gone. A finding that merely isn't found again stays: a model's
 * silence today doesn't make yesterday's finding wrong.
 */
export function decideRemovals(
  posted: readonly PostedFinding[],
  found: ReadonlySet<string>,
  linesOf: LinesOf,
): number[] {
  const groups = groupBy(posted, ({ path, side, mark: { rule, text, lines, isExact } }) =>
    JSON.stringify([path, side, rule, text, lines, isExact]),
  );
  return [...groups.values()].flatMap(group => removable(group, found, linesOf));
}

/** Neither found again nor replied to, so its line must be looked up. */
export const isInDoubt = (posted: PostedFinding, found: ReadonlySet<string>): boolean =>
  !posted.isReplied && !found.has(posted.mark.id);

/** One of two equal lines may be gone: as many comments stay as there are lines left. */
function removable(
  group: readonly PostedFinding[],
  found: ReadonlySet<string>,
  linesOf: LinesOf,
): number[] {
  const doubtful = group.filter(each => isInDoubt(each, found));
  const [first] = doubtful;
  if (first === undefined) return [];
  const lines = linesOf(first);
  if (lines === undefined) return [];
  const taken = group.filter(each => found.has(each.mark.id)).length;
  const left = Math.max(0, countMarked(first.mark, lines) - taken);
  return doubtful
    .sort((one, other) => one.comment - other.comment)
    .slice(left)
    .map(({ comment }) => comment);
}
