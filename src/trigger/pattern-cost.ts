import type { PatternNode } from './pattern-tree.js';

/** From so many rounds on a repeated group is treated as endless. */
export const MANY_ROUNDS = 10;

export interface PatternCost {
  /** In how many ways bounded repeats and alternatives may read one text. */
  readonly ways: number;
  /** The most endless repeats between which a stretch of text can be divided at will. */
  readonly rivals: number;
}

/** What makes a matcher try again. Each rival multiplies the tries by the length of the text. */
export const patternCost = (tree: PatternNode): PatternCost => ({
  ways: waysOf(tree),
  rivals: new Rivals().in([tree], []),
});

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

/** Whether the first character decides which alternative it is. */
export function areApart(branches: ReadonlyArray<readonly PatternNode[]>): boolean {
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

/** Rounds within rounds would take for ever to follow; whoever writes them gets the worst. */
const MOST_STEPS = 20_000;

/** Follows every way through the expression from each endless repeat on. */
class Rivals {
  #steps = 0;

  /** The most rivals of any endless repeat in a sequence; `rest` is what comes behind it. */
  in(nodes: readonly PatternNode[], rest: readonly PatternNode[]): number {
    let most = 0;
    for (const [at, node] of nodes.entries()) {
      this.#steps += 1;
      if (this.#steps > MOST_STEPS) return Number.POSITIVE_INFINITY;
      const behind = [...nodes.slice(at + 1), ...rest];
      most = Math.max(most, this.#inNode(node, behind));
    }
    return most;
  }

  #inNode(node: PatternNode, behind: readonly PatternNode[]): number {
    if (node.kind === 'group') {
      return Math.max(...node.branches.map(branch => this.in(branch, behind)));
    }
    if (node.kind !== 'repeat') return 0;
    if (node.max >= MANY_ROUNDS) {
      return node.max === node.min ? 0 : 1 + this.#after(behind, setIn(node.body)).most;
    }
    const rounds = Array.from({ length: Math.max(0, node.max - 1) }, () => node.body);
    return this.in([node.body], [...rounds, ...behind]);
  }

  /** `open` is undefined once a character must come that the repeat cannot take. */
  #after(nodes: readonly PatternNode[], set: bigint, from = 0): Trail {
    let open: number | undefined = from;
    let most = from;
    for (const node of nodes) {
      this.#steps += 1;
      if (this.#steps > MOST_STEPS) return { open, most: Number.POSITIVE_INFINITY };
      if (open === undefined) break;
      const trail: Trail = this.#through(node, set, open);
      open = trail.open;
      most = Math.max(most, trail.most);
    }
    return { open, most };
  }

  #through(node: PatternNode, set: bigint, from: number): Trail {
    if (node.kind === 'character') {
      return { open: (node.set & set) === 0n ? undefined : from, most: from };
    }
    if (node.kind === 'group') {
      const trails = node.branches.map(branch => this.#after(branch, set, from));
      const open = node.isLook ? from : undefined;
      return trails.reduce(widest, { open, most: from });
    }
    if (node.kind !== 'repeat') return { open: from, most: from };
    const skipped: Trail = { open: node.min === 0 ? from : undefined, most: from };
    if (node.max < MANY_ROUNDS) {
      const rounds = Array.from({ length: node.max }, () => node.body);
      return widest(skipped, this.#after(rounds, set, from));
    }
    if ((setIn(node.body) & set) === 0n) return skipped;
    const next = node.max === node.min ? from : from + 1;
    return { open: next, most: next };
  }
}

interface Trail {
  readonly open: number | undefined;
  readonly most: number;
}

const widest = (one: Trail, other: Trail): Trail => ({
  open:
    one.open === undefined || other.open === undefined
      ? (one.open ?? other.open)
      : Math.max(one.open, other.open),
  most: Math.max(one.most, other.most),
});

/** Every character that can occur in it. */
function setIn(node: PatternNode): bigint {
  if (node.kind === 'character') return node.set;
  if (node.kind === 'repeat') return setIn(node.body);
  if (node.kind !== 'group') return 0n;
  return node.branches.flat().reduce((set, each) => set | setIn(each), 0n);
}
