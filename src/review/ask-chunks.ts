import type { Bound, End } from '../agent/question.js';
import { isAt } from '../core/change.js';
import { count } from '../core/count.js';
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
import { isWorse, stateOf } from './conclude.js';
import { chunkCapacity } from './plan.js';
import type { RuleQuestion } from './questions.js';
import { packChunks, partTokens } from './split.js';

export interface ReviewRule extends RuleQuestion {
  readonly severity: FindingWithoutId['severity'];
}

interface ReviewWork {
  /** Most urgent first. */
  readonly chunks: readonly Chunk[];
  readonly rulesFor: (part: ChunkPart) => readonly ReviewRule[];
  readonly votes: number;
}

/**
 * Chunks → draft: asks the user's rules and the open question for each chunk, then takes a second
 * look at the proposals, until the chunks, the time or the model run out. Every part is accounted
 * for.
 */
export async function review(work: ReviewWork, setup: ReviewSetup): Promise<ReviewDraft> {
  const review = new RunningReview(work, setup);
  const { model } = setup;
  let window = model.facts.contextWindow;
  let left = [...work.chunks];
  for (let done = 0, chunk = left.shift(); chunk !== undefined; chunk = left.shift(), done += 1) {
    await review.take(chunk, { done, chunksLeft: left.length });
    // A server that has just started may report the smallest window; the first answer shows the
    // real one.
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

/** After this many failed chunks in a row, the model isn't asked any more. */
const MAX_FAILED = 2;
class RunningReview {
  readonly #parts: PartResult[] = [];
  readonly #rejected: RejectedFinding[] = [];
  readonly #limits = new Set<Bound>();
  readonly #unconfirmed: Unconfirmed[] = [];
  /** Chunks whose findings have had no second look yet. */
  readonly #waiting: ReadChunk[] = [];
  readonly #session: ReviewSession;
  readonly #startedAt: number;
  #failed = 0;
  /** The failure after which nothing more is asked. */
  #givenUp: End | undefined;

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
    if (this.#givenUp !== undefined) {
      const reason = `not asked after ${MAX_FAILED} failures in a row`;
      this.#settle(unreadParts(chunk, { state: 'failed', reason }));
      return;
    }
    if (this.setup.signal.aborted) {
      this.#settle(unreadParts(chunk, outOfTime(this.setup)));
      return;
    }
    this.setup.onChunk?.(done);
    const canLookUp = this.#hasTimeFor(chunksLeft + 2);
    const { asked, end, last } = await askAll(chunk, this.work, {
      session: this.#session,
      canLookUp,
    });
    this.#watch(last);
    const looks = asked.flatMap(({ tries }) => tries.flatMap(each => each.proposals)).length;
    // The most urgent chunk is finished before the next one begins, unless the others would have no time.
    if (chunksLeft > 0 && looks > 0 && !this.#hasTimeFor(chunksLeft + looks)) {
      this.#waiting.push({ chunk, asked, end });
    } else {
      await this.#conclude({ chunk, asked, end });
    }
  }

  /** The second look, and what becomes of the chunk. */
  async #conclude({ chunk, asked, end }: ReadChunk): Promise<void> {
    const judged = await judgeProposals(chunk, asked, (proposal, part) =>
      this.#lookAgain(proposal, part),
    );
    this.#rejected.push(...judged.rejected);
    const worst = end.reason === 'finished' ? (judged.unfinished ?? end) : end;
    this.#unconfirmed.push(...judged.unconfirmed);
    const leftOut = new Set(asked.flatMap(({ tries }) => tries.flatMap(each => each.leftOut)));
    this.#settle(settled(chunk, worst, judged).map(part => ({ ...part, leftOut: [...leftOut] })));
    if (worst.limit !== undefined) this.#limits.add(worst.limit);
  }

  async finish(): Promise<ReviewDraft> {
    for (const read of this.#waiting) await this.#conclude(read);
    return {
      parts: this.#parts,
      rejected: this.#rejected,
      ...this.#session.counts(),
      limits: [...this.#limits],
      notices: unconfirmedNotice(this.#unconfirmed),
    };
  }

  #settle(parts: readonly PartResult[]): void {
    this.#parts.push(...parts);
    this.setup.onSettled?.(parts);
  }

  async #lookAgain(proposal: Proposal, part: ChunkPart): Promise<SecondLook> {
    return this.#givenUp === undefined
      ? this.#session.lookAgain(proposal, part)
      : { ruling: undefined, end: this.#givenUp };
  }

  /** A circuit breaker: after repeated failures nothing more is asked. */
  #watch(end: End): void {
    // A model that declines twice will decline the rest; a block is about this text.
    const hasFailed = stateOf(end) === 'failed' || end.reason === 'refused';
    this.#failed = hasFailed ? this.#failed + 1 : 0;
    if (this.#failed >= MAX_FAILED) this.#givenUp = end;
  }

  #hasTimeFor(requests: number): boolean {
    return this.#leftMs() >= requests * this.#session.meanMs;
  }

  #leftMs(): number {
    const { limits, clock } = this.setup;
    return limits.deadlineMs - (clock.now() - this.#startedAt);
  }
}

/** One question about a chunk, and the result of each vote. */
interface AskedChunk {
  readonly rule: ReviewRule | undefined;
  readonly tries: readonly Reading[];
}

interface ReadChunk {
  readonly chunk: Chunk;
  readonly asked: readonly AskedChunk[];
  /** How the first looks ended. */
  readonly end: End;
}

/**
 * A rule is asked about the parts it applies to, the open question about all of them, even after a
 * rule or a vote that got no answer. `end` is the worst that happened, `last` the most recent.
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
      if (isLost(last)) break;
    }
    if (isLost(last)) break;
  }
  return { asked, end, last };
}

const FINISHED: End = { reason: 'finished', message: '' };

const isFor =
  (rule: ReviewRule, rulesFor: ReviewWork['rulesFor']) =>
  (part: ChunkPart): boolean =>
    rulesFor(part).includes(rule);

/** What the end of a question means for the hunks it was about. */
function settled(
  chunk: Chunk,
  end: End,
  { candidates, unconfirmed }: JudgedProposals,
): PartResult[] {
  const state = stateOf(end);
  const reason = state === 'reviewed' ? '' : end.message;
  return chunk.parts.map(part => ({
    part,
    state,
    reason,
    candidates: candidates.filter(candidate => isIn(part, candidate)),
    isUnconfirmed: unconfirmed.some(({ candidate }) => isIn(part, candidate)),
  }));
}

const isIn = (part: ChunkPart, candidate: FindingWithoutId): boolean =>
  part.path === candidate.path &&
  (candidate.side === 'new'
    ? anchorLines(part).has(candidate.line)
    : part.lines.some(line => isAt(line, candidate)));

const unreadParts = (
  chunk: Chunk,
  { state, reason }: { state: HunkState; reason: string },
): PartResult[] => chunk.parts.map(part => ({ part, state, reason, candidates: [] }));

const outOfTime = ({ signal }: ReviewSetup): { state: HunkState; reason: string } => ({
  state: 'outOfTime',
  reason: isTimeUp(signal) ? 'the deadline was reached' : 'the run was stopped',
});

/** Confidence: no second look, a second look without a ruling, confirmed. */
const CONFIDENCE = { unseen: 0.2, unclear: 0.4, real_bug: 0.7 };

/** A candidate for which the second look gave no ruling. */
interface Unconfirmed {
  readonly candidate: FindingWithoutId;
  readonly end: End;
}

/** Says once for the whole run which findings are only `info`, and why. */
function unconfirmedNotice(all: readonly Unconfirmed[]): string[] {
  if (all.length === 0) return [];
  const reasons = new Set(all.map(({ end }) => end.message));
  const [verb, result] = all.length === 1 ? ["wasn't", 'it is'] : ["weren't", 'they are'];
  return [
    `${count(all.length, 'finding')} ${verb} confirmed by a second look (${[...reasons].join('; ')}), so ${result} info`,
  ];
}

interface JudgedProposals {
  readonly candidates: readonly FindingWithoutId[];
  readonly unconfirmed: readonly Unconfirmed[];
  readonly rejected: readonly RejectedFinding[];
  /** Why not all of them got a second look; the others are kept, as `info`. */
  readonly unfinished: End | undefined;
}

/** Proposals → candidates: those that a majority made and a second look didn't refute. */
async function judgeProposals(
  chunk: Chunk,
  asked: readonly AskedChunk[],
  lookAgain: ReviewSession['lookAgain'],
): Promise<JudgedProposals> {
  const candidates: FindingWithoutId[] = [];
  const unconfirmed: Unconfirmed[] = [];
  const rejected: RejectedFinding[] = [];
  let unfinished: End | undefined;
  for (const { rule, tries } of asked) {
    for (const { reason, ...proposal } of tries.flatMap(each => each.refused)) {
      rejected.push({ reason, candidate: toCandidate(proposal, rule, 0, undefined) });
    }
    for (const { proposal, share } of tally(tries)) {
      const part = chunk.parts.find(each => anchorLines(each).has(proposal.line));
      const draft = toCandidate(proposal, rule, share, part);
      if (share <= 0.5 || part === undefined) {
        rejected.push({ reason: 'outvoted', candidate: draft });
        continue;
      }
      const look = await lookAgain(proposal, part);
      if (look.ruling === 'not_a_bug') {
        rejected.push({ reason: 'refuted', candidate: draft });
        continue;
      }
      const candidate = weighed(draft, look, share);
      candidates.push(candidate);
      if (look.ruling === undefined) unconfirmed.push({ candidate, end: look.end });
      unfinished ??= isStopped(look.end) ? look.end : undefined;
    }
  }
  return { candidates, unconfirmed, rejected, unfinished };
}

/** Nothing more is asked about the chunk. */
const isLost = (end: End): boolean => isStopped(end) || end.reason === 'server-failed';

const isStopped = ({ reason }: End): boolean =>
  ['deadline', 'aborted', 'model-gone'].includes(reason);

/**
 * Without a ruling a candidate is one sentence from a small model, reported because it may be
 * right. It must not stop a commit or fail a build; if time ran out, its hunk is in the ledger as
 * not done.
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

/**
 * A line named in several tries counts once, with the share of tries that named it. A try that
 * failed doesn't count against a line.
 */
function tally(tries: readonly Reading[]): Array<{ proposal: Proposal; share: number }> {
  const byLine = new Map<string, { proposal: Proposal; tries: Set<Reading> }>();
  for (const each of tries) {
    for (const proposal of each.proposals) {
      const key = `${proposal.path}\0${proposal.line}`;
      const known = byLine.get(key) ?? { proposal, tries: new Set<Reading>() };
      known.tries.add(each);
      byLine.set(key, known);
    }
  }
  return [...byLine.values()].map(({ proposal, tries: made }) => {
    const voters = tries.filter(each => each.end.reason === 'finished' || made.has(each));
    return { proposal, share: made.size / voters.length };
  });
}

function toCandidate(
  proposal: Proposal,
  rule: AskedChunk['rule'],
  confidence: number,
  part: ChunkPart | undefined,
): FindingWithoutId {
  const removed = part && removedLine(part, proposal);
  const line = removed?.oldLine ?? proposal.line;
  const text = removed?.text ?? (part && anchorLines(part).get(line)) ?? '';
  const column = text.indexOf(proposal.quote.trim()) + 1;
  return {
    path: proposal.path,
    line,
    endLine: line,
    ...(text !== '' && column > 0 && { column, endColumn: column + proposal.quote.trim().length }),
    side: removed === undefined ? 'new' : 'old',
    severity: rule?.severity ?? proposal.severity,
    rule: rule === undefined ? categoryOf(proposal.message) : `rule/${rule.name}`,
    message: redact(proposal.message),
    source: rule === undefined ? 'model' : 'rule',
    confidence,
    evidence: redact(text === '' ? proposal.quote : text),
  };
}

/** The removed line that a finding in a hunk without additions quotes, unless a remaining line has it too. */
function removedLine(part: ChunkPart, { line, quote }: Proposal) {
  if (!onlyRemoves(part) || part.survivors.get(line)?.includes(quote)) return undefined;
  return part.lines
    .filter(each => each.kind === 'removed')
    .find(({ text }) => text.trim() === quote);
}

/** What a model's finding is about, judging by its words; the first match wins. */
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
