import type { ToolDefinition } from '../core/model.js';
import { definitionOf, type Tool } from './tool.js';

/** The tools of one task. Definitions are derived from them, so that the two cannot drift apart. */
export interface Registry {
  readonly tools: readonly Tool[];
  readonly names: readonly string[];
  readonly definitions: readonly ToolDefinition[];
  find(name: string): Tool | undefined;
}

/** A model this small chooses badly among many: the contract offers at most five actions a turn. */
const MOST_TOOLS = 5;

export function registry(tools: readonly Tool[]): Registry {
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  if (byName.size !== tools.length) throw new Error('two tools have the same name');
  if (tools.length > MOST_TOOLS) throw new Error(`more than ${MOST_TOOLS} tools are offered`);
  return {
    tools,
    names: tools.map(tool => tool.name),
    definitions: tools.map(definitionOf),
    find: name => byName.get(name),
  };
}
