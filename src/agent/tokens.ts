import { type Message, type ModelRequest, textOf, toolCallsOf } from '../model/model.js';
import { estimateTokens } from '../model/tokens.js';

/**
 * Keeps the start and the end of a text that is too long, with a line between them that counts what
 * is missing and says how to see it. The result takes at most `maxTokens`, as estimated.
 */
export function cutText(text: string, maxTokens: number, seeMore = '') {
  const lines = text.split('\n');
  const totalLines = lines.length;
  // A token is at most a hundred or so characters of white space, so longer texts needn't be
  // estimated.
  if (text.length <= maxTokens * 100 && estimateTokens(text) <= maxTokens) {
    return { text, isCut: false, totalLines, shownLines: totalLines };
  }
  const noteTokens = estimateTokens(note(totalLines, totalLines, seeMore)) + 2;
  const available = maxTokens - noteTokens;
  if (available <= 0) {
    return { text: cutLine(text, maxTokens), isCut: true, totalLines, shownLines: 0 };
  }
  const head = takeLines(lines, Math.ceil(available * HEAD_SHARE));
  const rest = lines.slice(head.length);
  const tail = takeLines(rest.reverse(), Math.floor(available * (1 - HEAD_SHARE))).reverse();
  const shownLines = head.length + tail.length;
  // Not even the first line fits: it is one very long line.
  const start =
    head.length > 0 ? head : [cutLine(lines[0] ?? '', Math.ceil(available * HEAD_SHARE))];
  return {
    text: [...start, note(totalLines - shownLines, totalLines, seeMore), ...tail].join('\n'),
    isCut: true,
    totalLines,
    shownLines,
  };
}

/** The start of a line, in at most this many tokens. */
export function cutLine(line: string, maxTokens: number): string {
  let kept = line.slice(0, Math.max(0, maxTokens) * MAX_TOKEN);
  while (kept !== '' && estimateTokens(`${kept}…`) > maxTokens) {
    kept = kept.slice(0, Math.floor(kept.length * 0.8));
  }
  return kept === line ? line : `${kept}…`;
}

/** Errors are usually at the end, what they are about at the start. */
const HEAD_SHARE = 0.6;
const MAX_TOKEN = 8;

const note = (missing: number, total: number, seeMore: string): string =>
  `[… ${missing} of ${total} lines not shown${seeMore === '' ? '' : `; ${seeMore}`} …]`;

function takeLines(lines: readonly string[], maxTokens: number): string[] {
  const taken: string[] = [];
  let tokens = 0;
  for (const line of lines) {
    tokens += estimateTokens(line) + 1;
    if (tokens > maxTokens) break;
    taken.push(line);
  }
  return taken;
}

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
