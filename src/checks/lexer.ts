import { indentOf, type LineMemory, lineMemory } from './check.js';
import { includesAny } from './code-pattern.js';
import {
  BLOCK_COMMENT,
  type LexicalSyntax,
  lexicalSyntax,
  type SourceLanguage,
  type Span,
  sourceLanguage,
} from './language.js';

/** A language's syntax, prepared for scanning. */
interface Lexer extends LexicalSyntax {
  readonly quotes: string;
  /** True for a whole file, false for the hunks of a diff, which may start anywhere. */
  readonly isWholeFile: boolean;
  readonly hasBlockComments: boolean;
  readonly openers: readonly string[];
  /** Any character that could start a comment or a string, and braces for templates. */
  readonly signs: RegExp;
}

function lexerFor(language: SourceLanguage, isWholeFile: boolean): Lexer {
  const syntax = lexicalSyntax(language);
  const { quotes = `"'` } = syntax;
  const openers = syntax.spans.map(span => span.open);
  const hasTemplates = syntax.spans.some(span => span.kind === 'template');
  const signs = `${openers.map(open => open[0]).join('')}${quotes}${hasTemplates ? '{}' : ''}`;
  return {
    ...syntax,
    quotes,
    isWholeFile,
    hasBlockComments: syntax.spans.includes(BLOCK_COMMENT),
    openers,
    signs: new RegExp(`[/#${signs}]`, 'g'),
  };
}

const hunkLexers = new Map<SourceLanguage, Lexer>();

/** Made once for each language: a change may have thousands of files. */
function hunkLexer(language: SourceLanguage): Lexer {
  const lexer = hunkLexers.get(language) ?? lexerFor(language, false);
  hunkLexers.set(language, lexer);
  return lexer;
}

interface ScanState {
  /** The comment or string that the line starts in. */
  readonly span: Span | undefined;
  /** One number per open `${`: how many braces are open inside it. */
  readonly templateBraces: readonly number[];
}

const OUTSIDE: ScanState = { span: undefined, templateBraces: [] };
const IN_COMMENT: ScanState = { span: BLOCK_COMMENT, templateBraces: [] };

interface ScannedLine {
  /** As long as the line, with everything blank that isn't code. Quotes around strings stay. */
  readonly code: string;
  /** At the end of the line. */
  readonly state: ScanState;
  readonly hasOpenedSpan: boolean;
}

function scanLine(text: string, state: ScanState, lexer: Lexer): ScannedLine {
  const scan: Scan = {
    text,
    lexer,
    at: 0,
    code: '',
    span: state.span,
    templateBraces: [...state.templateBraces],
    unclosed: new Set(),
    hasOpenedSpan: false,
  };
  if (state.span === undefined && isCommentBody(text, lexer)) blankTo(scan, afterComment(text));
  while (scan.at < text.length) {
    if (scan.span === undefined) scanCode(scan);
    else scanSpan(scan, scan.span);
  }
  const { code, span, templateBraces, hasOpenedSpan } = scan;
  return { code, state: { span, templateBraces }, hasOpenedSpan };
}

/** Nobody nests templates this deep; a hostile line must not make the state grow. */
const MAX_TEMPLATE_DEPTH = 20;

interface Scan {
  readonly text: string;
  readonly lexer: Lexer;
  at: number;
  code: string;
  span: Span | undefined;
  readonly templateBraces: number[];
  /** Quotes and slashes that aren't closed on this line. */
  readonly unclosed: Set<string>;
  hasOpenedSpan: boolean;
}

// A hunk often starts in the middle of a block comment; its lines start with a star and a space.
const isCommentBody = (text: string, lexer: Lexer): boolean =>
  !lexer.isWholeFile && lexer.hasBlockComments && /^\s*\*(?:\s|\/|$)/.test(text);

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

function scanSpan(scan: Scan, span: Span): void {
  const { text } = scan;
  const end = endOfSpan(text, scan.at, span);
  blankTo(scan, end);
  if (end === text.length) return;
  scan.span = undefined;
  if (text.startsWith(span.close, end)) {
    const close = end + span.close.length;
    if (span.kind === 'comment') blankTo(scan, close);
    else keepTo(scan, close);
    return;
  }
  if (scan.templateBraces.length < MAX_TEMPLATE_DEPTH) scan.templateBraces.push(0);
  // The braces stay, so that what comes before the next backtick isn't taken as its tag.
  blankTo(scan, end + 1);
  keepTo(scan, end + 2);
}

