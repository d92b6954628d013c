import type { Bite, BitePart } from '../core/bite.js';
import type { Claim } from '../core/finding.js';
import type { HunkState } from '../core/ledger.js';
import type { Bound, PartResult, RejectedClaim, ReviewDraft } from '../core/review-draft.js';
import { isTimeUp } from '../core/time-up.js';
import { judgeProposals } from './judge-proposals.js';
import type { ReviewSetup } from './review-bite.js';
import type { AskedRule } from './review-prompt.js';
import { type Reading, ReviewTalks } from './review-talks.js';
import type { End } from './setup.js';

export interface ReviewRule extends AskedRule {
  readonly severity: Claim['severity'];
}

export interface ReviewWork {
  /** The most urgent first. */
  readonly bites: readonly Bite[];
  readonly rulesFor: (part: BitePart) => readonly ReviewRule[];
  readonly votes: number;
}

/**
 * Bites → Draft: the user's rules, then the open question, then an attempt to refute each finding;
 * bite by bite until the change, the time or the model is at its end. Nothing is left unaccounted.
 */
export async function review(work: ReviewWork, setup: ReviewSetup): Promise<ReviewDraft> {
  const parts: PartResult[] = [];
  const rejected: RejectedClaim[] = [];
  const limits = new Set<Bound>();
  const talks = new ReviewTalks(setup);
  let over: { state: HunkState; reason: string } | undefined;
  for (const [done, bite] of work.bites.entries()) {
    over ??= setup.signal.aborted ? outOfTime(setup) : undefined;
    if (over !== undefined) {
      parts.push(...unread(bite, over));
      continue;
    }
    setup.onBite?.(done);
    const { asked, end } = await askAll(bite, work, talks);
    const judged = await judgeProposals(bite, asked, { ...setup, votes: work.votes });
    rejected.push(...judged.rejected);
    const worst = end.reason === 'finished' ? (judged.unfinished ?? end) : end;
    const settled = settle(bite, worst, judged.claims);
    parts.push(...settled);
    setup.onSettled?.(settled);
    if (isBound(worst.reason)) limits.add(worst.reason);
    if (worst.reason === 'model-gone') over = { state: 'failed', reason: worst.message };
  }
  const told = { ...talks.counts(), limits: [...limits], notices: talks.notices() };
  return { parts, rejected, ...told };
}

const isBound = (reason: End['reason']): reason is Bound =>
  reason === 'turns' || reason === 'requests' || reason === 'tokens';

/** One question put to a bite, and what came of each try. */
export interface AskedBite {
  readonly rule: ReviewRule | undefined;
  readonly tries: readonly Reading[];
}

/** A rule is put to the parts that it is for, the open question to all. */
async function askAll(
  bite: Bite,
  { rulesFor, votes }: ReviewWork,
  talks: ReviewTalks,
): Promise<{ asked: AskedBite[]; end: End }> {
  const asked: AskedBite[] = [];
  const rules = new Set(bite.parts.flatMap(part => rulesFor(part)));
  for (const rule of [...rules, undefined]) {
    const parts = rule === undefined ? bite.parts : bite.parts.filter(isFor(rule, rulesFor));
    const tries: Reading[] = [];
    asked.push({ rule, tries });
    for (let seed = 1; seed <= (rule === undefined ? votes : 1); seed += 1) {
      const reading = await talks.read({ parts, rule, seed });
      tries.push(reading);
      if (reading.end.reason !== 'finished') return { asked, end: reading.end };
    }
  }
  return { asked, end: { reason: 'finished', message: '' } };
}

const isFor =
  (rule: ReviewRule, rulesFor: ReviewWork['rulesFor']) =>
  (part: BitePart): boolean =>
    rulesFor(part).includes(rule);

/** What the end of a conversation means for the hunks it was about. */
function settle(bite: Bite, end: End, claims: readonly Claim[]): PartResult[] {
  const state = stateOf(end);
  const reason = state === 'reviewed' ? '' : end.message;
  return bite.parts.map(part => ({
    part,
    state,
    reason,
    claims: claims.filter(claim => isIn(part, claim)),
  }));
}

function stateOf({ reason }: End): HunkState {
  if (reason === 'finished') return 'reviewed';
  if (reason === 'refused' || reason === 'blocked') return 'refused';
  return reason === 'deadline' || reason === 'aborted' ? 'outOfTime' : 'failed';
}

const isIn = (part: BitePart, claim: Claim): boolean =>
  part.path === claim.path &&
  part.lines.some(line => line.kind === 'added' && line.newLine === claim.line);

const unread = (
  bite: Bite,
  { state, reason }: { state: HunkState; reason: string },
): PartResult[] => bite.parts.map(part => ({ part, state, reason, claims: [] }));

const outOfTime = ({ signal }: ReviewSetup): { state: HunkState; reason: string } => ({
  state: 'outOfTime',
  reason: isTimeUp(signal) ? 'the deadline was reached' : 'the run was stopped',
});
