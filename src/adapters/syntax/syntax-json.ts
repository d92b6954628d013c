import type { SyntaxProblem } from '../../core/syntax.js';
import { syntaxProblem, TOO_DEEP } from './syntax-problem.js';

/** `isLenient` allows comments and trailing commas. */
export async function syntaxJson(
  text: string,
  isLenient: boolean,
): Promise<SyntaxProblem | undefined> {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    // JSON.parse is fast, but says neither where nor why in words that can be passed on.
  }
  const { visit, printParseErrorCode } = await import('jsonc-parser');
  let first: SyntaxProblem | undefined;
  const onError = (code: number, offset: number): void => {
    first ??= syntaxProblem(text, offset, MESSAGES[printParseErrorCode(code)] ?? UNKNOWN);
  };
  const options = { disallowComments: !isLenient, allowTrailingComma: isLenient };
  try {
    visit(text, { onError }, options);
  } catch (thrown) {
    if (thrown instanceof RangeError) return syntaxProblem(text, 0, TOO_DEEP);
    throw thrown;
  }
  return first ?? (isLenient ? undefined : syntaxProblem(text, 0, UNKNOWN));
}

const UNKNOWN = 'it does not parse';

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word or sign stands where none may',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a property name in double quotes is missing (or a comma is too many)',
  ValueExpected: 'a value is missing (or a comma is too many)',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'something follows after the end of the value',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed on its line',
  UnexpectedEndOfNumber: 'a number is not complete',
  InvalidUnicode: 'a Unicode escape is malformed',
  InvalidEscapeCharacter: 'an escape in a string is unknown',
  InvalidCharacter: 'a control character stands in a string',
};
