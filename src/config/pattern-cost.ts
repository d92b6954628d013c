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

/** A regular expression as a tree, as far as its cost depends on it. */
export type PatternNode =
  /** One character out of a set. */
  | { readonly kind: 'character'; readonly set: bigint }
  /** Takes no text: `^`, `\b`, and so on. */
  | { readonly kind: 'edge' }
  | { readonly kind: 'backreference' }
  | {
      readonly kind: 'group';
      readonly branches: ReadonlyArray<readonly PatternNode[]>;
      readonly isLook: boolean;
    }
  | {
      readonly kind: 'repeat';
      readonly min: number;
      readonly max: number;
      readonly body: PatternNode;
    };

type Group = Extract<PatternNode, { kind: 'group' }>;

/** The expression must be one that `RegExp` accepts, and short: every bracket is a call. */
export function patternTree(source: string, flags: string): Group {
  const reader = new Reader(source, flags);
  return reader.group(false);
}

/** What two sets have in common is what a matcher may try twice. The last ones stand for the rest. */
const SAMPLES = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ...'äЖ漢'];

class Reader {
  #at = 0;

  constructor(
    readonly source: string,
    readonly flags: string,
  ) {}

  group(isLook: boolean): Group {
    const branches: PatternNode[][] = [[]];
    for (; this.#at < this.source.length && this.source[this.#at] !== ')'; ) {
      if (this.source[this.#at] === '|') {
        this.#at += 1;
        branches.push([]);
        continue;
      }
      branches.at(-1)?.push(this.#repeated(this.#atom()));
    }
    return { kind: 'group', branches, isLook };
  }

  #atom(): PatternNode {
    const rest = this.source.slice(this.#at);
    const opening = /^\((?:\?(?::|<?[=!]|<[^>]*>))?/.exec(rest)?.[0];
    if (opening !== undefined) {
      this.#at += opening.length;
      const inner = this.group(/[=!]$/.test(opening));
      this.#at += 1;
      return inner;
    }
    if (/^(?:[$^]|\\[bB])/.test(rest)) {
      this.#at += rest.startsWith('\\') ? 2 : 1;
      return { kind: 'edge' };
    }
    if (/^\\(?:[1-9]|k<)/.test(rest)) {
      this.#at += 2;
      return { kind: 'backreference' };
    }
    return this.#character(rest);
  }

  #character(rest: string): PatternNode {
    const [text = rest.charAt(0)] = CHARACTER.exec(rest) ?? [];
    this.#at += text.length;
    return { kind: 'character', set: setOf(text, this.flags) };
  }

  #repeated(body: PatternNode): PatternNode {
    const rest = this.source.slice(this.#at);
    const [whole, sign, from, comma, to] =
      /^(?:([*+?])|\{(\d{1,9})(?:(,)(\d{0,9}))?\})\??/.exec(rest) ?? [];
    if (whole === undefined) return body;
    this.#at += whole.length;
    if (sign !== undefined) {
      const max = sign === '?' ? 1 : Number.POSITIVE_INFINITY;
      return { kind: 'repeat', min: sign === '+' ? 1 : 0, max, body };
    }
    const min = Number(from);
    const open = to === undefined || to === '' ? Number.POSITIVE_INFINITY : Number(to);
    return { kind: 'repeat', min, max: comma === undefined ? min : open, body };
  }
}

/** A class, an escape of any length, or a plain character. */
const CHARACTER =
  /^(?:\[(?:[^\]\\]|\\[\s\S])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|0|[\s\S])|[\s\S])/;

const OTHERS = 0b111n << 128n;

function setOf(text: string, flags: string): bigint {
  const one = new RegExp(`^(?:${/^[{}\]]$/.test(text) ? `\\${text}` : text})$`, flags);
  const set = SAMPLES.reduce((all, sample, at) => (one.test(sample) ? all | bit(at) : all), 0n);
  // A few samples cannot stand for every letter there is; what is named may be any of them.
  return set === 0n || /[^\0-\x7f]|\\[ux]/.test(text) ? set | OTHERS : set;
}

const bit = (at: number): bigint => 1n << BigInt(at);
