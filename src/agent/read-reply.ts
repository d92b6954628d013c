import { isObject, type JsonObject } from '../core/json-fields.js';
import { editDistance } from '../core/nearest.js';
import type { ModelReply } from '../model/model.js';
import type { Answer, Field } from './question.js';
import { type RepairedJson, repairJson, repairJsonAt } from './repair-json.js';
import type { Parameter, Registry, Tool } from './tool.js';

/** A reply with text; failures are handled earlier. */
export type WordedReply = Extract<ModelReply, { kind: 'answer' | 'tool-calls' }>;

/** An object may be wrapped once or twice: in `arguments`, in `answer`, in a string. */
export function fieldsIn(value: unknown, fields: readonly Field[], depth = 0): Answer | undefined {
  if (typeof value === 'string' && depth > 0) {
    const parsed = value.startsWith('{') ? repairJson(value) : undefined;
    return parsed === undefined || parsed.isCut ? undefined : fieldsIn(parsed.value, fields, depth);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  if (entries.length > MAX_KEYS) return undefined;
  const found: Record<string, string> = {};
  const others: Record<string, string> = {};
  for (const [key, given] of entries) {
    const field = fields.find(each => bare(each.name) === bare(stripOrder(key)));
    const text = field && textFor(given, field);
    if (field !== undefined && text !== undefined) found[field.name] ??= text;
    // Code judges values that aren't among the choices; alone they don't make an answer.
    else if (field !== undefined && isWord(given)) others[field.name] ??= given.trim();
  }
  if (Object.keys(found).length > 0) return { ...others, ...found };
  if (depth >= MAX_WRAPPED) return undefined;
  for (const [, inner] of entries) {
    const read = fieldsIn(inner, fields, depth + 1);
    if (read !== undefined) return read;
  }
  return undefined;
}

const MAX_KEYS = 40;
const MAX_WRAPPED = 3;

/** `a_reason` is `reason` with a prefix that puts it first. */
const stripOrder = (key: string): string => key.replace(/^[a-z]_(?=[A-Za-z])/, '');

/** `readFile`, `read-file`, `functions.read_file` and `READ_FILE` are one name. */
const bare = (name: string): string =>
  name
    .slice(0, 200)
    .replace(/^(?:functions?|tools?|default_api)[.:/]/i, '')
    .replace(/\(.*/s, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_CHOICE;
const MAX_CHOICE = 80;

function textFor(value: unknown, field: Pick<Field, 'choices'>): string | undefined {
  const { choices } = field;
  if (typeof value === 'boolean') return textFor(value ? 'yes' : 'no', field);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  // White space matters in code.
  if (choices === undefined) return String(value);
  const text = String(value).trim();
  const wanted = plain(text);
  return choices.find(choice => plain(choice) === wanted) ?? choices.find(isNumber(choices, text));
}

const plain = (text: string): string =>
  text
    .slice(0, 80)
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^["'`]+|["'`.]+$/g, '');

/** `+12`, `line 12` and `12| text` all mean a number among the choices. */
const isNumber = (choices: readonly string[], text: string): ((choice: string) => boolean) => {
  const number = /^(?:line |l)?[+-]?(\d{1,7})(?![\d.])/i.exec(text.slice(0, 40))?.[1];
  const areNumbers = choices.every(choice => /^\d+$/.test(choice));
  return choice => areNumbers && choice === number;
};

/** A call as the model wrote it. Arguments may be an object, JSON in a string, or neither. */
export interface RawCall {
  readonly name: string;
  readonly arguments: unknown;
  /** Why, in the model's own words. */
  readonly reason?: string;
}

type FoundCalls =
  | { readonly kind: 'none' }
  /** A call begins but its text stops in the middle. */
  | { readonly kind: 'cut' }
  | {
      readonly kind: 'calls';
      readonly calls: readonly RawCall[];
      readonly repairs: readonly string[];
    };

/** The calls of a reply in any protocol: the server's own, or those in the text. */
export function callsIn(reply: WordedReply, tools: Registry): FoundCalls {
  if (reply.kind === 'tool-calls') return { kind: 'calls', calls: reply.calls, repairs: [] };
  const { text, isCut } = reply;
  const calls: RawCall[] = [];
  let isRepaired = false;
  let at = text.indexOf('{');
  for (let tries = 0; at !== -1 && tries < MAX_OBJECTS; tries += 1) {
    const found = repairJsonAt(text, at);
    const own = found === undefined ? [] : callsAt(text, at, found, tools);
    if (found?.isCut && (own.length > 0 || LOOKS_LIKE_CALL.test(text.slice(at, at + 80)))) {
      return { kind: 'cut' };
    }
    calls.push(...own);
    isRepaired ||= own.length > 0 && found?.isRepaired === true;
    at = text.indexOf('{', found === undefined ? at + 1 : Math.max(found.end, at + 1));
  }
  if (calls.length === 0) return { kind: isCut ? 'cut' : 'none' };
  return { kind: 'calls', calls, repairs: isRepaired ? ['json-repaired'] : [] };
}

/** A reply has one call; a text with many braces is an answer that shows code. */
const MAX_OBJECTS = 8;
const LOOKS_LIKE_CALL = /^\{\s*["'](?:tool_calls|[ab]_(?:reason|action)|action)["']/;

function callsAt(text: string, at: number, { value }: RepairedJson, tools: Registry): RawCall[] {
  const before = WORD_BEFORE.exec(text.slice(Math.max(0, at - 60), at))?.[1];
  if (before !== undefined && tools.find(before) !== undefined) {
    return [{ name: before, arguments: value }];
  }
  return callsOf(value, tools);
}

/** `read_file {…}`, `read_file({…})`, `read_file: {…}` */
const WORD_BEFORE = /([A-Za-z_][\w.-]{0,50})[`*]{0,3} ?[(:]? ?$/;

/** The calls in a parsed value, in any of the shapes that models use. */
function callsOf(value: unknown, tools: Registry): RawCall[] {
  if (Array.isArray(value)) return value.slice(0, MAX_KEYS).flatMap(item => callsOf(item, tools));
  if (!isObject(value)) return [];
  if (Array.isArray(value['tool_calls'])) return callsOf(value['tool_calls'], tools);
  if (isObject(value['function'])) return callsOf(value['function'], tools);
  const entries = Object.entries(value);
  const given = ARGUMENT_KEYS.find(key => key in value);
  const named = entries.find(([key]) => ACTION_KEYS.includes(stripOrder(key)));
  const [key, name] = named ?? [];
  // An unknown tool counts as a call only if nothing else is possible.
  const isCall = typeof name === 'string' && (given !== undefined || meantBy(name, tools.names));
  if (isCall) {
    const rest = Object.fromEntries(
      entries.flatMap(([each, held]) =>
        each === key || stripOrder(each) === 'reason' ? [] : [[stripOrder(each), held] as const],
      ),
    );
    const own = given === undefined ? onlyOwn(rest, name, tools) : value[given];
    const [, reason] = entries.find(([each]) => stripOrder(each) === 'reason') ?? [];
    return [{ name, arguments: own, ...(typeof reason === 'string' && { reason }) }];
  }
  // {"read_file": {"path": …}}
  const [[only, inner] = ['', undefined], second] = entries;
  const isNamed = second === undefined && isObject(inner) && tools.find(only) !== undefined;
  return isNamed ? [{ name: only, arguments: inner }] : [];
}

const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'params'];
const ACTION_KEYS = ['action', 'tool', 'tool_name', 'function_name', 'name', 'function'];

/**
 * A schema has the parameters of every action; those of other actions aren't the model's mistake.
 */
function onlyOwn(values: JsonObject, action: string, tools: Registry): JsonObject {
  const own = tools.find(meantBy(action, tools.names) ?? '')?.parameters.properties ?? {};
  const others = new Set(tools.tools.flatMap(tool => Object.keys(tool.parameters.properties)));
  return Object.fromEntries(
    Object.entries(values).filter(([key]) => Object.hasOwn(own, key) || !others.has(key)),
  );
}

interface ReadCall {
  /** The model's own name for it if no tool matches. */
  readonly name: string;
  readonly input: JsonObject;
  readonly repairs: readonly string[];
  /** Keys that no parameter could be found for. */
  readonly dropped: readonly string[];
  /** Why it must not run, for the model. */
  readonly problem?: string;
}

/**
 * Repairs a call if it can only mean one thing. Anything else is left unchanged, and `checkCall`
 * answers with an error the model can act on.
 */
export function readCall(raw: RawCall, tools: Registry): ReadCall {
  const name = meantBy(raw.name, tools.names);
  const tool = name === undefined ? undefined : tools.find(name);
  const repairs: string[] = tool === undefined || tool.name === raw.name ? [] : ['tool-renamed'];
  const given = valuesOf(raw.arguments, repairs);
  if (tool === undefined) return { name: raw.name, input: {}, repairs: [], dropped: [] };
  if (typeof given === 'string') {
    return { name: tool.name, input: {}, repairs, dropped: [], problem: given };
  }
  const read = argumentsFor(tool, given);
  return { ...read, name: tool.name, repairs: [...repairs, ...read.repairs] };
}

/** The arguments as an object, or what is wrong with them. */
function valuesOf(given: unknown, repairs: string[], depth = 0): JsonObject | string {
  if (given === undefined || given === null || given === '') return {};
  const unwrapped = (inner: unknown): JsonObject | string => {
    if (!repairs.includes('value-unwrapped')) repairs.push('value-unwrapped');
    return valuesOf(inner, repairs, depth + 1);
  };
  if (Array.isArray(given) && given.length === 1) return unwrapped(given[0]);
  if (typeof given === 'string') {
    const repaired = repairJson(given);
    if (repaired?.isCut) return 'the arguments were cut off; make them shorter';
    if (repaired?.isRepaired) repairs.push('json-repaired');
    if (repaired !== undefined) return valuesOf(repaired.value, repairs, depth);
    const inner = depth < MAX_WRAPPED && given.startsWith('"') ? unquoted(given) : undefined;
    return inner === undefined
      ? 'the arguments are not JSON; send one JSON object'
      : unwrapped(inner);
  }
  if (!isObject(given)) return 'the arguments must be one JSON object';
  // What the server makes of arguments that aren't an object.
  const [[only, value] = ['', undefined], second] = Object.entries(given);
  const isWrapped = only === 'value' && second === undefined && depth < MAX_WRAPPED;
  const wrapped = isWrapped ? valuesOf(value, [], depth + 1) : given;
  return typeof wrapped === 'string' || wrapped === given ? given : unwrapped(value);
}

function unquoted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a quoted string: there is nothing to unwrap.
    return undefined;
  }
}

/**
 * Maps the keys of a call to the tool's parameters: by spelling, then by known synonyms, then the
 * one key left to the one parameter missing. Two keys for one parameter are ambiguous, so they
 * aren't repaired.
 */
function argumentsFor(tool: Tool, given: JsonObject): Omit<ReadCall, 'name'> {
  const { properties, required } = tool.parameters;
  const names = Object.keys(properties);
  const input: Record<string, unknown> = {};
  let left = Object.keys(given).slice(0, MAX_KEYS);
  const repairs: string[] = [];
  const take = (name: string, keys: readonly string[], repair: string | undefined): void => {
    const [key] = keys;
    if (key === undefined || name in input) return;
    if (new Set(keys.map(each => JSON.stringify(given[each]))).size > 1) return;
    input[name] = given[key];
    left = left.filter(each => !keys.includes(each));
    if (repair !== undefined) repairs.push(repair);
  };
  for (const name of names)
    take(
      name,
      left.filter(key => key === name),
      undefined,
    );
  for (const name of names) {
    take(
      name,
      left.filter(key => bare(stripOrder(key)) === bare(name)),
      'key-renamed',
    );
  }
  for (const name of names) {
    const open = names.filter(each => !(each in input));
    const isMeant = (key: string): boolean => meantBy(stripOrder(key), open) === name;
    take(name, left.filter(isMeant), 'key-renamed');
  }
  const [missing, other] = required.filter(name => !(name in input));
  if (missing !== undefined && other === undefined) {
    const own = left.filter(key => !isNoise(key) && fits(given[key], properties[missing]));
    if (own.length === 1) take(missing, own, 'key-renamed');
  }
  if (left.length > 0) repairs.push('key-dropped');
  const values = Object.entries(input).flatMap(([name, value]) => {
    if (isUnset(value, required.includes(name))) return [];
    const right = typed(value, properties[name]);
    if (right !== value) repairs.push('type-changed');
    return [[name, right] as const];
  });
  return { input: Object.fromEntries(values), repairs, dropped: left };
}

/** How a model writes "not given": null anywhere, empty or zero for an optional parameter. */
const isUnset = (value: unknown, isRequired: boolean): boolean =>
  value === null || value === undefined || (!isRequired && (value === '' || value === 0));

const fits = (value: unknown, parameter: Parameter | undefined): boolean =>
  parameter?.type === 'integer' ? Number.isInteger(value) : typeof value === 'string';

/** The value converted to its parameter's type. */
function typed(value: unknown, parameter: Parameter | undefined): unknown {
  if (Array.isArray(value) && value.length === 1) return typed(value[0], parameter);
  if (parameter?.type === 'integer') {
    return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** The one name that a word can mean: by spelling, as a known synonym, or with one typo. */
function meantBy(word: string, names: readonly string[]): string | undefined {
  const wanted = bare(word);
  const same = names.filter(name => bare(name) === wanted);
  if (same.length > 0) return only(same);
  const near =
    wanted.length < MIN_WORD || wanted.length > MAX_WORD
      ? []
      : names.filter(name => editDistance(wanted, bare(name)) <= 1);
  return near.length > 0 ? only(near) : only(names.filter(name => hasWord(WORDS[name], wanted)));
}

const only = (names: readonly string[]): string | undefined =>
  names.length === 1 ? names[0] : undefined;

const MIN_WORD = 5;
const MAX_WORD = 64;

const hasWord = (words: string | undefined, wanted: string): boolean =>
  words?.split(' ').some(word => bare(word) === wanted) ?? false;

/** Synonyms that models use for a tool or a parameter. */
const WORDS: Readonly<Record<string, string>> = {
  read_file:
    'open_file cat read view_file view open get_file show_file file_read load_file get_file_content get_file_contents read_file_content read_text_file',
  list_dir: 'ls list list_files list_directory list_folder dir read_dir list_dir_contents',
  search_code:
    'grep search code_search search_files find_in_files search_text ripgrep rg search_repository git_grep',
  read_diff: 'diff git_diff get_diff show_diff view_diff',
  file_history: 'git_log log history get_history get_file_history show_history',
  get_time: 'time now current_time get_current_time get_date get_datetime clock',
  finish:
    'done final_answer answer submit complete end respond reply stop task_done finish_task give_answer',
  path: 'file filename file_name filepath file_path fullpath target_file dir directory folder dirname pathname path_name relative_path target',
  query:
    'q pattern search term search_term terms keyword keywords search_query query_string text regex string search_string needle',
  startLine: 'start from_line line_start begin_line first_line offset line_from',
  endLine: 'end to_line line_end last_line line_to stop_line',
  answer: 'text message response final_answer summary content reply final conclusion',
};

/** Keys that models add to any call, such as outputs; never used for a missing parameter. */
const NOISE = new Set(
  'encoding language lang country locale format mode limit max count recursive reason reasoning explanation thought type id timezone user verbose timeout version num unit units date status success error result output ok description name'.split(
    ' ',
  ),
);

/** Also by its first word: `status_name` is as much noise as `status`. */
const isNoise = (key: string): boolean =>
  NOISE.has(bare(key)) || NOISE.has(bare(key.split(/[^A-Za-z]|(?=[A-Z])/, 1)[0] ?? ''));
