import { isObject } from '../core/json-fields.js';
import { type ConfigFormat, type HookName, readsStdin } from './facts.js';
import { type JsonObject, jsonObject, valueAt, withoutKey } from './formats.js';
import {
  addBlock,
  type InsertPosition,
  insertAtEnd,
  positionAtEnd,
  removeBlock,
  textLines,
  yamlValue,
} from './marked-block.js';
import { callLine } from './shim.js';

const NAME = 'apfel-bot';

/** `{0}` is replaced by git's arguments; without `use_stdin` lefthook keeps standard input. */
export const lefthookCommand = (hook: HookName): { run: string; use_stdin?: true } => ({
  run: callLine(hook, '{0}'),
  ...(readsStdin(hook) ? { use_stdin: true } : {}),
});

/** The configuration with our command in it; undefined where the text can't be edited. */
export function addToLefthook(
  text: string,
  hook: HookName,
  format: ConfigFormat,
): string | undefined {
  if (format === 'yaml') return addToYaml(text, hook);
  if (format === 'json') return addToJson(text, hook);
  return addBlock(text, insertAtEnd(text), { hook, lines: lefthookToml(hook) });
}

export function removeFromLefthook(text: string, hook: HookName, format: ConfigFormat): string {
  if (format !== 'json') return removeBlock(text, hook);
  // The longer ones contain the shorter ones.
  const member = jsonMembers(hook).findLast(candidate => text.includes(candidate));
  return member === undefined ? text : removeJsonMember(text, member);
}

export const lefthookYaml = (hook: HookName): string[] => [
  `${hook}:`,
  ...indented(commandsLines(hook)),
];

/** The command has no single quote, so it needs no escaping. */
export const lefthookToml = (hook: HookName): string[] => [
  `[${hook}.commands.${NAME}]`,
  ...Object.entries(lefthookCommand(hook)).map(([key, value]) =>
    value === true ? `${key} = true` : `${key} = '${value}'`,
  ),
];

/** The data without our command, to compare with the original. */
export function withoutLefthookCommand(data: unknown, hook: HookName): unknown {
  const commands = withoutKey(valueAt(data, hook, 'commands'), NAME);
  const jobs = valueAt(data, hook, 'jobs');
  const others = Array.isArray(jobs) ? jobs.filter(job => valueAt(job, 'name') !== NAME) : jobs;
  const rest = { ...toMapping(valueAt(data, hook)), commands, jobs: others };
  return { ...toMapping(data), [hook]: rest };
}

export const hasLefthookCommand = (data: unknown, hook: HookName): boolean => {
  const jobs = valueAt(data, hook, 'jobs');
  const isJob = Array.isArray(jobs) && jobs.some(job => valueAt(job, 'name') === NAME);
  return isJob || valueAt(data, hook, 'commands', NAME) !== undefined;
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

/** Adds it to the deepest object that already exists. */
function addToJson(text: string, hook: HookName): string | undefined {
  const members = jsonMembers(hook);
  for (const [at, path] of [[hook, 'commands'], [hook], []].entries()) {
    const object = jsonObject(text, path);
    if (object !== undefined) return addJsonMember(text, object, members[at] ?? '');
  }
  return undefined;
}

/** Our command alone, inside `commands`, and inside its hook. */
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

const toMapping = (value: unknown): object => (isObject(value) ? value : {});

/** JSON has no comments to mark our part with, so it is recognised by its exact text. */
export function addJsonMember(text: string, object: JsonObject, member: string): string {
  const rest = text.slice(object.inside);
  // Indented like the first member so far.
  const space = rest.slice(0, rest.length - rest.trimStart().length);
  const added = object.isEmpty ? member : `${space}${member},`;
  return text.slice(0, object.inside) + added + rest;
}

/** Gives back the original bytes; unchanged when somebody reformatted our part. */
export function removeJsonMember(text: string, member: string): string {
  const at = text.indexOf(member);
  if (at < 0) return text;
  const before = text.slice(0, at);
  const after = text.slice(at + member.length);
  const trimmed = before.trimEnd();
  // The comma after it is ours, or the one before it if it is now the last member.
  if (after.startsWith(',')) return trimmed + after.slice(1);
  return trimmed.endsWith(',') ? trimmed.slice(0, -1) + after : before + after;
}
