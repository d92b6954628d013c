import { isObject } from '../core/json-fields.js';
import type { HookName } from './facts.js';
import { jsonObject, jsonString, valueAt } from './formats.js';
import { addJsonMember, removeJsonMember } from './lefthook.js';
import { callLine } from './shim.js';

/** Its key in package.json; its own configuration files have the hooks at the top level. */
export const SIMPLE_KEY = 'simple-git-hooks';

/** Joins our command to an existing one, so that ours runs if the others succeed. */
const AND = ' && ';

export const simpleCommand = (hook: HookName): string => callLine(hook, '"$@"');

const pathIn = (text: string): string[] => (jsonObject(text, [SIMPLE_KEY]) ? [SIMPLE_KEY] : []);

/** The configuration with our command in it; undefined where the text can't be edited. */
export function addToSimple(text: string, hook: HookName): string | undefined {
  const path = pathIn(text);
  const present = jsonString(text, [...path, hook]);
  if (present !== undefined) {
    // A comment or the background would swallow what follows.
    if (/[#\n]|[&;|]\s*$/.test(present.value)) return undefined;
    const before = text.slice(0, present.end - 1);
    return `${before}${escaped(AND + simpleCommand(hook))}${text.slice(present.end - 1)}`;
  }
  const object = jsonObject(text, path);
  if (object === undefined || valueAt(JSON.parse(text), ...path, hook) !== undefined)
    return undefined;
  return addJsonMember(text, object, member(hook));
}

export function removeFromSimple(text: string, hook: HookName): string {
  const added = escaped(AND + simpleCommand(hook));
  if (text.includes(`${added}"`)) return text.replace(`${added}"`, '"');
  return removeJsonMember(text, member(hook));
}

export const hasSimpleCommand = (data: unknown, hook: HookName): boolean =>
  String(commandIn(data, hook)).includes(simpleCommand(hook));

/** The data without our command, to compare with the original. */
export function withoutSimpleCommand(data: unknown, hook: HookName): unknown {
  const command = String(commandIn(data, hook) ?? '');
  const rest = command.endsWith(AND + simpleCommand(hook))
    ? command.slice(0, -(AND + simpleCommand(hook)).length)
    : undefined;
  const put = (hooks: unknown): object => ({ ...(isObject(hooks) ? hooks : {}), [hook]: rest });
  const own = valueAt(data, SIMPLE_KEY);
  return own === undefined
    ? put(data)
    : { ...(isObject(data) ? data : {}), [SIMPLE_KEY]: put(own) };
}

const commandIn = (data: unknown, hook: HookName): unknown =>
  valueAt(data, SIMPLE_KEY, hook) ?? valueAt(data, hook);

const member = (hook: HookName): string => `"${hook}": "${escaped(simpleCommand(hook))}"`;

/** As written between the quotes in JSON. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
