import type { Severity } from '../core/finding.js';
import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  textOf,
  wordsOf,
} from './json-value.js';
import { decode } from './locate-path.js';

/** Following one base to the next: a log that goes round in circles ends here. */
const MOST_BASES = 10;

/** What a result only refers to: the rule and the file, kept once per run. */
export interface SarifRun {
  readonly tool: string;
  ruleOf(result: JsonObject): JsonObject;
  /** A path or file address; undefined when the location names none. */
  fileOf(artifactLocation: JsonObject): string | undefined;
}

export function sarifRun(run: JsonObject): SarifRun {
  const tool = objectOf(run['tool']);
  const components = [objectOf(tool['driver']), ...objectsOf(tool['extensions'])];
  const rules = components.flatMap(each => objectsOf(each['rules']));
  const byId = new Map(rules.map(rule => [textOf(rule['id']) ?? '', rule]));
  return {
    tool: wordsOf(components[0]?.['name']) ?? 'sarif',
    ruleOf: result => ruleOf(result, components, byId),
    fileOf: location => fileOf(location, run),
  };
}

function ruleOf(
  result: JsonObject,
  components: readonly JsonObject[],
  byId: ReadonlyMap<string, JsonObject>,
): JsonObject {
  const reference = objectOf(result['rule']);
  const component = objectOf(reference['toolComponent'])['index'];
  const rules = components[typeof component === 'number' ? component + 1 : 0]?.['rules'];
  const index = reference['index'] ?? result['ruleIndex'];
  const atIndex = typeof index === 'number' ? listOf(rules)[index] : undefined;
  if (isObject(atIndex)) return atIndex;
  const id = ruleIdOf(result) ?? '';
  // `CA1000/1` refines `CA1000`.
  return byId.get(id) ?? byId.get(id.split('/', 1)[0] ?? '') ?? {};
}

export const ruleIdOf = (result: JsonObject): string | undefined =>
  wordsOf(result['ruleId']) ?? wordsOf(objectOf(result['rule'])['id']);

function fileOf(location: JsonObject, run: JsonObject): string | undefined {
  const index = location['index'];
  const artifact = typeof index === 'number' ? listOf(run['artifacts'])[index] : undefined;
  const known = objectOf(objectOf(artifact)['location']);
  const uri = wordsOf(location['uri']) ?? wordsOf(known['uri']);
  if (uri === undefined) return undefined;
  const base = wordsOf(location['uriBaseId']) ?? wordsOf(known['uriBaseId']);
  return join(baseOf(base, run), uri);
}

/** A base without an address, such as `%SRCROOT%`, stands for the top of the repository. */
function baseOf(first: string | undefined, run: JsonObject): string {
  const bases = objectOf(run['originalUriBaseIds']);
  let path = '';
  let id = first;
  for (let step = 0; id !== undefined && step < MOST_BASES; step += 1) {
    const base = objectOf(bases[id]);
    path = join(wordsOf(base['uri']) ?? '', path);
    id = wordsOf(base['uriBaseId']);
  }
  return path;
}

function join(base: string, uri: string): string {
  if (/^[a-z][a-z\d+.-]{1,20}:/i.test(uri)) return uri;
  const path = decode(uri);
  if (base === '' || path.startsWith('/')) return path;
  return `${base.replace(/\/$/, '')}/${path}`;
}

/** The message, its placeholders filled; undefined when the log only names one it does not hold. */
export function messageOf(result: JsonObject, rule: JsonObject): string | undefined {
  const message = objectOf(result['message']);
  const id = textOf(message['id']) ?? '';
  const known = objectOf(objectOf(rule['messageStrings'])[id]);
  const template = wordsOf(message['text']) ?? wordsOf(known['text']);
  const values = listOf(message['arguments']);
  return template?.replace(
    /\{(\d{1,3})\}/g,
    (written, at: string) => textOf(values[Number(at)]) ?? written,
  );
}

export function severityOf(result: JsonObject, rule: JsonObject): Severity {
  const usual = objectOf(rule['defaultConfiguration'])['level'];
  const level = result['level'] ?? usual ?? 'warning';
  if (level === 'error' || level === 'warning') return level;
  return 'info';
}
