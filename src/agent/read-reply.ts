import { editDistance } from '../core/nearest.js';
import type { ModelReply } from '../model/model.js';
import type { Answer, Field } from './question.js';
import { type RepairedJson, repairJson, repairJsonAt } from './repair-json.js';
import type { Parameter, Registry, Tool } from './tool.js';

/** A reply with words in it; failures are handled before. */
export type WordedReply = Extract<ModelReply, { kind: 'answer' | 'tool-calls' }>;

type Values = Readonly<Record<string, unknown>>;

/** An object may be wrapped once or twice: in `arguments`, in `answer`, in a string of its own. */
export function fieldsIn(value: unknown, fields: readonly Field[], depth = 0): Answer | undefined {
  if (typeof value === 'string' && depth > 0) {
    const parsed = value.startsWith('{') ? repairJson(value) : undefined;
    return parsed === undefined || parsed.isCut ? undefined : fieldsIn(parsed.value, fields, depth);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  if (entries.length > MOST_KEYS) return undefined;
  const found: Record<string, string> = {};
  for (const [key, given] of entries) {
    const field = fields.find(each => bare(each.name) === bare(stripOrder(key)));
    const text = field && textFor(given, field);
    if (field !== undefined && text !== undefined) found[field.name] ??= text;
  }
  if (Object.keys(found).length > 0) return found;
  if (depth >= MOST_WRAPPED) return undefined;
  for (const [, inner] of entries) {
    const read = fieldsIn(inner, fields, depth + 1);
    if (read !== undefined) return read;
  }
  return undefined;
}

const MOST_KEYS = 40;
const MOST_WRAPPED = 3;

/** `a_reason` is `reason` with a letter that puts it first. */
const stripOrder = (key: string): string => key.replace(/^[a-z]_(?=[A-Za-z])/, '');

/** `readFile`, `read-file`, `functions.read_file` and `READ_FILE` are one name. */
const bare = (name: string): string =>
  name
    .slice(0, 200)
    .replace(/^(?:functions?|tools?|default_api)[.:/]/i, '')
    .replace(/\(.*/s, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

function textFor(value: unknown, field: Pick<Field, 'choices'>): string | undefined {
  const { choices } = field;
  if (typeof value === 'boolean') return textFor(value ? 'yes' : 'no', field);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  // White space is part of code.
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

/** `+12`, `line 12` and `12| text` are ways to write a number that is on offer. */
const isNumber = (choices: readonly string[], text: string): ((choice: string) => boolean) => {
  const number = /^(?:line |l)?[+-]?(\d{1,7})(?![\d.])/i.exec(text.slice(0, 40))?.[1];
  const areNumbers = choices.every(choice => /^\d+$/.test(choice));
  return choice => areNumbers && choice === number;
};

/** A call as the model said it. Arguments may be an object, JSON in a string, or neither. */
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

/** The calls of a reply in any protocol: the server's own, or those that stand in the text. */
export function callsIn(reply: WordedReply, tools: Registry): FoundCalls {
  if (reply.kind === 'tool-calls') return { kind: 'calls', calls: reply.calls, repairs: [] };
  const { text, isCut } = reply;
  const calls: RawCall[] = [];
  let isRepaired = false;
  let at = text.indexOf('{');
  for (let tries = 0; at !== -1 && tries < MOST_OBJECTS; tries += 1) {
    const found = repairJsonAt(text, at);
    const said = found === undefined ? [] : callsAt(text, at, found, tools);
    if (found?.isCut && (said.length > 0 || LOOKS_LIKE_CALL.test(text.slice(at, at + 80)))) {
      return { kind: 'cut' };
    }
    calls.push(...said);
    isRepaired ||= said.length > 0 && found?.isRepaired === true;
    at = text.indexOf('{', found === undefined ? at + 1 : Math.max(found.end, at + 1));
  }
  if (calls.length === 0) return { kind: isCut ? 'cut' : 'none' };
  return { kind: 'calls', calls, repairs: isRepaired ? ['json-repaired'] : [] };
}

/** A reply holds one call; a text with many braces is an answer that shows code. */
const MOST_OBJECTS = 8;
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

/** The calls that a parsed value holds, in any of the shapes that models give them. */
function callsOf(value: unknown, tools: Registry): RawCall[] {
  if (Array.isArray(value)) return value.slice(0, MOST_KEYS).flatMap(item => callsOf(item, tools));
  if (!isRecord(value)) return [];
  if (Array.isArray(value['tool_calls'])) return callsOf(value['tool_calls'], tools);
  if (isRecord(value['function'])) return callsOf(value['function'], tools);
  const entries = Object.entries(value);
  const given = ARGUMENT_KEYS.find(key => key in value);
  const named = entries.find(([key]) => ACTION_KEYS.includes(stripOrder(key)));
  const [key, name] = named ?? [];
  // An invented tool is a call where it can be nothing else.
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
  const isNamed = second === undefined && isRecord(inner) && tools.find(only) !== undefined;
  return isNamed ? [{ name: only, arguments: inner }] : [];
}

const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'params'];
const ACTION_KEYS = ['action', 'tool', 'tool_name', 'function_name', 'name', 'function'];

/** A schema carries the parameters of every action; those of the others are no mistake of the model's. */
function onlyOwn(values: Values, action: string, tools: Registry): Values {
  const own = tools.find(meantBy(action, tools.names) ?? '')?.parameters.properties ?? {};
  const others = new Set(tools.tools.flatMap(tool => Object.keys(tool.parameters.properties)));
  return Object.fromEntries(
    Object.entries(values).filter(([key]) => Object.hasOwn(own, key) || !others.has(key)),
  );
}

interface ReadCall {
  /** As it was said where no tool is meant. */
  readonly name: string;
  readonly input: Values;
  readonly repairs: readonly string[];
  /** Keys that no parameter could be found for. */
  readonly dropped: readonly string[];
  /** Why it must not be carried out, for the model. */
  readonly problem?: string;
}

/**
 * Reads a call as it was meant where there is one thing it can mean. Anything else stays as it was
 * said, and the check that follows answers with an error the model can act on.
 */
export function readCall(said: RawCall, tools: Registry): ReadCall {
  const name = meantBy(said.name, tools.names);
  const tool = name === undefined ? undefined : tools.find(name);
  const repairs: string[] = tool === undefined || tool.name === said.name ? [] : ['tool-renamed'];
  const given = valuesOf(said.arguments, repairs);
  if (tool === undefined) return { name: said.name, input: {}, repairs: [], dropped: [] };
  if (typeof given === 'string') {
    return { name: tool.name, input: {}, repairs, dropped: [], problem: given };
  }
  const read = argumentsFor(tool, given);
  return { ...read, name: tool.name, repairs: [...repairs, ...read.repairs] };
}

/** The object that arguments are, or what is wrong with them. */
function valuesOf(said: unknown, repairs: string[], depth = 0): Values | string {
  if (said === undefined || said === null || said === '') return {};
  const unwrapped = (inner: unknown): Values | string => {
    if (!repairs.includes('value-unwrapped')) repairs.push('value-unwrapped');
    return valuesOf(inner, repairs, depth + 1);
  };
  if (Array.isArray(said) && said.length === 1) return unwrapped(said[0]);
  if (typeof said === 'string') {
    const repaired = repairJson(said);
    if (repaired?.isCut) return 'the arguments were cut off; make them shorter';
    if (repaired?.isRepaired) repairs.push('json-repaired');
    if (repaired !== undefined) return valuesOf(repaired.value, repairs, depth);
    const inner = depth < MOST_WRAPPED && said.startsWith('"') ? unquoted(said) : undefined;
    return inner === undefined
      ? 'the arguments are not JSON; send one JSON object'
      : unwrapped(inner);
  }
  if (!isRecord(said)) return 'the arguments must be one JSON object';
  // What the server makes of arguments that are no object.
  const [[only, value] = ['', undefined], second] = Object.entries(said);
  const isWrapped = only === 'value' && second === undefined && depth < MOST_WRAPPED;
  const wrapped = isWrapped ? valuesOf(value, [], depth + 1) : said;
  return typeof wrapped === 'string' || wrapped === said ? said : unwrapped(value);
}

function unquoted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a quoted string: there is nothing to take off.
    return undefined;
  }
}

/**
 * Brings the keys of a call to those of the tool: spelling, then known words, then the one key left
 * for the one parameter missing. Two keys for one parameter are a question, not a repair.
 */
function argumentsFor(tool: Tool, said: Values): Omit<ReadCall, 'name'> {
  const { properties, required } = tool.parameters;
  const names = Object.keys(properties);
  const input: Record<string, unknown> = {};
  let left = Object.keys(said).slice(0, MOST_KEYS);
  const repairs: string[] = [];
  const take = (name: string, keys: readonly string[], repair: string | undefined): void => {
    const [key] = keys;
    if (key === undefined || name in input) return;
    if (new Set(keys.map(each => JSON.stringify(said[each]))).size > 1) return;
    input[name] = said[key];
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
    const own = left.filter(key => !isNoise(key) && fits(said[key], properties[missing]));
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

/** How a model says "not given": null anywhere, nothing or zero for what may be left out. */
const isUnset = (value: unknown, isRequired: boolean): boolean =>
  value === null || value === undefined || (!isRequired && (value === '' || value === 0));

const fits = (value: unknown, parameter: Parameter | undefined): boolean =>
  parameter?.type === 'integer' ? Number.isInteger(value) : typeof value === 'string';

/** The same value written as its parameter's type. */
function typed(value: unknown, parameter: Parameter | undefined): unknown {
  if (Array.isArray(value) && value.length === 1) return typed(value[0], parameter);
  if (parameter?.type === 'integer') {
    return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** The one name on offer that a word stands for: its spelling, a known word for it, or one typo. */
function meantBy(said: string, names: readonly string[]): string | undefined {
  const wanted = bare(said);
  const same = names.filter(name => bare(name) === wanted);
  if (same.length > 0) return only(same);
  const near =
    wanted.length < SHORTEST || wanted.length > LONGEST
      ? []
      : names.filter(name => editDistance(wanted, bare(name)) <= 1);
  return near.length > 0 ? only(near) : only(names.filter(name => hasWord(WORDS[name], wanted)));
}

const only = (names: readonly string[]): string | undefined =>
  names.length === 1 ? names[0] : undefined;

const SHORTEST = 5;
const LONGEST = 64;

const hasWord = (words: string | undefined, wanted: string): boolean =>
  words?.split(' ').some(word => bare(word) === wanted) ?? false;

/** Words that models use for a tool or a parameter of this meaning. */
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

/** Keys that models add to any call, outputs among them; never taken for a parameter that is missing. */
const NOISE = new Set(
  'encoding language lang country locale format mode limit max count recursive reason reasoning explanation thought type id timezone user verbose timeout version num unit units date status success error result output ok description name'.split(
    ' ',
  ),
);

/** Also by its first word: `status_name` is as much noise as `status`. */
const isNoise = (key: string): boolean =>
  NOISE.has(bare(key)) || NOISE.has(bare(key.split(/[^A-Za-z]|(?=[A-Z])/, 1)[0] ?? ''));

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
