import { type Message, type ModelRequest, textOf, toolCallsOf } from '../model/model.js';
import { estimateTokens } from '../model/tokens.js';

/** The size of requests, estimated high and corrected upwards by the server's counts. */
export class TokenMeter {
  /** The largest ratio of the server's count to our estimate. */
  #scale: number;
  /** Messages never change, and most are measured again with every later request. */
  readonly #known = new WeakMap<Message, number>();

  /** `measured` is what calibration found on this machine; it never lowers an estimate. */
  constructor(measured = 1) {
    this.#scale = Math.max(1, measured);
  }

  /** The factor to multiply estimates by. */
  get scale(): number {
    return this.#scale;
  }

  cost({
    system,
    messages,
    tools,
    schema,
  }: Pick<ModelRequest, 'system' | 'messages' | 'tools' | 'schema'>): number {
    const offered = tools === undefined ? 0 : estimateTokens(JSON.stringify(tools)) + CALL_FORMAT;
    const frame = estimateTokens(system) + PER_MESSAGE + offered + schemaTokens(schema);
    return messages.reduce((sum, message) => sum + this.#message(message), frame);
  }

  /**
   * Corrects later estimates by the server's count. It leaves the schema out, and old servers count
   * only the prompt.
   */
  learn({ schema }: Pick<ModelRequest, 'schema'>, estimated: number, counted: number): void {
    const comparable = estimated - schemaTokens(schema);
    if (comparable > 0) this.#scale = Math.max(this.#scale, counted / comparable);
  }

  #message(message: Message): number {
    const known = this.#known.get(message);
    if (known !== undefined) return known;
    const tokens = PER_MESSAGE + estimateTokens(textOf(message)) + callTokens(message);
    this.#known.set(message, tokens);
    return tokens;
  }
}

const schemaTokens = (schema: ModelRequest['schema']): number =>
  schema === undefined ? 0 : estimateTokens(JSON.stringify(schema));

/** Role markers and separators; the real number isn't published. */
const PER_MESSAGE = 6;
/** The server's own instructions on how to write a call. */
const CALL_FORMAT = 200;

const callTokens = (message: Message): number =>
  message.role !== 'assistant'
    ? 0
    : toolCallsOf(message).reduce(
        (sum, call) => sum + PER_MESSAGE + estimateTokens(call.name + JSON.stringify(call.input)),
        0,
      );
