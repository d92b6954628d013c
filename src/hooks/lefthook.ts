import { type ConfigFormat, type Formats, type HookName, readsStdin } from './facts.js';
import {
  addBlock,
  type InsertPosition,
  insertAtEnd,
  positionAtEnd,
  removeBlock,
  textLines,
  yamlValue,
} from './marked-block.js';
import { below, isMapping, withoutKey } from './plain-data.js';
import { callLine } from './shim.js';

const ENDINGS: ReadonlyArray<readonly [ending: string, format: ConfigFormat]> = [
  ['yml', 'yaml'],
  ['yaml', 'yaml'],
  ['json', 'json'],
  ['jsonc', 'json'],
  ['toml', 'toml'],
];

/** What lefthook reads, in its order: the first that is there. */
export const LEFTHOOK_FILES: ReadonlyArray<readonly [name: string, format: ConfigFormat]> =
  ENDINGS.flatMap(([ending, format]) =>
    ['lefthook', '.lefthook', '.config/lefthook'].map(
      name => [`${name}.${ending}`, format] as const,
    ),
  );

const NAME = 'apfel-bot';

/** `{0}` is lefthook's word for what git passed; without `use_stdin` it keeps standard input. */
export const lefthookCommand = (hook: HookName): { run: string; use_stdin?: true } => ({
  run: callLine(hook, '{0}'),
  ...(readsStdin(hook) ? { use_stdin: true } : {}),
});

/** The configuration with our command in it; undefined where it cannot be put in by its text. */
export function addToLefthook(
  text: string,
  hook: HookName,
  by: { readonly format: ConfigFormat; readonly formats: Formats },
): string | undefined {
  if (by.format === 'yaml') return addToYaml(text, hook);
  if (by.format === 'json') return addToJson(text, hook, by.formats);
  return addBlock(text, insertAtEnd(text), { hook, lines: lefthookToml(hook) });
}

export function removeFromLefthook(text: string, hook: HookName, format: ConfigFormat): string {
  if (format !== 'json') return removeBlock(text, hook);
  // The longer ones hold the shorter ones.
  const member = jsonMembers(hook).findLast(candidate => text.includes(candidate));
  return member === undefined ? text : removeJsonMember(text, member);
}

export const lefthookYaml = (hook: HookName): string[] => [
  `${hook}:`,
  ...indented(commandsLines(hook)),
];

/** The command holds no single quote, so it needs no escapes. */
export const lefthookToml = (hook: HookName): string[] => [
  `[${hook}.commands.${NAME}]`,
  ...Object.entries(lefthookCommand(hook)).map(([key, value]) =>
    value === true ? `${key} = true` : `${key} = '${value}'`,
  ),
];

/** The data without our command: what must be left of an edited file. */
export function withoutLefthookCommand(data: unknown, hook: HookName): unknown {
  const commands = withoutKey(below(data, hook, 'commands'), NAME);
  const jobs = below(data, hook, 'jobs');
  const others = Array.isArray(jobs) ? jobs.filter(job => below(job, 'name') !== NAME) : jobs;
  const rest = { ...toMapping(below(data, hook)), commands, jobs: others };
  return { ...toMapping(data), [hook]: rest };
}

export const hasLefthookCommand = (data: unknown, hook: HookName): boolean => {
  const jobs = below(data, hook, 'jobs');
  const isJob = Array.isArray(jobs) && jobs.some(job => below(job, 'name') === NAME);
  return isJob || below(data, hook, 'commands', NAME) !== undefined;
};

function addToYaml(text: string, hook: HookName): string | undefined {
  const lines = textLines(text);
  const value = yamlValue(lines, hook);
  if (value === 'inline') return undefined;
  const put = (position: InsertPosition, block: readonly string[]): string =>
    addBlock(text, position, { hook, lines: block });
  if (value === 'absent') return put(insertAtEnd(text), lefthookYaml(hook));
  const jobs = yamlValue(lines, 'jobs', value);
  const commands = yamlValue(lines, 'commands', value);
  if (jobs === 'inline' || commands === 'inline') return undefined;
  if (jobs !== 'absent') return put(positionAtEnd(jobs), jobLines(hook));
  if (commands !== 'absent') return put(positionAtEnd(commands), commandLines(hook));
  return put(positionAtEnd(value), commandsLines(hook));
}

/** Into the deepest object that is there already. */
function addToJson(text: string, hook: HookName, formats: Formats): string | undefined {
  const members = jsonMembers(hook);
  for (const [at, path] of [[hook, 'commands'], [hook], []].entries()) {
    const object = formats.jsonObject(text, path);
    if (object !== undefined) return addJsonMember(text, object, members[at] ?? '');
  }
  return undefined;
}

/** Our command alone, in its commands, and in its hook. */
function jsonMembers(hook: HookName): string[] {
  const command = `"${NAME}": ${JSON.stringify(lefthookCommand(hook))}`;
  const commands = `"commands": { ${command} }`;
  return [command, commands, `"${hook}": { ${commands} }`];
}

const commandsLines = (hook: HookName): string[] => ['commands:', ...indented(commandLines(hook))];

const commandLines = (hook: HookName): string[] => [`${NAME}:`, ...indented(yamlLines(hook))];

const jobLines = (hook: HookName): string[] => [`- name: ${NAME}`, ...indented(yamlLines(hook))];

const indented = (lines: readonly string[]): string[] => lines.map(line => `  ${line}`);

const yamlLines = (hook: HookName): string[] =>
  Object.entries(lefthookCommand(hook)).map(([key, value]) => `${key}: ${value}`);

const toMapping = (value: unknown): object => (isMapping(value) ? value : {});

/** Where an object begins in a JSON text: behind its brace. */
export interface JsonObject {
  readonly inside: number;
  readonly isEmpty: boolean;
}

/** JSON has no comments to mark our part with, so it is known by its exact text. */
export function addJsonMember(text: string, object: JsonObject, member: string): string {
  const rest = text.slice(object.inside);
  // As far in as the member that was first until now.
  const space = rest.slice(0, rest.length - rest.trimStart().length);
  const added = object.isEmpty ? member : `${space}${member},`;
  return text.slice(0, object.inside) + added + rest;
}

/** Gives back the bytes from before; unchanged when somebody wrote it in another way. */
export function removeJsonMember(text: string, member: string): string {
  const at = text.indexOf(member);
  if (at < 0) return text;
  const before = text.slice(0, at);
  const after = text.slice(at + member.length);
  const trimmed = before.trimEnd();
  // The comma behind it is ours, or, when it has become the last one, the comma before it.
  if (after.startsWith(',')) return trimmed + after.slice(1);
  return trimmed.endsWith(',') ? trimmed.slice(0, -1) + after : before + after;
}