/** Where the span closes, or a template's `${` opens; the end of the line if neither happens. */
function endOfSpan(text: string, from: number, { close, kind }: Span): number {
  if (kind === 'comment' || kind === 'raw string') {
    const end = text.indexOf(close, from);
    return end === -1 ? text.length : end;
  }
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(close, at)) return at;
    else if (kind === 'template' && text.startsWith('${', at)) return at;
  }
  return text.length;
}

function scanCode(scan: Scan): void {
  const { text, lexer } = scan;
  lexer.signs.lastIndex = scan.at;
  const found = lexer.signs.exec(text);
  keepTo(scan, found === null ? text.length : found.index);
  if (found === null) return;
  const sign = found[0];
  if (isLineComment(text, scan.at, lexer)) blankTo(scan, text.length);
  else if (startsSpan(scan)) return;
  else if (lexer.quotes.includes(sign)) scanQuoted(scan, sign);
  else if (sign === '/' && lexer.hasRegexLiterals === true) scanSlash(scan);
  else if (sign === '{' || sign === '}') scanBrace(scan, sign);
  else keepTo(scan, scan.at + 1);
}

function isLineComment(text: string, at: number, { lineComment }: Lexer): boolean {
  if (lineComment === undefined) return false;
  lineComment.lastIndex = at;
  return lineComment.test(text);
}

function startsSpan(scan: Scan): boolean {
  const { text, lexer } = scan;
  const span = lexer.spans.find(({ open }) => text.startsWith(open, scan.at));
  if (span === undefined) return false;
  if (!keepLiteralKey(scan)) openSpan(scan, span);
  return true;
}

function openSpan(scan: Scan, span: Span): void {
  scan.span = span;
  scan.hasOpenedSpan = true;
  const start = scan.at + span.open.length;
  if (span.kind === 'comment') blankTo(scan, start);
  else keepTo(scan, start);
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
  const { text, at, lexer } = scan;
  const mayBeLifetime = quote === "'" && lexer.hasLifetimes === true;
  const end = mayBeLifetime ? endOfCharacter(text, at) : closeOnce(scan, quote, endOfString);
  if (end === -1 && lexer.isWholeFile && lexer.multilineQuotes?.includes(quote) === true) {
    openSpan(scan, { open: quote, close: quote, kind: 'string' });
    return;
  }
  // An unclosed quote is an apostrophe in running text such as JSX, or a lifetime.
  keepTo(scan, at + 1);
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

/** An unclosed quote isn't tried again on the same line, which keeps the scan linear. */
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
    scan.span = scan.lexer.spans.find(span => span.kind === 'template');
  } else scan.templateBraces.push(brace === '{' ? depth + 1 : depth - 1);
  keepTo(scan, scan.at + 1);
}

// The next three return the index of a literal's last character on its line, or -1.

function endOfString(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

const CHARACTER = /'(?:\\[^']{1,9}|\\'|[^'\\]{1,2})'/y;

function endOfCharacter(text: string, start: number): number {
  CHARACTER.lastIndex = start;
  return CHARACTER.test(text) ? CHARACTER.lastIndex - 1 : -1;
}

