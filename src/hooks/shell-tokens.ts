export interface ShellToken {
  readonly kind: 'word' | 'operator';
  readonly text: string;
}

/** The words and operators of a shell script; what is quoted or substituted is part of a word. */
export function shellTokens(script: string): ShellToken[] {
  const tokens: ShellToken[] = [];
  /** Ends of the here-documents that begin on the next line. */
  const pending: string[] = [];
  let word = '';
  /** Looking for it in the growing word would copy the word each time. */
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
      at = behindDocuments(script, at + 1, pending.splice(0));
      continue;
    }
    const text = script.slice(at, at + size);
    const document = heredocEnd(script, at);
    if (document !== undefined) pending.push(document);
    if (isOperator(char, lastOfWord)) {
      endWord();
      tokens.push({ kind: 'operator', text });
    } else if (/\s/.test(char) || isComment(char, word)) endWord();
    // A line that goes on below.
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
  if (char === '"') return behindQuote(script, at) - at;
  if (char === '`') return upTo(script, '`', at + 1) - at;
  if (char === '$' && next === '(') return behindParens(script, at + 1) - at;
  if (char === '$' && next === '{') return upTo(script, '}', at + 1) - at;
  if (isComment(char, word)) return Math.max(1, lineEnd(script, at) - at);
  if (script.startsWith('<<<', at)) return 3;
  const isPair = ['&&', '||', '<<', '>>', '>&', '<&', '&>'].includes(char + next);
  return isPair ? 2 : 1;
}

const isComment = (char: string, word: string): boolean => char === '#' && word === '';

/** `2>&1` and `&>file` are no operators. */
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

function behindQuote(script: string, start: number): number {
  for (let at = start + 1; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === '"') return at + 1;
  }
  return script.length;
}

function behindParens(script: string, start: number): number {
  let depth = 0;
  for (let at = start; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === "'") at = upTo(script, "'", at + 1) - 1;
    else if (script[at] === '"') at = behindQuote(script, at) - 1;
    else if (script[at] === '(') depth += 1;
    else if (script[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return script.length;
}

/** The word that ends a here-document that begins here; `<<-` lets tabs stand before it. */
function heredocEnd(script: string, at: number): string | undefined {
  if (!script.startsWith('<<', at) || script.startsWith('<<<', at)) return undefined;
  const [line = ''] = script.slice(at + 2, at + 2 + LONGEST_END).split('\n', 1);
  return /^-?[ \t]*\\?(?:'([^']+)'|"([^"]+)"|([^\s;&|<>()'"]+))/.exec(line)?.slice(1).find(Boolean);
}

const LONGEST_END = 100;

function behindDocuments(script: string, start: number, ends: readonly string[]): number {
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
