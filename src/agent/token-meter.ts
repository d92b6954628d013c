import { type Message, textOf, toolCallsOf } from '../core/message.js';
import type { ModelRequest } from '../core/model.js';
import { estimateTokens } from '../core/tokens.js';

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
    const shape = schema === undefined ? 0 : estimateTokens(JSON.stringify(schema));
    return estimateTokens(system) + PER_MESSAGE + offered + shape;
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

  /** The server counted; from now on no estimate is lower than that. Old servers count only the prompt. */
  learn(estimated: number, counted: number): void {
    if (estimated > 0) this.#learnt = Math.max(this.#learnt, counted / estimated);
    this.#caution = Math.max(1, this.#caution / FADE);
  }

  /** So much was sent where so much was thought to fit: the next request takes clearly less. */
  overflowed(sent: number, available: number): void {
    this.#caution = Math.max(this.#caution, available / this.#learnt / (sent * LESS));
  }
}

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
