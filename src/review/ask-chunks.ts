import type { Bound, End } from '../agent/question.js';
import { isTimeUp } from '../core/deadline.js';
import type { FindingWithoutId } from '../core/finding.js';
import type { HunkState } from '../core/ledger.js';
import { nodeClock } from '../platform/clock.js';
import { redact } from '../secrets/redact.js';
import {
  type Proposal,
  type Reading,
  ReviewSession,
  type ReviewSetup,
  type SecondLook,
} from './ask-chunk.js';
import {
  anchorLines,
  type Chunk,
  type ChunkPart,
  onlyRemoves,
  type PartResult,
  type RejectedFinding,
  type ReviewDraft,
} from './chunk.js';
import { isWorse } from './conclude.js';
import { chunkCapacity } from './plan.js';
import type { RuleQuestion } from './questions.js';
import { packChunks, partTokens } from './split.js';

export interface ReviewRule extends RuleQuestion {
  readonly severity: FindingWithoutId['severity'];
}

interface ReviewWork {
  /** The most urgent first. */
  readonly chunks: readonly Chunk[];
  readonly rulesFor: (part: ChunkPart) => readonly ReviewRule[];
  readonly votes: number;
}

/**
 * Chunks → draft: the user's rules and the open question for each chunk, then a second look at what
 * they found; until the change, the time or the model is at its end. Nothing is left unaccounted.
 */
export async function review(work: ReviewWork, setup: ReviewSetup): Promise<ReviewDraft> {
  const review = new RunningReview(work, setup);
  const { model } = setup;
  let window = model.facts.contextWindow;
  let left = [...work.chunks];
  for (let done = 0, chunk = left.shift(); chunk !== undefined; chunk = left.shift(), done += 1) {
    await review.take(chunk, { done, chunksLeft: left.length });
    // A cold server may report the smallest window; the first answer shows the real one.
    if (model.facts.contextWindow > window) left = await packAgain(left, setup);
    window = model.facts.contextWindow;
  }
  return review.finish();
}

/** The same parts in fewer chunks, for a window that has grown. */
const packAgain = (
  chunks: readonly Chunk[],
  { model, tokenScale }: ReviewSetup,
): Promise<Chunk[]> =>
  packChunks(
    chunks.flatMap(({ parts, risk }) =>
      parts.map(part => ({ part, tokens: partTokens(part), risk })),
    ),
    chunkCapacity(model.facts.contextWindow, tokenScale),
    nodeClock,
  );

/** Failed chunks in a row after which the model isn't asked any more. */
const MOST_FAILED = 2;
/** Failures of the server, which may pass; junk and refusals are the model's. */
const OF_THE_SERVER: ReadonlySet<End['reason']> = new Set(['server-failed', 'model-gone']);
/** Before a server that failed is tried once more: this share of the time left, and never longer. */
const PAUSE_SHARE = 0.02;
const LONGEST_PAUSE_MS = 5000;

class RunningReview {
  readonly #parts: PartResult[] = [];
  readonly #rejected: RejectedFinding[] = [];
  readonly #limits = new Set<Bound>();
  readonly #notices: string[] = [];
  readonly #session: ReviewSession;
  readonly #startedAt: number;
  #failed = 0;
  /** How the server failed before the pause; undefined when there was none. */
  #lost: End | undefined;
  #isBack = false;
  #over: { state: HunkState; reason: string } | undefined;

  constructor(
    readonly work: ReviewWork,
    readonly setup: ReviewSetup,
  ) {
    this.#session = new ReviewSession(setup);
    this.#startedAt = setup.clock.now();
  }

