import { includesAny } from './includes-any.js';
import type { LexicalSyntax } from './lexical-syntax.js';
import { lexicalSyntax } from './lexical-syntax.js';
import { type LineMemory, lineMemory } from './line-memory.js';
import type { ScanState } from './scan-line.js';
import { OUTSIDE, scanLine } from './scan-line.js';
import { type SourceLanguage, sourceLanguage } from './source-language.js';

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
