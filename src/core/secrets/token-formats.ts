/** A family of tokens that share an issuer and what to do when one leaks. */
export interface TokenFamily {
  /** The rule is `secret/<kind>`. */
  readonly kind: string;
  /** As it reads after "looks like". */
  readonly name: string;
  readonly shapes: readonly TokenShape[];
}

export interface TokenShape {
  /** Literal text of at least three characters that each token has; the search starts from it. */
  readonly prefix: string | readonly string[];
  /** What follows the prefix, as the source of a regular expression with bounded repeats. */
  readonly body: string;
  /** For tokens whose literal text is not at the start: what precedes it, of fixed length. */
  readonly before?: { readonly source: string; readonly length: number };
  /** Set when the prefix is public (a host, a parameter): what stands between it and the secret. */
  readonly lead?: string;
  /** The prefix is written in either case. */
  readonly isAnyCase?: boolean;
  /** For tokens of any length: the characters it may go on with after the body; nothing must follow. */
  readonly tail?: string;
  /** For weak prefixes: the token must end at a quote, a blank, a bracket or the end of the line. */
  readonly mustStandAlone?: boolean;
  /** Least entropy of the body in bits per character; real ones reach about log2 of the alphabet. */
  readonly entropy?: number;
}

/** One shape made ready to search with. */
export interface TokenFormat {
  readonly kind: string;
  readonly anchors: readonly string[];
  /** How far before its anchor a token of this format begins. */
  readonly back: number;
  /** Sticky; group 1 is public text in front, group 2 the secret. */
  readonly pattern: RegExp;
  /** Sticky; the rest of an accepted token, looked at only then, so that refusing one stays cheap. */
  readonly tail: RegExp | undefined;
  readonly entropy: number;
  /** How many characters of the secret are a fixed public prefix. */
  readonly prefixLength: number;
}

export const ALNUM = '[A-Za-z0-9]';
export const HEX = '[0-9a-f]';
export const ANY_HEX = '[0-9A-Fa-f]';
export const URL_SAFE = '[A-Za-z0-9_-]';
export const BASE64 = '[A-Za-z0-9+/]';
export const UUID = `${ANY_HEX}{8}-${ANY_HEX}{4}-${ANY_HEX}{4}-${ANY_HEX}{4}-${ANY_HEX}{12}`;

/** Random hexadecimal of 12 characters still has 2.9 on average; repeated fillers stay under 2. */
const DEFAULT_ENTROPY = 2.7;

// A token in an escaped string or a URL follows `\n` or `%3D`, whose last character is a letter.
const START = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))`;
const END = '(?![A-Za-z0-9_])';
const END_ALONE = String.raw`(?=[\s"'\x60;,<>()[\]{}|&\\]|$)`;

export const family = (kind: string, name: string, shapes: readonly TokenShape[]): TokenFamily => ({
  kind,
  name,
  shapes,
});

export function tokenFormats(families: readonly TokenFamily[]): readonly TokenFormat[] {
  return families.flatMap(family => family.shapes.map(shape => tokenFormat(family.kind, shape)));
}

function tokenFormat(kind: string, shape: TokenShape): TokenFormat {
  const prefixes = typeof shape.prefix === 'string' ? [shape.prefix] : shape.prefix;
  const literal = `(?:${prefixes.map(escapeForPattern).join('|')})`;
  const before = shape.before?.source ?? '';
  // Most places that the index points at are settled by a glance at the literal.
  const glance = shape.before === undefined ? `(?=${literal})` : '';
  const closed = shape.mustStandAlone === true ? END_ALONE : END;
  const end = shape.tail === undefined ? closed : '';
  const core =
    shape.lead === undefined
      ? `()(${before}${literal}${shape.body})`
      : `(${before}${literal}${shape.lead})(${shape.body})`;
  const hasPublicPrefix = shape.lead === undefined && shape.before === undefined;
  return {
    kind,
    anchors: prefixes.map(prefix => prefix.toLowerCase()),
    back: shape.before?.length ?? 0,
    pattern: new RegExp(glance + START + core + end, shape.isAnyCase === true ? 'iy' : 'y'),
    tail: shape.tail === undefined ? undefined : new RegExp(`${shape.tail}*={0,3}`, 'y'),
    entropy: shape.entropy ?? DEFAULT_ENTROPY,
    prefixLength: hasPublicPrefix ? Math.min(...prefixes.map(prefix => prefix.length)) : 0,
  };
}

const escapeForPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
