import { type Finding, SEVERITIES } from '../core/finding.js';
import { type Anchor, findAnchor } from './anchor.js';
import { countMarked, type FindingMark, type PostedFinding } from './own-comments.js';
import type { PullDiff } from './pull-diff.js';

export interface AnchoredFinding {
  readonly finding: Finding;
  readonly anchor: Anchor;
}

/** Why a finding is only in the summary. */
export type NotInline = 'outside-diff' | 'other-text' | 'too-many' | 'refused' | 'deleted';

export interface InlineDecision {
  /** To post now, all in one review. */
  readonly toPost: readonly AnchoredFinding[];
  /** Why the others have no comment on their line. */
  readonly notInline: ReadonlyMap<string, NotInline>;
  /** Comments for a finding that has another comment of ours. */
  readonly duplicates: readonly number[];
}

interface InlineOptions {
  readonly findings: readonly Finding[];
  readonly diff: PullDiff;
  readonly posted: readonly PostedFinding[];
  /** Ids that this run has posted, even if GitHub doesn't show them yet. */
  readonly said: ReadonlySet<string>;
  /** Ids whose comment a person deleted. */
  readonly deleted: ReadonlySet<string>;
  readonly maxComments: number;
  /** GitHub refused the comments once; then they go to the summary. */
  readonly isRefused: boolean;
}

/** Which findings get a comment on their line. Those that have one are left alone. */
export function decideInline(options: InlineOptions): InlineDecision {
  const { findings, diff, posted, maxComments } = options;
  const known = new Set([...posted.map(({ mark }) => mark.id), ...options.said]);
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

/** Of several with one id, one with a reply stays, else the oldest: racing runs agree on it. */
function duplicatesIn(posted: readonly PostedFinding[]): number[] {
  const kept = new Map<string, PostedFinding>();
  const ranked = [...posted].sort(
    (one, other) => Number(other.isReplied) - Number(one.isReplied) || one.comment - other.comment,
  );
  return ranked.flatMap(each => {
    const isFirst = !kept.has(each.mark.id);
    if (isFirst) kept.set(each.mark.id, each);
    return isFirst || each.isReplied ? [] : [each.comment];
  });
}

/** The lines of a file; undefined when they are unknown, and then nothing is removed. */
export type LinesOf = (posted: PostedFinding) => readonly string[] | undefined;

/**
 * The comments whose lines are gone. A finding that merely isn't found again stays: that a model is
 * silent today doesn't mean that yesterday's finding was wrong.
 */
export function decideRemovals(
  posted: readonly PostedFinding[],
  found: ReadonlySet<string>,
  linesOf: LinesOf,
): number[] {
  const groups = new Map<string, PostedFinding[]>();
  for (const each of posted) {
    const key = groupOf(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
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

const groupOf = ({ path, side, mark }: PostedFinding): string =>
  JSON.stringify([path, side, textOf(mark)]);

const textOf = ({ rule, text, lines, isExact }: FindingMark): string =>
  [rule, text, lines, isExact].join(' ');
