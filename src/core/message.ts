/** The conversation as both sides know it: closed unions, told apart by `role` and `type`. */

export interface TextBlock {
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

export type StopReason = 'stop' | 'toolUse' | 'length' | 'error' | 'aborted';

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
