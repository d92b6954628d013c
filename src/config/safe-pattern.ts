import {
  areApart,
  MANY_ROUNDS,
  type PatternCost,
  type PatternNode,
  patternCost,
  patternTree,
} from './pattern-cost.js';

export type SafePattern =
  | { readonly ok: true; readonly pattern: RegExp }
  | { readonly ok: false; readonly problem: string };

/** Longer ones are programs, not patterns. */
const LONGEST = 200;
/** Ways to read the same text by optional parts and alternatives; each costs a try. */
const MOST_WAYS = 256;
/** Endless repeats that can take the same text: each multiplies the cost by the length of the line. */
const MOST_RIVALS = 2;

/** Text → RegExp, unless a line could be written on which it would not come to an end in time. */
export function safePattern(source: string): SafePattern {
  if (source === '') return refused('it is empty');
  if (source.length > LONGEST)
    return refused(`it has ${source.length} characters, at most ${LONGEST} are allowed`);
  const pattern = compile(source);
  if (typeof pattern === 'string') return refused(pattern);
  const tree = patternTree(source, pattern.flags);
  const problem = problemIn(tree, false) ?? problemOfCost(tree);
  return problem === undefined ? { ok: true, pattern } : refused(problem);
}

const refused = (problem: string): SafePattern => ({ ok: false, problem });

function compile(source: string): RegExp | string {
  try {
    // Without the flag these escapes would be read as plain letters.
    const pattern = new RegExp(source, /\\[pPu]\{/.test(source) ? 'u' : '');
    // Some are found too large only when they are first used.
    pattern.test('');
    return pattern;
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return message.replace(
      /^Invalid regular expression: \/[\s\S]*\/[a-z]*: /,
      'it does not parse: ',
    );
  }
}

function problemIn(node: PatternNode, isRepeated: boolean): string | undefined {
  switch (node.kind) {
    case 'character':
    case 'edge':
      return undefined;
    case 'backreference':
      return 'a backreference can take endlessly long';
    case 'group':
      return problemInGroup(node.branches, isRepeated);
    case 'repeat': {
      const varies = node.min !== node.max;
      if (isRepeated && varies) return 'a repeat inside a repeat can take endlessly long';
      return problemIn(node.body, isRepeated || node.max >= MANY_ROUNDS);
    }
    default: {
      const never: never = node;
      return never;
    }
  }
}

function problemInGroup(
  branches: ReadonlyArray<readonly PatternNode[]>,
  isRepeated: boolean,
): string | undefined {
  if (isRepeated && !areApart(branches)) {
    return 'alternatives that begin alike inside a repeat can take endlessly long';
  }
  for (const node of branches.flat()) {
    const problem = problemIn(node, isRepeated);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfCost(tree: PatternNode): string | undefined {
  const { ways, rivals } = patternCost(tree);
  if (rivals > MOST_RIVALS) {
    return `more than ${MOST_RIVALS} endless repeats can take the same text`;
  }
  return ways > MOST_WAYS ? 'it has too many optional parts' : undefined;
}

/** Longer lines are looked at in pieces: the cost grows faster than the length. */
const LONGEST_LINE = 1000;
/** So many tries a piece may take: some milliseconds. */
const MOST_TRIES = 4e5;
/** No line of code is longer; rather than search it, the question is asked. */
const MOST_CHARACTERS = 10_000;

/** A test for lines of any length, in bounded time whatever they hold. */
export function lineMatcher(pattern: RegExp): (line: string) => boolean {
  const { source, flags } = pattern;
  const length = pieceLength(patternCost(patternTree(source, flags)));
  const step = Math.ceil(length / 2);
  return line => {
    if (line.length <= length) return pattern.test(line);
    if (line.length > MOST_CHARACTERS) return true;
    // Pieces overlap by half, so that what stands across a cut is whole in the next one.
    for (let from = 0; from < line.length; from += step) {
      if (pattern.test(line.slice(from, from + length))) return true;
    }
    return false;
  };
}

/** Each start, each division of the text between the repeats, and each way to read it, is one try. */
function pieceLength({ ways, rivals }: PatternCost): number {
  const degree = rivals + 1;
  let orders = 1;
  for (let factor = 2; factor <= degree; factor += 1) orders *= factor;
  return Math.min(LONGEST_LINE, Math.ceil(((MOST_TRIES * orders) / ways) ** (1 / degree)));
}
