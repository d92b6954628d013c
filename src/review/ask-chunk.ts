import { cutText } from '../agent/cut-text.js';
import type { Judge } from '../agent/judge.js';
import { type Conversation, converse } from '../agent/loop.js';
import { prepareRequest, TokenMeter } from '../agent/prepare-request.js';
import type { ProtocolName } from '../agent/protocol.js';
import { chooseProtocols } from '../agent/protocols.js';
import { type Counts, type End, type Setup, totalRepairs } from '../agent/talk.js';
import { registry } from '../agent/tool.js';
import { finish, finishWith } from '../agent/tools/reading.js';
import type { Entry } from '../agent/transcript.js';
import type { Severity } from '../core/finding.js';
import { type Model, textOf } from '../model/model.js';
import { estimateTokens } from '../model/tokens.js';
import { type ChunkPart, lineMark, type PartResult, showPart } from './chunk.js';
import {
  type AskedRule,
  NOTHING,
  OPEN_SYSTEM,
  REFUTE_SYSTEM,
  refuteOpening,
  ruleSystem,
  showParts,
} from './questions.js';
import { type RefusedFinding, reportFinding } from './report-finding.js';
import { halveParts } from './split.js';

/** What conversations about one change share. */
export type ReviewSetup = Pick<
  Setup,
  'model' | 'protocol' | 'preferred' | 'tokenScale' | 'limits' | 'clock' | 'signal' | 'onEntry'
> & {
  /** Told before each bite how many are done. */
  readonly onChunk?: (done: number) => void;
  readonly onSettled?: (parts: readonly PartResult[]) => void;
};

/** One question: the open one, or a rule of the user's own, about some parts of the change. */
export interface Question {
  readonly parts: readonly ChunkPart[];
  readonly rule: AskedRule | undefined;
  readonly seed: number;
  /** Marks of lines that were reported already, when the question is put once more. */
  readonly noted: readonly string[];
}

/** A problem as the model reported it, on a line that was shown and with a quote that is there. */
export interface Proposal {
  readonly path: string;
  readonly line: number;
  readonly quote: string;
  readonly severity: Severity;
  readonly message: string;
}

export interface ChunkConversation {
  readonly end: End;
  readonly proposals: readonly Proposal[];
  /** Reports that did not fit what was shown; the model was told why. */
  readonly refused: readonly RefusedFinding[];
  /** Of what was asked not everything was read, because it did not fit. */
  readonly isTooLong: boolean;
  /** There was no room or no turn left to report more. */
  readonly isFull: boolean;
  /** What the largest request cost that the server would not take, as estimated. */
  readonly overflowedAt: number | undefined;
  readonly counts: Readonly<Counts>;
  readonly protocol: ProtocolName;
}

/** A block is met with other words once; then the hunk is accounted for as refused. */
export const MOST_REFUSALS = 2;
/** Other words than the agreed one are asked about once; then the hunk is accounted for as failed. */
const MOST_ENDINGS = 2;

export async function reviewChunk(
  question: Question,
  setup: ReviewSetup,
): Promise<ChunkConversation> {
  const proposals: Proposal[] = [];
  const refused: RefusedFinding[] = [];
  const asked = questionFor(question, {
    found: finding => proposals.push(finding),
    refused: finding => refused.push(finding),
  });
  const watch = watchWhole(asked.task.opening, setup);
  const { end, counts, protocol, transcript } = await converse({
    ...setup,
    ...asked,
    seed: question.seed,
    model: watch.model,
    signal: watch.signal,
    mostRefusals: MOST_REFUSALS,
    ending: { word: NOTHING, tries: MOST_ENDINGS },
  });
  const isTooLong =
    watch.trouble() === 'too long' ||
    end.reason === 'overflow' ||
    (end.reason === 'requests' && counts.overflows > 0);
  const isFull = watch.trouble() === 'full' || (end.reason === 'turns' && proposals.length > 0);
  const overflowedAt = counts.overflows > 0 ? largestRequest(transcript) : undefined;
  return { end, proposals, refused, isTooLong, isFull, overflowedAt, counts, protocol };
}

type ReviewEvents = Pick<Parameters<typeof reportFinding>[0], 'found' | 'refused'>;

/** Instructions, text and tools of a question; also what tells how long it will be. */
export function questionFor(
  { parts, rule, noted }: Omit<Question, 'seed'>,
  events: ReviewEvents = { found: () => undefined },
): Pick<Setup, 'task' | 'tools'> {
  const shown = parts.map(showPart);
  const report = reportFinding({
    shown: shown.map(({ path, added }) => ({ path, lines: added })),
    ...events,
  });
  const system = rule === undefined ? OPEN_SYSTEM : ruleSystem(rule);
  return {
    task: { system, opening: [showParts(shown), ...notedLine(noted)].join('\n') },
    tools: registry([report, finishWith(NOTHING)]),
  };
}

const notedLine = (noted: readonly string[]): string[] =>
  noted.length === 0 ? [] : [`Already reported: ${noted.join(', ')}. Report other lines only.`];

