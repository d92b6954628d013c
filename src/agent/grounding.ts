import { withoutSpace } from '../core/without-space.js';

/** What a text claims that can be checked: numbers, names of code, paths. */
interface Claims {
  readonly numbers: readonly string[];
  readonly names: readonly string[];
}

export interface Grounding {
  /** Claims that stand in what was shown. */
  readonly proven: readonly string[];
  /** Claims that stand nowhere in it. */
  readonly unproven: readonly string[];
}

/**
 * Which claims of a text stand in what the model was shown. `asked` is what it was given to begin with:
 * repeating that is no mistake, but no proof either.
 */
export function groundingOf(text: string, shown: readonly string[], asked = ''): Grounding {
  const { numbers, names } = claimsIn(text);
  const seen = shown.map(withoutLineNumbers).join('\n');
  const known = new Set([...numbersIn(seen), ...numbersIn(asked)]);
  const seenNumbers = new Set(numbersIn(seen));
  const proven: string[] = [];
  const unproven: string[] = [];
  for (const number of numbers) {
    if (seenNumbers.has(number)) proven.push(number);
    else if (!known.has(number)) unproven.push(number);
  }
  const [seenText, askedText] = [withoutSpace(seen), withoutSpace(asked)];
  for (const name of names) {
    const wanted = withoutSpace(name);
    if (seenText.includes(wanted)) proven.push(name);
    else if (!askedText.includes(wanted)) unproven.push(name);
  }
  return { proven, unproven };
}

const MOST_TEXT = 20_000;

function claimsIn(text: string): Claims {
  const said = text.slice(0, MOST_TEXT);
  const quoted = [...said.matchAll(/`([^`\n]{1,200})`/g)].map(([, name]) => name ?? '');
  const rest = said.replace(/`[^`\n]{1,200}`/g, ' ');
  const places = [...quoted, ...(rest.match(PATH) ?? [])].map(withoutLine);
  const words = rest.replace(PATH, ' ').match(WORD) ?? [];
  const names = [...places, ...words.filter(isCodeShaped)].filter(name => /[\p{L}_$]/u.test(name));
  const bare = quoted.filter(name => !/[\p{L}_$]/u.test(name)).join(' ');
  return {
    // A line number in `path:12` is a place, not a value.
    numbers: [...new Set(numbersIn(`${rest.replace(PATH, ' ')} ${bare}`))],
    names: [...new Set(names)],
  };
}

/** `src/a.ts`, `src/a.ts:12`, `a.ts:3-9`; `read/write` is prose. */
const PATH =
  /(?<![\w/.-])(?:(?:[\w@.-]{1,80}\/){1,20}[\w@-]{0,80}\.[\w-]{1,20}|(?:[\w@.-]{1,80}\/){2,20}[\w@-]{1,80})(?::\d{1,7}(?:-\d{1,7})?)?|(?<![\w/.-])[\w@-]{1,80}\.[a-z]{1,5}:\d{1,7}(?:-\d{1,7})?\b/g;
const WORD = /[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{1,80}){0,5}(?:\(\))?/g;

const withoutLine = (place: string): string =>
  place
    .replace(/:\d[\d-]*$/, '')
    .replace(/\(\)$/, '')
    .replace(/^\.\//, '');

/** Capitals inside, underscores, a call, a dot between two names: what prose doesn't have. */
function isCodeShaped(word: string): boolean {
  if (PROPER.has(word.replace(/\(\)$/, ''))) return false;
  return /[a-z\d][A-Z]|[A-Za-z\d]_|_[A-Za-z]|\$|\(\)$|^\w{2,}\.\w{2,}/.test(word);
}

const PROPER = new Set(
  'Node.js Vue.js Next.js JavaScript TypeScript CoffeeScript GitHub GitLab BitBucket OpenAI macOS iOS iPadOS watchOS tvOS PowerShell PostgreSQL MySQL SQLite MongoDB GraphQL YouTube LinkedIn DevOps WebSocket WebAssembly'.split(
    ' ',
  ),
);

const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const TENS: Readonly<Record<string, string>> = {
  thirty: '30',
  forty: '40',
  fifty: '50',
  sixty: '60',
  seventy: '70',
  eighty: '80',
  ninety: '90',
  hundred: '100',
  thousand: '1000',
};

/** Digits as they are, without separators; words as digits. */
function numbersIn(text: string): string[] {
  const digits = (text.match(/(?<![\p{L}_$\d.])\d[\d,_]*(?:\.\d+)?/gu) ?? []).map(plainNumber);
  const inside = (text.match(/(?<=[\p{L}_$.])\d+/gu) ?? []).map(plainNumber);
  const words = (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap(word => {
    const at = WORDS.indexOf(word);
    // In prose, one is hardly ever a number.
    if (word === 'one') return [];
    return at === -1 ? (TENS[word] ?? []) : String(at);
  });
  return [...digits, ...inside, ...words];
}

const plainNumber = (number: string): string =>
  number
    .replace(/[,_]/g, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/\.0+$/, '');

/** `12| text` and `src/a.ts:12: text` are how our tools show a line. */
const withoutLineNumbers = (text: string): string =>
  text
    .replace(/^[ +]?\d{1,7}\| ?/gm, '')
    .replace(/^([^\s:]{1,300}):\d{1,7}: /gm, '$1: ')
    .replace(/^(.{1,300}?): lines \d+-\d+ of \d+.*$/gm, '$1')
    .replace(/^(.{1,300}), lines \d+-\d+ of \d+.*$/gm, '$1');

/** A reply of our own protocols, or what is left of one; never words for people. */
export function isProtocolText(text: string): boolean {
  const start = text
    .slice(0, 400)
    .trim()
    .replace(/^```\w*\s*/, '')
    .replace(/[“”„‟]/g, '"');
  if (!/^[[{"]/.test(start)) return false;
  return /\\?["']?(?:[a-z]_)?(?:action|tool_calls|arguments|parameters|function|reason|answer|tool)\\?["']?\s*:/.test(
    start,
  );
}

/**
 * Whether a text shows that somebody read these lines: it holds an identifier of theirs, or a word of
 * at least four letters. Lines without either can't be named, so anything that is said of them counts.
 */
export function namesCode(reason: string, lines: readonly string[]): boolean {
  const said = reason.slice(0, LONGEST_REASON);
  const known = new Set(lines.flatMap(line => wordsOf(line)));
  if (known.size === 0) return said.trim() !== '';
  return wordsOf(said).some(word => known.has(word));
}

/** Whether a text has words, and none of them stands in these lines. */
export const isForeign = (text: string, lines: readonly string[]): boolean =>
  wordsOf(text.slice(0, LONGEST_REASON)).length > 0 && !namesCode(text, lines);

const LONGEST_REASON = 4000;
const LONG_WORD = 4;

/** Identifiers as they are, and the longer words in them and around them in lower case. */
function wordsOf(text: string): string[] {
  const tokens = text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return tokens.flatMap(token => {
    const parts = token.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+/gu) ?? [];
    const words = [token, ...parts].map(word => word.toLowerCase());
    const isShortName = !COMMON.has(token.toLowerCase()) && token.length < LONG_WORD;
    return [...(isShortName ? [token] : []), ...words.filter(word => word.length >= LONG_WORD)];
  });
}

/** Short words of English and of programming languages, which are no names. */
const COMMON = new Set(
  `a i an as at be by do go he if in is it me my no of on or so to up us we all and any are but can did
  for get got had has her him his how its let new not now old one our out own put ran run say see set
  she the too try two use var was way who why yes yet you def end fun nil fn val int im dont cant`.split(
    /\s+/,
  ),
);
