import { type LineMemory, lineMemory } from './check.js';
import { includesAny } from './code-pattern.js';
import { type SourceLanguage, sourceLanguage } from './language.js';

/** As much of a language's lexical grammar as it takes to tell code from comments and strings. */
export interface LexicalSyntax {
  readonly lineComments: readonly string[];
  /** What may run over several lines, as pairs of opening and closing; longer ones first. */
  readonly spanning: ReadonlyArray<readonly [string, string]>;
  readonly openers: readonly string[];
  /** Quotes of strings that end on their line. */
  readonly quotes: string;
  readonly hasTemplates: boolean;
  readonly hasRegexLiterals: boolean;
  /** In Rust a single quote is a lifetime unless it closes after one character. */
  readonly hasLifetimes: boolean;
  /** Any sign that could begin one of the above, and braces for templates. */
  readonly signs: RegExp;
}

export function lexicalSyntax(language: SourceLanguage): LexicalSyntax {
  const rules = SYNTAXES[language];
  return { ...rules, openers: rules.spanning.map(([open]) => open) };
}

const BLOCK = ['/*', '*/'] as const;
const LONG_STRING = ['"""', '"""'] as const;
const BACKTICK = ['`', '`'] as const;

const PLAIN = { hasTemplates: false, hasRegexLiterals: false, hasLifetimes: false };
const SLASHES = { ...PLAIN, lineComments: ['//'], quotes: `"'`, signs: /[/"'`]/g };
const HASHES = { ...PLAIN, lineComments: ['#'], quotes: `"'`, signs: /[#"']/g };

const SYNTAXES: Readonly<Record<SourceLanguage, Omit<LexicalSyntax, 'openers'>>> = {
  javascript: {
    ...SLASHES,
    spanning: [BLOCK, BACKTICK],
    hasTemplates: true,
    hasRegexLiterals: true,
    signs: /[/"'`{}]/g,
  },
  python: { ...HASHES, spanning: [LONG_STRING, ["'''", "'''"]] },
  ruby: { ...HASHES, spanning: [] },
  elixir: { ...HASHES, spanning: [LONG_STRING] },
  go: { ...SLASHES, spanning: [BLOCK, BACKTICK] },
  rust: { ...SLASHES, spanning: [BLOCK], hasLifetimes: true },
  swift: { ...SLASHES, spanning: [BLOCK, LONG_STRING], quotes: '"' },
  java: { ...SLASHES, spanning: [BLOCK, LONG_STRING] },
  csharp: { ...SLASHES, spanning: [BLOCK, LONG_STRING] },
  php: { ...SLASHES, lineComments: ['//', '#'], spanning: [BLOCK], signs: /[/#"']/g },
};

export interface ScanState {
  /** What ends the comment or string that the line begins in. */
  readonly until: string | undefined;
  /** One number per open `${`: how many braces are open inside it. */
  readonly templateBraces: readonly number[];
}

export const OUTSIDE: ScanState = { until: undefined, templateBraces: [] };

/** One line read sign by sign. The code has the length of the line; what is no code is blank. */
export function scanLine(
  text: string,
  state: ScanState,
  syntax: LexicalSyntax,
): { code: string; state: ScanState } {
  const scan: Scan = {
    text,
    syntax,
    at: 0,
    code: '',
    until: state.until,
    templateBraces: [...state.templateBraces],
    unclosed: new Set(),
  };
  if (state.until === undefined && isCommentBody(text, syntax)) blankTo(scan, afterComment(text));
  while (scan.at < text.length) {
    if (scan.until === undefined) scanCode(scan);
    else scanSpanning(scan, scan.until);
  }
  return { code: scan.code, state: { until: scan.until, templateBraces: scan.templateBraces } };
}

/** Nobody nests templates this deep; a hostile line must not make the state grow. */
const MAX_TEMPLATE_DEPTH = 20;

interface Scan {
  readonly text: string;
  readonly syntax: LexicalSyntax;
  at: number;
  code: string;
  until: string | undefined;
  templateBraces: number[];
  /** Signs that found no partner on this line. */
  readonly unclosed: Set<string>;
}

// A hunk often begins in the middle of a block comment; its lines begin with a star and a space.
const isCommentBody = (text: string, syntax: LexicalSyntax): boolean =>
  syntax.lineComments.includes('//') && /^\s*\*(?:\s|\/|$)/.test(text);

function afterComment(text: string): number {
  const end = text.indexOf('*/');
  return end === -1 ? text.length : end + 2;
}

function blankTo(scan: Scan, end: number): void {
  scan.code += ' '.repeat(end - scan.at);
  scan.at = end;
}

function keepTo(scan: Scan, end: number): void {
  scan.code += scan.text.slice(scan.at, end);
  scan.at = end;
}

function scanSpanning(scan: Scan, until: string): void {
  const { text } = scan;
  if (until === '`' && scan.syntax.hasTemplates) {
    scanTemplate(scan);
    return;
  }
  const end = text.indexOf(until, scan.at);
  blankTo(scan, end === -1 ? text.length : end + until.length);
  if (end !== -1) scan.until = undefined;
}

function scanTemplate(scan: Scan): void {
  const { text } = scan;
  let end = scan.at;
  while (end < text.length && text[end] !== '`' && !text.startsWith('${', end)) {
    end += text[end] === '\\' ? 2 : 1;
  }
  blankTo(scan, Math.min(end, text.length));
  if (scan.at >= text.length) return;
  scan.until = undefined;
  if (text[scan.at] === '`') {
    keepTo(scan, scan.at + 1);
    return;
  }
  if (scan.templateBraces.length < MAX_TEMPLATE_DEPTH) scan.templateBraces.push(0);
  blankTo(scan, scan.at + 2);
}

function scanCode(scan: Scan): void {
  const { text, syntax } = scan;
  syntax.signs.lastIndex = scan.at;
  const found = syntax.signs.exec(text);
  keepTo(scan, found === null ? text.length : found.index);
  if (found === null) return;
  const sign = found[0];
  if (startsLineComment(scan)) blankTo(scan, text.length);
  else if (startsSpanning(scan)) return;
  else if (syntax.quotes.includes(sign)) scanQuoted(scan, sign);
  else if (sign === '/' && syntax.hasRegexLiterals) scanSlash(scan);
  else if (sign === '{' || sign === '}') scanBrace(scan, sign);
  else keepTo(scan, scan.at + 1);
}

const startsLineComment = ({ text, at, syntax }: Scan): boolean =>
  // `#[` opens an attribute in PHP.
  syntax.lineComments.some(mark => text.startsWith(mark, at)) &&
  !(text.startsWith('#[', at) && syntax.lineComments.length > 1);

function startsSpanning(scan: Scan): boolean {
  const { text, syntax } = scan;
  for (const [open, close] of syntax.spanning) {
    if (!text.startsWith(open, scan.at)) continue;
    if (keepLiteralKey(scan)) return true;
    scan.until = close;
    if (open === '`') keepTo(scan, scan.at + 1);
    else blankTo(scan, scan.at + open.length);
    return true;
  }
  return false;
}

const LITERAL_KEY = /(["'`])\w{1,20}\1\]/y;

/** `test["only"]` is `test.only`: such a key is code. */
function keepLiteralKey(scan: Scan): boolean {
  if (scan.text[scan.at - 1] !== '[') return false;
  LITERAL_KEY.lastIndex = scan.at;
  if (!LITERAL_KEY.test(scan.text)) return false;
  keepTo(scan, LITERAL_KEY.lastIndex);
  return true;
}

function scanQuoted(scan: Scan, quote: string): void {
  if (keepLiteralKey(scan)) return;
  const { text, at, syntax } = scan;
  const isLifetime = quote === "'" && syntax.hasLifetimes;
  const end = isLifetime ? endOfCharacter(text, at) : closeOnce(scan, quote, endOfString);
  keepTo(scan, at + 1);
  // Without a partner it is an apostrophe in running text such as JSX, or a lifetime.
  if (end === -1) return;
  blankTo(scan, end);
  keepTo(scan, end + 1);
}

function scanSlash(scan: Scan): void {
  const { text, at } = scan;
  const end = canStartRegex(text, at) ? closeOnce(scan, '/', endOfRegex) : -1;
  keepTo(scan, at + 1);
  if (end === -1) return;
  blankTo(scan, end);
  keepTo(scan, end + 1);
}

type FindEnd = (text: string, start: number) => number;

/** A sign that found no partner is not tried again on this line, which keeps the scan linear. */
function closeOnce(scan: Scan, sign: string, findEnd: FindEnd): number {
  if (scan.unclosed.has(sign)) return -1;
  const end = findEnd(scan.text, scan.at);
  if (end === -1) scan.unclosed.add(sign);
  return end;
}

function scanBrace(scan: Scan, brace: string): void {
  const depth = scan.templateBraces.at(-1);
  if (depth === undefined) {
    keepTo(scan, scan.at + 1);
    return;
  }
  scan.templateBraces.pop();
  if (brace === '}' && depth === 0) {
    scan.until = '`';
    blankTo(scan, scan.at + 1);
    return;
  }
  scan.templateBraces.push(brace === '{' ? depth + 1 : depth - 1);
  keepTo(scan, scan.at + 1);
}

/** Where a literal that starts at a given place ends on its line: the index of its last sign, or -1. */

export function endOfString(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

const CHARACTER = /'(?:\\[^']{1,9}|\\'|[^'\\]{1,2})'/y;

/** A character literal of a language in which a single quote can also be a lifetime. */
export function endOfCharacter(text: string, start: number): number {
  CHARACTER.lastIndex = start;
  return CHARACTER.test(text) ? CHARACTER.lastIndex - 1 : -1;
}

export function endOfRegex(text: string, start: number): number {
  let isInClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') isInClass = true;
    else if (sign === ']') isInClass = false;
    else if (sign === '/' && !isInClass) return at;
  }
  return -1;
}

const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%~^]|=>|\b(?:return|typeof|case|in|of|void|delete|yield|await))$/;

/** The longest of those words and the sign in front of it. */
const LOOK_BACK = 8;

/** A slash divides after a value and begins a regular expression elsewhere. */
export function canStartRegex(text: string, slash: number): boolean {
  let before = slash;
  while (before > 0 && (text[before - 1] === ' ' || text[before - 1] === '\t')) before -= 1;
  return BEFORE_REGEX.test(text.slice(Math.max(0, before - LOOK_BACK), before));
}

/** A source file as its checks see it, line by line; read once for all of them. */
export class CodeView {
  readonly language: SourceLanguage;
  /** What stood above in the hunk. */
  readonly memory: LineMemory = lineMemory();
  readonly #syntax: LexicalSyntax;
  #state: ScanState = OUTSIDE;
  #text: string | undefined;
  #scanned: { readonly code: string; readonly state: ScanState } | undefined;

  constructor(language: SourceLanguage) {
    this.language = language;
    this.#syntax = lexicalSyntax(language);
  }

  /** Must be told every line of the file in order, before it is judged. */
  see(line: { readonly text: string; readonly startsHunk: boolean }): void {
    if (line.startsHunk) {
      this.#state = OUTSIDE;
      this.memory.forget();
    } else if (this.#text !== undefined) {
      this.#state = this.#stateBehind(this.#text);
      this.memory.remember(this.#text);
    }
    this.#text = line.text;
    this.#scanned = undefined;
  }

  /** The line with comments and the inside of strings blanked out, so that columns still fit. */
  code(): string {
    this.#scanned ??= scanLine(this.#text ?? '', this.#state, this.#syntax);
    return this.#scanned.code;
  }

  /** Nobody asked for the code of most lines, and then it need not be told sign by sign. */
  #stateBehind(text: string): ScanState {
    if (this.#scanned !== undefined) return this.#scanned.state;
    return skim(text, this.#state, this.#syntax) ?? scanLine(text, this.#state, this.#syntax).state;
  }
}

/** Undefined for a file that is in no language we know. */
export function viewCode(path: string): CodeView | undefined {
  const language = sourceLanguage(path);
  return language === undefined ? undefined : new CodeView(language);
}

const COMMENT: ScanState = { until: '*/', templateBraces: [] };

/** The state after a line that can be told without reading it sign by sign, as for most lines. */
function skim(text: string, state: ScanState, syntax: LexicalSyntax): ScanState | undefined {
  if (state.templateBraces.length > 0) return undefined;
  if (state.until === undefined) return skimFrom(text, 0, syntax);
  const end = text.indexOf(state.until);
  if (state.until === '*/') return end === -1 ? state : skimFrom(text, end + 2, syntax);
  return end === -1 && !text.includes('${') ? state : undefined;
}

function skimFrom(text: string, from: number, syntax: LexicalSyntax): ScanState | undefined {
  if (!includesAny(text, syntax.openers)) return OUTSIDE;
  if (!syntax.lineComments.includes('//')) return undefined;
  const start = from === 0 ? firstSign(text) : from;
  if (text.startsWith('//', start)) return OUTSIDE;
  if (!text.startsWith('/*', start)) return undefined;
  const end = text.indexOf('*/', start + 2);
  if (end === -1) return COMMENT;
  return end + 2 >= text.trimEnd().length ? OUTSIDE : undefined;
}

function firstSign(text: string): number {
  let at = 0;
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at += 1;
  return at;
}
