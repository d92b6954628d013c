import { exampleOf } from './check-input.js';
import { toolsMeant } from './known-words.js';
import { nearestName } from './nearest-name.js';
import type { Registry } from './registry.js';
import { mendJson } from './repair-json.js';
import { repairKeys } from './repair-keys.js';
import type { RepairType } from './repair-type.js';
import { repairValues } from './repair-values.js';
import type { Tool } from './tool.js';

/** A call as the model said it. Arguments may be an object, JSON in a string, or neither. */
export interface SaidCall {
  readonly name: string;
  readonly arguments: unknown;
}

export interface RepairedCall {
  readonly name: string;
  readonly input: unknown;
  readonly repairs: readonly RepairType[];
  /** Keys that no parameter could be found for. */
  readonly dropped: readonly string[];
  /** Why it must not be carried out, for the model; the checks of the call itself come later. */
  readonly problem?: string;
}

/**
 * Reads a call as it was meant where there is one thing it can mean. Anything else stays as it was
 * said, and the check that follows answers with an error the model can act on.
 */
export function repairCall(said: SaidCall, tools: Registry): RepairedCall {
  const name = toolName(said.name, tools);
  const tool = name === undefined ? undefined : tools.find(name);
  const repairs: RepairType[] = tool !== undefined && name !== said.name ? ['tool-renamed'] : [];
  const read = readArguments(said.arguments, tool);
  repairs.push(...read.repairs);
  if (tool === undefined) return { name: said.name, input: read.input, repairs, dropped: [] };
  if (read.problem !== undefined) {
    const problem = `${tool.name}: ${read.problem}. Example: ${exampleOf(tool)}`;
    return { name: tool.name, input: read.input, repairs, dropped: [], problem };
  }
  const keys = repairKeys(tool, read.input);
  const values = repairValues(tool, keys.input);
  return {
    name: tool.name,
    input: values.input,
    repairs: [...repairs, ...keys.repairs, ...values.repairs],
    dropped: keys.dropped,
  };
}

/** The offered tool that a name stands for; undefined when it could be none or several. */
export function toolName(said: string, tools: Registry): string | undefined {
  if (tools.find(said) !== undefined) return said;
  const near = nearestName(said, tools.names);
  if (near !== undefined) return near;
  const meant = toolsMeant(said, tools.names);
  return meant.length === 1 ? meant[0] : undefined;
}

interface ReadArguments {
  readonly input: Readonly<Record<string, unknown>>;
  readonly repairs: readonly RepairType[];
  readonly problem?: string;
}

function readArguments(said: unknown, tool: Tool | undefined): ReadArguments {
  if (said === undefined || said === null || said === '') return { input: {}, repairs: [] };
  if (typeof said === 'string') return readText(said, tool);
  if (Array.isArray(said) && said.length === 1) {
    const inner = readArguments(said[0], tool);
    return { ...inner, repairs: ['value-unwrapped', ...inner.repairs] };
  }
  if (!isRecord(said)) return unreadable('the arguments must be one JSON object');
  return unwrapValue(said, tool);
}

function readText(said: string, tool: Tool | undefined): ReadArguments {
  const mended = mendJson(said);
  if (mended?.isCut === true) return unreadable('the arguments were cut off; make them shorter');
  if (mended !== undefined && isRecord(mended.value)) {
    const inner = unwrapValue(mended.value, tool);
    return mended.isMended ? { ...inner, repairs: ['json-mended', ...inner.repairs] } : inner;
  }
  // A string inside a string, or bare words for a tool with one parameter.
  const quoted = unquote(said);
  if (quoted !== undefined && quoted !== said) {
    const inner = readText(quoted, tool);
    return { ...inner, repairs: ['value-unwrapped', ...inner.repairs] };
  }
  return unreadable('the arguments are not JSON; send one JSON object');
}

/** `{"value": …}` is what the server makes of arguments that are no object. */
function unwrapValue(
  said: Readonly<Record<string, unknown>>,
  tool: Tool | undefined,
): ReadArguments {
  const isWrapped = Object.keys(said).length === 1 && 'value' in said;
  if (!isWrapped || (tool !== undefined && 'value' in tool.parameters.properties)) {
    return { input: said, repairs: [] };
  }
  const value = said['value'];
  const inner = typeof value === 'string' ? mendJson(value) : { value, isCut: false };
  if (inner === undefined || inner.isCut || !isRecord(inner.value))
    return { input: said, repairs: [] };
  return { input: inner.value, repairs: ['value-unwrapped'] };
}

const unreadable = (problem: string): ReadArguments => ({ input: {}, repairs: [], problem });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unquote(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Not a quoted string: there is nothing to take off.
    return undefined;
  }
}
