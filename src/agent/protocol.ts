import type { ProtocolName } from '../model/calibration.js';
import type { Message, ModelReply, ModelRequest } from '../model/model.js';
import type { RepairType, SaidCall } from './repair.js';
import { exampleOf, type Registry, type Tool } from './tool.js';

export type { ProtocolName };

/** One way of getting an action out of the model: how to ask, and how to read the reply. */
export interface Protocol {
  readonly name: ProtocolName;
  request(turn: Turn): ModelRequest;
  understand(reply: WordedReply, tools: Registry): Understanding;
}

/** What one request is made of, before a protocol gives it its shape. */
export interface Turn {
  readonly system: string;
  readonly messages: readonly Message[];
  /** Said last: what to do now. Empty when the opening says it all. */
  readonly prompt: string;
  readonly tools: Registry;
  readonly maxTokens: number;
  readonly seed: number;
}

/** A reply with words in it; failures are handled before. */
export type WordedReply = Extract<ModelReply, { kind: 'answer' | 'tool-calls' }>;

export type Understanding =
  | {
      readonly kind: 'calls';
      readonly calls: readonly SaidCall[];
      readonly repairs: readonly RepairType[];
      /** Why, in the model's own words. */
      readonly reason: string;
    }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'bad'; readonly problem: string };

/** Names and parameters in prose: on the server's native path the model often does not see the schema. */
export const describeTools = (tools: Registry): string =>
  ['Tools:', ...tools.tools.map(describeTool)].join('\n');

const describeTool = (tool: Tool): string =>
  `- ${tool.name}(${parameterList(tool)}): ${tool.description} Example: ${exampleOf(tool)}`;

const parameterList = (tool: Tool): string =>
  Object.keys(tool.parameters.properties)
    .map(name => (tool.parameters.required.includes(name) ? name : `${name}?`))
    .join(', ');
