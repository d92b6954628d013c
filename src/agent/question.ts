import { isTimeUp } from '../core/deadline.js';
import type { Model, ModelReply, ModelRequest } from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import type { End } from './conversation-state.js';
import { userMessage } from './fit-conversation.js';
import { isRefusal } from './judge.js';
import type { Trouble } from './ladder.js';
import type { Limits } from './limits.js';
import { TokenMeter } from './prepare-request.js';
import type { Protocol, ProtocolName } from './protocol.js';
import { chooseProtocols } from './protocols.js';
import { stripOrder } from './repair.js';
import { repairJson } from './repair-json.js';
import type { Entry } from './transcript.js';

/** A question that is answered by filling in fields, in the order in which they are listed. */
export interface ClosedQuestion {
  readonly system: string;
  readonly text: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly description: string;
  /** The only values it may have. */
  readonly choices?: readonly string[];
  readonly isOptional?: boolean;
}

/** What was filled in. A value that is no choice of its field is left out. */
export type Answer = Readonly<Record<string, string>>;

/** What code makes of an answer. */
export type Judged<Value> =
  | { readonly isGood: true; readonly value: Value }
  | {
      readonly isGood: false;
      /** Why it isn't believed. */
      readonly kind: string;
      /** For the model, when it is asked again. */
      readonly problem: string;
    };

/** How a question is asked this time. */
export interface Attempt {
  /** 0 for the first. */
  readonly number: number;
  /** What was wrong with the answer before; empty when there was none. */
  readonly problem: string;
  readonly kind: string;
}

export interface QuestionSetup {
  readonly model: Model;
  readonly protocol: ProtocolName | 'auto';
  readonly preferred?: ProtocolName | undefined;
  readonly tokenScale?: number;
  readonly limits: Pick<
    Limits,
    'deadlineMs' | 'requests' | 'badReplies' | 'tokens' | 'replyTokens'
  >;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  readonly onEntry?: (entry: Entry) => void;
}

export interface AskedQuestion<Value> {
  /** Undefined when there was no answer that code could believe. */
  readonly value: Value | undefined;
  readonly end: End;
}

/** Contract: an answer that shows no reading is asked for once more. An apology is such an answer. */
const ONCE_MORE: ReadonlySet<string> = new Set(['unread', 'refused']);
/** Failures of the server, which the client has retried already. */
const SERVER_FAILED: ReadonlySet<Trouble> = new Set(['unexplained', 'died', 'no-answer']);
const TRIES_OF_A_KIND = 2;
/** Any number will do; 42 is known to end in a refusal for some harmless prompts. */
const FIRST_SEED = 7;
/** What the server itself keeps free for the reply, whatever `max_tokens` says. */
const SERVER_RESERVE = 512;

/** A series of questions about one thing: they share a transcript, a protocol and the counts. */
export class Questioner {
  requests = 0;
  /** What the last request cost, as estimated. */
  lastTokens = 0;
  repairs = 0;
  refusals = 0;
  #tokens = 0;
  #protocol = 0;
  readonly #startedAt: number;
  readonly #meter: TokenMeter;

  constructor(readonly setup: QuestionSetup) {
    this.#startedAt = setup.clock.now();
    this.#meter = new TokenMeter(setup.tokenScale);
  }

  get protocol(): Protocol['name'] {
    return this.#current().name;
  }

  /** What a request with this question would cost, and what the window has for it. */
  measure(question: ClosedQuestion): { readonly tokens: number; readonly available: number } {
    const { limits, model } = this.setup;
    const request = this.#request(
      question,
      { number: 0, problem: '', kind: '' },
      0,
      limits.replyTokens,
    );
    const reserved = Math.max(SERVER_RESERVE, limits.replyTokens);
    return {
      tokens: this.#cost(request),
      available: Math.floor((model.facts.contextWindow - reserved) / this.#meter.scale),
    };
  }

