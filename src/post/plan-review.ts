import type { Finding } from '../core/finding.js';
import type { ForgePull } from '../core/forge.js';
import type { StickySubject } from '../core/sticky.js';
import { type AnchoredFinding, decideInline, type InlineDecision } from './decide-inline.js';
import { decideRemovals, type LinesOf } from './decide-removals.js';
import type { OwnSticky, PostedFinding } from './own-comments.js';
import type { PullDiff } from './pull-diff.js';
import { isSameSummary } from './summary.js';

export interface ReviewWish {
  readonly pull: ForgePull;
  readonly author: string;
  readonly findings: readonly Finding[];
  readonly subject: StickySubject;
  readonly maxComments: number;
  /** Look and plan, write nothing. */
  readonly isDryRun: boolean;
  readonly commentBody: (anchored: AnchoredFinding) => string;
  /** What people see in the summary. */
  readonly summary: (decision: InlineDecision, ignored: ReadonlySet<string>) => string;
  /** Called right before a round's first write; throws when it must not be made. */
  readonly mayWrite: () => Promise<void>;
}

/** What of ours is on the pull request. */
export interface Seen {
  readonly posted: readonly PostedFinding[];
  /** Oldest first. */
  readonly stickies: readonly OwnSticky[];
}

/** `overtaken`: a later run on the same commit has spoken, so this one says nothing. */
export type StickyState = 'created' | 'updated' | 'unchanged' | 'overtaken';

export interface ReviewPlan {
  readonly toPost: readonly AnchoredFinding[];
  /** Comments at lines whose text is gone. */
  readonly stale: readonly number[];
  /** What racing runs left behind. */
  readonly remarkDoubles: readonly number[];
  readonly stickyDoubles: readonly number[];
  readonly state: StickyState;
  readonly sticky: OwnSticky | undefined;
  readonly text: string;
  readonly ignored: ReadonlySet<string>;
}

export interface PlanFacts {
  readonly diff: PullDiff;
  readonly linesOf: LinesOf;
  readonly isRefused: boolean;
}

/** What is there and what should be → what is to be written. Pure, so that it can be done again. */
export function planReview(wish: ReviewWish, seen: Seen, facts: PlanFacts): ReviewPlan {
  const [sticky, ...others] = seen.stickies;
  const ignored = new Set(sticky?.sticky.ignored);
  const findings = wish.findings.filter(({ id }) => !ignored.has(id));
  const { maxComments } = wish;
  const decision = decideInline({ ...facts, findings, posted: seen.posted, maxComments });
  const text = wish.summary(decision, ignored);
  const found = new Set(wish.findings.map(({ id }) => id));
  const stale = decideRemovals(seen.posted, found, facts.linesOf);
  return {
    toPost: decision.toPost,
    stale,
    remarkDoubles: decision.doubles.filter(id => !stale.includes(id)),
    stickyDoubles: others.map(({ comment }) => comment),
    state: stickyState(sticky, wish.subject, text),
    sticky,
    text,
    ignored,
  };
}

export const isNothing = ({ toPost, stale, remarkDoubles, stickyDoubles, state }: ReviewPlan) =>
  state === 'overtaken' ||
  (state === 'unchanged' &&
    toPost.length + stale.length + remarkDoubles.length + stickyDoubles.length === 0);

function stickyState(
  sticky: OwnSticky | undefined,
  subject: StickySubject,
  text: string,
): StickyState {
  if (sticky === undefined) return 'created';
  const was = sticky.sticky.subject;
  if (was?.head !== subject.head || was.task !== subject.task) return 'updated';
  // Of two runs on one commit the later one has the word.
  if (was.startedAt > subject.startedAt) return 'overtaken';
  return isSameSummary(sticky.sticky.text, text) ? 'unchanged' : 'updated';
}
