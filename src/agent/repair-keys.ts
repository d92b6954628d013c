import { isNoise, parametersMeant } from './known-words.js';
import { bare } from './nearest-name.js';
import type { RepairType } from './repair-type.js';
import type { Parameter, Tool } from './tool.js';

export interface RepairedKeys {
  readonly input: Readonly<Record<string, unknown>>;
  readonly repairs: readonly RepairType[];
  /** Keys that were left out, for the error message should something be missing. */
  readonly dropped: readonly string[];
}

/**
 * Brings the keys of a call to those of the tool: spelling, then known words, then the one key left
 * for the one parameter missing. Two keys for one parameter are a question, not a repair: both are
 * left out and the check that follows says what is missing.
 */
export function repairKeys(tool: Tool, said: Readonly<Record<string, unknown>>): RepairedKeys {
  const properties = tool.parameters.properties;
  const input = pick(said, key => Object.hasOwn(properties, key));
  let unknown = Object.keys(said).filter(key => !Object.hasOwn(properties, key));
  const repairs: RepairType[] = [];
  const take = (name: string, keys: readonly string[]): void => {
    const [key] = keys;
    if (key === undefined || !agree(keys, said)) return;
    input[name] = said[key];
    unknown = unknown.filter(other => !keys.includes(other));
    repairs.push('key-renamed');
  };
  const missing = (): string[] => Object.keys(properties).filter(name => !(name in input));
  for (const name of missing())
    take(
      name,
      unknown.filter(key => bare(stripOrder(key)) === bare(name)),
    );
  for (const name of missing())
    take(
      name,
      unknown.filter(key => isWithin(name, key, missing())),
    );
  for (const name of missing())
    take(
      name,
      unknown.filter(key => meansOnly(key, name, missing())),
    );
  const needed = tool.parameters.required.filter(name => !(name in input));
  const free = unknown.filter(key => !isNoise(key));
  const [name] = needed;
  const [key] = free;
  if (name !== undefined && key !== undefined && needed.length === 1 && free.length === 1) {
    if (isCompatible(said[key], properties[name])) take(name, free);
  }
  if (unknown.length > 0) repairs.push('key-dropped');
  return { input, repairs, dropped: unknown };
}

/** `c_path` is `path` with the prefix that orders the keys of the guided protocol. */
export const stripOrder = (key: string): string => key.replace(/^[a-z]_(?=.)/, '');

function pick(
  from: Readonly<Record<string, unknown>>,
  wanted: (key: string) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => wanted(key)));
}

/** `path_name` and `target_path` are about the path, and about nothing else that is missing. */
function isWithin(name: string, key: string, candidates: readonly string[]): boolean {
  const holds = (other: string): boolean =>
    bare(other).length > 2 &&
    (bare(key).startsWith(bare(other)) || bare(key).endsWith(bare(other)));
  return holds(name) && candidates.filter(holds).length === 1;
}

const meansOnly = (key: string, name: string, candidates: readonly string[]): boolean => {
  const meant = parametersMeant(stripOrder(key), candidates);
  return meant.length === 1 && meant[0] === name;
};

const agree = (keys: readonly string[], said: Readonly<Record<string, unknown>>): boolean =>
  new Set(keys.map(key => JSON.stringify(said[key]))).size === 1;

function isCompatible(value: unknown, parameter: Parameter | undefined): boolean {
  if (parameter?.enum !== undefined) return parameter.enum.includes(String(value));
  switch (parameter?.type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    default:
      return false;
  }
}