  /**
   * Asks until code believes an answer, the model was asked often enough or time is up. The
   * first try is greedy; a retry changes the words and draws anew, or it would repeat itself.
   */
  async ask<Value>(
    questionFor: (attempt: Attempt) => ClosedQuestion,
    judge: (answer: Answer) => Judged<Value>,
    vote = 0,
  ): Promise<AskedQuestion<Value>> {
    const troubles = new Map<string, number>();
    let attempt: Attempt = { number: 0, problem: '', kind: '' };
    let replyTokens = this.setup.limits.replyTokens;
    const ended = (end: End, value?: Value): AskedQuestion<Value> => ({ value, end });
    for (;;) {
      const limit = this.#reachedLimit();
      if (limit !== undefined) return ended(limit);
      const question = questionFor(attempt);
      const request = this.#request(question, attempt, vote, replyTokens);
      const reply = await this.#send(request);
      if ('reason' in reply) return ended(reply);
      if (reply.kind === 'overflow') return ended({ reason: 'overflow', message: reply.message });
      const outcome = this.#outcome(reply, question, judge);
      if ('value' in outcome) return ended(FINISHED, outcome.value);
      const rung = this.#rungFor(outcome, attempt, troubles);
      const { trouble, kind, problem } = outcome;
      this.#record({ type: 'rung', rung, trouble, message: problem });
      if (rung === 'stop')
        return ended({ reason: endOf(trouble), message: outcome.message ?? problem });
      if (trouble === 'cut') replyTokens = this.setup.limits.replyTokens * 2;
      attempt = { number: attempt.number + 1, problem: NUDGES[trouble] ?? problem, kind };
    }
  }

  /** What to do about a reply that can't be used. */
  #rungFor(
    { trouble, kind }: Unusable,
    { number }: Attempt,
    troubles: Map<string, number>,
  ): 'fall' | 'stop' | 'reword' {
    if (trouble === 'refused' || trouble === 'blocked') this.refusals += 1;
    const count = (troubles.get(kind) ?? 0) + 1;
    troubles.set(kind, count);
    if ((trouble === 'rejected' || kind === 'unreadable') && this.#fall()) return 'fall';
    const isLast =
      FATAL.has(trouble) ||
      ((ONCE_MORE.has(kind) || SERVER_FAILED.has(trouble)) && count >= TRIES_OF_A_KIND) ||
      number + 1 >= this.setup.limits.badReplies;
    return isLast ? 'stop' : 'reword';
  }

  /** Something that code did for the model on the way: it belongs in the transcript. */
  note(name: string, input: Readonly<Record<string, string>>, text: string): void {
    const id = `call_${this.requests}`;
    this.#record({ type: 'call', id, name, input, repairs: [] });
    this.#record({
      type: 'result',
      durationMs: 0,
      message: {
        role: 'toolResult',
        toolCallId: id,
        toolName: name,
        isError: false,
        content: [{ type: 'text', text }],
        details: {},
      },
    });
  }

  close(end: End): void {
    if (this.requests > 0) this.#record({ type: 'end', ...end });
  }

  #outcome<Value>(
    reply: ModelReply,
    question: ClosedQuestion,
    judge: (answer: Answer) => Judged<Value>,
  ): { readonly value: Value } | Unusable {
    if (reply.kind !== 'answer' && reply.kind !== 'tool-calls') {
      const trouble = TROUBLES[reply.kind];
      return { trouble, kind: reply.kind, problem: reply.message };
    }
    const read = readAnswer(reply, question.fields);
    if ('trouble' in read) return read;
    if (read.isRepaired) this.repairs += 1;
    const judged = judge(read.answer);
    if (judged.isGood) return { value: judged.value };
    const reason = read.answer['reason'] ?? '';
    const isDeclined = judged.kind === 'unread' && isRefusal(reason);
    return {
      trouble: isDeclined ? 'refused' : 'not-done',
      kind: judged.kind,
      problem: judged.problem,
      message: isDeclined ? `the model declined: ${reason.slice(0, 120)}` : IN_WORDS[judged.kind],
    };
  }

  async #send(request: ModelRequest): Promise<ModelReply | End> {
    const { model, clock, signal } = this.setup;
    const startedAt = clock.now();
    this.requests += 1;
    const number = this.requests;
    const estimatedTokens = this.#cost(request);
    this.lastTokens = estimatedTokens;
    const protocol = this.#current().name;
    this.#record({
      type: 'request',
      number,
      atMs: startedAt,
      protocol,
      estimatedTokens,
      compaction: 'none',
      request,
    });
    try {
      const reply = await model.ask(request, signal);
      const durationMs = clock.now() - startedAt;
      this.#record({ type: 'reply', number, durationMs, reply });
      if ('usage' in reply) {
        this.#tokens += reply.usage.promptTokens + reply.usage.completionTokens;
        this.#meter.learn(request, estimatedTokens, reply.usage.promptTokens);
      }
      return reply;
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      return this.#stopped();
    }
  }

  #reachedLimit(): End | undefined {
    const { signal, clock, limits } = this.setup;
    if (signal.aborted || clock.now() - this.#startedAt >= limits.deadlineMs)
      return this.#stopped();
    if (this.requests >= limits.requests) return limitHit('requests', this.requests);
    if (this.#tokens >= limits.tokens) return limitHit('tokens', this.#tokens);
    return undefined;
  }

  #stopped(): End {
    const { clock, limits, signal } = this.setup;
    return isTimeUp(signal) || clock.now() - this.#startedAt >= limits.deadlineMs
      ? { reason: 'deadline', message: 'the time was up before the model had answered' }
      : { reason: 'aborted', message: 'the run was stopped' };
  }

  #current(): Protocol {
    const { protocol, model, preferred } = this.setup;
    const found = chooseProtocols(protocol, model.facts, preferred)[this.#protocol];
    if (found === undefined) throw new Error('a question needs at least one protocol');
    return found;
  }

  /** To the next protocol, where there is one. */
  #fall(): boolean {
    const { protocol, model, preferred } = this.setup;
    if (this.#protocol + 1 >= chooseProtocols(protocol, model.facts, preferred).length)
      return false;
    this.#protocol += 1;
    return true;
  }

  #request(
    question: ClosedQuestion,
    attempt: Attempt,
    vote: number,
    maxTokens: number,
  ): ModelRequest {
    const isGreedy = attempt.number === 0 && vote === 0;
    const seed = FIRST_SEED + vote * 100 + attempt.number;
    const shape = SHAPES[this.#current().name](question);
    const text = attempt.problem === '' ? question.text : `${question.text}\n${attempt.problem}`;
    return {
      ...shape,
      messages: [userMessage(text)],
      maxTokens,
      ...(isGreedy ? { temperature: 0 } : { seed }),
    };
  }

  #cost(request: ModelRequest): number {
    return this.#meter.frame(request) + this.#meter.messages(request.messages);
  }

  #record(entry: Entry): void {
    this.setup.onEntry?.(entry);
  }
}

