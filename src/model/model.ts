/** The conversation as both sides know it: closed unions, told apart by `role` and `type`. */

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** What the model asked for. `input` is what it sent, parsed but not yet checked. */
export interface ToolCallBlock {
  readonly type: 'toolCall';
  /** Ours, unique in the conversation; the server's own ids repeat. */
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

type StopReason = 'stop' | 'toolUse' | 'length' | 'error' | 'aborted';

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
  readonly stopReason: StopReason;
  readonly model: string;
  readonly usage: Usage;
}

export interface ToolResultMessage {
  readonly role: 'toolResult';
  /** Echoed from the call it answers. */
  readonly toolCallId: string;
  readonly toolName: string;
  /** Tells the model that this call failed and another way is needed. */
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
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export type ToolChoice = 'auto' | 'required' | 'none' | { readonly name: string };

/** One request. Code, not the server, has made sure that it fits the window. */
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
  /** Shown text as it arrives; only for long plain answers. */
  readonly onText?: (delta: string) => void;
}

/** As the server sent it: the name may be invented, the arguments may not even be JSON. */
export interface RawToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Every way a request can end. Nothing is thrown at the caller but its own abort. */
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
  /** An answer that no rule of the wire format explains. */
  | 'malformed'
  /** The server refused the request as wrong: a bug of ours or a setting it does not know. */
  | 'rejected';

/** What is known of the server at the start of a run. */
export interface ModelFacts {
  readonly name: string;
  readonly baseUrl: string;
  /** apfel gets the `x_*` fields and the guided protocol; others may not know them. */
  readonly isApfel: boolean;
  readonly version: string | undefined;
  readonly contextWindow: number;
}

export interface Model {
  /** Read it anew for each question: the window can grow once the model is warm. */
  readonly facts: ModelFacts;
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /** Counted over the whole run: what was asked, retried and paid. A retry is a request too. */
  usage(): ModelTotals;
  close(): Promise<void>;
}

/** How looking for a model ends. The reason is one line for people, with the next step. */
export type FoundModel =
  | { readonly available: true; readonly model: Model }
  | { readonly available: false; readonly reason: string };

export interface ModelTotals {
  readonly requests: number;
  readonly retries: number;
  readonly refusals: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}
