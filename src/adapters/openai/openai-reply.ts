import type { Usage } from '../../core/message.js';
import type { ModelReply, RawToolCall } from '../../core/model.js';
import { countIn, field, textIn } from './openai-fields.js';
import { oneLine } from './openai-one-line.js';

/** A finished completion as its parts arrived, streamed or in one piece. */
export interface ReplyParts {
  /** Undefined when there was none at all, which is not the same as an empty text. */
  readonly text: string | undefined;
  readonly refusal: string;
  readonly calls: readonly RawToolCall[];
  readonly finish: string | undefined;
  readonly usage: Usage;
}

/** The body of a 200 as one of the closed kinds; never believed, always looked at. */
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

export function replyOf(parts: ReplyParts): ModelReply {
  const { text, calls, usage } = parts;
  if (parts.finish === 'content_filter' || (parts.refusal !== '' && !text && calls.length === 0)) {
    return { kind: 'refused', message: oneLine(parts.refusal) || 'the model declined to answer' };
  }
  if (calls.length > 0) return { kind: 'tool-calls', calls, text: text ?? '', usage };
  const isCut = parts.finish === 'length';
  if (text !== undefined || isCut) return { kind: 'answer', text: text ?? '', isCut, usage };
  return { kind: 'malformed', message: 'the message has neither text nor a tool call' };
}

/** Calls that have at least a name; everything else about them is for others to judge. */
export function readCalls(list: unknown): RawToolCall[] {
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

/** Zero stands for "not told". */
export const readUsage = (usage: unknown): Usage => ({
  promptTokens: countIn(usage, 'prompt_tokens'),
  completionTokens: countIn(usage, 'completion_tokens'),
});
