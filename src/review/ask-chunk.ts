import { cutText } from '../agent/cut-text.js';
import { namesCode } from '../agent/grounding.js';
import { bad, type End, FIRST_ATTEMPT, Questioner, type QuestionSetup } from '../agent/question.js';
import { isRefusal } from '../agent/refusal.js';
import type { UsedProtocol } from '../core/outcome.js';
import { estimateTokens } from '../model/tokens.js';
import {
  anchorLines,
  type ChunkPart,
  onlyRemoves,
  type PartResult,
  type ReviewedChange,
  shownPath,
  showPart,
} from './chunk.js';
import { lookUp, namesUsed } from './look-up.js';
import {
  type LookedUp,
  openQuestion,
  type RuleQuestion,
  type ShownChange,
  secondLook,
} from './questions.js';
import { halveParts } from './split.js';
import {
  CONTRADICTORY,
  judgeVerdict,
  type Misplaced,
  type Problem,
  type Verdict,
} from './verdict.js';

/** What the questions about one change share. */
export type ReviewSetup = QuestionSetup & {
  readonly about: ReviewedChange;
  /** Called before each chunk with the number of those that are done. */
  readonly onChunk?: (done: number) => void;
  readonly onSettled?: (parts: readonly PartResult[]) => void;
  /** Waits before a server that failed is tried once more; without it, it isn't. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

/** The open question, or a rule of the user's own, about some parts of one file. */
interface ChunkQuestion {
  readonly parts: readonly ChunkPart[];
  readonly rule: RuleQuestion | undefined;
  /** 0 for the first of several votes. */
  readonly vote: number;
  /** Whether there is time to show a definition. */
  readonly canLookUp: boolean;
}

/** A problem that the model reported, on a line that was shown and with a quote that is there. */
export interface Proposal extends Problem, LookedUp {
  readonly path: string;
}

interface RefusedProposal extends Misplaced {
  readonly path: string;
}

/** What one question brought, in however many pieces it had to be asked. */
export interface Reading {
  readonly end: End;
  readonly proposals: readonly Proposal[];
  readonly refused: readonly RefusedProposal[];
}

interface Piece {
  readonly parts: readonly ChunkPart[];
  /** How a question is asked again that had no answer: about half of the lines, then without context. */
  readonly form: 'whole' | 'half' | 'bare';
}

/** Findings of one piece. Beyond that the model goes on for the sake of it. */
const MOST_FINDINGS = 3;
/** A server that refuses even this isn't believed beforehand: nobody asks about single lines. */
const LEAST_CHANGE = 250;
/** However long a rule is, this share of the window is for the change. */
const CHANGE_SHARE = 0.35;
/** Fewer lines than this aren't worth asking about in halves. */
const LEAST_HALVED = 4;
/** Questions in a row that had no answer in any form; after that, only whole ones are asked. */
const MOST_IN_VAIN = 2;

/** Asks questions so that everything they are about is read: too long a one is asked in pieces. */
export class ReviewSession {
  #repairs = 0;
  #refusals = 0;
  #protocol: UsedProtocol = '';
  #requests = 0;
  #askedMs = 0;
  #inVain = 0;
  /** This model describes a problem even where it says that there is none. */
  #fillsAll = false;
  /** A request of this size the server has refused as too long. */
  #tooLong = Number.POSITIVE_INFINITY;
  readonly #notices = new Set<string>();

  constructor(readonly setup: ReviewSetup) {}

  async read(question: ChunkQuestion): Promise<Reading> {
    const rule = question.rule && this.#withRoom(question.rule, question.parts);
    const proposals: Proposal[] = [];
    const refused: RefusedProposal[] = [];
    const pieces: Piece[] = [{ parts: question.parts, form: 'whole' }];
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      const parts = piece.parts.filter(part => anchorLines(part).size > 0 && hasChange(part));
      if (parts.length === 0) continue;
      const halves = halveParts(parts);
      const asked = { ...question, rule, parts };
      if (halves !== undefined && !this.#fits(asked)) {
        pieces.unshift(...halves.map(half => ({ ...piece, parts: half })));
        continue;
      }
      const read = await this.#askPiece(asked);
      proposals.push(...read.proposals);
      refused.push(...read.refused);
      if (read.end.reason === 'finished') {
        this.#inVain = 0;
        continue;
      }
      const again =
        read.end.reason === 'overflow'
          ? halves?.map(half => ({ ...piece, parts: half }))
          : this.#inOtherForm({ ...piece, parts }, read.end);
      if (again === undefined) {
        this.#inVain += 1;
        return { end: endOf(read.end), proposals, refused };
      }
      pieces.unshift(...again);
    }
    return { end: { reason: 'finished', message: '' }, proposals, refused };
  }

  /** What the model would not or could not read may pass in smaller pieces, or without what is around it. */
  #inOtherForm({ parts, form }: Piece, { reason }: End): Piece[] | undefined {
    if (this.#inVain >= MOST_IN_VAIN) return undefined;
    const halves = countLines(parts) < LEAST_HALVED ? undefined : halveParts(parts);
    if (form === 'whole' && halves !== undefined && IN_HALVES.has(reason)) {
      return halves.map(half => ({ parts: half, form: 'half' }));
    }
    const hasContext = parts.some(part => part.lines.some(line => line.kind === 'context'));
    if (form === 'bare' || !hasContext || !WITHOUT_CONTEXT.has(reason)) return undefined;
    return [{ parts: parts.map(withoutContext), form: 'bare' }];
  }

  /** A second look at a finding: what it rules, or why there is no ruling. */
  async lookAgain(proposal: Proposal, part: ChunkPart): Promise<SecondLook> {
    const questioner = this.#open();
    const shown = [part, near(part, proposal.line)].map(each =>
      shownChange([each], this.setup.about),
    );
    const [whole, small] = shown;
    if (whole === undefined || small === undefined) return { ruling: undefined, end: undefined };
    const { tokens, available } = questioner.measure(secondLook(whole, proposal, FIRST_ATTEMPT));
    const change = tokens > available || tokens >= this.#tooLong ? small : whole;
    const { value, end } = await questioner.ask<'real_bug' | 'not_a_bug'>(
      attempt => secondLook(change, proposal, attempt),
      ({ reason = '', ruling }) => {
        if (isRefusal(reason)) return bad('declined', '', reason.slice(0, 120));
        // As with a verdict: an enum is always filled in, so the reason shows what was read.
        if (!namesCode(reason, [...shownTexts(part), proposal.message])) {
          return bad(
            'unread',
            'Say in "reason" what the line does, with a name that stands in it.',
            'the model ruled without a word about the code',
          );
        }
        return ruling === 'real_bug' || ruling === 'not_a_bug'
          ? { isGood: true, value: ruling }
          : bad(
              'incomplete',
              'Give a "ruling": real_bug or not_a_bug.',
              'the model gave no ruling',
            );
      },
    );
    this.#learn(questioner, end);
    return { ruling: value, end: value === undefined ? end : undefined };
  }

  /** What a request has taken so far, on average; 0 before the first. */
  get meanMs(): number {
    return this.#requests === 0 ? 0 : this.#askedMs / this.#requests;
  }

  notices(): string[] {
    return [...this.#notices];
  }

  counts(): { repairs: number; refusals: number; protocol: UsedProtocol } {
    return { repairs: this.#repairs, refusals: this.#refusals, protocol: this.#protocol };
  }

  async #askPiece(question: ChunkQuestion): Promise<Reading> {
    const { parts, rule, vote } = question;
    const path = parts[0]?.path ?? '';
    const questioner = this.#open();
    const proposals: Proposal[] = [];
    const refused: RefusedProposal[] = [];
    const change = shownChange(parts, this.setup.about);
    const anchors = new Map(parts.flatMap(part => [...anchorLines(part)]));
    const { onlyRemoves: isRemoval } = change;
    const removed = removedIn(parts);
    let names = question.canLookUp && rule === undefined ? this.#namesFor(parts) : [];
    let definition: string | undefined;
    for (;;) {
      const known = proposals.map(({ line }) => line);
      const lines = new Map([...anchors].filter(([line]) => !known.includes(line)));
      const shown = { change, rule, vote, names, definition };
      const asked = { ...shown, lines: [...lines.keys()], known };
      let hasAllFields = this.#fillsAll;
      let isContradictory = false;
      const { value, end } = await questioner.ask<Verdict>(
        attempt => {
          const next = openQuestion(asked, attempt);
          hasAllFields ||= next.fields.every(({ isOptional }) => isOptional !== true);
          return next;
        },
        answer => {
          const judged = { lines, removed, onlyRemoves: isRemoval, names, hasAllFields };
          const verdict = judgeVerdict(answer, judged, report => refused.push({ ...report, path }));
          isContradictory ||= !verdict.isGood && verdict.message === CONTRADICTORY;
          return verdict;
        },
        { vote },
      );
      // A model with this habit isn't asked twice about every chunk.
      this.#fillsAll ||= isContradictory && value?.kind === 'nothing';
      if (value?.kind === 'look-up' && this.setup.about.source !== undefined) {
        definition = await lookUp(value.name, path, this.setup.about.source);
        questioner.note('look_up', { name: value.name }, { text: definition });
        names = [];
        continue;
      }
      if (value?.kind === 'problem') {
        proposals.push({ ...value.problem, path, definition });
        const isLast = proposals.length === MOST_FINDINGS || lines.size === 1;
        if (value.hasMore && proposals.length === MOST_FINDINGS) {
          this.#notices.add(
            `${path}: the model has more to report than the ${MOST_FINDINGS} findings that one question may have`,
          );
        }
        if (value.hasMore && !isLast) continue;
      }
      this.#learn(questioner, end);
      return { end, proposals, refused };
    }
  }

  #namesFor(parts: readonly ChunkPart[]): string[] {
    return this.setup.about.source === undefined ? [] : namesUsed(parts);
  }

  #open(): Questioner {
    const { model, clock } = this.setup;
    const timed: QuestionSetup['model'] = {
      get facts() {
        return model.facts;
      },
      ask: async (...args) => {
        const startedAt = clock.now();
        try {
          return await model.ask(...args);
        } finally {
          this.#requests += 1;
          this.#askedMs += clock.now() - startedAt;
        }
      },
      usage: () => model.usage(),
      close: () => model.close(),
    };
    // A server that didn't take one protocol isn't asked in it again.
    const preferred = this.#protocol || this.setup.preferred;
    return new Questioner({ ...this.setup, preferred, model: timed });
  }

  /** Whether the first request would hold all of it. */
  #fits(question: ChunkQuestion): boolean {
    const { tokens, available } = this.#open().measure(this.#firstQuestion(question));
    return tokens <= available && tokens < this.#tooLong;
  }

  #firstQuestion({ parts, rule, canLookUp }: ChunkQuestion): ReturnType<typeof openQuestion> {
    const asked = {
      change: shownChange(parts, this.setup.about),
      rule,
      lines: parts.flatMap(part => [...anchorLines(part).keys()]),
      known: [],
      names: canLookUp && rule === undefined ? this.#namesFor(parts) : [],
    };
    return openQuestion(asked, FIRST_ATTEMPT);
  }

  /** A rule that would leave no space for the change is cut, and a notice says so. */
  #withRoom(rule: RuleQuestion, parts: readonly ChunkPart[]): RuleQuestion {
    const bare = {
      parts: parts.slice(0, 1).map(bared),
      rule: { ...rule, body: '' },
      vote: 0,
      canLookUp: false,
    };
    const { tokens, available } = this.#open().measure(this.#firstQuestion(bare));
    const most = Math.floor((available - tokens) * (1 - CHANGE_SHARE));
    if (estimateTokens(rule.body) <= most) return rule;
    this.#notices.add(`the rule ${rule.name} is too long for the model's window and was cut`);
    return { ...rule, body: cutText(rule.body, Math.max(1, most)).text };
  }

  #learn(questioner: Questioner, end: End): void {
    this.#repairs += questioner.repairs;
    this.#refusals += questioner.refusals;
    this.#protocol = questioner.protocol;
    questioner.close(end);
    if (end.reason === 'overflow') {
      this.#tooLong = Math.min(this.#tooLong, Math.max(LEAST_CHANGE, questioner.lastTokens));
    }
  }
}

