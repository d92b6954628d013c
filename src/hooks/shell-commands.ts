import { shellTokens } from './shell-tokens.js';

/** One simple command of a shell script, as far as it can be told without running it. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** In how many blocks, functions and subshells it stands. */
  readonly depth: number;
  /** What joins it to the one before: `next` for `;` and a new line. */
  readonly after: 'next' | 'and' | 'or' | 'pipe';
}

/**
 * The commands of a script in their order. Reads each character once and knows quotes, comments,
 * here-documents and blocks; of what it misjudges, most is taken to stand in a block.
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
/** Another command begins behind these. */
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
      // Behind a pattern of `case` there is nothing to close.
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
