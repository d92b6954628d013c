import type { BitePart } from '../core/bite.js';
import { halveParts } from '../core/halve-parts.js';
import { lineMark } from '../core/line-mark.js';
import { estimateTokens } from '../core/tokens.js';
import { chooseProtocols } from './choose-protocols.js';
import { totalRepairs } from './counts.js';
import { cutText } from './cut-text.js';
import { prepareRequest } from './prepare-request.js';
import {
  type BiteTalk,
  type Proposal,
  type Question,
  questionFor,
  type ReviewSetup,
  reviewBite,
} from './review-bite.js';
import type { AskedRule } from './review-prompt.js';
import type { End } from './setup.js';
import { TokenMeter } from './token-meter.js';
import type { RefusedFinding } from './tools/report-finding.js';

/** What one question brought, in however many conversations it had to be put. */
export interface Reading {
  readonly end: End;
  readonly proposals: readonly Proposal[];
  readonly refused: readonly RefusedFinding[];
}

interface Piece {
  readonly parts: readonly BitePart[];
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
export class ReviewTalks {
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
      const talk = await reviewBite(asked, this.setup);
      this.#learn(talk);
      proposals.push(...talk.proposals);
      refused.push(...talk.refused);
      // What the server would not take is no fault of the findings.
      const next = talk.isFull && talk.overflowedAt === undefined ? round + 1 : round;
      const isTooMuch = talk.isTooLong || talk.isFull;
      if (isTooMuch && halves !== undefined && next <= MOST_ROUNDS) {
        pieces.unshift(...halves.map(half => ({ parts: half, round: next })));
        continue;
      }
      const end = endOf(talk);
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

  #learn({ counts, protocol, overflowedAt }: BiteTalk): void {
    this.#repairs += totalRepairs(counts);
    this.#refusals += counts.refusals;
    this.#protocol = protocol;
    if (overflowedAt === undefined) return;
    const bare = this.#prepare({ parts: [], rule: undefined, noted: [] })?.estimatedTokens ?? 0;
    this.#tooLong = Math.min(this.#tooLong, Math.max(overflowedAt, bare + LEAST_CHANGE));
  }
}

/** What only leads to it or was removed is no question of its own. */
const hasNew = ({ lines }: BitePart): boolean => lines.some(line => line.kind === 'added');

/** The marks of the lines of these parts that were reported. */
function notedIn(parts: readonly BitePart[], proposals: readonly Proposal[]): string[] {
  const lines = parts.flatMap(({ path, lines }) =>
    lines.flatMap(line => (line.kind === 'added' ? [{ path, ...line }] : [])),
  );
  const isNoted = (path: string, line: number): boolean =>
    proposals.some(each => each.path === path && each.line === line);
  return lines
    .filter(({ path, newLine }) => isNoted(path, newLine))
    .map(({ newLine, text }) => lineMark(newLine, text));
}

function endOf({ isTooLong, isFull, end }: BiteTalk): End {
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
