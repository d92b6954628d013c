export interface RepairedJson {
  readonly value: unknown;
  /** It wasn't valid JSON: a fence, a missing bracket, an extra comma, text around it. */
  readonly isRepaired: boolean;
  /** It stops in the middle of a value, so it must not be acted on. */
  readonly isCut: boolean;
  /** The index after it. */
  readonly end: number;
}

/** The first object or list in a text, repaired where that can't change its meaning. */
export function repairJson(text: string): RepairedJson | undefined {
  const clean = parseClean(text);
  if (clean !== undefined) return clean;
  for (const start of openingBrackets(text)) {
    const found = repairJsonAt(text, start);
    if (found !== undefined) return { ...found, isRepaired: true };
  }
  return undefined;
}

/** The object or list that begins at this index. */
export function repairJsonAt(text: string, start: number): RepairedJson | undefined {
  const reader = new JsonReader(text, start);
  const read = reader.value(0);
  if (read === undefined) return undefined;
  return { value: read.value, isRepaired: reader.isRepaired, isCut: reader.isCut, end: reader.at };
}

function parseClean(text: string): RepairedJson | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return { value, isRepaired: false, isCut: false, end: text.length };
  } catch {
    // Not valid JSON: try to repair it.
    return undefined;
  }
}

/** Prose before the object may have a bracket or two; a text full of them isn't searched. */
const MAX_STARTS = 8;

function openingBrackets(text: string): number[] {
  const first = text.length - text.trimStart().length;
  // A list is only accepted at the very start: prose is full of square brackets.
  const starts = text[first] === '[' ? [first] : [];
  let at = text.indexOf('{');
  while (at !== -1 && starts.length < MAX_STARTS) {
    starts.push(at);
    at = text.indexOf('{', at + 1);
  }
  return starts;
}

/** A JSON parser that accepts unambiguous mistakes and gives up (undefined) on the rest. */
class JsonReader {
  isRepaired = false;
  isCut = false;

  constructor(
    private readonly text: string,
    public at: number,
    /** Shared with the parsers of nested strings: each could try its contents twice. */
    private readonly attempts = { left: MAX_ATTEMPTS },
  ) {}

  value(depth: number): Read {
    this.skipSpace();
    const char = this.text[this.at];
    if (depth > MAX_DEPTH || char === undefined) return undefined;
    if (char === '{') return this.object(depth);
    if (char === '[') return this.list(depth);
    if (char === '"' || char === "'") return this.string(depth);
    return this.number() ?? this.literal();
  }

  private object(depth: number): Read {
    const entries: Array<[string, unknown]> = [];
    this.at += 1;
    while (this.isInside('}')) {
      const key = this.key();
      this.skipSpace();
      if (key === undefined || this.text[this.at] !== ':') return this.stopped(entries);
      this.at += 1;
      const read = this.value(depth + 1);
      if (read === undefined) return this.stopped(entries);
      entries.push([key, read.value]);
    }
    return { value: Object.fromEntries(entries) };
  }

  private list(depth: number): Read {
    const items: unknown[] = [];
    this.at += 1;
    while (this.isInside(']')) {
      const read = this.value(depth + 1);
      if (read === undefined) return this.isAtEnd() ? this.cut(items) : undefined;
      items.push(read.value);
    }
    return { value: items };
  }

  /** Moves to the next entry; false at the closing bracket, which may be missing. */
  private isInside(closing: '}' | ']'): boolean {
    this.skipSpace();
    if (this.text[this.at] === ',') {
      this.at += 1;
      this.skipSpace();
      if (this.text[this.at] === '}' || this.text[this.at] === ']') this.isRepaired = true;
      // A comma at the end of the text means that something is missing.
      if (this.at >= this.text.length) this.isCut = true;
    }
    const char = this.text[this.at];
    if (char === closing) {
      this.at += 1;
      return false;
    }
    // The text ends, or the enclosing bracket closes: this one was forgotten.
    const isForgotten = char === undefined || char === '}' || char === ']' || char === '`';
    if (isForgotten) this.isRepaired = true;
    return !isForgotten;
  }

  private key(): string | undefined {
    const char = this.text[this.at];
    if (char === '"' || char === "'") {
      const read = this.string(MAX_DEPTH);
      return read === undefined || this.isCut ? undefined : String(read.value);
    }
    const word = this.match(WORD);
    if (word !== undefined) this.isRepaired = true;
    return word;
  }

  private string(depth: number): Read {
    const bare = this.unescapedObject(depth);
    if (bare !== undefined) return bare;
    const found = readString(this.text, this.at);
    if (found.isRepaired) this.isRepaired = true;
    if (found.isClosed) {
      this.at = found.end;
      return { value: found.value };
    }
    return this.unclosed(found.value, depth);
  }

