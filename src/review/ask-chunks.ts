import type { End } from '../agent/talk.js';
import { isTimeUp } from '../core/deadline.js';
import type { Claim } from '../core/finding.js';
import type { HunkState } from '../core/ledger.js';
import { redact } from '../secrets/redact.js';
import {
  type Proposal,
  type Reading,
  ReviewSession,
  type ReviewSetup,
  refute,
  type SecondLook,
} from './ask-chunk.js';
import type { Bound, Chunk, ChunkPart, PartResult, RejectedClaim, ReviewDraft } from './chunk.js';
import type { AskedRule } from './questions.js';

export interface ReviewRule extends AskedRule {
  readonly severity: Claim['severity'];
}

export interface ReviewWork {
  /** The most urgent first. */
  readonly chunks: readonly Chunk[];
  readonly rulesFor: (part: ChunkPart) => readonly ReviewRule[];
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
  const conversations = new ReviewSession(setup);
  let over: { state: HunkState; reason: string } | undefined;
  for (const [done, chunk] of work.chunks.entries()) {
    over ??= setup.signal.aborted ? outOfTime(setup) : undefined;
    if (over !== undefined) {
      parts.push(...unreadParts(chunk, over));
      continue;
    }
    setup.onChunk?.(done);
    const { asked, end } = await askAll(chunk, work, conversations);
    const judged = await judgeProposals(chunk, asked, { ...setup, votes: work.votes });
    rejected.push(...judged.rejected);
    const worst = end.reason === 'finished' ? (judged.unfinished ?? end) : end;
    const settled = settle(chunk, worst, judged.claims);
    parts.push(...settled);
    setup.onSettled?.(settled);
    if (isBound(worst.reason)) limits.add(worst.reason);
    if (worst.reason === 'model-gone') over = { state: 'failed', reason: worst.message };
  }
  const told = { ...conversations.counts(), limits: [...limits], notices: conversations.notices() };
  return { parts, rejected, ...told };
}

const isBound = (reason: End['reason']): reason is Bound =>
  reason === 'turns' || reason === 'requests' || reason === 'tokens';

/** One question put to a bite, and what came of each try. */
export interface AskedChunk {
  readonly rule: ReviewRule | undefined;
  readonly tries: readonly Reading[];
}

/** A rule is put to the parts that it is for, the open question to all. */
async function askAll(
  chunk: Chunk,
  { rulesFor, votes }: ReviewWork,
  conversations: ReviewSession,
): Promise<{ asked: AskedChunk[]; end: End }> {
  const asked: AskedChunk[] = [];
  const rules = new Set(chunk.parts.flatMap(part => rulesFor(part)));
  for (const rule of [...rules, undefined]) {
    const parts = rule === undefined ? chunk.parts : chunk.parts.filter(isFor(rule, rulesFor));
    const tries: Reading[] = [];
    asked.push({ rule, tries });
    for (let seed = 1; seed <= (rule === undefined ? votes : 1); seed += 1) {
      const reading = await conversations.read({ parts, rule, seed });
      tries.push(reading);
      if (reading.end.reason !== 'finished') return { asked, end: reading.end };
    }
  }
  return { asked, end: { reason: 'finished', message: '' } };
}

const isFor =
  (rule: ReviewRule, rulesFor: ReviewWork['rulesFor']) =>
  (part: ChunkPart): boolean =>
    rulesFor(part).includes(rule);

