import type { CST, Document } from 'yaml';

/** Languages whose files must parse. `jsonc` allows comments and trailing commas. */
export type SyntaxKind =
  | 'json'
  | 'jsonc'
  | 'yaml'
  | 'toml'
  | 'plist'
  | 'xml'
  | 'strings'
  | 'pbxproj';

/** Where and why a text doesn't parse. The message never quotes the text. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The text parses, but has the same key twice. */
  readonly isDuplicateKey?: boolean;
  /** Comments or trailing commas in JSON, which many programs accept. */
  readonly isTolerated?: boolean;
}

export const TOO_DEEP = 'it is nested too deeply';

/** A problem at an offset of the text; lines and columns start at 1. */
export function syntaxProblem(text: string, offset: number, message: string): SyntaxProblem {
  const end = Math.min(Math.max(offset, 0), text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: end - lineStart + 1, message };
}

export async function syntaxYaml(text: string): Promise<SyntaxProblem | undefined> {
  const found = await find(text);
  if (found === undefined) return undefined;
  const { offset, message, isDuplicateKey } = found;
  return {
    ...syntaxProblem(text, offset, message),
    ...(isDuplicateKey === true && { isDuplicateKey }),
  };
}

interface Found {
  readonly offset: number;
  readonly message: string;
  readonly isDuplicateKey?: boolean;
}

/**
 * The composer recurses, and a stack overflow inside V8 can end the process without an exception. So
 * the depth is checked before composing.
 */
const MAX_YAML_DEPTH = 200;

async function find(text: string): Promise<Found | undefined> {
  const { Composer, Lexer, Parser, visit } = await import('yaml');
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_YAML_DEPTH) return { offset: parser.offset, message: TOO_DEEP };
    if (tokens.at(-1)?.type === 'error') break;
  }
  tokens.push(...parser.end());

  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent' });
  const stopper = stopAtFirstError(composer);
  try {
    for (const document of composer.compose(tokens, true, text.length)) {
      const [error] = document.errors;
      if (error !== undefined) return yamlFound(error.pos[0], error);
      const found = findInDocument(document, visit);
      if (found !== undefined) return found;
    }
  } catch (thrown) {
    if (stopper.first === undefined) throw thrown;
    return stopper.first;
  }
  return undefined;
}

/**
 * By default all errors are collected, which takes seconds on a hostile file with 80,000 of them.
 */
function stopAtFirstError(composer: object): { first: Found | undefined } {
  const stopper: { first: Found | undefined } = { first: undefined };
  type Place = number | readonly [number, ...number[]] | { readonly offset: number };
  const onError = (source: Place, code: string, message: string, isWarning = false): void => {
    if (isWarning) return;
    const error = { code, message };
    if (typeof source === 'number') stopper.first ??= yamlFound(source, error);
    else stopper.first ??= yamlFound('offset' in source ? source.offset : source[0], error);
    throw new Error('stopped at the first error');
  };
  Object.assign(composer, { onError });
  return stopper;
}

const yamlFound = (
  offset: number,
  { code, message }: { readonly code: string; readonly message: string },
): Found => ({
  offset,
  message: missingSign(message) ?? YAML_MESSAGES[code] ?? "it doesn't parse",
});

/**
 * The parser has one code for several missing characters, and calls an open bracket a wrong indent.
 */
function missingSign(message: string): string | undefined {
  const [, bracket, sign = bracket] =
    /\bend with a ([\]}])|^Missing closing (["'])/.exec(message) ?? [];
  return sign === undefined ? undefined : `a closing ${sign} is missing`;
}

const YAML_MESSAGES: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'an alias is malformed',
  BAD_DIRECTIVE: 'a directive is malformed',
  BAD_DQ_ESCAPE: 'an escape in a string is unknown',
  BAD_INDENT: "the indentation doesn't match the lines around it",
  BAD_SCALAR_START: 'a plain value begins with a reserved character; quote it',
  BLOCK_AS_IMPLICIT_KEY: 'a mapping begins inside a plain value; quote the value',
  BLOCK_IN_FLOW: 'there is a block inside brackets',
  MISSING_CHAR: 'a character is missing, such as a quote, a bracket, a comma or a colon',
  MULTILINE_IMPLICIT_KEY: 'a key spans several lines; a colon may be missing',
  RESOURCE_EXHAUSTION: TOO_DEEP,
  TAB_AS_INDENT: "tabs aren't allowed as indentation",
  UNEXPECTED_TOKEN: 'unexpected character',
};

/** In linear time, unlike the parser's own search for equal keys. */
function findInDocument(
  document: Document.Parsed,
  visit: typeof import('yaml')['visit'],
): Found | undefined {
  let found: Found | undefined;
  const anchors = new Set<string>();
  visit(document, {
    Alias(_key, { source, range }) {
      if (anchors.has(source)) return undefined;
      found = { offset: range?.[0] ?? 0, message: 'an alias has no anchor before it' };
      return visit.BREAK;
    },
    Value(_key, node) {
      if (node.anchor !== undefined) anchors.add(node.anchor);
      if (!('items' in node)) return undefined;
      found = equalKey(node.items);
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

function equalKey(items: readonly unknown[]): Found | undefined {
  const seen = new Set<unknown>();
  for (const item of items) {
    // Pairs of a mapping; items of a sequence have no key.
    const key = (item as { key?: { value?: unknown; range?: readonly number[] } } | null)?.key;
    if (key?.value === undefined || key.value === '<<') continue;
    if (seen.has(key.value)) {
      return {
        offset: key.range?.[0] ?? 0,
        message: 'a key appears twice',
        isDuplicateKey: true,
      };
    }
    seen.add(key.value);
  }
  return undefined;
}
