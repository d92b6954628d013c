/** One simple command of a shell script, as far as it can be known without running it. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** How many blocks, functions and subshells it is in. */
  readonly depth: number;
  /** What joins it to the one before: `next` for `;` and a new line. */
  readonly after: 'next' | 'and' | 'or' | 'pipe';
}

/**
 * The commands of a script in their order. Reads each character once and knows quotes, comments,
 * here-documents and blocks; what it gets wrong, it mostly takes to be in a block.
 */
export function shellCommands(script: string): ShellCommand[] {
  const reader = new Reader();
  for (const { kind, text } of shellTokens(script)) {
    if (kind === 'word') reader.word(text);
    else reader.operator(text);
  }
  reader.end('next');
  return reader.commands;
}

const OPENING = ['if', 'case', 'for', 'while', 'until', 'select'];
const CLOSING = ['fi', 'esac', 'done', '}'];
/** Another command begins after these. */
const BETWEEN = ['then', 'else', 'elif', 'do', 'time'];

class Reader {
  readonly commands: ShellCommand[] = [];
  readonly #open: string[] = [];
  #words: string[] = [];
  #depth = 0;
  #after: ShellCommand['after'] = 'next';

  word(text: string): void {
    if (text === '{') {
      this.#open.push(text);
      this.#words = [];
      return;
    }
    if (this.#words.length > 0) {
      this.#words.push(text);
      return;
    }
    if (OPENING.includes(text)) this.#open.push(text);
    else if (CLOSING.includes(text)) this.#open.pop();
    // `A=1 exec x` is about exec.
    else if (!BETWEEN.includes(text) && !/^\w+=/.test(text)) {
      this.#words.push(text);
      this.#depth = this.#open.length;
    }
  }

  operator(text: string): void {
    if (text === '(') {
      this.#words = [];
      this.#open.push(text);
    } else if (text === ')') {
      this.end('next');
      // After a pattern of `case` there is nothing to close.
      if (this.#open.at(-1) === '(') this.#open.pop();
    } else this.end(JOINS[text] ?? 'next');
  }

  end(joint: ShellCommand['after']): void {
    if (this.#words.length > 0) {
      this.commands.push({ words: this.#words, depth: this.#depth, after: this.#after });
      this.#words = [];
      this.#after = joint;
    } else if (joint !== 'next') this.#after = joint;
  }
}

const JOINS: Readonly<Record<string, ShellCommand['after']>> = {
  '&&': 'and',
  '||': 'or',
  '|': 'pipe',
};

interface ShellToken {
  readonly kind: 'word' | 'operator';
  readonly text: string;
}

/** The words and operators of a shell script; quotes and substitutions are part of a word. */
function shellTokens(script: string): ShellToken[] {
  const tokens: ShellToken[] = [];
  /** End markers of the here-documents that begin on the next line. */
  const pending: string[] = [];
  let word = '';
  /** Reading it from the growing word would copy the word each time. */
  let lastOfWord = '';
  const endWord = (): void => {
    if (word !== '') tokens.push({ kind: 'word', text: word });
    word = '';
    lastOfWord = '';
  };
  for (let at = 0; at < script.length; ) {
    const char = script[at] ?? '';
    const size = sizeAt(script, at, word);
    if (char === '\n') {
      endWord();
      tokens.push({ kind: 'operator', text: ';' });
      at = afterDocuments(script, at + 1, pending.splice(0));
      continue;
    }
    const text = script.slice(at, at + size);
    const document = heredocEnd(script, at);
    if (document !== undefined) pending.push(document);
    if (isOperator(char, lastOfWord)) {
      endWord();
      tokens.push({ kind: 'operator', text });
    } else if (/\s/.test(char) || isComment(char, word)) endWord();
    // A line that continues on the next.
    else if (text !== '\\\n') {
      word += text;
      lastOfWord = text.at(-1) ?? '';
    }
    at += size;
  }
  endWord();
  return tokens;
}

/** How many characters belong together from here on. */
function sizeAt(script: string, at: number, word: string): number {
  const char = script[at] ?? '';
  const next = script[at + 1] ?? '';
  if (char === '\\') return 2;
  if (char === "'") return upTo(script, "'", at + 1) - at;
  if (char === '"') return afterQuote(script, at) - at;
  if (char === '`') return upTo(script, '`', at + 1) - at;
  if (char === '$' && next === '(') return afterParens(script, at + 1) - at;
  if (char === '$' && next === '{') return upTo(script, '}', at + 1) - at;
  if (isComment(char, word)) return Math.max(1, lineEnd(script, at) - at);
  if (script.startsWith('<<<', at)) return 3;
  const isPair = ['&&', '||', '<<', '>>', '>&', '<&', '&>'].includes(char + next);
  return isPair ? 2 : 1;
}

const isComment = (char: string, word: string): boolean => char === '#' && word === '';

/** `2>&1` and `&>file` aren't operators. */
const isOperator = (char: string, before: string): boolean =>
  ';|()'.includes(char) || (char === '&' && before !== '<' && before !== '>');

function upTo(script: string, end: string, from: number): number {
  const at = script.indexOf(end, from);
  return at < 0 ? script.length : at + 1;
}

function lineEnd(script: string, from: number): number {
  const at = script.indexOf('\n', from);
  return at < 0 ? script.length : at;
}

function afterQuote(script: string, start: number): number {
  for (let at = start + 1; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === '"') return at + 1;
  }
  return script.length;
}

function afterParens(script: string, start: number): number {
  let depth = 0;
  for (let at = start; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === "'") at = upTo(script, "'", at + 1) - 1;
    else if (script[at] === '"') at = afterQuote(script, at) - 1;
    else if (script[at] === '(') depth += 1;
    else if (script[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return script.length;
}

/** The word that ends a here-document that begins here; `<<-` allows tabs before it. */
function heredocEnd(script: string, at: number): string | undefined {
  if (!script.startsWith('<<', at) || script.startsWith('<<<', at)) return undefined;
  const [line = ''] = script.slice(at + 2, at + 2 + LONGEST_END).split('\n', 1);
  return /^-?[ \t]*\\?(?:'([^']+)'|"([^"]+)"|([^\s;&|<>()'"]+))/.exec(line)?.slice(1).find(Boolean);
}

const LONGEST_END = 100;

function afterDocuments(script: string, start: number, ends: readonly string[]): number {
  let at = start;
  for (const end of ends) {
    while (at < script.length) {
      const stop = lineEnd(script, at);
      const line = script.slice(at, stop).trim();
      at = stop + 1;
      if (line === end) break;
    }
  }
  return Math.min(at, script.length);
}

/** Whether lines of shell can be added to a hook. Git runs one without a `#!` line in a shell. */
export function isShellScript(text: string): boolean {
  const [first = ''] = text.slice(0, LONGEST_LINE).split('\n', 1);
  if (!first.startsWith('#!')) return true;
  const words = first.slice(2).trim().split(/\s+/);
  const names = words.map(word => word.slice(word.lastIndexOf('/') + 1));
  // `env -S A=1 bash -e` is bash.
  const isEnv = names[0] === 'env';
  const program = isEnv ? names.slice(1).find(name => !/^-|=/.test(name)) : names[0];
  return /^(?:ba|da|a|z|k|mk|pdk|ya)?sh(?:\.exe)?$/.test(program ?? 'sh');
}

/** More than any kernel reads. */
const LONGEST_LINE = 4096;
