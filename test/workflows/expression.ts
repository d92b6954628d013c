/** What names and functions mean where an expression stands. */
export interface Scope {
  readonly names: Readonly<Record<string, unknown>>;
  readonly functions: Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;
}

/** The value of a workflow expression, for the part of the language that our files use. */
export function evaluate(text: string, scope: Scope): unknown {
  const reader = new Reader(tokensOf(text), scope);
  const value = reader.or();
  reader.end();
  return value;
}

/** As GitHub sees it: nothing, zero and the empty text are false. */
export const isTrue = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && value !== 0 && value !== '';

/** How a value is written into a text. */
export const asText = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value);

/** Text is the same in upper and lower case; between kinds GitHub compares numbers. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') {
    return one.toLowerCase() === other.toLowerCase();
  }
  if (typeof one === typeof other && one !== null && other !== null) return one === other;
  return asNumber(one) === asNumber(other);
}

const asNumber = (value: unknown): number =>
  value === null || value === undefined || value === '' ? 0 : Number(value);

const TOKEN = /\s*(?:('(?:[^']|'')*')|([A-Za-z_][\w-]*)|(\d+)|(&&|\|\||==|!=|[()[\],.!*]))/y;

interface Token {
  readonly kind: 'text' | 'name' | 'number' | 'sign';
  readonly text: string;
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const text = source.trim();
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`expression not understood at ${text.slice(from)}`);
    const [, quoted, name, number, sign] = match;
    if (quoted !== undefined) {
      tokens.push({ kind: 'text', text: quoted.slice(1, -1).replaceAll("''", "'") });
    } else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
  }
  return tokens;
}

/** What `needs.*` gives: a property asked of it is asked of each. */
class Each {
  constructor(readonly items: readonly unknown[]) {}
}

class Reader {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly scope: Scope,
  ) {}

  or(): unknown {
    let value = this.and();
    while (this.takes('||')) {
      const other = this.and();
      value = isTrue(value) ? value : other;
    }
    return value;
  }

  end(): void {
    const rest = this.tokens[this.at];
    if (rest !== undefined) throw new Error(`expression goes on with ${rest.text}`);
  }

  private and(): unknown {
    let value = this.comparison();
    while (this.takes('&&')) {
      const other = this.comparison();
      value = isTrue(value) ? other : value;
    }
    return value;
  }

  private comparison(): unknown {
    let value = this.unary();
    for (;;) {
      if (this.takes('==')) value = isEqual(value, this.unary());
      else if (this.takes('!=')) value = !isEqual(value, this.unary());
      else return value;
    }
  }

  private unary(): unknown {
    return this.takes('!') ? !isTrue(this.unary()) : this.path(this.primary());
  }

  private path(start: unknown): unknown {
    let value = start;
    for (;;) {
      if (this.takes('.')) {
        value = this.takes('*') ? new Each(Object.values(Object(value))) : at(value, this.name());
      } else if (this.takes('[')) {
        value = at(value, asText(this.or()));
        this.must(']');
      } else return value instanceof Each ? value.items : value;
    }
  }

  private primary(): unknown {
    const token = this.tokens[this.at];
    if (token === undefined) throw new Error('expression ends too early');
    this.at += 1;
    if (token.kind === 'text') return token.text;
    if (token.kind === 'number') return Number(token.text);
    if (token.text === '(') {
      const value = this.or();
      this.must(')');
      return value;
    }
    if (token.kind !== 'name') throw new Error(`expression not understood at ${token.text}`);
    return this.takes('(') ? this.call(token.text) : this.named(token.text);
  }

  private named(name: string): unknown {
    const constants: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
    if (Object.hasOwn(constants, name)) return constants[name];
    // A context that is not there is a mistake in the file; a property of it may be missing.
    if (!Object.hasOwn(this.scope.names, name)) throw new Error(`there is no ${name} here`);
    return this.scope.names[name];
  }

  private call(name: string): unknown {
    const values: unknown[] = [];
    while (!this.takes(')')) {
      values.push(this.or());
      this.takes(',');
    }
    const known = this.scope.functions[name];
    if (known === undefined) throw new Error(`there is no ${name}() here`);
    return known(...values);
  }

  private name(): string {
    const token = this.tokens[this.at];
    if (token?.kind !== 'name') throw new Error('a name must follow the dot');
    this.at += 1;
    return token.text;
  }

  private takes(sign: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.at += 1;
    return true;
  }

  private must(sign: string): void {
    if (!this.takes(sign)) throw new Error(`${sign} is missing`);
  }
}

function at(value: unknown, name: string): unknown {
  if (value instanceof Each) return new Each(value.items.map(item => at(item, name)));
  if (typeof value !== 'object' || value === null) return null;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
}