function endOfRegex(text: string, start: number): number {
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

/** The longest of those words and the character in front of it. */
const LOOK_BACK = 8;

/** A slash divides after a value and starts a regular expression elsewhere. */
function canStartRegex(text: string, slash: number): boolean {
  let before = slash;
  while (before > 0 && (text[before - 1] === ' ' || text[before - 1] === '\t')) before -= 1;
  return BEFORE_REGEX.test(text.slice(Math.max(0, before - LOOK_BACK), before));
}

/** The directives of Swift, C and C#. */
const CONDITION = /^\s*#\s*(if|ifdef|elif|elseif|else|endif)\b(.*)/;
const DEBUG_BUILD = /(?<![!\w])DEBUG\b/;

/** A changed source file, line by line; all checks share one, so that each line is scanned once. */
export class CodeView {
  readonly language: SourceLanguage;
  /** The lines above in the hunk. */
  readonly memory: LineMemory = lineMemory();
  readonly #lexer: Lexer;
  #state: ScanState = OUTSIDE;
  /** One entry per open `#if` of this hunk: whether it is for debug builds. */
  #debugBuilds: boolean[] = [];
  #text: string | undefined;
  #scanned: ScannedLine | undefined;

  constructor(language: SourceLanguage) {
    this.language = language;
    this.#lexer = hunkLexer(language);
  }

  /** Must be called for every line of the file in order, before the line is judged. */
  advance(line: { readonly text: string; readonly startsHunk: boolean }): void {
    if (line.startsHunk) {
      this.#state = OUTSIDE;
      this.#debugBuilds = [];
      this.memory.forget();
    } else if (this.#text !== undefined) {
      this.#state = this.#stateAfter(this.#text);
      this.memory.remember(this.#text);
    }
    this.#text = line.text;
    this.#scanned = undefined;
    if (this.#lexer.hasConditions === true && line.text.includes('#'))
      this.#readCondition(line.text);
  }

  #readCondition(text: string): void {
    const [, word, condition = ''] = CONDITION.exec(text) ?? [];
    if (word === undefined) return;
    if (word.startsWith('if')) this.#debugBuilds.push(DEBUG_BUILD.test(condition));
    else if (word === 'endif') this.#debugBuilds.pop();
    else if (this.#debugBuilds.length > 0) {
      this.#debugBuilds[this.#debugBuilds.length - 1] = DEBUG_BUILD.test(condition);
    }
  }

  /** True if the line starts inside a string that was opened on a line above. */
  isInString(): boolean {
    return this.#state.span !== undefined && this.#state.span.kind !== 'comment';
  }

  /** True between `#if DEBUG` and its end: users never get this code. */
  isDebugBuild(): boolean {
    return this.#debugBuilds.includes(true);
  }

  /** The line with comments and the insides of strings blanked out; columns stay the same. */
  code(): string {
    this.#scanned ??= scanLine(this.#text ?? '', this.#state, this.#lexer);
    return this.#scanned.code;
  }

  /** No check asks for the code of most lines, so most lines are only skimmed. */
  #stateAfter(text: string): ScanState {
    if (this.#scanned !== undefined) return this.#scanned.state;
    return skim(text, this.#state, this.#lexer) ?? scanLine(text, this.#state, this.#lexer).state;
  }
}

/** Undefined for a file in a language that isn't in the table. */
export function viewCode(path: string): CodeView | undefined {
  const language = sourceLanguage(path);
  return language === undefined ? undefined : new CodeView(language);
}

/** The state after a line where it's clear without scanning the line, as for most lines. */
function skim(text: string, state: ScanState, lexer: Lexer): ScanState | undefined {
  if (state.templateBraces.length > 0) return undefined;
  if (state.span === undefined) return skimFrom(text, 0, lexer);
  const end = text.indexOf(state.span.close);
  if (state.span.kind === 'comment') return end === -1 ? state : skimFrom(text, end + 2, lexer);
  return end === -1 && !text.includes('${') ? state : undefined;
}

function skimFrom(text: string, from: number, lexer: Lexer): ScanState | undefined {
  if (!includesAny(text, lexer.openers)) return OUTSIDE;
  const start = from === 0 ? indentOf(text) : from;
  if (isLineComment(text, start, lexer)) return OUTSIDE;
  if (!lexer.hasBlockComments || !text.startsWith('/*', start)) return undefined;
  const end = text.indexOf('*/', start + 2);
  if (end === -1) return IN_COMMENT;
  return end + 2 >= text.trimEnd().length ? OUTSIDE : undefined;
}

/** This many unclosed strings aren't slips but an attempt to keep the lexer busy. */
const MAX_UNCLOSED = 20;

/**
 * A whole file with comments and the insides of strings blanked out; lines and columns stay the
 * same. A string that is never closed ends with its line, so that one slip doesn't hide the rest of
 * the file.
 */
export function codeOnly(text: string, language: SourceLanguage): string {
  const lexer = lexerFor(language, true);
  const lines = text.split('\n');
  const code: string[] = [];
  let state = OUTSIDE;
  let openedAt = 0;
  let unclosed = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const scanned = scanLine(lines[at] ?? '', state, lexer);
    state = scanned.state;
    code[at] = scanned.code;
    if (scanned.hasOpenedSpan) openedAt = at;
    const isOpen = state.span !== undefined && state.span.kind !== 'comment';
    if (at < lines.length - 1 || !isOpen || unclosed === MAX_UNCLOSED) continue;
    unclosed += 1;
    state = OUTSIDE;
    at = openedAt;
  }
  return code.join('\n');
}