interface Watch {
  readonly model: Model;
  readonly signal: AbortSignal;
  readonly trouble: () => 'too long' | 'full' | undefined;
}

/**
 * A conversation makes do with less when it gets too long. A review may not: what is cut away is not
 * read. So it is stopped before the change is cut, and when the server refuses its length at once.
 */
function watchWhole(opening: string, { model, signal }: ReviewSetup): Watch {
  const stop = new AbortController();
  let trouble: ReturnType<Watch['trouble']>;
  let hasAnswered = false;
  const stopFor = (reason: 'too long' | 'full'): void => {
    trouble = reason;
    stop.abort();
  };
  const ask: Model['ask'] = async (request, until) => {
    const [first] = request.messages;
    if (first === undefined || !textOf(first).includes(opening)) {
      stopFor(hasAnswered ? 'full' : 'too long');
    }
    stop.signal.throwIfAborted();
    const reply = await model.ask(request, until);
    if (reply.kind === 'answer' || reply.kind === 'tool-calls') hasAnswered = true;
    if (reply.kind === 'overflow' && !hasAnswered) stopFor('too long');
    return reply;
  };
  return {
    model: {
      get facts() {
        return model.facts;
      },
      ask,
      usage: () => model.usage(),
      close: () => model.close(),
    },
    signal: AbortSignal.any([signal, stop.signal]),
    trouble: () => trouble,
  };
}

const largestRequest = (transcript: readonly Entry[]): number =>
  Math.max(...transcript.map(entry => (entry.type === 'request' ? entry.estimatedTokens : 0)));

/** What one question brought, in however many conversations it had to be put. */
export interface Reading {
  readonly end: End;
  readonly proposals: readonly Proposal[];
  readonly refused: readonly RefusedFinding[];
}

interface Piece {
  readonly parts: readonly ChunkPart[];
  /** How often the question has been put to its lines, this time included. */
  readonly round: number;
}

/** One report and its result, after which the change must still be there. */
const REPORT_TOKENS = 200;
/**
 * When a conversation is full of findings the question is put again in halves, with what is known.
 * Once: a model that finds fault with every line would never come to an end.
 */
const MOST_ROUNDS = 2;
/** A server that refuses even this is not believed beforehand: nobody asks about single lines. */
const LEAST_CHANGE = 250;
/** Of the window so much is for the change, however long a rule is. */
const CHANGE_SHARE = 0.35;

/** Puts questions so that everything they are about is read: too long a one is put in pieces. */
export class ReviewSession {
  #repairs = 0;
  #refusals = 0;
  #protocol = '';
  /** A request of this size the server has refused as too long. */
  #tooLong = Number.POSITIVE_INFINITY;
  readonly #notices = new Set<string>();

  constructor(readonly setup: ReviewSetup) {}

  async read(question: Omit<Question, 'noted'>): Promise<Reading> {
    const rule = question.rule && this.#withRoom(question.rule);
    const proposals: Proposal[] = [];
    const refused: RefusedFinding[] = [];
    const pieces: Piece[] = [{ parts: question.parts, round: 1 }];
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      const { parts, round } = piece;
      if (!parts.some(hasNew)) continue;
      const asked = { ...question, parts, rule, noted: notedIn(parts, proposals) };
      const halves = halveParts(parts);
      if (halves !== undefined && !this.#fits(asked)) {
        pieces.unshift(...halves.map(half => ({ parts: half, round })));
        continue;
      }
      const conversation = await reviewChunk(asked, this.setup);
      this.#learn(conversation);
      proposals.push(...conversation.proposals);
      refused.push(...conversation.refused);
      // What the server would not take is no fault of the findings.
      const next =
        conversation.isFull && conversation.overflowedAt === undefined ? round + 1 : round;
      const isTooMuch = conversation.isTooLong || conversation.isFull;
      if (isTooMuch && halves !== undefined && next <= MOST_ROUNDS) {
        pieces.unshift(...halves.map(half => ({ parts: half, round: next })));
        continue;
      }
      const end = endOf(conversation);
      if (end.reason !== 'finished') return { end, proposals, refused };
    }
    return { end: { reason: 'finished', message: '' }, proposals, refused };
  }

  notices(): string[] {
    return [...this.#notices];
  }

  counts(): { repairs: number; refusals: number; protocol: string } {
    return { repairs: this.#repairs, refusals: this.#refusals, protocol: this.#protocol };
  }

  /** Whether the first request would hold all of it, and leave room for a report. */
  #fits(piece: Omit<Question, 'seed'>): boolean {
    const prepared = this.#prepare(piece);
    if (prepared === undefined || prepared.compaction !== 'none') return false;
    const { estimatedTokens, availableTokens } = prepared;
    const scale = Math.max(1, this.setup.tokenScale ?? 1);
    return (
      estimatedTokens + REPORT_TOKENS <= availableTokens / scale && estimatedTokens < this.#tooLong
    );
  }

  #prepare(piece: Omit<Question, 'seed'>): ReturnType<typeof prepareRequest> {
    const { protocol: wanted, preferred, tokenScale, limits, model } = this.setup;
    const [protocol] = chooseProtocols(wanted, model.facts, preferred);
    if (protocol === undefined) return undefined;
    return prepareRequest({
      ...questionFor(piece),
      exchanges: [],
      protocol,
      facts: model.facts,
      meter: new TokenMeter(tokenScale),
      replyTokens: limits.replyTokens,
      nudge: '',
      isLastTurn: false,
      wording: 0,
      failures: 0,
      streak: 0,
      seed: 0,
    });
  }

  /** A rule that would leave no room for the change is cut, and somebody is told. */
  #withRoom(rule: AskedRule): AskedRule {
    const bare = this.#prepare({ parts: [], rule: { ...rule, body: '' }, noted: [] });
    const left = bare === undefined ? 0 : bare.availableTokens - bare.estimatedTokens;
    const most = Math.floor(left * (1 - CHANGE_SHARE));
    if (estimateTokens(rule.body) <= most) return rule;
    this.#notices.add(`the rule ${rule.name} is too long for the model's window and was cut`);
    return { ...rule, body: cutText(rule.body, Math.max(1, most)).text };
  }

  #learn({ counts, protocol, overflowedAt }: ChunkConversation): void {
    this.#repairs += totalRepairs(counts);
    this.#refusals += counts.refusals;
    this.#protocol = protocol;
    if (overflowedAt === undefined) return;
    const bare = this.#prepare({ parts: [], rule: undefined, noted: [] })?.estimatedTokens ?? 0;
    this.#tooLong = Math.min(this.#tooLong, Math.max(overflowedAt, bare + LEAST_CHANGE));
  }
}

