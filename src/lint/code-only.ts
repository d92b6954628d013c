import type { Language } from './forbid-edit.js';

/**
 * The text with comments and the insides of strings blanked out, line for line, so that a commented
 * declaration is none and a quoted one neither. Good enough to compare two versions of one file; it
 * does not parse.
 */
export function codeOnly(text: string, language: Language): string {
  const rules = RULES[language];
  const scan: Scan = { text, rules, unclosed: 0 };
  const pieces: string[] = [];
  let done = 0;
  TOKENS.lastIndex = 0;
  for (let match = TOKENS.exec(text); match !== null; match = TOKENS.exec(text)) {
    const at = match.index;
    const end = endOf(scan, at, match[0]);
    if (end === undefined) continue;
    pieces.push(text.slice(done, at), blank(text.slice(at, end)));
    done = end;
    TOKENS.lastIndex = Math.max(end, at + 1);
  }
  return pieces.join('') + text.slice(done);
}

interface Scan {
  readonly text: string;
  readonly rules: Rules;
  /** Strings looked for to the very end of the text and not found closed. */
  unclosed: number;
}

/** A text made of openings must not take for ever; real code has one such slip, or two. */
const MOST_UNCLOSED = 20;

/** Everything that may begin a comment or a string somewhere. */
const TOKENS = /\/\/|\/\*|"""|'''|["'`#/]/g;

interface Rules {
  readonly comments: readonly string[];
  readonly quotes: readonly string[];
  /** Quotes whose string may go on over the end of a line. */
  readonly long: readonly string[];
  readonly hasPatterns?: boolean;
}

const C_COMMENTS = ['//', '/*'];
const RULES: Readonly<Record<Language, Rules>> = {
  script: { comments: C_COMMENTS, quotes: ['"', "'", '`'], long: ['`'], hasPatterns: true },
  python: { comments: ['#'], quotes: ['"""', "'''", '"', "'"], long: ['"""', "'''"] },
  go: { comments: C_COMMENTS, quotes: ['"', '`', "'"], long: ['`'] },
  // A single quote is a lifetime as often as a character.
  rust: { comments: C_COMMENTS, quotes: ['"'], long: ['"'] },
  swift: { comments: C_COMMENTS, quotes: ['"""', '"'], long: ['"""'] },
  ruby: { comments: ['#'], quotes: ['"', "'"], long: ['"', "'"] },
  shell: { comments: ['#'], quotes: ['"', "'"], long: ['"', "'"] },
  style: { comments: ['/*'], quotes: ['"', "'"], long: [] },
  java: { comments: C_COMMENTS, quotes: ['"""', '"', "'"], long: ['"""'] },
  other: { comments: [], quotes: [], long: [] },
};

/** Behind what the token begins; undefined when it begins nothing in this language. */
function endOf(scan: Scan, at: number, token: string): number | undefined {
  const { text, rules } = scan;
  if (rules.comments.includes(token)) return commentEnd(text, at, token);
  const quote = [token, token[0] ?? ''].find(each => rules.quotes.includes(each));
  if (quote !== undefined) return stringEnd(scan, at, quote);
  return token === '/' && rules.hasPatterns ? patternEnd(text, at) : undefined;
}

function commentEnd(text: string, at: number, token: string): number | undefined {
  // In a shell and in Ruby's strings a number sign inside a word is just one.
  if (token === '#' && /\S/.test(text[at - 1] ?? ' ')) return undefined;
  const end = text.indexOf(token === '/*' ? '*/' : '\n', at + token.length);
  if (end === -1) return text.length;
  return token === '/*' ? end + 2 : end;
}

/** An unclosed string ends with its line, so that one slip does not blank the rest of the file. */
function stringEnd(scan: Scan, at: number, quote: string): number {
  const { text, rules } = scan;
  const newline = text.indexOf('\n', at);
  const lineEnd = newline === -1 ? text.length : newline;
  const isLong = rules.long.includes(quote) && scan.unclosed < MOST_UNCLOSED;
  const limit = isLong ? text.length : lineEnd;
  for (let position = at + quote.length; position < limit; position += 1) {
    if (text[position] === '\\') position += 1;
    else if (text.startsWith(quote, position)) return position + quote.length;
  }
  if (isLong) scan.unclosed += 1;
  return lineEnd;
}

/** A regular expression stands where a value is expected; a division where one has been. */
function patternEnd(text: string, at: number): number | undefined {
  const before = text.slice(Math.max(0, at - 80), at).trimEnd();
  if (
    !/(?:^|[(,=:[!&|?{};+*%~^<>-]|\b(?:return|typeof|case|in|of|void|throw|else|do|yield|await))$/.test(
      before,
    )
  ) {
    return undefined;
  }
  const line = text.indexOf('\n', at);
  const found = /^\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,1000}\/[a-z]{0,8}/.exec(
    text.slice(at, line === -1 ? text.length : line),
  );
  return found === null ? undefined : at + found[0].length;
}

/** Quotes and line ends stay: they show that a string or a line was there. */
const blank = (text: string): string => text.replace(/[^\n"'`]/g, ' ');
