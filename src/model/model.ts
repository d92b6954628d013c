/** The messages of a conversation: closed unions, discriminated by `role` and `type`. */

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** A call that the model asked for. `input` is parsed but not yet checked. */
export interface ToolCallBlock {
  readonly type: 'toolCall';
  /** Unique in the conversation, unlike the server's own ids. */
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly TextBlock[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: ReadonlyArray<TextBlock | ToolCallBlock>;
}

export interface ToolResultMessage {
  readonly role: 'toolResult';
  /** Echoed from the call it answers. */
  readonly toolCallId: string;
  readonly toolName: string;
  /** The call failed, and the model has to try something else. */
  readonly isError: boolean;
  /** What the model sees: short. */
  readonly content: readonly TextBlock[];
  /** What people see in the audit: diffs, durations, exit codes. Never sent to the model. */
  readonly details: Readonly<Record<string, unknown>>;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

export const textOf = (message: Message): string =>
  message.content.map(block => (block.type === 'text' ? block.text : '')).join('');

export const toolCallsOf = (message: AssistantMessage): ToolCallBlock[] =>
  message.content.filter(block => block.type === 'toolCall');

/** A JSON Schema in the server's subset: flat objects, string enums, no unions, no refs. */
type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export type ToolChoice = 'auto' | 'required' | 'none' | { readonly name: string };

/** One request. The caller has made sure that it fits the window. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly seed?: number;
  /** The `native` protocol. `toolChoice` is left out unless measured to help. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  /** The `guided` protocol: decoding is constrained to this schema. */
  readonly schema?: { readonly name: string; readonly schema: JsonSchema };
}

/** As the server sent it: the name may be invented, the arguments may not even be JSON. */
export interface RawToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Every way a request can end. Only the caller's own abort is thrown. */
export type ModelReply =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly isCut: boolean;
      readonly usage: Usage;
    }
  | {
      readonly kind: 'tool-calls';
      readonly calls: readonly RawToolCall[];
      readonly text: string;
      readonly usage: Usage;
    }
  | { readonly kind: ModelFailure; readonly message: string };

export type ModelFailure =
  /** The model declined (`content_filter`); an apology in plain text is an `answer`. */
  | 'refused'
  /** The guardrail refused the request. */
  | 'blocked'
  | 'overflow'
  | 'rate-limited'
  | 'busy'
  | 'loading'
  | 'unreachable'
  /** The connection broke after the request was sent: the server may be gone. */
  | 'died'
  | 'timed-out'
  /** An answer that isn't in the wire format. */
  | 'malformed'
  /** The server rejected the request: our bug, or a setting it doesn't support. */
  | 'rejected';

/** What is known about the server. */
export interface ModelFacts {
  readonly name: string;
  readonly baseUrl: string;
  /** apfel gets the `x_*` fields and the guided protocol; other servers may not support them. */
  readonly isApfel: boolean;
  readonly version: string | undefined;
  readonly contextWindow: number;
  /** Neither the server nor the user says how large it is. */
  readonly isWindowAssumed?: boolean;
  /** We started it, so it has no MCP tools. */
  readonly isOwn?: boolean;
}

/**
 * Whether the server may have MCP tools, which it runs by itself for requests without tools. It
 * doesn't report them; we only know for one that we started.
 */
export const mayRunTools = ({ isApfel, isOwn }: Pick<ModelFacts, 'isApfel' | 'isOwn'>): boolean =>
  isApfel && isOwn !== true;

export interface Model {
  /** Read it again for each question: the window can grow once the model is warm. */
  readonly facts: ModelFacts;
  /** Before the request is sent again, `mayRetry` is called. */
  ask(request: ModelRequest, signal: AbortSignal, mayRetry?: () => boolean): Promise<ModelReply>;
  /** Totals of the whole run. A retry is a request too. */
  usage(): ModelTotals;
  close(): Promise<void>;
}

/** The result of looking for a model. The reason is one line for people, with the next step. */
export type FoundModel =
  | { readonly available: true; readonly model: Model }
  | { readonly available: false; readonly reason: string };

/** Totals of a model that wasn't asked. */
export const NOTHING_USED: ModelTotals = {
  requests: 0,
  retries: 0,
  refusals: 0,
  promptTokens: 0,
  completionTokens: 0,
};

export interface ModelTotals {
  readonly requests: number;
  readonly retries: number;
  readonly refusals: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}
