import type { JsonSchema } from '../model/model.js';
import { withPrompt } from './fit-conversation.js';
import { describeTools, type Protocol, type Understanding } from './protocol.js';
import { callsIn, findCalls, withoutReason } from './protocol-native.js';
import { stripOrder } from './repair.js';
import { repairJson } from './repair-json.js';
import type { Parameter, Registry } from './tool.js';

/**
 * The reply is decoded under a schema: one flat object with the reason, the action and the parameters
 * of all actions on offer. apfel sorts keys by name and generates in that order, hence the prefixes.
 */
export const guided: Protocol = {
  name: 'guided',
  request: turn => ({
    system: `${turn.system}\n\n${describeTools(turn.tools)}\n${RULES}`,
    messages: withPrompt(turn.messages, turn.prompt),
    maxTokens: turn.maxTokens,
    seed: turn.seed,
    schema: { name: 'next_action', schema: actionSchema(turn.tools) },
  }),
  understand: (reply, tools) => {
    // A server that ignores the schema still answers somehow.
    if (reply.kind === 'tool-calls') {
      return { kind: 'calls', calls: reply.calls, repairs: [], reason: reply.text };
    }
    return reply.isCut ? { kind: 'cut', text: reply.text } : understandText(reply.text, tools);
  },
};

const RULES =
  'Reply with the next action: the reason in a few words, the action, and its parameters only.';

function understandText(text: string, tools: Registry): Understanding {
  const repaired = repairJson(text);
  if (repaired === undefined || !isRecord(repaired.value)) {
    return { kind: 'bad', problem: 'the reply was not the JSON object that was asked for' };
  }
  if (repaired.isCut) return { kind: 'cut', text };
  const repairs = repaired.isRepaired ? (['json-mended'] as const) : [];
  const values = stripped(repaired.value);
  const action = values['action'];
  const reason = typeof values['reason'] === 'string' ? values['reason'] : '';
  if (typeof action === 'string') {
    const given = onlyOwn(withoutReason(values), action, tools);
    return { kind: 'calls', calls: [{ name: action, arguments: given }], repairs, reason };
  }
  const calls = callsIn(repaired.value, tools);
  if (calls.length > 0) return { kind: 'calls', calls, repairs: ['call-in-text'], reason };
  const found = findCalls(text, tools);
  return found.kind === 'calls'
    ? { kind: 'calls', calls: found.calls, repairs: ['call-in-text'], reason }
    : { kind: 'bad', problem: 'the reply named no action' };
}

/** The schema carries the parameters of every action; those of the others are no mistake of the model's. */
function onlyOwn(
  values: Record<string, unknown>,
  action: string,
  tools: Registry,
): Record<string, unknown> {
  const own = tools.find(action)?.parameters.properties ?? {};
  const others = new Set(tools.tools.flatMap(tool => Object.keys(tool.parameters.properties)));
  return Object.fromEntries(
    Object.entries(values).filter(
      ([key]) => key !== 'action' && (Object.hasOwn(own, key) || !others.has(key)),
    ),
  );
}

export function actionSchema(tools: Registry): JsonSchema {
  const properties: Record<string, unknown> = {
    a_reason: { type: 'string', description: 'why, in at most 15 words' },
    b_action: { type: 'string', enum: [...tools.names], description: 'what to do next' },
  };
  for (const [name, parameter] of offeredParameters(tools)) {
    properties[`${letterOf(name, properties)}_${name}`] = propertyOf(name, parameter, tools);
  }
  return {
    type: 'object',
    properties,
    // apfel may leave out what isn't listed. What only some actions need depends on the action; the
    // check of the call says so.
    required: ['a_reason', 'b_action', ...alwaysNeeded(tools, properties)],
    additionalProperties: false,
  };
}

/** The keys of the parameters that every action on offer requires. */
const alwaysNeeded = (tools: Registry, properties: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(properties).filter(key =>
    tools.tools.every(tool => tool.parameters.required.includes(stripOrder(key))),
  );

/** A parameter that several actions share appears once, as the first of them describes it. */
function offeredParameters(tools: Registry): Map<string, Parameter> {
  const offered = new Map<string, Parameter>();
  for (const [name, parameter] of tools.tools.flatMap(tool =>
    Object.entries(tool.parameters.properties),
  )) {
    if (!offered.has(name)) offered.set(name, parameter);
  }
  return offered;
}

/** The order in which the parameters of an action are best thought of; each keeps its letter always. */
const LETTERS: Readonly<Record<string, string>> = {
  path: 'c',
  startLine: 'f',
  endLine: 'g',
  query: 'h',
  answer: 'm',
};

function letterOf(name: string, taken: Readonly<Record<string, unknown>>): string {
  const known = LETTERS[name];
  if (known !== undefined) return known;
  const used = new Set(Object.keys(taken).map(key => key.charAt(0)));
  return [...'nopqrstuvwxyz'].find(letter => !used.has(letter)) ?? 'z';
}

function propertyOf(name: string, parameter: Parameter, tools: Registry): unknown {
  const users = tools.tools.filter(tool => name in tool.parameters.properties);
  const description = `for ${users.map(tool => tool.name).join(', ')}: ${parameter.description}`;
  return { ...parameter, description };
}

const stripped = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([key, held]) => [stripOrder(key), held]));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
