import { editDistance } from '../core/nearest.js';
import { repairJson } from './repair-json.js';
import { exampleOf, type Parameter, type Registry, type Tool } from './tool.js';

/** The one name that a misspelt one was meant to be; undefined when none or several are as near. */
function nearestName(said: string, names: readonly string[]): string | undefined {
  const wanted = bare(said);
  const same = names.filter(name => bare(name) === wanted);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  if (wanted.length < SHORTEST || wanted.length > LONGEST) return undefined;
  const ranked = names
    .map(name => ({ name, distance: editDistance(wanted, bare(name)) }))
    .sort((one, other) => one.distance - other.distance);
  const [first, second] = ranked;
  if (first === undefined || first.distance > MOST_TYPOS) return undefined;
  return second?.distance === first.distance ? undefined : first.name;
}

/** `readFile`, `read-file`, `functions.read_file` and `READ_FILE` are one name. */
const bare = (name: string): string =>
  name
    .slice(0, 200)
    .replace(/^(?:functions?|tools?|default_api)[.:/]/i, '')
    .replace(/\(.*/s, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const SHORTEST = 5;
const LONGEST = 64;
const MOST_TYPOS = 1;

/** Every kind of repair, as it is counted in the report and shown in the transcript. */
export const REPAIR_TYPES = [
  /** Brackets, commas, quotes or a fence were put right. */
  'json-mended',
  /** The call stood in the plain text of the answer. */
  'call-in-text',
  /** The name was another spelling of, or a known word for, one tool. */
  'tool-renamed',
  /** A key was another spelling of, or a known word for, one parameter. */
  'key-renamed',
  /** A key that the tool does not know was left out. */
  'key-dropped',
  /** The arguments were wrapped in `{"value": …}`, in a list of one, or in a string. */
  'value-unwrapped',
  /** `"5"` where a number belongs, or the reverse. */
  'type-changed',
] as const;

export type RepairType = (typeof REPAIR_TYPES)[number];

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
  const repaired = repairJson(said);
  if (repaired?.isCut === true) return unreadable('the arguments were cut off; make them shorter');
  if (repaired !== undefined && isRecord(repaired.value)) {
    const inner = unwrapValue(repaired.value, tool);
    return repaired.isRepaired ? { ...inner, repairs: ['json-mended', ...inner.repairs] } : inner;
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
  const inner = typeof value === 'string' ? repairJson(value) : { value, isCut: false };
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

interface RepairedKeys {
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
function repairKeys(tool: Tool, said: Readonly<Record<string, unknown>>): RepairedKeys {
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

interface RepairedValues {
  readonly input: Readonly<Record<string, unknown>>;
  readonly repairs: readonly RepairType[];
}

/** Brings each value to its parameter's type where that is the same value written differently. */
function repairValues(tool: Tool, said: Readonly<Record<string, unknown>>): RepairedValues {
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

/**
 * Words that models use for a tool or a parameter of this meaning. A word may stand under several
 * heads; it counts only where one of them is on offer.
 */
const TOOL_WORDS: Readonly<Record<string, string>> = {
  read_file:
    'open_file cat read view_file view open get_file show_file file_read load_file ' +
    'get_file_content get_file_contents read_file_content read_text_file',
  list_dir: 'ls list list_files list_directory list_folder dir read_dir list_dir_contents',
  search_code:
    'grep search code_search search_files find_in_files search_text ripgrep rg ' +
    'search_repository git_grep',
  read_diff: 'diff git_diff get_diff show_diff view_diff',
  file_history: 'git_log log history get_history get_file_history show_history',
  get_time:
    'time now current_time get_current_time get_date get_datetime get_current_date_time ' + 'clock',
  finish:
    'done final_answer answer submit complete end respond reply stop task_done ' +
    'finish_task give_answer',
};

const PARAMETER_WORDS: Readonly<Record<string, string>> = {
  path:
    'file filename file_name filepath file_path fullpath target_file dir directory folder ' +
    'dirname pathname relative_path target',
  query:
    'q pattern search term search_term terms keyword keywords search_query query_string ' +
    'text regex string search_string needle',
  startLine: 'start from_line line_start begin_line first_line offset line_from',
  endLine: 'end to_line line_end last_line line_to stop_line',
  answer: 'text message response final_answer summary content reply final conclusion',
};

/** Keys that models add to any call, outputs among them; never taken for a parameter that is missing. */
const NOISE = new Set(
  [
    'encoding language lang country locale format mode limit max count recursive',
    'reason reasoning explanation thought type id timezone user verbose timeout',
    'version num_results max_results unit units date status success error result',
    'output ok description name num',
  ]
    .flatMap(line => line.split(' '))
    .map(bare),
);

/** The offered tools that this is a known word for. */
const toolsMeant = (said: string, names: readonly string[]): string[] =>
  names.filter(name => hasWord(TOOL_WORDS[name], said));

/** The parameters, of those asked about, that this is a known word for. `q` and `query` mean each other. */
const parametersMeant = (said: string, names: readonly string[]): string[] =>
  names.filter(name => hasWord(PARAMETER_WORDS[familyOf(name)], said) || isFamily(name, said));

/** Also by its first word: `status_name` is as much noise as `status`. */
const isNoise = (key: string): boolean =>
  NOISE.has(bare(key)) || NOISE.has(bare(key.split(/[^A-Za-z]|(?=[A-Z])/, 1)[0] ?? ''));

const hasWord = (words: string | undefined, said: string): boolean =>
  words?.split(' ').some(word => bare(word) === bare(said)) ?? false;

/** A parameter called `q` belongs to the words for `query`. */
const familyOf = (name: string): string =>
  name in PARAMETER_WORDS
    ? name
    : (Object.keys(PARAMETER_WORDS).find(family => hasWord(PARAMETER_WORDS[family], name)) ?? name);

const isFamily = (name: string, said: string): boolean =>
  familyOf(name) !== name && bare(familyOf(name)) === bare(said);
