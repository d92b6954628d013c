import { type PatternNode, patternTree } from './pattern-tree.js';

export type SafePattern =
  | { readonly ok: true; readonly pattern: RegExp }
  | { readonly ok: false; readonly problem: string };

/** Longer ones are programs, not patterns. */
const LONGEST = 200;
/** From so many rounds on a repeated group is treated as endless. */
const MANY_ROUNDS = 10;
/** Ways to read the same text by optional parts and alternatives; each costs a try. */
const MOST_WAYS = 1024;
/** Endless repeats that can take the same text: each multiplies the cost by the length of the line. */
const MOST_RIVALS = 3;

/** Text → RegExp, unless a line could be written on which it would not come to an end in time. */
export function safePattern(source: string): SafePattern {
  if (source === '') return refused('it is empty');
  if (source.length > LONGEST) return refused(`it has ${source.length} characters, at most ${LONGEST} are allowed`);
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
    return message.replace(/^Invalid regular expression: \/[^]*\/[a-z]*: /, 'it does not parse: ');
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

/** Whether the first character decides which alternative it is. */
function areApart(branches: ReadonlyArray<readonly PatternNode[]>): boolean {
  if (branches.length === 1) return true;
  let seen = 0n;
  for (const branch of branches) {
    const first = firstOf(branch);
    if (first === undefined || (first & seen) !== 0n) return false;
    seen |= first;
  }
  return true;
}

/** What a sequence can begin with; undefined when it can be empty. */
function firstOf(nodes: readonly PatternNode[]): bigint | undefined {
  let first = 0n;
  for (const node of nodes) {
    const { set, canBeEmpty } = startOf(node);
    first |= set;
    if (!canBeEmpty) return first;
  }
  return undefined;
}

function startOf(node: PatternNode): { readonly set: bigint; readonly canBeEmpty: boolean } {
  if (node.kind === 'character') return { set: node.set, canBeEmpty: false };
  if (node.kind === 'repeat') {
    const { set, canBeEmpty } = startOf(node.body);
    return { set, canBeEmpty: canBeEmpty || node.min === 0 };
  }
  if (node.kind !== 'group' || node.isLook) return { set: 0n, canBeEmpty: true };
  const firsts = node.branches.map(firstOf);
  const all = node.branches.flat().reduce((set, each) => set | startOf(each).set, 0n);
  return { set: all, canBeEmpty: firsts.includes(undefined) };
}

function problemOfCost(tree: PatternNode): string | undefined {
  if (waysOf(tree) > MOST_WAYS) return 'it has too many optional parts';
  const rivals = rivalsIn(tree);
  return rivals > MOST_RIVALS
    ? `${rivals} endless repeats can take the same text, at most ${MOST_RIVALS} are allowed`
    : undefined;
}

/** In how many ways bounded repeats and alternatives may read one text. */
function waysOf(node: PatternNode): number {
  if (node.kind === 'repeat') {
    const inner = waysOf(node.body);
    if (node.max > MANY_ROUNDS) return inner;
    return (node.max - node.min + 1) * inner ** Math.max(1, node.max);
  }
  if (node.kind !== 'group') return 1;
  const ways = node.branches.map(branch => branch.reduce((all, each) => all * waysOf(each), 1));
  return areApart(node.branches) ? Math.max(...ways) : ways.reduce((sum, each) => sum + each, 0);
}

/** The most endless repeats between which a stretch of text can be divided at will. */
export function rivalsIn(tree: PatternNode): number {
  const steps = stepsOf(tree, false);
  let most = 0;
  for (const [at, { set, isEndless }] of steps.entries()) {
    if (!isEndless) continue;
    let rivals = 0;
    for (const step of steps.slice(at)) {
      const isShared = (step.set & set) !== 0n;
      // A character that must be there and that the repeat cannot take keeps the two apart.
      if (!isShared && step.isNeeded) break;
      if (isShared && step.isEndless) rivals += 1;
    }
    most = Math.max(most, rivals);
  }
  return most;
}

interface Step {
  readonly set: bigint;
  readonly isEndless: boolean;
  readonly isNeeded: boolean;
}

/** The expression laid out in one row; of alternatives none is needed. */
function stepsOf(node: PatternNode, isOptional: boolean): Step[] {
  if (node.kind === 'character') {
    return [{ set: node.set, isEndless: false, isNeeded: !isOptional }];
  }
  if (node.kind === 'group') {
    const isFree = isOptional || node.isLook || node.branches.length > 1;
    return node.branches.flatMap(branch => branch.flatMap(each => stepsOf(each, isFree)));
  }
  if (node.kind !== 'repeat') return [];
  const inner = stepsOf(node.body, isOptional || node.min === 0);
  // Few rounds are laid out one by one; many are one repeat of everything inside.
  if (node.max < MANY_ROUNDS) return Array.from({ length: roundsOf(node, inner) }, () => inner).flat();
  const set = inner.reduce((all, step) => all | step.set, 0n);
  return [{ set, isEndless: node.max !== node.min, isNeeded: !isOptional && node.min > 0 }];
}

/** Rounds within rounds within rounds need not all be laid out to see what is in them. */
const MOST_STEPS = 1000;

const roundsOf = ({ max }: { readonly max: number }, inner: readonly Step[]): number =>
  Math.min(max, Math.max(1, Math.floor(MOST_STEPS / Math.max(1, inner.length))));
