import { oneLine } from '../platform/safe-text.js';
import { countIn, field, textIn } from './address.js';
import type { ModelReply, RawToolCall, Usage } from './model.js';

/** A finished completion as its parts arrived, streamed or in one piece. */
interface ReplyParts {
  /** Undefined when there was none at all, which is not the same as an empty text. */
  readonly text: string | undefined;
  readonly refusal: string;
  readonly calls: readonly RawToolCall[];
  readonly finish: string | undefined;
  readonly usage: Usage;
}

/** The body of a 200 as a reply; every field is checked. */
export function readCompletion(body: unknown): ModelReply {
  const choices = field(body, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = field(choice, 'message');
  if (typeof message !== 'object' || message === null) {
    return { kind: 'malformed', message: 'the server answered 200 with no message in it' };
  }
  return replyOf({
    text: textIn(message, 'content'),
    refusal: textIn(message, 'refusal') ?? '',
    calls: readCalls(field(message, 'tool_calls')),
    finish: textIn(choice, 'finish_reason'),
    usage: readUsage(field(body, 'usage')),
  });
}

/** A full window of tokens has fewer characters; whatever is longer isn't read, let alone parsed. */
const LONGEST_TEXT = 64 * 1024;
/** The first is carried out, the others get an error that says so. */
const MOST_CALLS = 8;

function replyOf(parts: ReplyParts): ModelReply {
  const { usage } = parts;
  const answer = parts.text?.slice(answerStart(parts.text));
  const text = answer?.slice(0, LONGEST_TEXT);
  const calls = parts.calls
    .slice(0, MOST_CALLS)
    .map(call => ({ ...call, arguments: call.arguments.slice(0, LONGEST_TEXT) }));
  if (parts.finish === 'content_filter' || (parts.refusal !== '' && !text && calls.length === 0)) {
    return { kind: 'refused', message: oneLine(parts.refusal) || 'the model declined to answer' };
  }
  if (calls.length > 0) return { kind: 'tool-calls', calls, text: text ?? '', usage };
  const isThought = answer === '' && parts.text !== '';
  const isCut = parts.finish === 'length' || (answer?.length ?? 0) > LONGEST_TEXT || isThought;
  if (text !== undefined || isCut) return { kind: 'answer', text: text ?? '', isCut, usage };
  return { kind: 'malformed', message: 'the message has neither text nor a tool call' };
}

const THOUGHT = ['<think>', '</think>'] as const;

/**
 * Behind some servers a reasoning model thinks in front of its answer, in tags, the first of which
 * may be in the prompt. A thought can look like an answer, and isn't one.
 */
function answerStart(text: string): number {
  const start = text.trimStart();
  const end = text.indexOf(THOUGHT[1]);
  if (end === -1) return start.startsWith(THOUGHT[0]) ? text.length : 0;
  // A tag inside of a JSON answer is a quote.
  return start.startsWith('{') || start.startsWith('[') ? 0 : end + THOUGHT[1].length;
}

/** Calls that have at least a name; the rest is checked later. */
function readCalls(list: unknown): RawToolCall[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    const called = field(entry, 'function');
    const name = textIn(called, 'name');
    if (name === undefined) return [];
    const given = field(called, 'arguments');
    // By the standard a string; some servers send the object itself.
    const text = typeof given === 'string' ? given : JSON.stringify(given ?? {});
    return [{ id: textIn(entry, 'id') ?? '', name, arguments: text }];
  });
}

/** Zero means "not reported". */
const readUsage = (usage: unknown): Usage => ({
  promptTokens: countIn(usage, 'prompt_tokens'),
  completionTokens: countIn(usage, 'completion_tokens'),
});

/**
 * Reads a streamed completion to its end and shows text as it comes. The package throws an error
 * inside the stream like any other. A missing `[DONE]` doesn't matter once there is a finish reason;
 * without one the server died.
 */
export async function readStream(
  chunks: AsyncIterable<unknown>,
  show: (delta: string) => void,
): Promise<ModelReply> {
  const output = holdBackCalls(show);
  const calls: RawToolCall[] = [];
  // An empty reply is a stream without text.
  let text = '';
  let refusal = '';
  let finish: string | undefined;
  let usage: Usage = { promptTokens: 0, completionTokens: 0 };
  for await (const chunk of chunks) {
    const counted = field(chunk, 'usage');
    if (counted !== undefined && counted !== null) usage = readUsage(counted);
    const choices = field(chunk, 'choices');
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    const delta = field(choice, 'delta');
    const piece = textIn(delta, 'content');
    if (piece !== undefined) {
      text += piece;
      output.add(piece);
    }
    refusal += textIn(delta, 'refusal') ?? '';
    addCalls(calls, field(delta, 'tool_calls'));
    finish = textIn(choice, 'finish_reason') ?? finish;
  }
  if (finish === undefined) {
    return { kind: 'died', message: 'the stream ended before the reply was finished' };
  }
  const reply = replyOf({ text, refusal, calls, finish, usage });
  if (reply.kind === 'answer') output.release();
  return reply;
}

/** apfel sends a call whole; elsewhere its arguments come in pieces that carry no name. */
function addCalls(calls: RawToolCall[], list: unknown): void {
  for (const entry of Array.isArray(list) ? list : []) {
    const [whole] = readCalls([entry]);
    const last = calls.at(-1);
    const piece = textIn(field(entry, 'function'), 'arguments');
    if (whole !== undefined) calls.push(whole);
    else if (last !== undefined && piece !== undefined) {
      calls[calls.length - 1] = { ...last, arguments: last.arguments + piece };
    }
  }
}

/**
 * apfel streams a tool call written as text before it detects it. Text that may be the start of one
 * isn't shown until the reply turns out to be plain text, and a thought never is.
 */
function holdBackCalls(show: (delta: string) => void) {
  let seen = '';
  let shown = 0;
  const showUpTo = (end: number): void => {
    if (end > shown) show(seen.slice(shown, end));
    shown = Math.max(shown, end);
  };
  return {
    add(piece: string): void {
      seen += piece;
      if (THOUGHT[0].startsWith(seen.trimStart())) return;
      shown = Math.max(shown, answerStart(seen));
      showUpTo(safeLength(seen, shown));
    },
    release: () => showUpTo(seen.length),
  };
}

const CALL_KEY = '"tool_calls"';
/** The most white space between the brace and the key. */
const LONGEST_GAP = 64;

/** How much of the text cannot be the beginning of a tool call. */
function safeLength(text: string, from: number): number {
  for (let brace = text.indexOf('{', from); brace !== -1; brace = text.indexOf('{', brace + 1)) {
    const inside = text.slice(brace + 1, brace + 1 + LONGEST_GAP + CALL_KEY.length).trimStart();
    if (inside.startsWith(CALL_KEY) || CALL_KEY.startsWith(inside)) return brace;
  }
  return text.length;
}