  /** `"{"path": "a"}"`: an object in quotes whose own quotes were not escaped. */
  private unescapedObject(depth: number): Read {
    const quote = this.text[this.at];
    if (this.text[this.at + 1] !== '{') return undefined;
    const inner = this.inside(this.text, this.at + 1);
    const read = inner?.value(depth + 1);
    if (inner === undefined || read === undefined || inner.isCut || this.text[inner.at] !== quote)
      return undefined;
    this.at = inner.at + 1;
    this.isRepaired = true;
    return read;
  }

  private inside(text: string, at: number): JsonReader | undefined {
    this.attempts.left -= 1;
    return this.attempts.left < 0 ? undefined : new JsonReader(text, at, this.attempts);
  }

  /** A string without an end may still contain a whole object: arguments whose quote was lost. */
  private unclosed(value: string, depth: number): Read {
    this.at = this.text.length;
    this.isRepaired = true;
    const inner = value.trimStart().startsWith('{') ? this.inside(value, 0) : undefined;
    const read = inner?.value(depth + 1);
    if (inner === undefined || read === undefined || inner.isCut) return this.cut(value);
    // Only closing characters may follow; anything else would be lost.
    return /^["'`}\]\s]*$/.test(value.slice(inner.at)) ? read : this.cut(value);
  }

  private number(): Read {
    const digits = this.match(NUMBER);
    if (digits === undefined) return undefined;
    // More digits may be missing.
    if (this.at === this.text.length) this.isCut = true;
    return { value: Number(digits) };
  }

  private literal(): Read {
    const start = this.at;
    const word = this.match(WORD);
    if (word !== undefined && LITERALS.has(word)) {
      if (word !== String(LITERALS.get(word))) this.isRepaired = true;
      return { value: LITERALS.get(word) };
    }
    this.at = start;
    return undefined;
  }

  private stopped(entries: Array<[string, unknown]>): Read {
    return this.isAtEnd() || this.isCut ? this.cut(Object.fromEntries(entries)) : undefined;
  }

  private cut(value: unknown): Read {
    this.isCut = true;
    return { value };
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private skipSpace(): void {
    while (SPACE.has(this.text.charCodeAt(this.at))) this.at += 1;
  }

  private isAtEnd(): boolean {
    this.skipSpace();
    return this.at >= this.text.length;
  }
}

const MAX_DEPTH = 40;
const MAX_ATTEMPTS = 32;
const WORD = /[A-Za-z_$][\w$-]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);

type Read = { readonly value: unknown } | undefined;

const SPACE = new Set([9, 10, 13, 32]);

interface ReadString {
  readonly value: string;
  readonly isClosed: boolean;
  readonly isRepaired: boolean;
  /** The index after the closing quote. */
  readonly end: number;
}

/**
 * The quoted string that begins at `start`; accepts single quotes, raw newlines and unknown
 * escapes.
 */
function readString(text: string, start: number): ReadString {
  const quote = text[start] === "'" ? "'" : '"';
  let isRepaired = quote === "'";
  let value = '';
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === quote && (quote === '"' || endsSingle(text, at))) {
      return { value: value + text.slice(from, at), isClosed: true, isRepaired, end: at + 1 };
    }
    if (char === '\n' || char === '\t') isRepaired = true;
    if (char !== '\\') continue;
    const escaped = readEscape(text, at);
    if (escaped.isOdd) isRepaired = true;
    value += text.slice(from, at) + escaped.value;
    from = at + escaped.length;
    at = from - 1;
  }
  return { value: value + text.slice(from), isClosed: false, isRepaired, end: text.length };
}

/** An apostrophe inside the text is followed by more text; the closing quote is not. */
function endsSingle(text: string, at: number): boolean {
  let next = at + 1;
  while (text[next] === ' ' || text[next] === '\n') next += 1;
  const char = text[next];
  return char === undefined || ',:}]'.includes(char);
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
]);

/** Escapes that JSON doesn't have are kept: `\d` in a pattern means a backslash and a d. */
function readEscape(text: string, at: number): { value: string; length: number; isOdd: boolean } {
  const char = text[at + 1];
  if (char === undefined) return { value: '', length: 1, isOdd: true };
  const known = ESCAPES.get(char);
  if (known !== undefined) return { value: known, length: 2, isOdd: false };
  const code = text.slice(at + 2, at + 6);
  if (char === 'u' && /^[0-9a-fA-F]{4}$/.test(code)) {
    return { value: String.fromCharCode(Number.parseInt(code, 16)), length: 6, isOdd: false };
  }
  if (char === "'") return { value: "'", length: 2, isOdd: true };
  return { value: `\\${char}`, length: 2, isOdd: true };
}
