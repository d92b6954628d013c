import { type Finding, SEVERITIES } from '../core/finding.js';
import { type Anchor, findAnchor } from './anchor.js';
import { countMarked, type FindingMark, type PostedFinding } from './own-comments.js';
import type { PullDiff } from './pull-diff.js';

export interface AnchoredFinding {
  readonly finding: Finding;
  readonly anchor: Anchor;
}

/** Why a finding stands in the summary alone. */
export type NotInline = 'outside-diff' | 'other-text' | 'too-many' | 'refused' | 'deleted';

export interface InlineDecision {
  /** To be posted now, all in one review. */
  readonly toPost: readonly AnchoredFinding[];
  /** Why the others do not stand at a line. Those that do, or will, are not in here. */
  readonly notInline: ReadonlyMap<string, NotInline>;
  /** Comments that say again what another of ours says. */
  readonly doubles: readonly number[];
}

export interface InlineOptions {
  readonly findings: readonly Finding[];
  readonly diff: PullDiff;
  readonly posted: readonly PostedFinding[];
  /** Ids that this run has posted, whether or not GitHub shows them already. */
  readonly said: ReadonlySet<string>;
  /** Ids whose comment a person deleted: that was an answer. */
  readonly deleted: ReadonlySet<string>;
  readonly maxComments: number;
  /** GitHub refused them once; then they go to the summary. */
  readonly isRefused: boolean;
}

/** Which findings are said at their lines. Those that are said there already are left as they are. */
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
  const standing = findings.filter(({ id }) => known.has(id)).length;
  const room = Math.max(0, maxComments - standing);
  const ranked = [...wanted].sort(gravestFirst);
  for (const { finding } of ranked.slice(room)) notInline.set(finding.id, 'too-many');
  return {
    toPost: wanted.filter(({ finding }) => !notInline.has(finding.id)),
    notInline,
    doubles: doublesIn(posted),
  };
}

/** Sorting keeps the order of equals. */
const gravestFirst = (one: AnchoredFinding, other: AnchoredFinding): number =>
  SEVERITIES.indexOf(other.finding.severity) - SEVERITIES.indexOf(one.finding.severity);

/** Of several with one id the answered one stays, else the oldest; every racing run agrees on it. */
function doublesIn(posted: readonly PostedFinding[]): number[] {
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

/** The lines of a file; undefined when they cannot be known, and then nothing is removed. */
export type LinesOf = (posted: PostedFinding) => readonly string[] | undefined;

/**
 * The comments whose text is gone. One that is merely not found again stays: a model that is silent
 * today has not said that yesterday's finding was wrong.
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

/** Those that need a look: neither found again nor answered. */
export const isInDoubt = (posted: PostedFinding, found: ReadonlySet<string>): boolean =>
  !posted.isReplied && !found.has(posted.mark.id);

/** Of two equal lines one may be gone: as many comments stay as there are lines left. */
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
