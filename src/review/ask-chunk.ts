import { isRefusal, namesCode } from '../agent/grounding.js';
import { bad, type End, FIRST_ATTEMPT, Questioner, type QuestionSetup } from '../agent/question.js';
import { cutText } from '../agent/tokens.js';
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

/** What all questions about one change share. */
export type ReviewSetup = QuestionSetup & {
  readonly about: ReviewedChange;
  /** Called before each chunk with the number of chunks done so far. */
  readonly onChunk?: (done: number) => void;
  readonly onSettled?: (parts: readonly PartResult[]) => void;
};

/** The open question, or one of the user's own rules, about parts of one file. */
interface ChunkQuestion {
  readonly parts: readonly ChunkPart[];
  readonly rule: RuleQuestion | undefined;
  /** 0 for the first of several votes. */
  readonly vote: number;
  /** Whether there is time to show a definition. */
  readonly canLookUp: boolean;
  /** Whether these lines were asked about before in another form. */
  readonly isRetry?: boolean;
}

/** A problem that the model reported, on a line that was shown, with a quote found there. */
export interface Proposal extends Problem, LookedUp {
  readonly path: string;
}

interface RefusedProposal extends Misplaced {
  readonly path: string;
}

/** The result of one question, in however many pieces it had to be asked. */
export interface Reading {
  readonly end: End;
  readonly proposals: readonly Proposal[];
  readonly refused: readonly RefusedProposal[];
  /** What was left out of the question or of its answer. */
  readonly leftOut: readonly string[];
}

interface Piece {
  readonly parts: readonly ChunkPart[];
  /** How to repeat a question that got no answer: about half of the lines, then without context. */
  readonly form: 'whole' | 'half' | 'bare';
}

/** Findings per piece. Past this, the model invents more. */
const MAX_FINDINGS = 3;
/**
 * Even if the server refuses a request this short, it isn't cut further: nobody asks about single
 * lines.
 */
const MIN_CHANGE = 250;
/** However long a rule is, this share of the window is left for the change. */
const CHANGE_SHARE = 0.35;
/** Fewer lines than this aren't worth asking about in halves. */
const MIN_HALVED = 4;
/** After this many questions in a row without an answer in any form, only whole ones are asked. */
const MAX_FAILED_IN_ROW = 2;

/** Asks questions so that all their lines are read: one that is too long is asked in pieces. */
export class ReviewSession {
  #repairs = 0;
  #refusals = 0;
  #protocol: UsedProtocol = '';
  #requests = 0;
  #askedMs = 0;
  #failedInRow = 0;
  /** This model describes a problem even when its verdict is `nothing`. */
  #fillsAll = false;
  /** The server refused a request of this size as too long. */
  #tooLong = Number.POSITIVE_INFINITY;

  constructor(readonly setup: ReviewSetup) {}

