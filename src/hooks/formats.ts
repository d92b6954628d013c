import { findNodeAtLocation, type ParseError, parse as parseJsonc, parseTree } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { isObject } from '../core/json-fields.js';
import type { ConfigFormat } from './facts.js';

const PARSERS: Readonly<Record<ConfigFormat, (text: string) => unknown>> = {
  yaml: text => parseYaml(text, { logLevel: 'error' }) ?? {},
  toml: text => parseToml(text),
  json: parseJson,
};

/** A hook manager's configuration as data; undefined when it isn't valid. */
export function readConfigText(format: ConfigFormat, text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return PARSERS[format](text);
  } catch {
    return undefined;
  }
}

/** With comments, which lefthook.jsonc may have; undefined at the first error. */
function parseJson(text: string): unknown {
  const errors: ParseError[] = [];
  const data: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? data : undefined;
}

/** Where an object begins in a JSON text: after its opening brace. */
export interface JsonObject {
  readonly inside: number;
  readonly isEmpty: boolean;
}

/** The object under these keys; undefined when there is none. */
export function jsonObject(text: string, path: readonly string[]): JsonObject | undefined {
  const root = parseTree(text);
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  if (node?.type !== 'object') return undefined;
  return { inside: node.offset + 1, isEmpty: node.children?.length === 0 };
}

/** The string under these keys, and where its closing quote ends. */
export function jsonString(
  text: string,
  path: readonly string[],
): { readonly value: string; readonly end: number } | undefined {
  const root = parseTree(text);
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  if (node?.type !== 'string') return undefined;
  return { value: String(node.value), end: node.offset + node.length };
}

/** Nobody nests a hook configuration deeper. Parsers recurse, and would overflow the stack. */
const MAX_DEPTH = 100;

function isTooDeep(text: string): boolean {
  let open = 0;
  for (const char of text) {
    if (char === '[' || char === '{') open += 1;
    else if (char === ']' || char === '}') open = Math.max(0, open - 1);
    if (open > MAX_DEPTH) return true;
  }
  // Block style nests by indentation, or by dashes in one line.
  return /^(?: |- ){200}/m.test(text);
}

/** The value under these keys, or undefined. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) found = isObject(found) ? found[key] : undefined;
  return found;
}

export const withoutKey = (value: unknown, key: string): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    : value;

/** Equal in content; empty values count as absent, and the order of keys doesn't matter. */
export const sameData = (one: unknown, other: unknown): boolean =>
  JSON.stringify(tidy(one)) === JSON.stringify(tidy(other));

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(tidy);
  if (!isObject(value)) return value === null ? undefined : value;
  const entries = Object.entries(value)
    .map(([key, inner]) => [key, tidy(inner)] as const)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