const FINISHED: End = { reason: 'finished', message: 'the model answered' };

const limitHit = (reason: 'requests' | 'tokens', used: number): End => ({
  reason,
  message: `the limit of ${reason} is reached: ${used} were used`,
});

/** How each protocol asks for the fields: under a schema, as the arguments of one call, in words. */
const SHAPES: Readonly<
  Record<ProtocolName, (question: ClosedQuestion) => Omit<ModelRequest, 'messages' | 'maxTokens'>>
> = {
  guided: ({ system, fields }) => ({
    system,
    schema: { name: 'answer', schema: schemaOf(fields, orderedName) },
  }),
  native: ({ system, fields }) => ({
    system: `${system}\nReply by calling the tool answer once, with: ${inWords(fields)}.`,
    tools: [
      {
        name: 'answer',
        description: 'Gives the answer.',
        parameters: schemaOf(fields, ({ name }) => name),
      },
    ],
  }),
  text: ({ system, fields }) => ({
    system: `${system}\nReply ONLY with one flat JSON object with these keys: ${inWords(fields)}.`,
  }),
};

const schemaOf = (
  fields: readonly Field[],
  nameOf: (field: Field, at: number) => string,
): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(
    fields.map((field, at) => [
      nameOf(field, at),
      {
        type: 'string',
        ...(field.choices && { enum: [...field.choices] }),
        ...(field.description !== '' && { description: field.description }),
      },
    ]),
  ),
  required: fields.flatMap((field, at) => (field.isOptional ? [] : [nameOf(field, at)])),
  additionalProperties: false,
});

/** apfel sorts keys by name and generates in that order. */
const orderedName = ({ name }: Field, at: number): string =>
  `${String.fromCharCode(97 + at)}_${name}`;

const inWords = (fields: readonly Field[]): string =>
  fields
    .map(({ name, description, choices, isOptional }) => {
      const values = choices === undefined ? '' : choices.join(' or ');
      const meaning = [values, description].filter(text => text !== '').join(', ');
      return `"${name}"${isOptional ? ' if it applies' : ''} (${meaning})`;
    })
    .join(', ');

interface Unusable {
  readonly trouble: Trouble;
  readonly kind: string;
  readonly problem: string;
  /** For people, where the problem is worded for the model. */
  readonly message?: string | undefined;
}

/** For people: why an answer wasn't believed. */
const IN_WORDS: Readonly<Record<string, string>> = {
  unread: 'the model gave a verdict that shows nothing of these lines',
  incomplete: 'the model gave no verdict, or left out where the problem is',
  misplaced: 'the model quoted code that is not on the line it named',
};

type ReadAnswer = { readonly answer: Answer; readonly isRepaired: boolean } | Unusable;

type WordedReply = Extract<ModelReply, { kind: 'answer' | 'tool-calls' }>;

