import { oneLine } from '../platform/safe-text.js';
import { countIn, field, textIn } from './address.js';
import type { ModelReply, RawToolCall, Usage } from './model.js';

/** The body of a 200 as a reply; every field is checked. */
export function readCompletion(body: unknown): ModelReply {
  const choices = field(body, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = field(choice, 'message');
  if (typeof message !== 'object' || message === null) {
    return { kind: 'malformed', message: 'the server answered 200 with no message in it' };
  }
  // Undefined means no text at all, which is different from an empty one.
  const whole = textIn(message, 'content');
  const refusal = textIn(message, 'refusal') ?? '';
  const finish = textIn(choice, 'finish_reason');
  const usage = readUsage(field(body, 'usage'));
  const text = whole?.slice(answerStart(whole));
  const calls = readCalls(field(message, 'tool_calls'));
  const size = Math.max(text?.length ?? 0, ...calls.map(call => call.arguments.length));
  if (size > LONGEST_TEXT) {
    const problem = `${size} characters, and no more than ${LONGEST_TEXT} are read`;
    return { kind: 'malformed', message: `the reply is too large: ${problem}` };
  }
  if (finish === 'content_filter' || (refusal !== '' && !text && calls.length === 0)) {
    return { kind: 'refused', message: oneLine(refusal) || 'the model declined to answer' };
  }
  if (calls.length > 0) return { kind: 'tool-calls', calls, text: text ?? '', usage };
  const isThought = text === '' && whole !== '';
  const isCut = finish === 'length' || isThought;
  if (text !== undefined || isCut) return { kind: 'answer', text: text ?? '', isCut, usage };
  return { kind: 'malformed', message: 'the message has neither text nor a tool call' };
}

/** A full window of tokens has fewer characters; whatever is longer isn't parsed. */
const LONGEST_TEXT = 64 * 1024;
/** The first is carried out; the others get an error that says so. */
const MAX_CALLS = 8;

const THOUGHT = ['<think>', '</think>'] as const;

/**
 * On some servers a reasoning model puts its thoughts before its answer, in tags, the first of
 * which may be in the prompt. A thought can look like an answer, but isn't one.
 */
function answerStart(text: string): number {
  const start = text.trimStart();
  const end = text.indexOf(THOUGHT[1]);
  if (end === -1) return start.startsWith(THOUGHT[0]) ? text.length : 0;
  // A tag inside a JSON answer is a quote.
  return start.startsWith('{') || start.startsWith('[') ? 0 : end + THOUGHT[1].length;
}

/** Calls that have at least a name; the rest is checked later. */
function readCalls(list: unknown): RawToolCall[] {
  if (!Array.isArray(list)) return [];
  const calls = list.flatMap((entry: unknown) => {
    const called = field(entry, 'function');
    const name = textIn(called, 'name');
    if (name === undefined) return [];
    const given = field(called, 'arguments');
    // By the standard a string; some servers send the object itself.
    const text = typeof given === 'string' ? given : JSON.stringify(given ?? {});
    return [{ id: textIn(entry, 'id') ?? '', name, arguments: text }];
  });
  return calls.slice(0, MAX_CALLS);
}

/** Zero means "not reported". */
const readUsage = (usage: unknown): Usage => ({
  promptTokens: countIn(usage, 'prompt_tokens'),
  completionTokens: countIn(usage, 'completion_tokens'),
});
