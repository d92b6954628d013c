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
  /** Read and plan, write nothing. */
  readonly isDryRun: boolean;
  readonly commentBody: (anchored: AnchoredFinding) => string;
  /** The text of the summary. */
  readonly summary: (decision: InlineDecision, ignored: ReadonlySet<string>) => string;
  /** Called right before a round's first write; throws when it must not happen. */
  readonly mayWrite: () => Promise<void>;
}

/** Our comments on the pull request. */
export interface Seen {
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
  /** What racing runs have posted twice. */
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
  /** Ids that this run has posted, and those whose comment it has removed. */
  readonly said: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** Compares what is there with what should be. Pure, so that it can be repeated. */
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
  // Without the stale ones: if one comes back it is new, not deleted by people.
  const staying = there.filter(({ comment }) => !stale.includes(comment));
  const toPost = decision.toPost.map(({ finding }) => finding.id);
  const posted = postedAfter(idsOf(staying, [...facts.said, ...toPost]), memory);
  const isRemembered =
    sticky !== undefined && isSameMemory(sticky, { ignored: memory.ignored, posted });
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
    toPost.length + stale.length + duplicateComments.length + duplicateStickies.length === 0);

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
  // Of two runs on one commit the later one wins.
  if (was.startedAt > subject.startedAt) return 'overtaken';
  return isRemembered && isSameSummary(sticky.sticky.text, text) ? 'unchanged' : 'updated';
}

/** What the hidden lines of the summaries record, compared with the comments there are. */
interface Memory {
  /** Findings that people asked to ignore. */
  readonly ignored: readonly string[];
  /**
   * Findings whose comment was deleted by hand, also if a run in between didn't find them; without
   * those that we removed ourselves.
   */
  readonly deleted: ReadonlySet<string>;
}

/** Racing runs, and `/apfel ignore`, may each have written a summary: all of them count. */
export function memoryOf(stickies: readonly OwnSticky[], accounted: ReadonlySet<string>): Memory {
  const posted = stickies.flatMap(({ sticky }) => sticky.posted ?? []);
  return {
    ignored: [...new Set(stickies.flatMap(({ sticky }) => sticky.ignored))],
    deleted: new Set(posted.filter(id => !accounted.has(id))),
  };
}

/** What the next summary records as posted. Deleted ones come last, and so are kept longest. */
const postedAfter = (
  standing: ReadonlySet<string>,
  { deleted }: Pick<Memory, 'deleted'>,
): string[] => keptPosted([...[...standing].filter(id => !deleted.has(id)), ...deleted]);

const isSameMemory = (
  { sticky }: OwnSticky,
  { ignored, posted }: { readonly ignored: readonly string[]; readonly posted: readonly string[] },
): boolean => isSameSet(sticky.ignored, ignored) && isSameSet(sticky.posted ?? [], posted);

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && [...left].every(id => right.has(id));
}
