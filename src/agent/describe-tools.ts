import { exampleOf } from './check-input.js';
import type { Registry } from './registry.js';
import type { Tool } from './tool.js';

/** Names and parameters in prose: on the server's native path the model often does not see the schema. */
export const describeTools = (tools: Registry): string =>
  ['Tools:', ...tools.tools.map(describeTool)].join('\n');

const describeTool = (tool: Tool): string =>
  `- ${tool.name}(${parameterList(tool)}): ${tool.description} Example: ${exampleOf(tool)}`;

const parameterList = (tool: Tool): string =>
  Object.keys(tool.parameters.properties)
    .map(name => (tool.parameters.required.includes(name) ? name : `${name}?`))
    .join(', ');
