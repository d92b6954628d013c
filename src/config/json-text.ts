import { createScanner, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { BotError } from '../core/bot-error.js';
import { parseBounded } from '../core/json-fields.js';
import type { DescribedError } from '../core/schema-problem.js';
import { syntaxJson } from '../platform/syntax.js';
import { syntaxProblem } from '../platform/syntax-yaml.js';

// Loaded late: few configurations have comments or problems.

/** JSON with comments and trailing commas; a failure says where it stops being that. */
export async function parseCommented(text: string, origin: string): Promise<unknown> {
  try {
    return parseBounded(withoutComments(text));
  } catch (cause) {
    const found = await syntaxJson(text, true);
    const why = found && `, at ${found.line}:${found.column}: ${found.message}`;
    const other = cause instanceof Error ? `: ${cause.message}` : '';
    throw new BotError('config', `${origin} is not valid JSON${why ?? other}`, {
      hint: 'Comments and trailing commas are allowed',
      cause,
    });
  }
}

/** The same as plain JSON. */
function withoutComments(text: string): string {
  const scanner = createScanner(text, true);
  const words: string[] = [];
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const word = text.slice(scanner.getTokenOffset(), scanner.getPosition());
    if ((word === '}' || word === ']') && words.at(-1) === ',') words.pop();
    words.push(word);
  }
  return words.join(' ');
}

/** `LINE:COLUMN` of what an error is about: the unknown key, else the value. */
export function placeIn(text: string, error: DescribedError['error']): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const steps = error.instancePath.split('/').slice(1).map(plain);
  const unknown = error.params['additionalProperty'];
  const node = nodeAt(tree, steps);
  const key =
    typeof unknown === 'string'
      ? nodeAt(tree, [...steps, unknown])?.parent?.children?.[0]
      : undefined;
  const { line, column } = syntaxProblem(text, (key ?? node)?.offset ?? 0, '');
  return `${line}:${column}`;
}

/** A step as JSON pointers escape it. */
const plain = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

function nodeAt(tree: Node | undefined, steps: readonly string[]): Node | undefined {
  if (tree === undefined) return undefined;
  let node: Node | undefined = tree;
  for (const step of steps) {
    node = node && findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step]);
  }
  return node;
}
