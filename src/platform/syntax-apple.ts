import { type SyntaxProblem, syntaxProblem, TOO_DEEP } from './syntax-yaml.js';

/** Xcode's files that aren't JSON. Messages never quote the text. */

/** The parser keeps one entry per open element. */
const MAX_XML_DEPTH = 500;

/** Well-formed XML and, for a property list, Apple's structure. */
export async function syntaxXml(
  text: string,
  isPropertyList: boolean,
): Promise<SyntaxProblem | undefined> {
  // A property list may have the older format too, which starts with a brace or a comment.
  if (isPropertyList && !text.trimStart().startsWith('<')) return undefined;
  const { parser: open } = (await import('sax')).default;
  const parser = open(true, { position: true });
  const structure = new PropertyList();
  let first: SyntaxProblem | undefined;
  const fail = (message: string): void => {
    first ??= { line: parser.line + 1, column: parser.column + 1, message };
  };
  let depth = 0;
  parser.onerror = ({ message }) => {
    fail(XML_MESSAGES.find(([start]) => message.startsWith(start))?.[1] ?? "it doesn't parse");
    // Otherwise it would refuse to continue, and throw.
    Object.assign(parser, { error: null });
  };
  const check = (problem: string | undefined): void => {
    if (isPropertyList && problem !== undefined) fail(problem);
  };
  parser.onopentag = ({ name }) => {
    depth += 1;
    if (depth > MAX_XML_DEPTH) fail(TOO_DEEP);
    check(structure.open(name));
  };
  parser.ontext = content => check(structure.text(content));
  parser.onclosetag = name => {
    depth -= 1;
    check(structure.close(name));
  };
  // In pieces, so that it ends soon after the first problem.
  for (let at = 0; at < text.length && first === undefined; at += PIECE) {
    parser.write(text.slice(at, at + PIECE));
  }
  if (first === undefined) parser.close();
  return first;
}

const PIECE = 16 * 1024;

const XML_MESSAGES: ReadonlyArray<readonly [start: string, message: string]> = [
  ['Unclosed root tag', 'an element is not closed'],
  ['Unexpected end', 'it ends too early'],
  ['Unmatched closing tag', 'a closing tag does not match its opening tag'],
  ['Unexpected close tag', 'a closing tag does not match its opening tag'],
  ['Invalid character entity', 'an ampersand must be written as &amp;'],
  ['Invalid character in entity', 'an ampersand must be written as &amp;'],
  ['Unencoded <', 'a less-than sign must be written as &lt;'],
  ['Text data outside', 'there is text outside the root element'],
  ['Non-whitespace before', 'there is text before the first element'],
  ['Malformed comment', 'a comment contains two hyphens'],
  ['Attribute without value', 'an attribute has no value'],
  ['Unquoted attribute', 'the value of an attribute is not in quotes'],
  ['No whitespace between', 'a space between two attributes is missing'],
];

/** Follows the elements of a property list; each method returns what is wrong. */
class PropertyList {
  readonly #open: Array<{ readonly name: string; children: number }> = [];

  open(name: string): string | undefined {
    const parent = this.#open.at(-1);
    this.#open.push({ name, children: 0 });
    // Apple's parser accepts a root without plist around it.
    if (parent === undefined && name === 'plist') return undefined;
    if (!ELEMENTS.has(name)) return "an element isn't one that property lists have";
    if (parent === undefined) return undefined;
    parent.children += 1;
    if (parent.name === 'plist' && parent.children > 1) return 'plist has more than one value';
    if (parent.name !== 'dict') return name === 'key' ? 'a key is outside a dict' : undefined;
    const wantsKey = parent.children % 2 === 1;
    if (wantsKey === (name === 'key')) return undefined;
    return wantsKey ? 'a value in a dict has no key' : 'a key in a dict has no value';
  }

  text(content: string): string | undefined {
    const parent = this.#open.at(-1)?.name ?? '';
    if (content.trim() === '') return undefined;
    if (CONTAINERS.has(parent)) return 'there is text between the elements';
    if (parent === 'integer' && !/^\s*[-+]?(?:0x[0-9a-f]+|\d+)\s*$/i.test(content)) {
      return "an integer isn't a number";
    }
    return undefined;
  }

  close(name: string): string | undefined {
    const closed = this.#open.pop();
    const hasLoneKey = name === 'dict' && (closed?.children ?? 0) % 2 === 1;
    return hasLoneKey ? 'a key in a dict has no value' : undefined;
  }
}

const CONTAINERS: ReadonlySet<string> = new Set(['plist', 'dict', 'array']);
const ELEMENTS: ReadonlySet<string> = new Set(
  'dict array key string integer real true false date data'.split(' '),
);

