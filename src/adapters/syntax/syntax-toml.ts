import type { SyntaxProblem } from '../../core/syntax.js';
import { TOO_DEEP } from './syntax-problem.js';

export async function syntaxToml(text: string): Promise<SyntaxProblem | undefined> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    parse(text, { integersAsBigInt: true, maxDepth: 200 });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof RangeError) return { line: 1, column: 1, message: TOO_DEEP };
    if (!(thrown instanceof TomlError)) throw thrown;
    const { line, column } = thrown;
    // Only the parser's own words: behind them it quotes the text.
    const said = /^Invalid TOML document: ([a-z][a-z :-]{3,90})[.\n]/.exec(thrown.message)?.[1];
    const message = said?.includes('nested') === true ? TOO_DEEP : said;
    return { line, column, message: message ?? 'it does not parse' };
  }
}
