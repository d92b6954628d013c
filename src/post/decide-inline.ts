import { type Finding, SEVERITIES } from '../core/finding.js';
import { type Anchor, findAnchor } from './find-anchor.js';
import type { PostedFinding } from './own-comments.js';
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

export interface InlineWish {
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
export function decideInline(wish: InlineWish): InlineDecision {
  const { findings, diff, posted, maxComments } = wish;
  const known = new Set([...posted.map(({ mark }) => mark.id), ...wish.said]);
  const notInline = new Map<string, NotInline>();
  const wanted: AnchoredFinding[] = [];
  for (const finding of findings) {
    if (known.has(finding.id)) continue;
    if (wish.deleted.has(finding.id)) {
      notInline.set(finding.id, 'deleted');
      continue;
    }
    const found = findAnchor(finding, diff);
    if (!found.ok) notInline.set(finding.id, found.reason);
    else if (wish.isRefused) notInline.set(finding.id, 'refused');
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
