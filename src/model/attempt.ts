import type OpenAI from 'openai';
import type { HttpOptions } from './loopback-http.js';
import {
  type AssistantMessage,
  type Message,
  type ModelFacts,
  type ModelReply,
  type ModelRequest,
  mayRunTools,
  type ToolCallBlock,
  type ToolChoice,
  textOf,
  toolCallsOf,
} from './model.js';
import { failureOf, readCompletion } from './reply.js';

interface Attempt {
  readonly connection: Connection;
  readonly request: ModelRequest;
  readonly facts: ModelFacts;
  readonly timeoutMs: number;
  /** The caller's; its abort reason is the only thing thrown. */
  readonly signal: AbortSignal;
  /** Aborted when the model is closed. */
  readonly closing: AbortSignal;
}

/**
 * Sends one request, once. Ends with the reply, the timeout or an abort, whichever comes first,
 * whatever the socket does, and closes the connection.
 */
export function attempt(task: Attempt): Promise<ModelReply> {
  if (task.closing.aborted) return Promise.resolve(CLOSED);
  const wire = new AbortController();
  return new Promise<ModelReply>((resolve, reject) => {
    const finish = (end: () => void): void => {
      clearTimeout(timer);
      task.signal.removeEventListener('abort', giveUp);
      task.closing.removeEventListener('abort', close);
      end();
      wire.abort();
    };
    const giveUp = () => finish(() => reject(task.signal.reason));
    const close = () => finish(() => resolve(CLOSED));
    const timer = setTimeout(() => finish(() => resolve(timedOut(task))), task.timeoutMs);
    task.signal.addEventListener('abort', giveUp, { once: true });
    task.closing.addEventListener('abort', close, { once: true });
    exchange(task, wire.signal).then(
      reply => finish(() => resolve(withoutKey(reply, task))),
      thrown => finish(() => resolve(withoutKey(failureOf(thrown), task))),
    );
  });
}

const CLOSED: ModelReply = { kind: 'unreachable', message: 'the model has been closed' };

const timedOut = (task: Attempt): ModelReply => ({
  kind: 'timed-out',
  message: `no reply within ${Math.round(task.timeoutMs)} ms`,
});

async function exchange(task: Attempt, signal: AbortSignal): Promise<ModelReply> {
  const client = await task.connection.client();
  // Never as a stream: it has no status codes, and with tools or a schema it comes whole anyway.
  const body = chatBody(task.request, task.facts);
  return readCompletion(await client.chat.completions.create(body, { signal }));
}

/** Some servers quote the key they reject. */
function withoutKey(reply: ModelReply, task: Attempt): ModelReply {
  const key = task.connection.endpoint.apiKey;
  if (!('message' in reply) || key === undefined || key === '') return reply;
  return { kind: reply.kind, message: reply.message.replaceAll(key, '[key]') };
}

type ChatBody = OpenAI.ChatCompletionCreateParamsNonStreaming;
type ChatMessage = OpenAI.ChatCompletionMessageParam;

/** The request in the wire format. Optional fields are sent only when they are set. */
function chatBody(request: ModelRequest, facts: ModelFacts): ChatBody {
  return {
    model: facts.name,
    messages: [...systemMessage(request.system), ...request.messages.flatMap(chatMessages)],
    // Not `max_completion_tokens`: apfel 1.8.4 silently ignores that.
    max_tokens: request.maxTokens,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...toolFields(request, facts),
    ...schemaFields(request),
    ...(facts.isApfel ? apfelFields(request) : {}),
  };
}

/** apfel reads only the first system message. */
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
      // Without `name` apfel calls every tool "tool"; the package's types lack the field.
      return [Object.assign(answer, { name: message.toolName })];
    }
  }
}

function assistantMessage(message: AssistantMessage): ChatMessage[] {
  const text = textOf(message);
  const calls = toolCallsOf(message);
  // An empty reply has nothing to echo.
  if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
  const content = text === '' ? null : text;
  return [{ role: 'assistant', content, tool_calls: calls.map(echoedCall) }];
}

const echoedCall = (call: ToolCallBlock): OpenAI.ChatCompletionMessageToolCall => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: argumentText(call.input) },
});

/** Always a JSON object: apfel drops a call whose arguments are anything else. */
function argumentText(input: unknown): string {
  if (input === undefined || input === null) return '{}';
  const isObject = typeof input === 'object' && !Array.isArray(input);
  return JSON.stringify(isObject ? input : { value: input });
}

function toolFields(request: ModelRequest, facts: ModelFacts): Partial<ChatBody> {
  if (request.tools === undefined || request.tools.length === 0) {
    return mayRunTools(facts) ? KEEPS_TOOLS_OUT : {};
  }
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

/**
 * apfel adds its MCP tools to a request without tools, runs what the model calls, and ignores the
 * schema. Sending one of our tools keeps them out, and `none` keeps ours out of the prompt.
 */
const KEEPS_TOOLS_OUT: Partial<ChatBody> = {
  tools: [{ type: 'function', function: { name: 'none' } }],
  tool_choice: 'none',
};

const toolChoice = (choice: ToolChoice): OpenAI.ChatCompletionToolChoiceOption =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };

function schemaFields(request: ModelRequest): Partial<ChatBody> {
  if (request.schema === undefined) return {};
  const { name, schema } = request.schema;
  const format = { name, schema: { ...schema }, strict: true };
  return { response_format: { type: 'json_schema', json_schema: format } };
}

/**
 * Without `strict`, apfel silently drops history that doesn't fit. The reserve is what the answer may
 * use, so that client and server agree on what fits.
 */
const apfelFields = (request: ModelRequest) => ({
  x_context_strategy: 'strict',
  x_context_output_reserve: request.maxTokens,
});

export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

export interface Connection {
  readonly endpoint: Endpoint;
  /** Loads the `openai` package the first time it is called. */
  client(): Promise<OpenAI>;
}

/** The longest a timer can run: `attempt` has the timeout that counts. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * A client without retries and logging, which ignores `OPENAI_*` variables: those are for another
 * service.
 */
export function connect(endpoint: Endpoint, options: HttpOptions): Connection {
  let client: Promise<OpenAI> | undefined;
  return {
    endpoint,
    client: () => {
      client ??= createClient(endpoint, options);
      return client;
    },
  };
}

async function createClient(endpoint: Endpoint, options: HttpOptions): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  const { openFetch } = await import('./loopback-http.js');
  return new OpenAI({
    baseURL: endpoint.baseUrl,
    // The package requires one even for a server that needs none.
    apiKey: endpoint.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    fetch: openFetch(options),
  });
}
