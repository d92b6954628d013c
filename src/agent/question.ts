import { isTimeUp } from '../core/deadline.js';
import type { ProtocolName } from '../model/calibration.js';
import {
  type Message,
  type Model,
  type ModelFacts,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  mayRunTools,
  type ToolResultMessage,
  type UserMessage,
} from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { isAtLeast } from '../platform/run-program.js';
import { isRefusal } from './grounding.js';
import { fieldsIn, type WordedReply } from './read-reply.js';
import { repairJson } from './repair-json.js';
import { TokenMeter } from './tokens.js';
import type { ToolOutcome } from './tool.js';

/** A question that is answered by filling in fields, in the order listed. */
export interface ClosedQuestion {
  readonly system: string;
  readonly text: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly description: string;
  /** The only valid values. */
  readonly choices?: readonly string[];
  readonly isOptional?: boolean;
}

/** The fields of a reply. A value may be none of the choices: where that matters, code looks. */
export type Answer = Readonly<Record<string, string>>;

/** What code makes of an answer. */
export type Judgement<Value> =
  | { readonly isGood: true; readonly value: Value }
  | {
      readonly isGood: false;
      readonly kind: Fault;
      /** For the model, in the next request. */
      readonly problem: string;
      /** For people. */
      readonly message: string;
    };

/** Why a reply can't be used. */
type Fault =
  | 'unread'
  | 'incomplete'
  | 'misplaced'
  /** The model refused in its own words; `refused` is the server's signal. */
  | 'declined'
  | 'cut'
  | 'unreadable'
  | 'bad-call'
  | 'unproven'
  | ModelFailure;

/** How a question is asked this time. */
export interface Attempt {
  /** 0 for the first. */
  readonly number: number;
  /** What was wrong with the previous answer; empty if there was none. */
  readonly problem: string;
  /** The faults of previous attempts, oldest first. */
  readonly faults: readonly Fault[];
}

export const FIRST_ATTEMPT: Attempt = { number: 0, problem: '', faults: [] };

/** Every limit of one conversation. All are configurable, and the one that was hit is reported. */
export interface Limits {
  /** Wall clock for the conversation. */
  readonly deadlineMs: number;
  /** Calls that were carried out. */
  readonly turns: number;
  /** Requests, including retries and rewordings. */
  readonly requests: number;
  /** This many unusable replies in a row end it, in any protocol. */
  readonly badReplies: number;
  /** Prompt and completion, as the server counts them. */
  readonly tokens: number;
  /** The most tokens of one tool result. */
  readonly resultTokens: number;
  /** The most tokens of one reply; doubled after each reply that was cut, up to the window. */
  readonly replyTokens: number;
}

export interface QuestionSetup {
  readonly model: Model;
  readonly protocol: ProtocolName | 'auto';
  /** What `auto` tries first. */
  readonly preferred?: ProtocolName | undefined;
  /** The ratio of the server's token counts to our estimates, if measured. */
  readonly tokenScale?: number;
  readonly limits: Pick<
    Limits,
    'deadlineMs' | 'requests' | 'badReplies' | 'tokens' | 'replyTokens'
  >;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  readonly onEntry?: (entry: Entry) => void;
}

/** Why it ended, for the ledger and for people. */
export interface End {
  readonly reason:
    | 'finished'
    | 'deadline'
    | 'aborted'
    | 'turns'
    | 'requests'
    | 'tokens'
    | 'overflow'
    | 'unread'
    | 'unreadable'
    | 'not-done'
    | 'refused'
    | 'blocked'
    | 'length'
    | 'rejected'
    | 'server-failed'
    | 'model-gone';
  readonly message: string;
  /** The limit that ended it, apart from time. */
  readonly limit?: Bound;
}

/** The limits of a conversation, apart from time. */
export type Bound = 'turns' | 'requests' | 'tokens' | 'badReplies';

/** A request without the parts that are the same for all. */
export type Shape = Pick<ModelRequest, 'system' | 'messages' | 'schema' | 'tools'> & {
  /** What was done to older messages to make it fit. */
  readonly compaction?: Compaction;
};

