import type OpenAI from 'openai';
import type { AssistantMessage, Message, ToolCallBlock } from '../../core/message.js';
import { textOf, toolCallsOf } from '../../core/message.js';
import type { ModelFacts, ModelRequest, ToolChoice } from '../../core/model.js';

export type ChatBody = OpenAI.ChatCompletionCreateParamsNonStreaming;
type ChatMessage = OpenAI.ChatCompletionMessageParam;

/** Our request in the words of the wire. Nothing optional is sent that was not asked for. */
export function chatBody(request: ModelRequest, facts: ModelFacts): ChatBody {
  return {
    model: facts.name,
    messages: [...systemMessage(request.system), ...request.messages.flatMap(chatMessages)],
    // Not `max_completion_tokens`: apfel 1.8.4 ignores that one in silence.
    max_tokens: request.maxTokens,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...toolFields(request),
    ...schemaFields(request),
    ...(facts.isApfel ? apfelFields(request) : {}),
  };
}

/** apfel reads the first system message only, so there is never a second. */
const systemMessage = (system: string): ChatMessage[] =>
  system === '' ? [] : [{ role: 'system', content: system }];

function chatMessages(message: Message): ChatMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: textOf(message) }];
    case 'assistant':
      return assistantMessage(message);
    case 'toolResult': {
      const content = textOf(message);
      const answer = { role: 'tool' as const, tool_call_id: message.toolCallId, content };
      // Without `name` apfel calls every tool "tool"; the package's types do not know the field.
      return [Object.assign(answer, { name: message.toolName })];
    }
    default: {
      const never: never = message;
      return never;
    }
  }
}

function assistantMessage(message: AssistantMessage): ChatMessage[] {
  const text = textOf(message);
  const calls = toolCallsOf(message);
  // A reply that never came has nothing to echo.
  if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
  const content = text === '' ? null : text;
  return [{ role: 'assistant', content, tool_calls: calls.map(echoedCall) }];
}

const echoedCall = (call: ToolCallBlock): OpenAI.ChatCompletionMessageToolCall => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: argumentText(call.input) },
});

/** Always the text of an object: apfel drops a call whose arguments are anything else. */
function argumentText(input: unknown): string {
  if (input === undefined || input === null) return '{}';
  const isObject = typeof input === 'object' && !Array.isArray(input);
  return JSON.stringify(isObject ? input : { value: input });
}

function toolFields(request: ModelRequest): Partial<ChatBody> {
  if (request.tools === undefined || request.tools.length === 0) return {};
  return {
    tools: request.tools.map(tool => ({
      type: 'function',
      function: {
        name: tool.name,
        description: tool.description,
        parameters: { ...tool.parameters },
      },
    })),
    ...(request.toolChoice === undefined ? {} : { tool_choice: toolChoice(request.toolChoice) }),
  };
}

const toolChoice = (choice: ToolChoice): OpenAI.ChatCompletionToolChoiceOption =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };

function schemaFields(request: ModelRequest): Partial<ChatBody> {
  if (request.schema === undefined) return {};
  const { name, schema } = request.schema;
  const format = { name, schema: { ...schema }, strict: true };
  return { response_format: { type: 'json_schema', json_schema: format } };
}

/**
 * `strict`, or history that does not fit is dropped without a word; and the server holds back just
 * what the answer may take, so that its idea of "fits" is ours.
 */
const apfelFields = (request: ModelRequest) => ({
  x_context_strategy: 'strict',
  x_context_output_reserve: request.maxTokens,
});
