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
