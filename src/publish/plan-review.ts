import type { Finding } from '../core/finding.js';
import type { GithubPull } from '../github/types.js';
import {
  type AnchoredFinding,
  decideInline,
  decideRemovals,
  type InlineDecision,
  type LinesOf,
} from './inline.js';
import type { OwnSticky, PostedFinding } from './own-comments.js';
import type { PullDiff } from './pull-diff.js';
import { keptPosted, type StickySubject } from './sticky.js';
import { isSameSummary } from './summary.js';

export interface ReviewOptions {
  readonly pull: GithubPull;
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
  readonly stale: readonly PostedFinding[];
  /** What racing runs left behind. */
  readonly remarkDoubles: readonly number[];
  readonly stickyDoubles: readonly number[];
  readonly state: StickyState;
  readonly sticky: OwnSticky | undefined;
  readonly text: string;
  readonly ignored: ReadonlySet<string>;
  /** What the summary is to remember as posted, once `toPost` is. */
  readonly posted: readonly string[];
  /** How many findings have no comment because a person deleted it. */
  readonly deleted: number;
}

export interface PlanFacts {
  readonly diff: PullDiff;
  readonly linesOf: LinesOf;
  readonly isRefused: boolean;
  /** Ids that this run has posted, and those whose comment it has removed. */
  readonly said: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** What is there and what should be → what is to be written. Pure, so that it can be done again. */
export function planReview(options: ReviewOptions, seen: Seen, facts: PlanFacts): ReviewPlan {
  const [sticky, ...others] = seen.stickies;
  const accounted = idsOf(seen.posted, [...facts.said, ...facts.removed]);
  const memory = memoryOf(seen.stickies, accounted);
  const { deleted } = memory;
  const ignored = new Set(memory.ignored);
  const findings = options.findings.filter(({ id }) => !ignored.has(id));
  const { maxComments } = options;
  const { posted: there } = seen;
  const decision = decideInline({ ...facts, findings, posted: there, deleted, maxComments });
  const text = options.summary(decision, ignored);
  const found = new Set(options.findings.map(({ id }) => id));
  const stale = decideRemovals(there, found, facts.linesOf);
  // Without those that go: one that comes back later is new, and none that people deleted.
  const staying = there.filter(({ comment }) => !stale.includes(comment));
  const toPost = decision.toPost.map(({ finding }) => finding.id);
  const posted = postedAfter(idsOf(staying, [...facts.said, ...toPost]), memory);
  const isRemembered =
    sticky !== undefined && isSameMemory(sticky, { ignored: memory.ignored, posted });
  return {
    toPost: decision.toPost,
    stale: there.filter(({ comment }) => stale.includes(comment)),
    remarkDoubles: decision.doubles.filter(id => !stale.includes(id)),
    stickyDoubles: others.map(({ comment }) => comment),
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

export const isNothing = ({ toPost, stale, remarkDoubles, stickyDoubles, state }: ReviewPlan) =>
  state === 'overtaken' ||
  (state === 'unchanged' &&
    toPost.length + stale.length + remarkDoubles.length + stickyDoubles.length === 0);

function stickyState(
  sticky: OwnSticky | undefined,
  {
    subject,
    text,
    isRemembered,
  }: {
    readonly subject: StickySubject;
    readonly text: string;
    readonly isRemembered: boolean;
  },
): StickyState {
  if (sticky === undefined) return 'created';
  const was = sticky.sticky.subject;
  if (was?.head !== subject.head || was.task !== subject.task) return 'updated';
  // Of two runs on one commit the later one has the word.
  if (was.startedAt > subject.startedAt) return 'overtaken';
  return isRemembered && isSameSummary(sticky.sticky.text, text) ? 'unchanged' : 'updated';
}

/** What earlier runs and people have left in the hidden line, held against what is there. */
export interface Memory {
  /** Findings that people asked to be left alone about. */
  readonly ignored: readonly string[];
  /**
   * Findings whose comment was deleted by hand. That holds for this text on this pull request, also
   * when a run did not find it in between; what we removed ourselves is not among them.
   */
  readonly deleted: ReadonlySet<string>;
}

/** Of racing runs each wrote a summary, and `/apfel ignore` may have been one: all of them count. */
export function memoryOf(stickies: readonly OwnSticky[], accounted: ReadonlySet<string>): Memory {
  const posted = stickies.flatMap(({ sticky }) => sticky.posted ?? []);
  return {
    ignored: [...new Set(stickies.flatMap(({ sticky }) => sticky.ignored))],
    deleted: new Set(posted.filter(id => !accounted.has(id))),
  };
}

/** What the next summary says was posted. Those that are gone come last, and so stay the longest. */
export const postedAfter = (
  standing: ReadonlySet<string>,
  { deleted }: Pick<Memory, 'deleted'>,
): string[] => keptPosted([...[...standing].filter(id => !deleted.has(id)), ...deleted]);

export const isSameMemory = (
  { sticky }: OwnSticky,
  { ignored, posted }: { readonly ignored: readonly string[]; readonly posted: readonly string[] },
): boolean => isSameSet(sticky.ignored, ignored) && isSameSet(sticky.posted ?? [], posted);

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && [...left].every(id => right.has(id));
}