/** What the end of a conversation means for the hunks it was about. */
function settle(chunk: Chunk, end: End, claims: readonly Claim[]): PartResult[] {
  const state = stateOf(end);
  const reason = state === 'reviewed' ? '' : end.message;
  return chunk.parts.map(part => ({
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

const isIn = (part: ChunkPart, claim: Claim): boolean =>
  part.path === claim.path &&
  part.lines.some(line => line.kind === 'added' && line.newLine === claim.line);

const unreadParts = (
  chunk: Chunk,
  { state, reason }: { state: HunkState; reason: string },
): PartResult[] => chunk.parts.map(part => ({ part, state, reason, claims: [] }));

const outOfTime = ({ signal }: ReviewSetup): { state: HunkState; reason: string } => ({
  state: 'outOfTime',
  reason: isTimeUp(signal) ? 'the deadline was reached' : 'the run was stopped',
});

/** How sure we are: it was refuted, nobody has tried to, nobody could, it was confirmed. */
const CONFIDENCE = { wrong: 0, unseen: 0.2, unclear: 0.4, holds: 0.7 };

export interface JudgedProposals {
  readonly claims: readonly Claim[];
  readonly rejected: readonly RejectedClaim[];
  /** Why the second look could not be taken at all of them; what was not looked at again is kept. */
  readonly unfinished: End | undefined;
}

/** Proposals → claims: those a majority made and a second look could not refute. */
export async function judgeProposals(
  chunk: Chunk,
  asked: readonly AskedChunk[],
  setup: ReviewSetup & { readonly votes: number },
): Promise<JudgedProposals> {
  const claims: Claim[] = [];
  const rejected: RejectedClaim[] = [];
  let unfinished: End | undefined;
  for (const { rule, tries } of asked) {
    for (const { reason, ...proposal } of tries.flatMap(each => each.refused)) {
      rejected.push({ reason, claim: toClaim(proposal, rule, 0, '') });
    }
    const votes = rule === undefined ? setup.votes : 1;
    const made = tries.map(each => each.proposals);
    for (const { proposal, share } of tally(made, votes)) {
      const part = chunk.parts.find(each => holds(each, proposal));
      const text = part === undefined ? '' : lineText(part, proposal.line);
      const draft = toClaim(proposal, rule, share, text);
      if (share <= 0.5) {
        rejected.push({ reason: 'outvoted', claim: draft });
        continue;
      }
      const look = part === undefined ? UNSEEN : await refute(proposal, part, setup);
      if (look.verdict === 'wrong') rejected.push({ reason: 'refuted', claim: draft });
      else claims.push(weighed(draft, look, share));
      unfinished ??= look.unfinished;
    }
  }
  return { claims, rejected, unfinished };
}

/**
 * Without a second look a claim is one sentence of a small model, told because it may be right. It
 * must not stop a commit or fail a build, which go on for what the time did not allow; its hunk is
 * in the ledger as not done, and the next run says how grave it is.
 */
function weighed(draft: Claim, { verdict, unfinished }: SecondLook, share: number): Claim {
  const confidence = CONFIDENCE[unfinished === undefined ? verdict : 'unseen'] * share;
  return { ...draft, confidence, ...(unfinished !== undefined && { severity: 'info' as const }) };
}

const UNSEEN: SecondLook = { verdict: 'unclear', unfinished: undefined };

/** The same line named in several tries counts once, with the share of tries that named it. */
function tally(
  tries: ReadonlyArray<readonly Proposal[]>,
  votes: number,
): Array<{ proposal: Proposal; share: number }> {
  const byLine = new Map<string, { proposal: Proposal; tries: Set<number> }>();
  tries.forEach((proposals, at) => {
    for (const proposal of proposals) {
      const key = `${proposal.path}\0${proposal.line}`;
      const known = byLine.get(key) ?? { proposal, tries: new Set<number>() };
      known.tries.add(at);
      byLine.set(key, known);
    }
  });
  return [...byLine.values()].map(({ proposal, tries: made }) => ({
    proposal,
    share: made.size / Math.max(1, Math.min(votes, tries.length)),
  }));
}

const holds = (part: ChunkPart, { path, line }: Proposal): boolean =>
  part.path === path && part.lines.some(each => each.kind === 'added' && each.newLine === line);

const lineText = (part: ChunkPart, line: number): string =>
  part.lines.find(each => each.kind === 'added' && each.newLine === line)?.text ?? '';

function toClaim(
  proposal: Proposal,
  rule: AskedChunk['rule'],
  confidence: number,
  text: string,
): Claim {
  const column = text.indexOf(proposal.quote.trim()) + 1;
  return {
    path: proposal.path,
    line: proposal.line,
    endLine: proposal.line,
    ...(column > 0 && { column, endColumn: column + proposal.quote.trim().length }),
    side: 'new',
    severity: rule?.severity ?? proposal.severity,
    rule: rule === undefined ? categoryOf(proposal.message) : `rule/${rule.name}`,
    message: redact(proposal.message),
    source: rule === undefined ? 'model' : 'rule',
    confidence,
    evidence: redact(text === '' ? proposal.quote : text),
  };
}

/** What a model's finding is about, read from its own words; the first that fits. */
const CATEGORIES: ReadonlyArray<readonly [name: string, words: RegExp]> = [
  [
    'security',
    /inject|xss|csrf|sanitiz|escap|travers|credential|secret|vulnerab|untrusted|permission/i,
  ],
  ['off-by-one', /off[- ]by[- ]one|past the end|out of (range|bounds)|<=|boundary|fencepost/i],
  ['null', /\bnull\b|undefined|\bnil\b|none\b|missing value|not defined|dereferenc/i],
  ['async', /await|promise|async|race|concurren|deadlock|thread/i],
  ['error-handling', /error|exception|catch|throw|swallow|reject|unhandled/i],
  ['resource', /leak|close[sd]?\b|release|dispose|timeout|listener/i],
  ['condition', /condition|invert|negat|always (true|false)|wrong (operator|comparison)|compar/i],
];

/** `model/<category>`; plain `model/bug` when the words say nothing more. */
export const categoryOf = (message: string): string =>
  `model/${CATEGORIES.find(([, words]) => words.test(message))?.[0] ?? 'bug'}`;
