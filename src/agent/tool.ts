import type { ToolDefinition } from '../core/model.js';

/** One thing the model may ask for. What it says about itself is all the model knows of it. */
export interface Tool {
  readonly name: string;
  /** For the model: what it does, when to use it, what it does not do. */
  readonly description: string;
  readonly parameters: Parameters;
  /** Shown to the model, in its instructions and when it gets the parameters wrong. */
  readonly example: Readonly<Record<string, string | number | boolean>>;
  /** After it, what was read before may be out of date. */
  readonly changesFiles?: boolean;
  /** `input` has been checked against `parameters`. A failure is an outcome, not an exception. */
  run(input: ToolInput, context: ToolContext): Promise<ToolOutcome>;
}

/** A flat JSON schema: the model fills in one level of scalars, if that. */
export interface Parameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Parameter>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export interface Parameter {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly description: string;
  readonly enum?: readonly string[];
  /** Arrays have no bound under constrained decoding: no tool of ours takes one. */
  readonly items?: { readonly type: 'string' };
}

export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolContext {
  /** What the result may cost. A tool that pages does better than the cut that follows. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

export interface ToolOutcome {
  readonly isError: boolean;
  /** For the model: short, counted, and with the next step. Begins `error: ` when it failed. */
  readonly text: string;
  /** For people: whatever helps an audit. Never sent to the model. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Set by `finish` alone: the model considers the task done. */
  readonly answer?: string;
}

export const parameters = (
  properties: Readonly<Record<string, Parameter>>,
  required: readonly string[] = Object.keys(properties),
): Parameters => ({ type: 'object', properties, required, additionalProperties: false });

export const succeeded = (text: string, details: ToolOutcome['details'] = {}): ToolOutcome => ({
  isError: false,
  text,
  details,
});

export const failed = (text: string, details: ToolOutcome['details'] = {}): ToolOutcome => ({
  isError: true,
  text: `error: ${text}`,
  details,
});

export const definitionOf = (tool: Tool): ToolDefinition => ({
  name: tool.name,
  description: tool.description,
  parameters: { ...tool.parameters },
});

export const stringOf = (input: ToolInput, name: string): string => {
  const value = input[name];
  return typeof value === 'string' ? value : '';
};

export const integerOf = (input: ToolInput, name: string): number | undefined => {
  const value = input[name];
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
};
