import type { Bite, BitePart } from '../core/bite.js';
import type { Claim } from '../core/finding.js';
import type { HunkState } from '../core/ledger.js';
import type { PartResult, RejectedClaim, ReviewDraft } from '../core/review-draft.js';
import { isTimeUp } from '../core/time-up.js';
import { judgeProposals } from './judge-proposals.js';
import { type BiteTalk, type ReviewSetup, reviewBite } from './review-bite.js';
import type { AskedRule } from './review-prompt.js';
import type { End } from './setup.js';

export interface ReviewRule extends AskedRule {
  readonly severity: Claim['severity'];
}

export interface ReviewWork {
  /** The most urgent first. */
  readonly bites: readonly Bite[];
  readonly rulesFor: (bite: Bite) => readonly ReviewRule[];
  readonly votes: number;
}

/**
 * Bites → Draft: the user's rules, then the open question, then an attempt to refute each finding;
 * bite by bite until the change, the time or the model is at its end. Nothing is left unaccounted.
 */
export async function review(work: ReviewWork, setup: ReviewSetup): Promise<ReviewDraft> {
  const parts: PartResult[] = [];
  const rejected: RejectedClaim[] = [];
  const counts = { repairs: 0, refusals: 0 };
  const queue = [...work.bites];
  let protocol = '';
  let over: { state: HunkState; reason: string } | undefined;
  for (let bite = queue.shift(); bite !== undefined; bite = queue.shift()) {
    over ??= setup.signal.aborted ? outOfTime(setup) : undefined;
    if (over !== undefined) {
      parts.push(...unread(bite, over));
      continue;
    }
    setup.onBite?.(work.bites.length - queue.length - 1);
    const done = await askAll(bite, work, setup);
    counts.repairs += done.repairs;
    counts.refusals += done.refusals;
    protocol = done.asked.at(-1)?.talks.at(-1)?.talk.protocol ?? protocol;
    if (done.end.reason === 'overflow' && bite.parts.length > 1) {
      queue.unshift(...halves(bite));
      continue;
    }
    const judged = await judgeProposals(bite, done.asked, { ...setup, votes: work.votes });
    rejected.push(...judged.rejected);
    parts.push(...settle(bite, done.end, judged.claims));
    if (done.end.reason === 'model-gone') over = { state: 'failed', reason: done.end.message };
  }
  return { parts, rejected, ...counts, protocol };
}

/** One question put to a bite, and what came of it. */
export interface AskedBite {
  readonly rule: ReviewRule | undefined;
  readonly talks: readonly BiteTalk[];
}

async function askAll(
  bite: Bite,
  work: ReviewWork,
  setup: ReviewSetup,
): Promise<{ asked: AskedBite[]; end: End; repairs: number; refusals: number }> {
  const asked: AskedBite[] = [];
  const questions = [...work.rulesFor(bite), undefined];
  let end: End = { reason: 'finished', message: '' };
  for (const rule of questions) {
    const talks: BiteTalk[] = [];
    const votes = rule === undefined ? work.votes : 1;
    for (let seed = 1; seed <= votes && end.reason === 'finished'; seed += 1) {
      const talk = await reviewBite(bite, rule, { ...setup, seed });
      talks.push(talk);
      end = talk.talk.end;
    }
    asked.push({ rule, talks });
    if (end.reason !== 'finished') break;
  }
  const all = asked.flatMap(({ talks }) => talks.map(({ talk }) => talk.counts));
  const repairs = all.flatMap(counts => Object.values(counts.repairs));
  return {
    asked,
    end,
    repairs: repairs.reduce((sum, count) => sum + count, 0),
    refusals: all.reduce((sum, counts) => sum + counts.refusals, 0),
  };
}

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

function halves(bite: Bite): Bite[] {
  const middle = Math.ceil(bite.parts.length / 2);
  const half = (parts: readonly BitePart[]): Bite => ({ ...bite, parts });
  return [half(bite.parts.slice(0, middle)), half(bite.parts.slice(middle))];
}