interface AskOptions {
  /** 0 for the first of several votes. */
  readonly vote?: number;
  /** The same was asked before in another form, so even the first request is a retry. */
  readonly isRetry?: boolean;
  /**
   * Contract: a verdict that doesn't show the lines were read is asked for once more. An apology
   * doesn't show it.
   */
  readonly maxUnread?: number;
}

/**
 * How each fault ends a question, and how often it may occur; `badReplies` if no limit is given.
 */
const FAULTS: Readonly<Record<Fault, { readonly end: End['reason']; readonly max?: number }>> = {
  unread: { end: 'unread' },
  declined: { end: 'refused' },
  refused: { end: 'refused' },
  blocked: { end: 'blocked' },
  incomplete: { end: 'not-done' },
  misplaced: { end: 'not-done' },
  unreadable: { end: 'unreadable' },
  'bad-call': { end: 'not-done' },
  unproven: { end: 'not-done' },
  cut: { end: 'length' },
  // The client has retried these already.
  'rate-limited': { end: 'server-failed', max: 2 },
  busy: { end: 'server-failed', max: 2 },
  loading: { end: 'server-failed', max: 2 },
  died: { end: 'server-failed', max: 2 },
  'timed-out': { end: 'server-failed', max: 2 },
  malformed: { end: 'server-failed', max: 2 },
  unreachable: { end: 'model-gone', max: 1 },
  // The caller shortens it.
  overflow: { end: 'overflow', max: 1 },
  rejected: { end: 'rejected', max: 1 },
};
/** The faults of one question, and whether there were too many. */
class Faults {
  readonly #counts = new Map<Fault, number>();
  #inARow = 0;

  constructor(
    readonly badReplies: number,
    readonly maxUnread: number,
  ) {}

