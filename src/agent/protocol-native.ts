import { withPrompt } from './fit-conversation.js';
import { describeTools, type Protocol, type Understanding, type WordedReply } from './protocol.js';
import { type SaidCall, stripOrder, toolName } from './repair.js';
import { type RepairedJson, repairJsonAt } from './repair-json.js';
import type { Registry } from './tool.js';

/**
 * The server's own tool calls. `tool_choice` is left out: any value lowers the rate of calls. Nothing
 * of what comes back has been checked by the server.
 */
export const native: Protocol = {
  name: 'native',
  request: turn => ({
    system: `${turn.system}\n\n${describeTools(turn.tools)}\n${rules(turn.tools)}`,
    messages: withPrompt(turn.messages, turn.prompt),
    maxTokens: turn.maxTokens,
    seed: turn.seed,
    tools: turn.tools.definitions,
  }),
  understand: understandReply,
};

const rules = (tools: Registry): string =>
  tools.find('finish') === undefined
    ? `You MUST use the tools (${tools.names.join(', ')}) for what you do not know. Call one at a time.`
    : 'You MUST call exactly one of these tools in every reply. When the task is done, call finish.';

/** Also how the text protocol reads a reply: a call in the text, or else the text is the answer. */
export function understandReply(reply: WordedReply, tools: Registry): Understanding {
  if (reply.kind === 'tool-calls') {
    return { kind: 'calls', calls: reply.calls, repairs: [], reason: reply.text };
  }
  const text = reply.text.trim();
  if (text === '' && !reply.isCut) return { kind: 'bad', problem: 'the reply was empty' };
  const found = findCalls(text, tools);
  if (found.kind === 'cut') return { kind: 'cut', text };
  if (found.kind === 'none') {
    return reply.isCut ? { kind: 'cut', text } : { kind: 'answer', text };
  }
  const repairs = found.isRepaired
    ? (['call-in-text', 'json-mended'] as const)
    : (['call-in-text'] as const);
  return { kind: 'calls', calls: found.calls, repairs, reason: '' };
}

type FoundCalls =
  | { readonly kind: 'none' }
  /** A call begins but its text stops in the middle. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'calls'; readonly calls: readonly SaidCall[]; readonly isRepaired: boolean };

/** Calls in plain text, which the server missed: fenced, bare, in a list, or after the tool's name. */
export function findCalls(text: string, tools: Registry): FoundCalls {
  const calls: SaidCall[] = [];
  let isRepaired = false;
  let at = text.indexOf('{');
  for (let tries = 0; at !== -1 && tries < MOST_OBJECTS; tries += 1) {
    const found = repairJsonAt(text, at);
    const said = found === undefined ? [] : callsAt(text, { at, found, tools });
    if (
      found?.isCut === true &&
      (said.length > 0 || LOOKS_LIKE_CALL.test(text.slice(at, at + 80)))
    ) {
      return { kind: 'cut' };
    }
    calls.push(...said);
    if (said.length > 0 && found?.isRepaired === true) isRepaired = true;
    at = text.indexOf('{', found === undefined ? at + 1 : Math.max(found.end, at + 1));
  }
  return calls.length === 0 ? { kind: 'none' } : { kind: 'calls', calls, isRepaired };
}

/** A reply holds one call; a text with many braces is an answer that shows code. */
const MOST_OBJECTS = 8;
const LOOKS_LIKE_CALL = /^\{\s*["'](?:tool_calls|[ab]_(?:reason|action)|action)["']/;

function callsAt(
  text: string,
  { at, found, tools }: { at: number; found: RepairedJson; tools: Registry },
): SaidCall[] {
  const before = WORD_BEFORE.exec(text.slice(Math.max(0, at - 60), at))?.[1];
  if (before !== undefined && tools.find(before) !== undefined) {
    return [{ name: before, arguments: found.value }];
  }
  return callsIn(found.value, tools);
}

/** `read_file {…}`, `read_file({…})`, `read_file: {…}` */
const WORD_BEFORE = /([A-Za-z_][\w.-]{0,50})[`*]{0,3} ?[(:]? ?$/;

/** The calls that a parsed value holds, in any of the shapes that models give them. */
export function callsIn(value: unknown, tools: Registry): SaidCall[] {
  if (Array.isArray(value)) return value.flatMap(item => callsIn(item, tools));
  if (!isRecord(value)) return [];
  if (Array.isArray(value['tool_calls'])) return callsIn(value['tool_calls'], tools);
  const called = value['function'];
  if (isRecord(called)) return callsIn(called, tools);
  const name = called ?? value['name'];
  const given = ARGUMENT_KEYS.find(key => key in value);
  if (typeof name === 'string' && given !== undefined) {
    return [{ name, arguments: value[given] }];
  }
  return actionIn(value, tools) ?? namedIn(value, tools);
}

const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'params'];
const ACTION_KEYS = ['action', 'tool', 'tool_name', 'function_name', 'name', 'function'];

/** One flat object with the tool's name in it, as the guided and the text protocol ask for. */
function actionIn(value: Record<string, unknown>, tools: Registry): SaidCall[] | undefined {
  const key = Object.keys(value).find(name => ACTION_KEYS.includes(stripOrder(name)));
  const name = key === undefined ? undefined : value[key];
  if (typeof name !== 'string' || toolName(name, tools) === undefined) return undefined;
  const { [key ?? '']: _, ...rest } = value;
  const given = ARGUMENT_KEYS.find(argument => isRecord(rest[argument]));
  return [{ name, arguments: given === undefined ? withoutReason(rest) : rest[given] }];
}

/** `{"read_file": {"path": …}}` */
function namedIn(value: Record<string, unknown>, tools: Registry): SaidCall[] {
  const [entry, second] = Object.entries(value);
  if (entry === undefined || second !== undefined || !isRecord(entry[1])) return [];
  return tools.find(entry[0]) === undefined ? [] : [{ name: entry[0], arguments: entry[1] }];
}

export const withoutReason = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => stripOrder(key) !== 'reason'));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
