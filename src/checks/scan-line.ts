import type { LexicalSyntax } from './lexical-syntax.js';
import { canStartRegex, endOfCharacter, endOfRegex, endOfString } from './literal-end.js';

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
