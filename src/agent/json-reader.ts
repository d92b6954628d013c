import { readString } from './repair-string.js';

/** A JSON reader that forgives what is unmistakable and gives up (undefined) on the rest. */
export class JsonReader {
  isMended = false;
  isCut = false;

  constructor(
    private readonly text: string,
    public at: number,
    /** Shared with the readers of what stands inside strings: each could try twice what it holds. */
    private readonly attempts = { left: MOST_ATTEMPTS },
  ) {}

  value(depth: number): Read {
    this.skipSpace();
    const char = this.text[this.at];
    if (depth > DEEPEST || char === undefined) return undefined;
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
      if (this.text[this.at] === '}' || this.text[this.at] === ']') this.isMended = true;
      // A comma at the end of the text announces what did not come.
      if (this.at >= this.text.length) this.isCut = true;
    }
    const char = this.text[this.at];
    if (char === closing) {
      this.at += 1;
      return false;
    }
    // Nothing more, or the bracket of what stands around it: this one was forgotten.
    const isForgotten = char === undefined || char === '}' || char === ']' || char === '`';
    if (isForgotten) this.isMended = true;
    return !isForgotten;
  }

  private key(): string | undefined {
    const char = this.text[this.at];
    if (char === '"' || char === "'") {
      const read = this.string(DEEPEST);
      return read === undefined || this.isCut ? undefined : String(read.value);
    }
    const word = this.match(WORD);
    if (word !== undefined) this.isMended = true;
    return word;
  }

  private string(depth: number): Read {
    const bare = this.unescapedObject(depth);
    if (bare !== undefined) return bare;
    const found = readString(this.text, this.at);
    if (found.isMended) this.isMended = true;
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
    this.isMended = true;
    return read;
  }

  private inside(text: string, at: number): JsonReader | undefined {
    this.attempts.left -= 1;
    return this.attempts.left < 0 ? undefined : new JsonReader(text, at, this.attempts);
  }

  /** A string that never ends may still hold a whole object: arguments whose quote was lost. */
  private unclosed(value: string, depth: number): Read {
    this.at = this.text.length;
    this.isMended = true;
    const inner = value.trimStart().startsWith('{') ? this.inside(value, 0) : undefined;
    const read = inner?.value(depth + 1);
    if (inner === undefined || read === undefined || inner.isCut) return this.cut(value);
    // Behind it only what closes the text around it; anything else would be lost.
    return /^["'`}\]\s]*$/.test(value.slice(inner.at)) ? read : this.cut(value);
  }

  private number(): Read {
    const digits = this.match(NUMBER);
    if (digits === undefined) return undefined;
    // More digits may have been meant to follow.
    if (this.at === this.text.length) this.isCut = true;
    return { value: Number(digits) };
  }

  private literal(): Read {
    const start = this.at;
    const word = this.match(WORD);
    if (word !== undefined && LITERALS.has(word)) {
      if (word !== String(LITERALS.get(word))) this.isMended = true;
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

const DEEPEST = 40;
const MOST_ATTEMPTS = 32;
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
