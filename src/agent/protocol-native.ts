import { describeTools } from './describe-tools.js';
import { findCalls } from './find-calls.js';
import { withPrompt } from './prompt.js';
import type { Protocol, Understanding, WordedReply } from './protocol.js';
import type { Registry } from './registry.js';

/**
 * The server's own tool calls. `tool_choice` is left out: any value lowers the rate of calls. Nothing
 * of what comes back has been checked by the server.
 */
export const native: Protocol = {
  name: 'native',
  request: turn => ({
    system: `${turn.system}\n\n${describeTools(turn.tools)}\n${rules(turn.tools)}`,
    messages: withPrompt(turn.messages, turn.prompt),
    maxTokens: turn.maxTokens,
    seed: turn.seed,
    tools: turn.tools.definitions,
  }),
  understand: understandReply,
};

const rules = (tools: Registry): string =>
  tools.find('finish') === undefined
    ? `You MUST use the tools (${tools.names.join(', ')}) for what you do not know. Call one at a time.`
    : 'You MUST call exactly one of these tools in every reply. When the task is done, call finish.';

/** Also how the text protocol reads a reply: a call in the text, or else the text is the answer. */
export function understandReply(reply: WordedReply, tools: Registry): Understanding {
  if (reply.kind === 'tool-calls') {
    return { kind: 'calls', calls: reply.calls, repairs: [], reason: reply.text };
  }
  const text = reply.text.trim();
  if (text === '') return { kind: 'bad', problem: 'the reply was empty' };
  const found = findCalls(text, tools);
  if (found.kind === 'cut') return { kind: 'cut', text };
  if (found.kind === 'none') {
    return reply.isCut ? { kind: 'cut', text } : { kind: 'answer', text };
  }
  const repairs = found.isMended
    ? (['call-in-text', 'json-mended'] as const)
    : (['call-in-text'] as const);
  return { kind: 'calls', calls: found.calls, repairs, reason: '' };
}