/** What only leads to it or was removed is no question of its own. */
const hasNew = ({ lines }: ChunkPart): boolean => lines.some(line => line.kind === 'added');

/** The marks of the lines of these parts that were reported. */
function notedIn(parts: readonly ChunkPart[], proposals: readonly Proposal[]): string[] {
  const lines = parts.flatMap(({ path, lines }) =>
    lines.flatMap(line => (line.kind === 'added' ? [{ path, ...line }] : [])),
  );
  const isNoted = (path: string, line: number): boolean =>
    proposals.some(each => each.path === path && each.line === line);
  return lines
    .filter(({ path, newLine }) => isNoted(path, newLine))
    .map(({ newLine, text }) => lineMark(newLine, text));
}

function endOf({ isTooLong, isFull, end }: ChunkConversation): End {
  if (isFull) return CROWDED;
  return isTooLong ? TOO_LONG : end;
}

const CROWDED: End = {
  reason: 'turns',
  message: 'the model reported more than its conversations can hold',
};

const TOO_LONG: End = {
  reason: 'overflow',
  message: 'not even one line of it fits the window of the model',
};

export interface SecondLook {
  readonly verdict: 'wrong' | 'holds' | 'unclear';
  /** Set when there was no look because the time or the model was at its end. */
  readonly unfinished: End | undefined;
}

/** Lines before and after the one in question, where the whole part is too long to be shown again. */
const AROUND = 12;

/** A second look that tries to prove a finding false. Only a clear word counts against it. */
export async function refute(
  proposal: Proposal,
  part: ChunkPart,
  setup: ReviewSetup,
): Promise<SecondLook> {
  const whole = await look(proposal, part, setup);
  const isWhole = !wasCut(whole) || part.lines.length <= 2 * AROUND;
  const { answer, end } = isWhole ? whole : await look(proposal, near(part, proposal.line), setup);
  if (end.reason === 'finished') {
    return { verdict: verdictIn(answer ?? ''), unfinished: undefined };
  }
  const isOver = ['deadline', 'aborted', 'model-gone'].includes(end.reason);
  return { verdict: 'unclear', unfinished: isOver ? end : undefined };
}

const look = (proposal: Proposal, part: ChunkPart, setup: ReviewSetup): Promise<Conversation> =>
  converse({
    ...setup,
    task: { system: REFUTE_SYSTEM, opening: refuteOpening(showPart(part), proposal) },
    tools: registry([finish]),
    judge: saysSo,
    mostRefusals: MOST_REFUSALS,
  });

/** A verdict about something that was not shown is none. */
const wasCut = ({ end, transcript }: Conversation): boolean =>
  end.reason === 'overflow' ||
  transcript.some(entry => entry.type === 'request' && entry.compaction === 'cut');

function near(part: ChunkPart, line: number): ChunkPart {
  const at = part.lines.findIndex(each => each.kind === 'added' && each.newLine === line);
  return { ...part, lines: part.lines.slice(Math.max(0, at - AROUND), at + AROUND + 1) };
}

const saysSo: Judge = ({ answer }) =>
  answer !== undefined && verdictIn(answer) !== 'unclear'
    ? undefined
    : 'the answer must begin with "wrong" or with "holds"';

function verdictIn(answer: string): SecondLook['verdict'] {
  const [word = ''] = /[a-z]+/.exec(answer.toLowerCase()) ?? [];
  if (['wrong', 'false', 'incorrect', 'refuted'].includes(word)) return 'wrong';
  return ['holds', 'true', 'correct', 'yes'].includes(word) ? 'holds' : 'unclear';
}
