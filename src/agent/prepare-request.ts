import {
  type Message,
  type ModelFacts,
  type ModelRequest,
  textOf,
  toolCallsOf,
} from '../model/model.js';
import { estimateTokens } from '../model/tokens.js';
import {
  type Compaction,
  type Exchange,
  fitConversation,
  nextPrompt,
  nudgeOf,
  restateConversation,
  wordingOf,
} from './fit-conversation.js';
import type { Protocol } from './protocol.js';
import { exampleOf, type Registry } from './tool.js';

/** Everything the next request is made of. */
export interface Draft {
  readonly task: { readonly system: string; readonly opening: string };
  readonly exchanges: readonly Exchange[];
  readonly tools: Registry;
  readonly protocol: Protocol;
  readonly facts: ModelFacts;
  readonly meter: TokenMeter;
  readonly replyTokens: number;
  /** What was wrong with the last reply; empty when nothing was. */
  readonly nudge: string;
  readonly isLastTurn: boolean;
  /** 0 for the task's own words. */
  readonly wording: number;
  /** Replies that could not be used so far. */
  readonly failures: number;
  /** Of those, the ones since the last good one. */
  readonly streak: number;
  readonly seed: number;
}

export interface Prepared {
  readonly request: ModelRequest;
  readonly estimatedTokens: number;
  /** What the window leaves for a request. */
  readonly availableTokens: number;
  readonly compaction: Compaction;
  readonly wholeFrom: number;
}

/** The next request, made to fit the window; undefined when not even the instructions do. */
export function prepareRequest(draft: Draft): Prepared | undefined {
  const { task, exchanges, tools, protocol, meter } = draft;
  const turn = {
    system: [wordingOf(draft.wording), task.system].filter(text => text !== '').join('\n'),
    prompt: promptOf(draft),
    tools,
    maxTokens: draft.replyTokens,
    seed: draft.seed,
  };
  // With no messages the protocol sends the prompt alone: the cost of all but the conversation.
  const bare = protocol.request({ ...turn, messages: [] });
  const frame = meter.frame(bare);
  const fixed = frame + meter.messages(bare.messages);
  const available = roomFor(draft);
  if (available - fixed < LEAST_ROOM) return undefined;
  // After refusals by the server ever less is sent, but never nothing.
  const room = Math.max(LEAST_ROOM, Math.floor(available / meter.scale) - fixed);
  const history = { opening: task.opening, exchanges };
  const fitted =
    draft.streak >= RESTATED_FROM && exchanges.length > 0
      ? restateConversation(history, room)
      : fitConversation(history, room, meter);
  const request = protocol.request({ ...turn, messages: fitted.messages });
  const { compaction, wholeFrom } = fitted;
  const estimatedTokens = frame + meter.messages(request.messages);
  return { request, estimatedTokens, availableTokens: available, compaction, wholeFrom };
}

/** Less than this is no conversation: a few lines of the task and of one result. */
const LEAST_ROOM = 150;
/** What the server itself keeps free for the reply, whatever `max_tokens` says. */
const SERVER_RESERVE = 512;
/** Whatever is wrong may hang on the shape of the conversation: from this failure on, it is retold. */
const RESTATED_FROM = 3;

const roomFor = ({ facts, replyTokens }: Draft): number =>
  facts.contextWindow - Math.max(SERVER_RESERVE, replyTokens);

function promptOf({ nudge, failures, exchanges, tools, isLastTurn }: Draft): string {
  const next = exchanges.length === 0 ? '' : nextPrompt(tools.names, isLastTurn);
  const [first] = tools.tools;
  const said = nudgeOf(nudge, failures, first === undefined ? '' : exampleOf(first));
  return [said, next].filter(text => text !== '').join(' ');
}

/** Words are shown as they come. An action is not: half of one is nothing to act on. */
export function streamedTo(
  onText: ((delta: string) => void) | undefined,
  request: ModelRequest,
): ModelRequest {
  const isWords = request.schema === undefined && request.tools === undefined;
  return onText !== undefined && isWords ? { ...request, onText } : request;
}

/** What requests cost, estimated high and corrected upwards by what the server says they did. */
export class TokenMeter {
  /** The largest share of the server's count in ours. */
  #learnt: number;
  /** Grows when the server refuses what was thought to fit, and fades when it does not. */
  #caution = 1;
  /** Messages never change, and most are measured once for every request after them. */
  readonly #known = new WeakMap<Message, number>();

  /** `measured` is what calibration found on this machine; the estimate is never lowered by it. */
  constructor(measured = 1) {
    this.#learnt = Math.max(1, measured);
  }

  /** How much the estimates are to be multiplied by to be believed. */
  get scale(): number {
    return this.#learnt * this.#caution;
  }

  /** Everything but the conversation: instructions, tools, schema. */
  frame({ system, tools, schema }: Omit<ModelRequest, 'messages'>): number {
    const offered = tools === undefined ? 0 : estimateTokens(JSON.stringify(tools)) + CALL_FORMAT;
    return estimateTokens(system) + PER_MESSAGE + offered + schemaTokens(schema);
  }

  messages(messages: readonly Message[]): number {
    return messages.reduce((sum, message) => sum + this.message(message), 0);
  }

  message(message: Message): number {
    const known = this.#known.get(message);
    if (known !== undefined) return known;
    const tokens = PER_MESSAGE + estimateTokens(textOf(message)) + callTokens(message);
    this.#known.set(message, tokens);
    return tokens;
  }

  /**
   * The server counted; from now on no estimate is lower than that. It leaves the schema out, and old
   * servers count only the prompt.
   */
  learn({ schema }: Pick<ModelRequest, 'schema'>, estimated: number, counted: number): void {
    const comparable = estimated - schemaTokens(schema);
    if (comparable > 0) this.#learnt = Math.max(this.#learnt, counted / comparable);
    this.#caution = Math.max(1, this.#caution / FADE);
  }

  /** So much was sent where so much was thought to fit: the next request takes clearly less. */
  overflowed(sent: number, available: number): void {
    this.#caution = Math.max(this.#caution, available / this.#learnt / (sent * LESS));
  }
}

const schemaTokens = (schema: ModelRequest['schema']): number =>
  schema === undefined ? 0 : estimateTokens(JSON.stringify(schema));

/** Role marks and separators; the real figure is not published. */
const PER_MESSAGE = 6;
/** The server's own instructions on how to write a call. */
const CALL_FORMAT = 200;
const LESS = 0.7;
const FADE = 2;

const callTokens = (message: Message): number =>
  message.role !== 'assistant'
    ? 0
    : toolCallsOf(message).reduce(
        (sum, call) => sum + PER_MESSAGE + estimateTokens(call.name + JSON.stringify(call.input)),
        0,
      );
