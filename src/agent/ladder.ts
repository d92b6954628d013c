import type { Protocol } from './protocol.js';

/** What can go wrong with one reply, once repair has done what it can. */
export type Trouble =
  /** Words that are neither an action nor an answer. */
  | 'bad-reply'
  /** A failure of the server that nothing explains; it may hang on the words. */
  | 'unexplained'
  /** A tool that is not there, arguments that do not fit, the same call again. */
  | 'bad-call'
  /** The model says it is done; code says it is not. */
  | 'not-done'
  | 'refused'
  | 'blocked'
  /** The reply reached its own limit of tokens. */
  | 'cut'
  /** The server broke off, is overloaded or slow, or cannot be reached; the adapter has retried. */
  | 'died'
  | 'no-answer'
  | 'gone'
  /** The server does not take requests of this shape. */
  | 'rejected';

export type TroubleEnd =
  | 'bad-replies'
  | 'not-done'
  | 'refused'
  | 'blocked'
  | 'length'
  | 'server-failed'
  | 'model-gone'
  | 'rejected';

/** How a trouble is met: what changes in the next request, and where the ladder ends. */
interface Rule {
  /** So many in a row that would end alike, then the next protocol; the configured limit if `bad`. */
  readonly tries: number | 'bad';
  /** So many where there is no next protocol; a refusal hangs on chance as much as on words. */
  readonly patience?: number;
  /** Whether another protocol may help: not at all, for this turn, or from now on. */
  readonly falls: 'never' | 'turn' | 'run';
  readonly isReworded?: boolean;
  readonly end: TroubleEnd;
}

const RULES: Readonly<Record<Trouble, Rule>> = {
  'bad-reply': { tries: 'bad', falls: 'run', end: 'bad-replies' },
  'bad-call': { tries: 'bad', falls: 'run', end: 'bad-replies' },
  'not-done': { tries: 3, patience: 10, falls: 'turn', end: 'not-done' },
  refused: { tries: 2, patience: 10, falls: 'turn', isReworded: true, end: 'refused' },
  blocked: { tries: 2, patience: 10, falls: 'turn', isReworded: true, end: 'blocked' },
  cut: { tries: 2, patience: 3, falls: 'turn', end: 'length' },
  unexplained: { tries: 2, patience: 4, falls: 'turn', isReworded: true, end: 'server-failed' },
  died: { tries: 3, falls: 'never', isReworded: true, end: 'model-gone' },
  'no-answer': { tries: 3, falls: 'never', isReworded: true, end: 'model-gone' },
  gone: { tries: 1, falls: 'never', end: 'model-gone' },
  rejected: { tries: 1, falls: 'run', end: 'rejected' },
};

export type Rung = 'nudge' | 'reword' | 'fall' | 'stop';

/** Where the conversation stands between "ask again" and "give up". */
export class Ladder {
  readonly #protocols: readonly Protocol[];
  readonly #badReplies: number;
  /** The best protocol that has not been given up. */
  #best = 0;
  #current = 0;
  /** Since the last good reply, by where they lead: two blocks and a cut are not three of a kind. */
  readonly #inARow = new Map<TroubleEnd, number>();
  #wording = 0;
  #streak = 0;
  #failures = 0;

  constructor(protocols: readonly Protocol[], badReplies: number) {
    this.#protocols = protocols;
    this.#badReplies = badReplies;
  }

  get protocol(): Protocol {
    const protocol = this.#protocols[this.#current];
    if (protocol === undefined) throw new Error('a conversation needs at least one protocol');
    return protocol;
  }

  /** 0 for the words of the task; others say the same differently. */
  get wording(): number {
    return this.#wording;
  }

  /** Each retry draws anew: the same seed would repeat the same refusal. */
  get failures(): number {
    return this.#failures;
  }

  /** Failures since the last good reply, of whatever kind and in whatever protocol. */
  get streak(): number {
    return this.#streak;
  }

  /** A good reply: back to the best protocol. The wording that worked is kept. */
  succeeded(): void {
    this.#inARow.clear();
    this.#streak = 0;
    this.#current = this.#best;
  }

  failed(trouble: Trouble): Rung {
    const rule = RULES[trouble];
    const inARow = (this.#inARow.get(rule.end) ?? 0) + 1;
    this.#inARow.set(rule.end, inARow);
    this.#failures += 1;
    this.#streak += 1;
    if (rule.isReworded === true) this.#wording += 1;
    if (inARow < this.#triesOf(rule)) return rule.isReworded === true ? 'reword' : 'nudge';
    if (rule.falls === 'never' || this.#isLast()) return 'stop';
    this.#inARow.clear();
    this.#current += 1;
    if (rule.falls === 'run') this.#best = this.#current;
    return 'fall';
  }

  #triesOf({ tries, patience }: Rule): number {
    if (tries === 'bad') return this.#badReplies;
    return this.#isLast() ? (patience ?? tries) : tries;
  }

  #isLast(): boolean {
    return this.#current + 1 >= this.#protocols.length;
  }
}

export const endOf = (trouble: Trouble): TroubleEnd => RULES[trouble].end;