/** The fields of a reply, wherever the protocol or the model's habits put them. */
function readAnswer(reply: WordedReply, fields: readonly Field[]): ReadAnswer {
  const said = reply.kind === 'tool-calls' ? (reply.calls[0]?.arguments ?? '') : reply.text;
  if (reply.kind === 'answer' && reply.isCut) return CUT;
  const repaired = repairJson(said);
  if (repaired === undefined) {
    if (isRefusal(said))
      return { trouble: 'refused', kind: 'refused', problem: said.slice(0, 200) };
    // What does not parse was most likely cut.
    return said.includes('{') ? CUT : UNREADABLE;
  }
  if (repaired.isCut) return CUT;
  const answer = fieldsIn(repaired.value, fields);
  if (answer === undefined) return UNREADABLE;
  return { answer, isRepaired: repaired.isRepaired };
}

const CUT: Unusable = { trouble: 'cut', kind: 'cut', problem: 'the reply was cut off' };
const UNREADABLE: Unusable = {
  trouble: 'bad-reply',
  kind: 'unreadable',
  problem: "the reply didn't have the fields that were asked for",
};

/** An object may be wrapped once or twice: in `arguments`, in `answer`, in a string of its own. */
function fieldsIn(value: unknown, fields: readonly Field[], depth = 0): Answer | undefined {
  if (typeof value === 'string' && depth > 0) {
    const parsed = value.startsWith('{') ? repairJson(value) : undefined;
    return parsed === undefined || parsed.isCut ? undefined : fieldsIn(parsed.value, fields, depth);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const keys = Object.keys(value);
  if (keys.length > MOST_KEYS) return undefined;
  const found: Record<string, string> = {};
  for (const key of keys) {
    const field = fields.find(each => bare(each.name) === bare(stripOrder(key)));
    const text = field && textFor((value as Record<string, unknown>)[key], field);
    if (field !== undefined && text !== undefined) found[field.name] ??= text;
  }
  if (Object.keys(found).length > 0) return found;
  if (depth >= MOST_WRAPPED) return undefined;
  for (const inner of Object.values(value)) {
    const read = fieldsIn(inner, fields, depth + 1);
    if (read !== undefined) return read;
  }
  return undefined;
}

const MOST_KEYS = 40;
const MOST_WRAPPED = 3;

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

function textFor(value: unknown, { choices }: Field): string | undefined {
  if (typeof value === 'boolean') return textFor(value ? 'yes' : 'no', { choices } as Field);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  // White space is part of code.
  if (choices === undefined) return String(value);
  const text = String(value).trim();
  const wanted = plain(text);
  return choices.find(choice => plain(choice) === wanted) ?? choices.find(isNumber(choices, text));
}

const plain = (text: string): string =>
  text
    .slice(0, 80)
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^["'`]+|["'`.]+$/g, '');

/** `+12`, `line 12` and `12| text` are ways to write a number that is on offer. */
const isNumber = (choices: readonly string[], text: string): ((choice: string) => boolean) => {
  const number = /^(?:line |l)?[+-]?(\d{1,7})(?![\d.])/i.exec(text.slice(0, 40))?.[1];
  const areNumbers = choices.every(choice => /^\d+$/.test(choice));
  return choice => areNumbers && choice === number;
};

const TROUBLES: Readonly<Record<Exclude<ModelReply['kind'], 'answer' | 'tool-calls'>, Trouble>> = {
  refused: 'refused',
  blocked: 'blocked',
  overflow: 'rejected',
  'rate-limited': 'no-answer',
  busy: 'no-answer',
  loading: 'no-answer',
  unreachable: 'gone',
  died: 'died',
  'timed-out': 'no-answer',
  malformed: 'unexplained',
  rejected: 'rejected',
};

/** Asking again would bring the same. */
const FATAL: ReadonlySet<Trouble> = new Set(['gone', 'rejected']);

/** Added to the next request when the reply itself has nothing to correct. */
const NUDGES: Partial<Readonly<Record<Trouble, string>>> = {
  refused: '',
  blocked: '',
  died: '',
  'no-answer': '',
  unexplained: '',
  cut: 'Be brief: a few words for each field.',
};

function endOf(trouble: Trouble): End['reason'] {
  switch (trouble) {
    case 'refused':
    case 'blocked':
      return trouble;
    case 'gone':
      return 'model-gone';
    case 'died':
    case 'no-answer':
    case 'unexplained':
      return 'server-failed';
    case 'cut':
      return 'length';
    case 'rejected':
      return 'rejected';
    default:
      return 'not-done';
  }
}
