import type { RepairType } from './repair-type.js';
import type { Parameter, Tool } from './tool.js';

export interface RepairedValues {
  readonly input: Readonly<Record<string, unknown>>;
  readonly repairs: readonly RepairType[];
}

/** Brings each value to its parameter's type where that is the same value written differently. */
export function repairValues(tool: Tool, said: Readonly<Record<string, unknown>>): RepairedValues {
  const repairs: RepairType[] = [];
  const entries: Array<[string, unknown]> = [];
  for (const [name, value] of Object.entries(said)) {
    const parameter = tool.parameters.properties[name];
    if (isUnset(tool, name, value)) continue;
    const { repaired, repair } = repairValue(value, parameter);
    if (repair !== undefined) repairs.push(repair);
    entries.push([name, repaired]);
  }
  return { input: Object.fromEntries(entries), repairs };
}

/** How a model says "not given": null anywhere, nothing or zero for what may be left out. */
function isUnset(tool: Tool, name: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (tool.parameters.required.includes(name)) return false;
  return value === '' || (value === 0 && tool.parameters.properties[name]?.type === 'integer');
}

function repairValue(
  value: unknown,
  parameter: Parameter | undefined,
): { repaired: unknown; repair?: RepairType } {
  if (parameter === undefined) return { repaired: value };
  if (parameter.type !== 'array' && Array.isArray(value) && value.length === 1) {
    return { ...repairValue(value[0], parameter), repair: 'value-unwrapped' };
  }
  const changed = changeType(value, parameter);
  return changed === undefined
    ? { repaired: value }
    : { repaired: changed, repair: 'type-changed' };
}

/** Undefined when the value is right as it is, or cannot be put right without guessing. */
function changeType(value: unknown, parameter: Parameter): unknown {
  if (parameter.enum !== undefined && typeof value === 'string') {
    const meant = value.trim().toLowerCase();
    return parameter.enum.includes(value)
      ? undefined
      : parameter.enum.find(choice => choice.toLowerCase() === meant);
  }
  switch (parameter.type) {
    case 'integer':
    case 'number':
      return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : undefined;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : undefined;
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
    case 'array':
      return typeof value === 'string' ? [value] : undefined;
    default: {
      const never: never = parameter.type;
      return never;
    }
  }
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