  async read(question: ChunkQuestion): Promise<Reading> {
    const rule = question.rule && this.#fitted(question.rule, question.parts);
    const proposals: Proposal[] = [];
    const refused: RefusedProposal[] = [];
    const leftOut: string[] =
      rule === question.rule
        ? []
        : [`the rule ${rule?.name} is too long for the model's window and was cut`];
    const pieces: Piece[] = [{ parts: question.parts, form: 'whole' }];
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      const parts = piece.parts.filter(part => anchorLines(part).size > 0 && hasChange(part));
      if (parts.length === 0) continue;
      const halves = halveParts(parts);
      const asked = { ...question, rule, parts, isRetry: piece.form !== 'whole' };
      if (halves !== undefined && !this.#fits(asked)) {
        pieces.unshift(...halves.map(half => ({ ...piece, parts: half })));
        continue;
      }
      const read = await this.#askPiece(asked);
      proposals.push(...read.proposals);
      refused.push(...read.refused);
      leftOut.push(...read.leftOut);
      if (read.end.reason === 'finished') {
        this.#failedInRow = 0;
        continue;
      }
      const again =
        read.end.reason === 'overflow'
          ? halves?.map(half => ({ ...piece, parts: half }))
          : this.#inOtherForm({ ...piece, parts }, read.end);
      if (again === undefined) {
        this.#failedInRow += 1;
        return { end: endOf(read.end), proposals, refused, leftOut };
      }
      pieces.unshift(...again);
    }
    return { end: { reason: 'finished', message: '' }, proposals, refused, leftOut };
  }

  /**
   * Lines that were blocked or got no usable answer may pass in smaller pieces, or without context.
   */
  #inOtherForm({ parts, form }: Piece, { reason }: End): Piece[] | undefined {
    if (this.#failedInRow >= MAX_FAILED_IN_ROW || !IN_OTHER_FORM.has(reason)) return undefined;
    const halves = countLines(parts) < MIN_HALVED ? undefined : halveParts(parts);
    if (form === 'whole' && halves !== undefined) {
      return halves.map(half => ({ parts: half, form: 'half' }));
    }
    const hasContext = parts.some(part => part.lines.some(line => line.kind === 'context'));
    if (form === 'bare' || !hasContext) return undefined;
    return [{ parts: parts.map(withoutContext), form: 'bare' }];
  }

  /** A second look at a finding: the ruling, or why there isn't one. */
  async lookAgain(proposal: Proposal, part: ChunkPart): Promise<SecondLook> {
    const whole = shownChange([part], this.setup.about);
    const question = secondLook(whole, proposal, FIRST_ATTEMPT);
    const { tokens, available } = this.#open().measure(question);
    if (tokens <= available && tokens < this.#tooLong) {
      const look = await this.#lookAt(whole, proposal, part);
      if (look.end.reason !== 'overflow') return look;
    }
    return this.#lookAt(shownChange([near(part, proposal.line)], this.setup.about), proposal, part);
  }

  async #lookAt(change: ShownChange, proposal: Proposal, part: ChunkPart): Promise<SecondLook> {
    const questioner = this.#open();
    const { value, end } = await questioner.ask<'real_bug' | 'not_a_bug'>(
      attempt => secondLook(change, proposal, attempt),
      ({ reason = '', ruling }) => {
        if (isRefusal(reason)) return bad('declined', '', reason.slice(0, 120));
        // As with a verdict: an enum is always filled in, so the reason shows whether the code was
        // read.
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
    return { ruling: value, end };
  }

  /** The average time of a request so far; 0 before the first. */
  get meanMs(): number {
    return this.#requests === 0 ? 0 : this.#askedMs / this.#requests;
  }

  counts(): { repairs: number; refusals: number; protocol: UsedProtocol } {
    return { repairs: this.#repairs, refusals: this.#refusals, protocol: this.#protocol };
  }

  async #askPiece(question: ChunkQuestion): Promise<Reading> {
    const { parts, rule, vote, isRetry = false } = question;
    const path = parts[0]?.path ?? '';
    const questioner = this.#open();
    const proposals: Proposal[] = [];
    const refused: RefusedProposal[] = [];
    const leftOut: string[] = [];
    const change = shownChange(parts, this.setup.about);
    const anchors = new Map(parts.flatMap(part => [...anchorLines(part)]));
    const removed = removedIn(parts);
    const survivors = new Map(parts.flatMap(survivorsIn));
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
          const judged = { lines, removed, survivors, names, hasAllFields };
          const verdict = judgeVerdict(answer, judged, report => refused.push({ ...report, path }));
          isContradictory ||= !verdict.isGood && verdict.message === CONTRADICTORY;
          return verdict;
        },
        { vote, isRetry },
      );
      // Don't ask a model with this habit twice about every chunk.
      this.#fillsAll ||= isContradictory && value?.kind === 'nothing';
      if (value?.kind === 'look-up' && this.setup.about.source !== undefined) {
        definition = await lookUp(value.name, path, this.setup.about.source);
        questioner.note('look_up', { name: value.name }, { text: definition });
        names = [];
        continue;
      }
      if (value?.kind === 'problem') {
        proposals.push({ ...value.problem, path, definition });
        const isLast = proposals.length === MAX_FINDINGS || lines.size === 1;
        if (value.hasMore && proposals.length === MAX_FINDINGS) {
          leftOut.push(
            `the model has more to report than the ${MAX_FINDINGS} findings that one question may have`,
          );
        }
        if (value.hasMore && !isLast) continue;
      }
      this.#learn(questioner, end);
      return { end, proposals, refused, leftOut };
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
    // A protocol that the server rejected isn't used again.
    const preferred = this.#protocol || this.setup.preferred;
    return new Questioner({ ...this.setup, preferred, model: timed });
  }

  /** Whether the first request can hold all of it. */
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

  /** A rule that would leave no space for the change is cut. */
  #fitted(rule: RuleQuestion, parts: readonly ChunkPart[]): RuleQuestion {
    const bare = {
      parts: parts.slice(0, 1).map(bared),
      rule: { ...rule, body: '' },
      vote: 0,
      canLookUp: false,
    };
    const { tokens, available } = this.#open().measure(this.#firstQuestion(bare));
    const max = Math.floor((available - tokens) * (1 - CHANGE_SHARE));
    if (estimateTokens(rule.body) <= max) return rule;
    return { ...rule, body: cutText(rule.body, Math.max(1, max)).text };
  }

  #learn(questioner: Questioner, end: End): void {
    this.#repairs += questioner.repairs;
    this.#refusals += questioner.refusals;
    this.#protocol = questioner.protocol;
    questioner.close(end);
    if (end.reason === 'overflow') {
      this.#tooLong = Math.min(this.#tooLong, Math.max(MIN_CHANGE, questioner.lastTokens));
    }
  }
}

/**
 * Ends after which another form may help. Contract: a verdict that doesn't show the lines were read,
 * an apology included, is asked for only once more.
 */
const IN_OTHER_FORM: ReadonlySet<End['reason']> = new Set(['blocked', 'length', 'not-done']);

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

/** The lines on which a finding about removed ones can be placed, with the removed texts. */
const survivorsIn = (part: ChunkPart): Array<[number, readonly string[]]> =>
  onlyRemoves(part) ? [...part.survivors.keys()].map(line => [line, removedIn([part])]) : [];

const bared = (part: ChunkPart): ChunkPart => ({ ...part, lines: [] });

/** Parts of one file as the question shows them, without the lines between them. */
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

/** Lines before and after the one in question, when the whole part is too long to show again. */
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
  /** If there is no ruling, the reason. */
  readonly end: End;
}
