import type { ParseError } from 'jsonc-parser';
import type { ConfigFormat, Formats } from './facts.js';

/** Parsers for hook managers' configurations, loaded by whoever installs. */
export async function loadHookFormats(): Promise<Formats> {
  const [yaml, toml, jsonc] = await Promise.all([
    import('yaml'),
    import('smol-toml'),
    import('jsonc-parser'),
  ]);
  const parse: Readonly<Record<ConfigFormat, (text: string) => unknown>> = {
    yaml: text => yaml.parse(text, { logLevel: 'error' }) ?? {},
    toml: text => toml.parse(text),
    json: text => parseJson(jsonc, text),
  };
  return {
    read(format, text) {
      if (isTooDeep(text)) return undefined;
      try {
        return parse[format](text);
      } catch {
        return undefined;
      }
    },
    jsonObject(text, path) {
      const root = jsonc.parseTree(text);
      const node = root === undefined ? undefined : jsonc.findNodeAtLocation(root, [...path]);
      if (node?.type !== 'object') return undefined;
      return { inside: node.offset + 1, isEmpty: node.children?.length === 0 };
    },
  };
}

/** With comments, as lefthook.jsonc may have them; undefined at the first error. */
function parseJson(jsonc: typeof import('jsonc-parser'), text: string): unknown {
  const errors: ParseError[] = [];
  const data: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? data : undefined;
}

/** Deeper than anyone nests a hook configuration. Parsers recurse, and a full stack ends us. */
const MOST_DEPTH = 100;

function isTooDeep(text: string): boolean {
  let open = 0;
  for (const char of text) {
    if (char === '[' || char === '{') open += 1;
    else if (char === ']' || char === '}') open = Math.max(0, open - 1);
    if (open > MOST_DEPTH) return true;
  }
  // Block style nests by indentation, or by dashes in one line.
  return /^(?: |- ){200}/m.test(text);
}
