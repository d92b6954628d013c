import { type AssistantMessage, type Message, textOf, toolCallsOf } from '../model/model.js';
import { userMessage, withPrompt } from './fit-conversation.js';
import { describeTools, type Protocol } from './protocol.js';
import { understandReply } from './protocol-native.js';
import type { Registry } from './tool.js';

/**
 * For servers with neither schema nor tools: the format stands in the system text, and calls and
 * results are ordinary messages. The object is not the one that apfel looks for in answers, because
 * a scalar in the wrong place of that one ends the whole server (apfel issue 388).
 */
export const plainText: Protocol = {
  name: 'text',
  request: turn => ({
    system: `${turn.system}\n\n${describeTools(turn.tools)}\n${rules(turn.tools)}`,
    messages: withPrompt(turn.messages.map(asWords), turn.prompt),
    maxTokens: turn.maxTokens,
    seed: turn.seed,
  }),
  understand: understandReply,
};

function rules(tools: Registry): string {
  const first = tools.tools[0];
  const example = JSON.stringify({ action: first?.name, ...first?.example });
  return `To use a tool, reply ONLY with one JSON object: the tool in "action" and its parameters beside it. Example: ${example}`;
}

function asWords(message: Message): Message {
  if (message.role === 'toolResult') {
    return userMessage(`${textOf(message)}\n(result of ${message.toolName})`);
  }
  return message.role === 'assistant' ? callAsWords(message) : message;
}

function callAsWords(message: AssistantMessage): AssistantMessage {
  const said = toolCallsOf(message).map(call =>
    JSON.stringify({ action: call.name, ...asRecord(call.input) }),
  );
  if (said.length === 0) return message;
  return { ...message, content: [{ type: 'text', text: said.join('\n') }] };
}

const asRecord = (input: unknown): object =>
  typeof input === 'object' && input !== null ? input : {};