  add(kind: Fault, isReply: boolean): { isOver: boolean; bound?: Pick<End, 'limit'> } {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    // A well-formed answer without proof isn't junk; a server failure isn't a reply.
    if (kind === 'unproven') this.#inARow = 0;
    else if (isReply) this.#inARow += 1;
    const { max } = FAULTS[kind];
    const isLimit = Math.max(this.#inARow, count) >= this.badReplies;
    if (isLimit && max === undefined) return { isOver: true, bound: { limit: 'badReplies' } };
    const isUnread = kind === 'unread' || kind === 'declined';
    const maxOfKind = isUnread ? this.maxUnread : (max ?? this.badReplies);
    return { isOver: this.#inARow >= this.badReplies || count >= maxOfKind };
  }
}

/** Any number would do, except 42, which makes some harmless prompts end in a refusal. */
const FIRST_SEED = 7;
/** What the server itself reserves for the reply, whatever `max_tokens` says. */
const SERVER_RESERVE = 512;

/** A series of questions about one thing: they share a transcript, a protocol and the counts. */
export class Questioner {
  requests = 0;
  /** Requests repeated because a reply couldn't be used. */
  retries = 0;
  /** The estimated size of the last request. */
  lastTokens = 0;
  repairs = 0;
  refusals = 0;
  protocol: ProtocolName;
  #tokens = 0;
  /** What to try next. */
  readonly #protocols: ProtocolName[];
  readonly #startedAt: number;
  readonly #meter: TokenMeter;

  constructor(readonly setup: QuestionSetup) {
    this.#startedAt = setup.clock.now();
    this.#meter = new TokenMeter(setup.tokenScale);
    const { protocol, model, preferred } = setup;
    [this.protocol, ...this.#protocols] = chooseProtocols(protocol, model.facts, preferred);
  }

  /** The size of a request with this question, and the space in the window. */
  measure(question: ClosedQuestion): { readonly tokens: number; readonly available: number } {
    return this.measureShape(shapeOf(question, FIRST_ATTEMPT, this.protocol));
  }

  measureShape(shape: Shape): { readonly tokens: number; readonly available: number } {
    const { limits, model } = this.setup;
    const reserved = Math.max(SERVER_RESERVE, limits.replyTokens);
    const available = Math.floor((model.facts.contextWindow - reserved) / this.#meter.scale);
    return { tokens: this.#meter.cost(shape), available };
  }

  /** Asks until an answer passes the checks, the attempts are used up or time is up. */
  ask<Value>(
    questionFor: (attempt: Attempt) => ClosedQuestion,
    judge: (answer: Answer) => Judgement<Value>,
    options: AskOptions = {},
  ): Promise<{ readonly value: Value | undefined; readonly end: End }> {
    let fields: readonly Field[] = [];
    return this.exchange<Value>(
      (attempt, protocol) => {
        const question = questionFor(attempt);
        fields = question.fields;
        return shapeOf(question, attempt, protocol);
      },
      reply => this.#judged(reply, fields, judge),
      options,
    );
  }

  /**
   * The first try is greedy; a retry changes the words and the seed, or it would get the same
   * reply.
   */
  async exchange<Value>(
    /** Undefined if it can't be made to fit. */
    shape: (attempt: Attempt, protocol: ProtocolName) => Shape | undefined,
    judge: (reply: WordedReply) => Judgement<Value> | Promise<Judgement<Value>>,
    { vote = 0, isRetry = false, maxUnread = 2 }: AskOptions = {},
  ): Promise<{ readonly value: Value | undefined; readonly end: End }> {
    const faults = new Faults(this.setup.limits.badReplies, maxUnread);
    let attempt: Attempt = isRetry ? { ...FIRST_ATTEMPT, number: 1 } : FIRST_ATTEMPT;
    let wanted = this.setup.limits.replyTokens;
    for (;;) {
      const limit = this.#reachedLimit();
      if (limit !== undefined) return { value: undefined, end: limit };
      const shaped = shape(attempt, this.protocol);
      if (shaped === undefined) return { value: undefined, end: TOO_LONG };
      const { number } = attempt;
      const isGreedy = number === 0 && vote === 0;
      const drawn = isGreedy ? { temperature: 0 } : { seed: FIRST_SEED + vote * 100 + number };
      const { compaction = 'none', ...asked } = shaped;
      const maxTokens = Math.min(wanted, this.#freeBeside(asked));
      const reply = await this.#send({ ...asked, maxTokens, ...drawn }, compaction);
      if ('reason' in reply) return { value: undefined, end: reply };
      const judged = 'usage' in reply ? await judge(reply) : bad(reply.kind, '', reply.message);
      if (judged.isGood) return { value: judged.value, end: FINISHED };
      const { kind, problem, message } = judged;
      const { isOver, bound } = faults.add(kind, 'usage' in reply);
      const step = this.#stepAfter(kind, isOver);
      this.#record({ type: 'recovery', action: step, problem: kind, message });
      if (step === 'stop') {
        return { value: undefined, end: { reason: FAULTS[kind].end, message, ...bound } };
      }
      // What can't be read may have been cut too.
      if (kind === 'cut' || kind === 'unreadable') wanted *= 2;
      this.retries += 1;
      attempt = { number: number + 1, problem, faults: [...attempt.faults, kind] };
    }
  }

  /** What to do about an unusable reply. */
  #stepAfter(kind: Fault, isOver: boolean): 'reword' | 'fall-back' | 'stop' {
    if (['declined', 'refused', 'blocked'].includes(kind)) this.refusals += 1;
    // With these the next protocol, if there is one, may do better.
    const mayFall = kind === 'rejected' || (kind === 'unreadable' && !isOver);
    if (mayFall && this.#nextProtocol()) return 'fall-back';
    return isOver ? 'stop' : 'reword';
  }

  /** The space in the window for a reply, next to the prompt. */
  #freeBeside(shape: Shape): number {
    const { limits, model } = this.setup;
    const prompt = Math.ceil(this.#meter.cost(shape) * this.#meter.scale);
    return Math.max(limits.replyTokens, model.facts.contextWindow - prompt);
  }

  /** Records in the transcript what code did for the model. */
  note(
    name: string,
    input: unknown,
    {
      text,
      isError = false,
      details = {},
      repairs = [],
      durationMs = 0,
    }: Pick<ToolOutcome, 'text'> &
      Partial<ToolOutcome> & { repairs?: readonly string[]; durationMs?: number },
  ): void {
    const id = `call_${this.requests}`;
    this.#record({ type: 'call', id, name, input, repairs });
    const message = toolResult(id, name, { text, isError, details });
    this.#record({ type: 'result', durationMs, message });
  }

  close(end: End): void {
    const { reason, message } = end;
    if (this.requests > 0) this.#record({ type: 'end', reason, message });
  }

  #judged<Value>(
    reply: WordedReply,
    fields: readonly Field[],
    judge: (answer: Answer) => Judgement<Value>,
  ): Judgement<Value> {
    const read = readAnswer(reply, fields);
    if ('kind' in read) return read;
    if (read.isRepaired) this.repairs += 1;
    const judged = judge(read.answer);
    const { reason = '' } = read.answer;
    if (judged.isGood || judged.kind !== 'unread' || !isRefusal(reason)) return judged;
    const message = `the model declined: ${reason.slice(0, 120)}`;
    return { ...judged, kind: 'declined', message };
  }

  async #send(request: ModelRequest, compaction: Compaction): Promise<ModelReply | End> {
    const { model, clock, signal, limits } = this.setup;
    const atMs = clock.now();
    const estimatedTokens = this.#meter.cost(request);
    this.requests += 1;
    this.lastTokens = estimatedTokens;
    const number = this.requests;
    const { protocol } = this;
    const sent = { protocol, estimatedTokens, compaction, request };
    this.#record({ type: 'request', number, atMs, ...sent });
    try {
      const reply = await model.ask(request, signal, () => {
        const isAllowed = this.requests < limits.requests;
        if (isAllowed) this.requests += 1;
        return isAllowed;
      });
      this.#record({ type: 'reply', number, durationMs: clock.now() - atMs, reply });
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
    const { signal, limits } = this.setup;
    if (signal.aborted || this.#isLate()) return this.#stopped();
    if (this.requests >= limits.requests) return limitHit('requests', this.requests);
    if (this.#tokens >= limits.tokens) return limitHit('tokens', this.#tokens);
    return undefined;
  }

  #isLate(): boolean {
    const { clock, limits } = this.setup;
    return clock.now() - this.#startedAt >= limits.deadlineMs;
  }

  #stopped(): End {
    return isTimeUp(this.setup.signal) || this.#isLate()
      ? { reason: 'deadline', message: 'the time was up before the model had answered' }
      : { reason: 'aborted', message: 'the run was stopped' };
  }

  #nextProtocol(): boolean {
    const next = this.#protocols.shift();
    this.protocol = next ?? this.protocol;
    return next !== undefined;
  }

  #record(entry: Entry): void {
    this.setup.onEntry?.(entry);
  }
}

export const TOO_LONG: End = {
  reason: 'overflow',
  message: 'the task does not fit the window of the model',
};

const FINISHED: End = { reason: 'finished', message: 'the model answered' };

export const limitHit = (reason: 'requests' | 'tokens' | 'turns', used: number): End => ({
  reason,
  limit: reason,
  message: `the limit of ${reason} is reached: ${used} were used`,
});

export const toolResult = (
  toolCallId: string,
  toolName: string,
  { text, isError, details }: ToolOutcome,
): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId,
  toolName,
  isError,
  content: [{ type: 'text', text }],
  details,
});

export const userMessage = (text: string): UserMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

/** A question in each protocol: under a schema, as the arguments of one call, in prose. */
function shapeOf(
  question: ClosedQuestion,
  { number, problem }: Attempt,
  protocol: ProtocolName,
): Shape {
  const { system, text, fields } = question;
  // The second try has a wording of its own; so that later ones don't repeat it, they are numbered.
  const again = number > 1 ? `Try ${number + 1}: read the text once more before you answer.` : '';
  const parts = [text, problem, again].filter(part => part !== '');
  const messages: readonly Message[] = [userMessage(parts.join('\n'))];
  switch (protocol) {
    case 'guided':
      return {
        system,
        messages,
        schema: { name: 'answer', schema: schemaOf(fields, orderedName) },
      };
    case 'native': {
      const parameters = schemaOf(fields, ({ name }) => name);
      return {
        system: `${system}\nReply by calling the tool answer once, with: ${inWords(fields)}.`,
        messages,
        tools: [{ name: 'answer', description: 'Gives the answer.', parameters }],
      };
    }
    case 'text': {
      const rule = `Reply ONLY with one flat JSON object with these keys: ${inWords(fields)}.`;
      return { system: `${system}\n${rule}`, messages };
    }
  }
}

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
export const orderedName = ({ name }: { readonly name: string }, at: number): string =>
  `${String.fromCharCode(97 + at)}_${name}`;

const inWords = (fields: readonly Field[]): string =>
  fields
    .map(({ name, description, choices, isOptional }) => {
      const values = choices === undefined ? '' : choices.join(' or ');
      const meaning = [values, description].filter(text => text !== '').join(', ');
      return `"${name}"${isOptional ? ' if it applies' : ''} (${meaning})`;
    })
    .join(', ');

export type Unusable = Extract<Judgement<never>, { isGood: false }>;

/** `problem` is empty if there is nothing to correct: the next request doesn't mention it then. */
export const bad = (kind: Fault, problem: string, message: string): Unusable => ({
  isGood: false,
  kind,
  problem,
  message,
});

/** The fields of a reply, wherever the protocol or the model put them. */
function readAnswer(
  reply: WordedReply,
  fields: readonly Field[],
): { readonly answer: Answer; readonly isRepaired: boolean } | Unusable {
  const text = reply.kind === 'tool-calls' ? (reply.calls[0]?.arguments ?? '') : reply.text;
  if (reply.kind === 'answer' && reply.isCut) return CUT;
  const repaired = repairJson(text);
  if (repaired === undefined) {
    if (isRefusal(text)) return bad('declined', '', text.slice(0, 200));
    // Text that doesn't parse was most likely cut.
    return text.includes('{') ? CUT : UNREADABLE;
  }
  if (repaired.isCut) return CUT;
  const answer = fieldsIn(repaired.value, fields);
  return answer === undefined ? UNREADABLE : { answer, isRepaired: repaired.isRepaired };
}

export const CUT: Unusable = bad(
  'cut',
  'Be brief: a few words for each field.',
  'the reply was cut off',
);

const UNREADABLE = bad(
  'unreadable',
  'Fill in the fields that are asked for.',
  "the reply didn't have the fields that were asked for",
);

/**
 * The protocols to try, best first: what calibration found best on this machine, otherwise what the
 * server supports. One requested by name is the only one.
 */
export function chooseProtocols(
  wanted: ProtocolName | 'auto',
  facts: ModelFacts,
  preferred?: ProtocolName,
): [ProtocolName, ...ProtocolName[]] {
  if (wanted !== 'auto') return [wanted];
  const able: ProtocolName[] = [
    ...(hasGuidance(facts) ? (['guided'] as const) : []),
    'native',
    // The setting that keeps MCP tools out also makes apfel ask for plain text instead of our JSON.
    ...(mayRunTools(facts) ? [] : (['text'] as const)),
  ];
  const first = able.find(name => name === preferred) ?? able[0] ?? 'native';
  return [first, ...able.filter(name => name !== first)];
}

/**
 * apfel decodes under a schema since 1.4.0; Ollama, LM Studio, llama.cpp and vLLM do according to
 * their documentation. For other servers the first reply shows it.
 */
const hasGuidance = ({ isApfel, version }: ModelFacts): boolean =>
  !isApfel || (version !== undefined && isAtLeast(version, '1.4'));

/** How older messages were shortened so that a request fits. */
type Compaction = 'none' | 'shrunk' | 'cut';

/** One line of the transcript. Requests are kept exactly as sent. */
export type Entry =
  | {
      readonly type: 'request';
      readonly number: number;
      readonly atMs: number;
      readonly protocol: ProtocolName;
      readonly estimatedTokens: number;
      readonly compaction: Compaction;
      readonly request: ModelRequest;
    }
  | {
      readonly type: 'reply';
      readonly number: number;
      readonly durationMs: number;
      readonly reply: ModelReply;
    }
  | {
      readonly type: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly repairs: readonly string[];
    }
  | { readonly type: 'result'; readonly durationMs: number; readonly message: ToolResultMessage }
  | {
      readonly type: 'recovery';
      readonly action: 'reword' | 'fall-back' | 'stop';
      readonly problem: string;
      readonly message: string;
    }
  | { readonly type: 'end'; readonly reason: string; readonly message: string };