/** Sticky: blanks, comments, a string, a word or punctuation. */
const TOKEN =
  /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+|("[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|<[0-9a-fA-F\s]*>|(?:[\w.$:+-]|\/(?![/*]))+)|([={}(),;])/y;

interface Token {
  readonly offset: number;
  readonly sign: string;
}

/** The tokens of Apple's older format: `value` means anything but punctuation. */
function* tokens(text: string): Generator<Token | SyntaxProblem> {
  let offset = 0;
  while (offset < text.length) {
    TOKEN.lastIndex = offset;
    const found = TOKEN.exec(text);
    if (found === null) {
      const isQuote = /["']/.test(text.charAt(offset));
      yield syntaxProblem(text, offset, isQuote ? 'a string is not closed' : STRAY);
      return;
    }
    if (found[1] !== undefined) yield { offset, sign: 'value' };
    else if (found[2] !== undefined) yield { offset, sign: found[2] };
    offset += found[0].length;
  }
}

const STRAY = 'unexpected character';

/** `"key" = "value";` lines of a `.strings` file. */
export function syntaxStrings(text: string): SyntaxProblem | undefined {
  // As Xcode allows, the file may be a property list, or UTF-16, which isn't read here.
  if (text.trimStart().startsWith('<') || text.includes('\0')) return undefined;
  let state: StringsState = 'key';
  for (const token of tokens(text)) {
    if ('message' in token) return token;
    const next: StringsState | undefined = STRINGS_GRAMMAR[state][token.sign];
    if (next === undefined) {
      return syntaxProblem(text, token.offset, `${STRINGS_EXPECTED[state]} is missing`);
    }
    state = next;
  }
  return state === 'key'
    ? undefined
    : syntaxProblem(text, text.trimEnd().length, `${STRINGS_EXPECTED[state]} is missing`);
}

type StringsState = 'key' | 'equals' | 'value' | 'end';

const STRINGS_GRAMMAR: Readonly<Record<StringsState, Readonly<Record<string, StringsState>>>> = {
  key: { value: 'equals' },
  equals: { '=': 'value', ';': 'key' },
  value: { value: 'end' },
  end: { ';': 'key' },
};

const STRINGS_EXPECTED: Readonly<Record<StringsState, string>> = {
  key: 'a key',
  equals: 'an equals sign',
  value: 'a value',
  end: 'a semicolon',
};

/** The brackets of `project.pbxproj`, and references to objects that don't exist. */
export function syntaxPbxproj(text: string): SyntaxProblem | undefined {
  const open: string[] = [];
  let last = '';
  for (const token of tokens(text)) {
    if ('message' in token) return token;
    const { sign, offset } = token;
    if (sign === '{' || sign === '(') open.push(sign);
    else if (sign === '}' || sign === ')') {
      if (open.pop() !== (sign === '}' ? '{' : '(')) {
        return syntaxProblem(text, offset, 'a closing bracket does not match');
      }
    }
    const message = pairProblem(last, sign, open.at(-1));
    if (message !== undefined) return syntaxProblem(text, offset, message);
    last = sign;
  }
  if (open.length > 0) return syntaxProblem(text, text.trimEnd().length, 'a bracket is not closed');
  return danglingReference(text);
}

function pairProblem(last: string, sign: string, inside: string | undefined): string | undefined {
  const isValueAfterValue = /^(?:value|[})])$/.test(last) && /^(?:value|[{(])$/.test(sign);
  if (isValueAfterValue && inside !== undefined) return 'a semicolon or a comma is missing';
  if (last === '=' && /^[;,)}=]$/.test(sign)) return 'a value is missing';
  return undefined;
}

const OBJECT = /^\s*([0-9A-F]{24})(?: \/\*[^\n]*?\*\/)? = \{/gm;
/** Lists and fields whose ids must be objects of the same project. */
const REFERENCE =
  /^\t*(?:(?:fileRef|mainGroup|productRefGroup|buildConfigurationList|productReference|target|targetProxy) = )?([0-9A-F]{24})(?: \/\*[^\n]*?\*\/)?[,;]$/gm;

function danglingReference(text: string): SyntaxProblem | undefined {
  const objects = new Set([...text.matchAll(OBJECT)].map(([, id]) => id));
  for (const { 0: whole, 1: id = '', index } of text.matchAll(REFERENCE)) {
    if (objects.has(id)) continue;
    return syntaxProblem(
      text,
      index + whole.indexOf(id),
      `it refers to the object ${id}, which isn't in the project`,
    );
  }
  return undefined;
}