const WITHOUT_CONTEXT: ReadonlySet<End['reason']> = new Set(['blocked', 'length', 'not-done']);
/** Contract: about the same lines, a verdict that shows no reading is asked for only once more. */
const IN_HALVES: ReadonlySet<End['reason']> = new Set([...WITHOUT_CONTEXT, 'unread', 'refused']);

const withoutContext = (part: ChunkPart): ChunkPart => ({
  ...part,
  enclosing: [],
  lines: part.lines.filter(line => line.kind !== 'context'),
});

const countLines = (parts: readonly ChunkPart[]): number =>
  parts.reduce((sum, part) => sum + part.lines.filter(line => line.kind !== 'context').length, 0);

const hasChange = ({ lines }: ChunkPart): boolean => lines.some(line => line.kind !== 'context');

const shownTexts = ({ lines }: ChunkPart): string[] => lines.map(({ text }) => text);

const removedIn = (parts: readonly ChunkPart[]): string[] =>
  parts.flatMap(({ lines }) => lines.flatMap(line => (line.kind === 'removed' ? [line.text] : [])));

const bared = (part: ChunkPart): ChunkPart => ({ ...part, lines: [] });

/** Parts of one file as the question shows them; what stands between them is left out. */
function shownChange(parts: readonly ChunkPart[], { subject }: ReviewedChange): ShownChange {
  const [first] = parts;
  return {
    path: first === undefined ? '' : shownPath(first),
    subject,
    enclosing: first?.enclosing ?? [],
    code: parts
      .map((part, at) =>
        at === 0 || part.enclosing.join() === parts[at - 1]?.enclosing.join()
          ? showPart(part)
          : `(in ${part.enclosing.join(' > ')})\n${showPart(part)}`,
      )
      .join('\n…\n'),
    onlyRemoves: parts.every(onlyRemoves),
  };
}

/** Lines before and after the one in question, where the whole part is too long to be shown again. */
const AROUND = 12;

function near(part: ChunkPart, line: number): ChunkPart {
  const at = part.lines.findIndex(each => each.kind !== 'removed' && each.newLine === line);
  return { ...part, lines: part.lines.slice(Math.max(0, at - AROUND), at + AROUND + 1) };
}

const endOf = (end: End): End =>
  end.reason === 'overflow'
    ? { reason: 'overflow', message: 'not even one line of it fits the window of the model' }
    : end;

export interface SecondLook {
  /** Undefined when the model gave none. */
  readonly ruling: 'real_bug' | 'not_a_bug' | undefined;
  /** Why there is no ruling. */
  readonly end: End | undefined;
}