  async take(
    chunk: Chunk,
    { done, chunksLeft }: { readonly done: number; readonly chunksLeft: number },
  ): Promise<void> {
    if (this.setup.signal.aborted) this.#over ??= outOfTime(this.setup);
    if (this.#over !== undefined) {
      this.#settle(unreadParts(chunk, this.#over));
      return;
    }
    this.setup.onChunk?.(done);
    const canLookUp = this.#hasTimeFor(chunksLeft + 2);
    const { asked, end, last } = await askAll(chunk, this.work, {
      session: this.#session,
      canLookUp,
    });
    await this.#watch(last, chunksLeft);
    // The most urgent chunk is done with before the next one begins.
    const judged = await judgeProposals(chunk, asked, this.#session, this.work.votes);
    this.#rejected.push(...judged.rejected);
    const worst = end.reason === 'finished' ? (judged.unfinished ?? end) : end;
    this.#settle(settled(chunk, worst, judged.candidates));
    if (worst.limit !== undefined) this.#limits.add(worst.limit);
  }

  finish(): ReviewDraft {
    return {
      parts: this.#parts,
      rejected: this.#rejected,
      ...this.#session.counts(),
      limits: [...this.#limits],
      notices: [...this.#session.notices(), ...this.#notices],
    };
  }

  #settle(parts: readonly PartResult[]): void {
    this.#parts.push(...parts);
    this.setup.onSettled?.(parts);
  }

  /** A circuit breaker: a model that fails chunk after chunk isn't asked about all the others too. */
  async #watch(end: End, chunksLeft: number): Promise<void> {
    // A model that declines twice declines the rest too; a block is about the text.
    const hasFailed = stateOf(end) === 'failed' || end.reason === 'refused';
    this.#failed = hasFailed ? this.#failed + 1 : 0;
    if (!hasFailed && this.#lost !== undefined && !this.#isBack) {
      this.#isBack = true;
      this.#notices.push(`the server failed (${this.#lost.message}) and was back after a pause`);
    }
    const isGone = end.reason === 'model-gone';
    if (!isGone && this.#failed < MOST_FAILED) return;
    if (chunksLeft > 0 && (await this.#waitFor(end))) return;
    const reason = isGone ? end.message : `not asked: ${end.message}`;
    this.#over = { state: stateOf(end), reason };
    if (chunksLeft > 0 && !isGone) {
      this.#notices.push(
        `the model failed ${MOST_FAILED} times in a row (${end.message}); the rest was not asked`,
      );
    }
  }

  /** Once a run: a pause after which the next chunk shows whether the server is back. */
  async #waitFor(end: End): Promise<boolean> {
    const { pause, signal } = this.setup;
    if (pause === undefined || this.#lost !== undefined || !OF_THE_SERVER.has(end.reason)) {
      return false;
    }
    this.#lost = end;
    // One more failure ends the asking.
    this.#failed = MOST_FAILED - 1;
    await pause(Math.min(LONGEST_PAUSE_MS, PAUSE_SHARE * this.#leftMs()), signal).catch(() => {
      // Time is up or the run was stopped, which the next chunk shows.
    });
    return true;
  }

  #hasTimeFor(requests: number): boolean {
    return this.#leftMs() >= requests * this.#session.meanMs;
  }

  #leftMs(): number {
    const { limits, clock } = this.setup;
    return limits.deadlineMs - (clock.now() - this.#startedAt);
  }
}

/** One question about a chunk, and what each vote brought. */
interface AskedChunk {
  readonly rule: ReviewRule | undefined;
  readonly tries: readonly Reading[];
}

/**
 * A rule is asked about the parts that it is for, the open question about all, also after a rule that
 * had no answer. `end` is the worst that happened, `last` what happened last.
 */
async function askAll(
  chunk: Chunk,
  { rulesFor, votes }: ReviewWork,
  { session, canLookUp }: { session: ReviewSession; canLookUp: boolean },
): Promise<{ asked: AskedChunk[]; end: End; last: End }> {
  const asked: AskedChunk[] = [];
  let [end, last]: [End, End] = [FINISHED, FINISHED];
  const rules = new Set(chunk.parts.flatMap(part => rulesFor(part)));
  for (const rule of [...rules, undefined]) {
    const parts = rule === undefined ? chunk.parts : chunk.parts.filter(isFor(rule, rulesFor));
    const tries: Reading[] = [];
    asked.push({ rule, tries });
    for (let vote = 0; vote < (rule === undefined ? votes : 1); vote += 1) {
      const reading = await session.read({ parts, rule, vote, canLookUp });
      tries.push(reading);
      last = reading.end;
      if (isWorse(stateOf(last), stateOf(end))) end = last;
      if (last.reason !== 'finished') break;
    }
    if (isStopped(last) || OF_THE_SERVER.has(last.reason)) break;
  }
  return { asked, end, last };
}

const FINISHED: End = { reason: 'finished', message: '' };

const isFor =
  (rule: ReviewRule, rulesFor: ReviewWork['rulesFor']) =>
  (part: ChunkPart): boolean =>
    rulesFor(part).includes(rule);

/** What the end of a question means for the hunks it was about. */
function settled(chunk: Chunk, end: End, candidates: readonly FindingWithoutId[]): PartResult[] {
  const state = stateOf(end);
  const reason = state === 'reviewed' ? '' : end.message;
  return chunk.parts.map(part => ({
    part,
    state,
    reason,
    candidates: candidates.filter(candidate => isIn(part, candidate)),
  }));
}

function stateOf({ reason }: End): HunkState {
  if (reason === 'finished') return 'reviewed';
  if (reason === 'refused' || reason === 'blocked') return 'refused';
  return reason === 'deadline' || reason === 'aborted' ? 'outOfTime' : 'failed';
}

const isIn = (part: ChunkPart, candidate: FindingWithoutId): boolean =>
  part.path === candidate.path && anchorLines(part).has(candidate.line);

const unreadParts = (
  chunk: Chunk,
  { state, reason }: { state: HunkState; reason: string },
): PartResult[] => chunk.parts.map(part => ({ part, state, reason, candidates: [] }));

const outOfTime = ({ signal }: ReviewSetup): { state: HunkState; reason: string } => ({
  state: 'outOfTime',
  reason: isTimeUp(signal) ? 'the deadline was reached' : 'the run was stopped',
});

/** How sure we are: nobody has looked again, the model had no ruling, it confirmed. */
const CONFIDENCE = { unseen: 0.2, unclear: 0.4, real_bug: 0.7 };

interface JudgedProposals {
  readonly candidates: readonly FindingWithoutId[];
  readonly rejected: readonly RejectedFinding[];
  /** Why not all of them had a second look; those are kept, as `info`. */
  readonly unfinished: End | undefined;
}

/** Proposals → candidates: those that a majority made and a second look did not refute. */
async function judgeProposals(
  chunk: Chunk,
  asked: readonly AskedChunk[],
  session: ReviewSession,
  votes: number,
): Promise<JudgedProposals> {
  const candidates: FindingWithoutId[] = [];
  const rejected: RejectedFinding[] = [];
  let unfinished: End | undefined;
  for (const { rule, tries } of asked) {
    for (const { reason, ...proposal } of tries.flatMap(each => each.refused)) {
      rejected.push({ reason, candidate: toClaim(proposal, rule, 0, undefined) });
    }
    const made = tries.map(each => each.proposals);
    for (const { proposal, share } of tally(made, rule === undefined ? votes : 1)) {
      const part = chunk.parts.find(each => anchorLines(each).has(proposal.line));
      const draft = toClaim(proposal, rule, share, part);
      if (share <= 0.5 || part === undefined) {
        rejected.push({ reason: 'outvoted', candidate: draft });
        continue;
      }
      const look = await session.lookAgain(proposal, part);
      if (look.ruling === 'not_a_bug') rejected.push({ reason: 'refuted', candidate: draft });
      else candidates.push(weighed(draft, look, share));
      unfinished ??= isStopped(look.end) ? look.end : undefined;
    }
  }
  return { candidates, rejected, unfinished };
}

const isStopped = (end: End | undefined): boolean =>
  end !== undefined && ['deadline', 'aborted', 'model-gone'].includes(end.reason);

/**
 * Without a ruling a candidate is one sentence of a small model, reported because it may be right. It must
 * not stop a commit or fail a build; where time was the reason, its hunk is in the ledger as not done.
 */
function weighed(
  draft: FindingWithoutId,
  { ruling, end }: SecondLook,
  share: number,
): FindingWithoutId {
  if (ruling === 'real_bug') return { ...draft, confidence: CONFIDENCE.real_bug * share };
  const confidence = isStopped(end) ? CONFIDENCE.unseen : CONFIDENCE.unclear;
  return { ...draft, confidence: confidence * share, severity: 'info' };
}

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

function toClaim(
  proposal: Proposal,
  rule: AskedChunk['rule'],
  confidence: number,
  part: ChunkPart | undefined,
): FindingWithoutId {
  const isRemoval = part !== undefined && onlyRemoves(part);
  const text = part === undefined || isRemoval ? '' : (anchorLines(part).get(proposal.line) ?? '');
  const column = text.indexOf(proposal.quote.trim()) + 1;
  return {
    path: proposal.path,
    line: proposal.line,
    endLine: proposal.line,
    ...(text !== '' && column > 0 && { column, endColumn: column + proposal.quote.trim().length }),
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
const categoryOf = (message: string): string =>
  `model/${CATEGORIES.find(([, words]) => words.test(message))?.[0] ?? 'bug'}`;
