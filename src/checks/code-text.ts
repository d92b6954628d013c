import type { NewSideLine } from './check.js';
import { includesAny } from './includes-any.js';
import type { LexicalSyntax } from './lexical-syntax.js';
import { lexicalSyntax } from './lexical-syntax.js';
import type { ScanState } from './scan-line.js';
import { OUTSIDE, scanLine } from './scan-line.js';
import type { SourceLanguage } from './source-language.js';

/**
 * Must see every line of a file in order. Gives the line with comments and the inside of strings
 * blanked out, so that columns still fit; an empty text for a line that is not wanted.
 */
export type CodeReader = (line: NewSideLine, isWanted: boolean) => string;

export function codeText(language: SourceLanguage): CodeReader {
  const syntax = lexicalSyntax(language);
  let state: ScanState = OUTSIDE;
  return (line, isWanted) => {
    if (line.startsHunk) state = OUTSIDE;
    if (!isWanted) {
      state = skim(line.text, state, syntax) ?? scanLine(line.text, state, syntax).state;
      return '';
    }
    const scanned = scanLine(line.text, state, syntax);
    state = scanned.state;
    return scanned.code;
  };
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
