import { createScanner, type Node, parseTree } from 'jsonc-parser';
import { BotError } from '../core/bot-error.js';
import { parseBounded } from '../core/json-fields.js';
import type { DescribedError } from '../core/schema-problem.js';
import { syntaxJson } from '../platform/syntax.js';
import { syntaxProblem } from '../platform/syntax-yaml.js';
import type { Written } from './read.js';

// Loaded late: few configurations have comments or problems.

/** JSON with comments and trailing commas; a failure says where it becomes invalid. */
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

/** One line for each problem and each repeated key, in the order of the file: `LINE:COLUMN` and what it is. */
export function listProblems(
  problems: readonly DescribedError[],
  { text, pointer }: Pick<Written, 'text' | 'pointer'>,
): string[] {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const settings = nodeAt(tree, stepsOf(pointer));
  const found = problems.map(({ error, text: words }) => ({
    offset: offsetOf(settings, error),
    words,
  }));
  return [...found, ...repeatedKeys(settings, 'top level')]
    .sort((one, other) => one.offset - other.offset)
    .map(({ offset, words }) => {
      const { line, column } = syntaxProblem(text, offset, '');
      return `  ${line}:${column} ${words}`;
    });
}

/** The offset of what an error is about: the unknown key, or the value. */
function offsetOf(settings: Node | undefined, error: DescribedError['error']): number {
  const steps = stepsOf(error.instancePath);
  const unknown = error.params['additionalProperty'];
  const key =
    typeof unknown === 'string' ? nodeAt(settings, [...steps, unknown])?.parent : undefined;
  return (key ?? nodeAt(settings, steps))?.offset ?? 0;
}

interface RepeatedKey {
  readonly offset: number;
  readonly words: string;
}

function repeatedKeys(node: Node | undefined, place: string): RepeatedKey[] {
  const seen = new Set<string>();
  return (node?.children ?? []).flatMap((child, at) => {
    if (child.type !== 'property') return repeatedKeys(child, below(place, String(at)));
    const [key, value] = child.children ?? [];
    const name = String(key?.value);
    const words = `${place}: the key ${JSON.stringify(name)} appears twice`;
    const own = seen.has(name) ? [{ offset: child.offset, words }] : [];
    seen.add(name);
    return [...own, ...repeatedKeys(value, below(place, name))];
  });
}

const below = (place: string, name: string): string =>
  place === 'top level' ? name : `${place}.${name}`;

const stepsOf = (pointer: string): string[] => pointer.split('/').slice(1).map(plain);

/** Undoes the escaping of a JSON pointer's step. */
const plain = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** Of equal keys the last one counts, as in JSON.parse. */
function nodeAt(tree: Node | undefined, steps: readonly string[]): Node | undefined {
  return steps.reduce<Node | undefined>((node, step) => {
    if (node?.type === 'array') return node.children?.[Number(step)];
    return node?.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
  }, tree);
}
