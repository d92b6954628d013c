import type { SyntaxProblem } from '../../core/syntax.js';

export const TOO_DEEP = 'it is nested too deeply';

/** A problem at an offset of the text, which begins with line 1 and column 1. */
export function syntaxProblem(text: string, offset: number, message: string): SyntaxProblem {
  const end = Math.min(Math.max(offset, 0), text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: end - lineStart + 1, message };
}
