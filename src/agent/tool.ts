import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { nearest } from '../core/nearest.js';
import type { ToolDefinition } from '../model/model.js';
import { cutText } from './tokens.js';

/** A tool that the model can call. Its description is all that the model knows of it. */
export interface Tool {
  readonly name: string;
  /** For the model: what it does, when to use it, what it doesn't do. */
  readonly description: string;
  readonly parameters: Parameters;
  /** Shown to the model in the instructions, and when it gets the parameters wrong. */
  readonly example: Readonly<Record<string, string | number | boolean>>;
  /** `input` has been validated against `parameters`. A failure is a result, not an exception. */
  run(input: ToolInput, context: ToolContext): Promise<ToolOutcome>;
}

/** A flat JSON schema: a small model manages one level of scalars at most. */
interface Parameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Parameter>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export interface Parameter {
  /** Arrays are unbounded under constrained decoding, so no tool takes one. */
  readonly type: 'string' | 'integer';
  readonly description: string;
}

export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolContext {
  /** The most tokens of a result. A tool that pages does better than having its result cut. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

export interface ToolOutcome {
  readonly isError: boolean;
  /** For the model: short, with counts and the next step. Begins with `error: ` if it failed. */
  readonly text: string;
  /** For people: details for an audit. Never sent to the model. */
  readonly details: Readonly<Record<string, unknown>>;
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

const definitionOf = (tool: Tool): ToolDefinition => ({
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

/** A small model chooses badly among many: a turn offers at most five tools. */
const MAX_TOOLS = 5;

/** The tools of one task. Definitions are derived from them, so that the two can't differ. */
export function registry(tools: readonly Tool[]) {
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  if (byName.size !== tools.length) throw new Error('two tools have the same name');
  if (tools.length > MAX_TOOLS) throw new Error(`more than ${MAX_TOOLS} tools are offered`);
  return {
    tools,
    names: tools.map(tool => tool.name),
    definitions: tools.map(definitionOf),
    find: (name: string): Tool | undefined => byName.get(name),
  };
}

export type Registry = Readonly<ReturnType<typeof registry>>;

/** The tool that a call is for, or what is wrong with the call, in words the model can act on. */
export async function checkCall(
  { name, input, problem }: { name: string; input: unknown; problem?: string },
  tools: Registry,
): Promise<{ readonly tool: Tool } | { readonly problem: string }> {
  const tool = tools.find(name);
  if (tool === undefined) return { problem: unknownTool(name, tools) };
  if (problem !== undefined) {
    return { problem: `${tool.name}: ${problem}. Example: ${exampleOf(tool)}` };
  }
  const found = await checkInput(tool, input);
  return found === undefined ? { tool } : { problem: found };
}

/** Runs a validated call and limits its result. Never throws: every failure is a result. */
export async function runTool(
  tool: Tool,
  input: ToolInput,
  context: ToolContext,
): Promise<ToolOutcome> {
  const outcome = await runSafely(tool, input, context);
  const { text, isCut } = cutText(outcome.text, context.maxTokens, 'ask for less');
  return isCut ? { ...outcome, text } : outcome;
}

function unknownTool(given: string, tools: Registry): string {
  const name = given.slice(0, MAX_NAME);
  const meant = nearest(name, tools.names);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const example = tools.find(meant ?? '') ?? tools.tools[0];
  const shown = example === undefined ? '' : ` Example: ${exampleOf(example)}`;
  return `there is no tool "${name}". Use one of: ${tools.names.join(', ')}.${hint}${shown}`;
}

const MAX_NAME = 60;

async function runSafely(tool: Tool, input: ToolInput, context: ToolContext): Promise<ToolOutcome> {
  try {
    return await tool.run(input, context);
  } catch (thrown) {
    if (context.signal.aborted) return failed(`${tool.name} was stopped`);
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return failed(`${tool.name} failed: ${message.slice(0, 200)}. Try another way.`, {
      thrown: thrown instanceof Error ? (thrown.stack ?? message) : message,
    });
  }
}

/** What is wrong with the arguments, in words the model can act on; undefined if nothing is. */
async function checkInput(tool: Tool, input: unknown): Promise<string | undefined> {
  const validate = await validatorOf(tool);
  if (validate(input)) return undefined;
  const problems = (validate.errors ?? []).map(error => describe(tool, error));
  return `${tool.name}: ${[...new Set(problems)].join('; ')}. Example: ${exampleOf(tool)}`;
}

export const exampleOf = (tool: Tool): string => `${tool.name} ${JSON.stringify(tool.example)}`;

/** Loaded with the first call: a review with cached answers makes none. */
let ajv: Ajv | undefined;
const validators = new Map<string, ValidateFunction>();

/** Compiling takes longer than a hundred calls, and every conversation creates its tools again. */
async function validatorOf({ parameters }: Tool): Promise<ValidateFunction> {
  const key = JSON.stringify(parameters);
  const known = validators.get(key);
  if (known !== undefined) return known;
  ajv ??= new (await import('ajv')).Ajv({ allErrors: true, strict: false });
  const made = ajv.compile(parameters);
  validators.set(key, made);
  return made;
}

function describe(tool: Tool, error: ErrorObject): string {
  const name = error.instancePath.split('/')[1] ?? '';
  switch (error.keyword) {
    case 'required': {
      const missing = String(error.params['missingProperty']);
      const parameter = tool.parameters.properties[missing];
      return `"${missing}" is missing (${parameter?.type}: ${parameter?.description})`;
    }
    case 'additionalProperties':
      return `there is no "${String(error.params['additionalProperty'])}"`;
    case 'type':
      return name === '' ? 'the arguments must be an object' : typeProblem(tool, name);
    default:
      return `"${name}" ${error.message ?? 'is not allowed'}`;
  }
}

const typeProblem = (tool: Tool, name: string): string => {
  const type = tool.parameters.properties[name]?.type;
  return `"${name}" must be ${type === 'integer' ? 'an' : 'a'} ${type}`;
};
