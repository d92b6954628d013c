import {
  type SyntaxKind,
  type SyntaxProblem,
  syntaxProblem,
  syntaxYaml,
  TOO_DEEP,
} from './syntax-yaml.js';

/**
 * Why a text doesn't parse; undefined if it does. Each parser is loaded when it is first needed.
 * Messages are our own, because a parser's can quote the text, and with it a secret. Empty files and
 * templates aren't checked.
 */
export async function syntaxError(
  kind: SyntaxKind,
  text: string,
): Promise<SyntaxProblem | undefined> {
  // A byte order mark is allowed: programs that read these files allow it too.
  const content = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (content.trim() === '') return undefined;
  const problem = await find(kind, content);
  return problem === undefined || isTemplate(kind, content, problem) ? undefined : problem;
}

function find(kind: SyntaxKind, text: string): Promise<SyntaxProblem | undefined> {
  switch (kind) {
    case 'json':
      return syntaxJson(text, false);
    case 'jsonc':
      return syntaxJson(text, true);
    case 'yaml':
      return syntaxYaml(text);
    case 'toml':
      return syntaxToml(text);
    case 'plist':
    case 'xml':
    case 'strings':
    case 'pbxproj':
      return syntaxApple(kind, text);
  }
}

async function syntaxApple(
  kind: 'plist' | 'xml' | 'strings' | 'pbxproj',
  text: string,
): Promise<SyntaxProblem | undefined> {
  const { syntaxPbxproj, syntaxStrings, syntaxXml } = await import('./syntax-apple.js');
  if (kind === 'pbxproj') return syntaxPbxproj(text);
  return kind === 'strings' ? syntaxStrings(text) : syntaxXml(text, kind === 'plist');
}

// After a dollar it is an expression of GitHub Actions, which is ordinary YAML.
const YAML_TEMPLATE = /(?<!\$)\{\{|\{%|<%/;
const TEMPLATE_LINE = /^\s*(?:\{\{|\{%|<%)/m;
const TEMPLATE_MARK = /\{\{|\{%|<%/;

/** Longer lines are data, not templates. */
const TEMPLATE_WIDTH = 2000;

/** Helm, Jinja, ERB and the like are rendered before they are parsed. */
function isTemplate(kind: SyntaxKind, text: string, problem: SyntaxProblem): boolean {
  if (kind === 'yaml') return YAML_TEMPLATE.test(text);
  if (kind === 'strings' || kind === 'pbxproj') return false;
  if (TEMPLATE_LINE.test(text)) return true;
  const line = text.split('\n', problem.line).at(-1) ?? '';
  // In a string `{{name}}` is ordinary text, as in translations.
  const outside = line.slice(0, TEMPLATE_WIDTH).replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return TEMPLATE_MARK.test(outside);
}

/** `isLenient` allows comments and trailing commas. */
export async function syntaxJson(
  text: string,
  isLenient: boolean,
): Promise<SyntaxProblem | undefined> {
  try {
    JSON.parse(text);
    return duplicateKey(text);
  } catch {
    // JSON.parse is fast, but its message doesn't say where and can quote the text.
  }
  if (isOneValuePerLine(text)) return undefined;
  const { visit, printParseErrorCode } = await import('jsonc-parser');
  let first: SyntaxProblem | undefined;
  const onError = (code: number, offset: number): void => {
    first ??= syntaxProblem(text, offset, MESSAGES[printParseErrorCode(code)] ?? UNKNOWN);
  };
  const lenient = { disallowComments: false, allowTrailingComma: true };
  const strict = { disallowComments: true, allowTrailingComma: false };
  try {
    visit(text, { onError }, lenient);
    const isTolerated = first === undefined;
    if (isLenient || !isTolerated) return first;
    visit(text, { onError }, strict);
    return { ...(first ?? syntaxProblem(text, 0, UNKNOWN)), isTolerated };
  } catch (thrown) {
    if (thrown instanceof RangeError) return syntaxProblem(text, 0, TOO_DEEP);
    throw thrown;
  }
}

/** One JSON value per line, as in logs and data sets, whatever their name. */
function isOneValuePerLine(text: string): boolean {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    for (const line of lines) JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g;

/** The first key that an object has twice: the last one silently wins. */
function duplicateKey(text: string): SyntaxProblem | undefined {
  const open: Array<Set<string>> = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(JSON_TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const name = token.slice(0, token.lastIndexOf('"'));
      const names = open.at(-1);
      if (names?.has(name) === true) {
        return { ...syntaxProblem(text, index, 'a key appears twice'), isDuplicateKey: true };
      }
      names?.add(name);
    }
  }
  return undefined;
}

const UNKNOWN = "it doesn't parse";

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'unexpected character or word',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a property name in double quotes is missing (or there is an extra comma)',
  ValueExpected: 'a value is missing (or there is an extra comma)',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is text after the end of the value',
  InvalidCommentToken: "comments aren't allowed",
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed on its line',
  UnexpectedEndOfNumber: 'a number is incomplete',
  InvalidUnicode: 'a Unicode escape is malformed',
  InvalidEscapeCharacter: 'an escape in a string is unknown',
  InvalidCharacter: 'a string contains a control character',
};

async function syntaxToml(text: string): Promise<SyntaxProblem | undefined> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    parse(text, { integersAsBigInt: true, maxDepth: 200 });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof RangeError) return { line: 1, column: 1, message: TOO_DEEP };
    if (!(thrown instanceof TomlError)) throw thrown;
    const { line, column } = thrown;
    // Only the first part of the message: the rest quotes the text.
    const reason = /^Invalid TOML document: ([a-z][a-z :-]{3,90})[.\n]/.exec(thrown.message)?.[1];
    const message = reason?.includes('nested') === true ? TOO_DEEP : reason;
    return { line, column, message: message ?? "it doesn't parse" };
  }
}
