import { withoutSpace } from '../core/finding.js';

export interface Grounding {
  /** Claims found in what was shown. */
  readonly proven: readonly string[];
  /** Claims not found in it. */
  readonly unproven: readonly string[];
}

/**
 * Which claims of a text are found in what the model was shown. `asked` is the question itself:
 * repeating that isn't a mistake, but it isn't proof either.
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
  const [isSeen, isAsked] = [nameFinder(seen), nameFinder(asked)];
  for (const name of names) {
    if (isSeen(name)) proven.push(name);
    else if (!isAsked(name)) unproven.push(name);
  }
  return { proven, unproven };
}

const MAX_TEXT = 20_000;

/** What can be checked: numbers, code names, paths. */
function claimsIn(text: string) {
  const start = text.slice(0, MAX_TEXT);
  const quoted = [...start.matchAll(/`([^`\n]{1,200})`/g)].map(([, name]) => name ?? '');
  const paths: string[] = [];
  const taken = (path: string): string => {
    paths.push(path);
    return ' ';
  };
  const rest = start
    .replace(/`[^`\n]{1,200}`/g, '``')
    .replace(/(?<![\d/])24\/7(?![\d/])/g, ' ')
    .replace(PATH, (path: string, at: number, whole: string) =>
      isProse(path, whole, at) ? path : taken(path.replace(/[.,;:!?*_]+$/, '')),
    )
    .replace(DOTFILE, taken)
    .replace(BARE_NAME, taken);
  const words = rest.match(WORD) ?? [];
  const names = [...[...quoted, ...paths].map(withoutLine), ...words.filter(isCodeShaped)];
  const bare = quoted.filter(name => !HAS_LETTER.test(name)).join(' ');
  return {
    // A line number in `path:12` is a place, not a value.
    numbers: [...new Set(numbersIn(`${rest} ${bare}`))],
    names: [...new Set(names.filter(name => HAS_LETTER.test(name)))],
  };
}

const HAS_LETTER = /[\p{L}_$]/u;
const PART = '[\\p{L}\\p{N}_@.+-]+';
const SLASHED = `[a-z]{2,10}://[^\\s\`"'<>()]+|~?/${PART}(?:/${PART})*/?|${PART}/(?:${PART}/)*(?:${PART})?`;
const START = '(?<![\\p{L}\\p{N}_@.+~/<>)\\]}`-])';

/** `src/a.ts:12`, `lib/deep/`, `/etc/hosts`, `~/.ssh`, `@acme/core`, an address, `a.ts:3-9`. */
const PATH = new RegExp(
  `${START}(?:${SLASHED}|[\\w@-]{1,80}\\.[a-z]{1,5}(?=:\\d))(?::\\d{1,7}(?:-\\d{1,7})?)?`,
  'gu',
);
/** `.env`, and extensions such as `.ts`. */
const DOTFILE = new RegExp(`${START}\\.[a-z][\\w-]*(?:\\.[\\w-]+)*(?![\\w(])`, 'gu');

/** Files without an extension, or usually named without it. */
export const BARE_NAMES =
  'Makefile Dockerfile Containerfile Gemfile Rakefile Podfile Procfile Brewfile Cartfile Fastfile Justfile Caddyfile Jenkinsfile Vagrantfile CODEOWNERS LICENSE README CHANGELOG CONTRIBUTING'.split(
    ' ',
  );
const BARE_NAME = new RegExp(`(?<![\\w.-])(?:${BARE_NAMES.join('|')})(?![\\w-]|\\.\\w)`, 'g');

/** `client/server`, `2024/01/02`, `HTTP/2`: words or numbers, unless they are called a folder. */
function isProse(path: string, text: string, at: number): boolean {
  const parts = path.replace(/[.,:]+$/, '').split('/');
  if (parts.every(part => /^\d+$/.test(part))) return true;
  const [first = '', second = '', third] = parts;
  if (/^[a-z]\/$/i.test(path) || /^(?:\p{Lu}\/\p{Lu}|(?:and|either)\/or)$/iu.test(path))
    return true;
  if (third !== undefined || FOLDERS.has(first) || path.includes(':')) return false;
  // Each of `maxTurns/maxTries` is checked on its own.
  if (!path.includes('.') && isCodeShaped(first) && isCodeShaped(second)) return true;
  const after = text.slice(at + path.length, at + path.length + 40);
  const isFolder = FOLDER_BEFORE.test(text.slice(Math.max(0, at - 40), at));
  return parts.every(isPlainWord) && !isFolder && !FOLDER_AFTER.test(after);
}

const isPlainWord = (part: string): boolean =>
  PROPER.has(part) || (/^(?:\p{L}+(?:-\p{L}+)*|\d+(?:\.\d+)?)$/u.test(part) && !isCodeShaped(part));
/** Folder names that aren't English words. */
const FOLDERS = new Set('src lib libs bin dist pkg cmd etc usr var tmp opt'.split(' '));
const FOLDER_BEFORE =
  /\b(?:(?:sub)?(?:folders?|director(?:y|ies)|dirs?)|paths?|(?:the|an?|this|that) files?)(?: (?:is|at|named|called))?[\s:"'(*_]{1,4}$/i;
const FOLDER_AFTER = /^["'*_)]{0,3}\s(?:sub)?(?:folder|directory)\b/i;

/** Whether a name occurs in a text: code in any spacing, a whole name, a path between word boundaries. */
function nameFinder(text: string): (name: string) => boolean {
  const dense = withoutSpace(text);
  // A quotient may be written with spaces.
  const spaced = text.replace(/ \/ /g, '/');
  return name => {
    if (isCodeShaped(name) && /^[\w$]+$/.test(name)) {
      return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
    }
    if (!IS_PATH.test(name)) return dense.includes(withoutSpace(name));
    const wanted = name.replace(/\/$/, '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const isMember = name.startsWith('.') && !/^\.(?:env|git)\b/.test(name);
    const before = isMember ? '' : `(?<![\\p{L}\\p{N}_${name.startsWith('/') ? '.~)}\\]' : '.'}-])`;
    const after = `(?![\\p{L}\\p{N}_-]${name.startsWith('.') ? '|\\.\\w' : ''})`;
    return new RegExp(before + wanted + after, 'u').test(spaced);
  };
}

const IS_PATH = new RegExp(
  `^(?:${SLASHED}|\\.[a-z][\\w-]*(?:\\.[\\w-]+)*|${BARE_NAMES.join('|')})$`,
  'u',
);

const WORD = /[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{1,80}){0,5}(?:\(\))?/g;

const withoutLine = (place: string): string =>
  (place.includes('://') ? place : place.replace(/:\d[\d-]*$/, ''))
    .replace(/\(\)$/, '')
    .replace(/^\.\//, '');

/** Inner capitals, underscores, a call, a dot between two names: unlike prose. */
function isCodeShaped(word: string): boolean {
  if (PROPER.has(word.replace(/\(\)$/, ''))) return false;
  return /[a-z\d][A-Z]|[A-Za-z\d]_|_[A-Za-z]|\$|\(\)$|^\w{2,}\.\w{2,}/.test(word);
}

const PROPER = new Set(
  'Node.js Vue.js Next.js JavaScript TypeScript CoffeeScript GitHub GitLab BitBucket OpenAI macOS iOS iPadOS watchOS tvOS PowerShell PostgreSQL MySQL SQLite MongoDB GraphQL YouTube LinkedIn DevOps WebSocket WebAssembly'.split(
    ' ',
  ),
);

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 };
/** Alone, `first`, `second` and `third` are prose; `twenty-second` is a time as often as a place. */
const ORDINALS =
  'fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );
const VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, at) => [word, at] as const),
  ...ORDINALS.map((word, at) => [word, at + 4] as const),
  ...TENS.map((word, at) => [word, (at + 2) * 10] as const),
  ...TENS.map((word, at) => [word.replace('y', 'ieth'), (at + 2) * 10] as const),
  ...Object.entries({ first: 1, third: 3, twice: 2, couple: 2, thrice: 3, half: 0.5 }),
]);

/** `seven`, `twenty-fifth`, `two hundred and fifty`, `five thousand`, `two dozen`, `twice`. */
const NUMBER_WORDS = (() => {
  const [next, and] = ['[\\s-]{1,4}', '(?:and\\s{1,4})?'];
  const digits = [...UNITS.slice(1, 10), ...ORDINALS.slice(0, 6), 'first', 'third'].join('|');
  const alone = [...UNITS, ...ORDINALS, ...TENS.map(word => word.replace('y', 'ieth'))].join('|');
  const small = `(?:(?:${TENS.join('|')})(?:${next}(?:${digits})(?![a-z]))?|(?:${alone}))(?![a-z])`;
  const hundreds = `(?:(?:${small}${next})?hundred(?:${next}${and}${small})?|${small})`;
  const scale = `(?:${Object.keys(SCALES).join('|')})(?![a-z])`;
  const whole = `(?:${hundreds}${next})?${scale}(?:${next}${and}${hundreds}(?:${next}${scale})?){0,3}|${hundreds}`;
  const dozens = `(?:(?:half${next}an?|${small})${next})?dozens?`;
  return new RegExp(`(?<![a-z])(?:${dozens}|twice|thrice|a\\s{1,4}couple|${whole})(?![a-z])`, 'g');
})();

/** Digits without separators; number words as digits. */
function numbersIn(text: string): string[] {
  const digits = (text.match(/(?<![\p{L}_$\d.])\d[\d,_]*(?:\.\d+)?/gu) ?? []).map(plainNumber);
  const inside = (text.match(/(?<=[\p{L}_$.])\d+/gu) ?? []).map(plainNumber);
  // In prose, one is hardly ever a number.
  const words = (text.toLowerCase().match(NUMBER_WORDS) ?? []).filter(word => word !== 'one');
  return [...digits, ...inside, ...words.map(digitsOf)];
}

function digitsOf(words: string): string {
  let [total, part] = [0, 0];
  for (const word of words.match(/[a-z]+/g) ?? []) {
    const scale = SCALES[word];
    if (scale !== undefined) [total, part] = [total + (part || 1) * scale, 0];
    else if (word === 'hundred') part = (part || 1) * 100;
    else if (word.startsWith('dozen')) part = (part || 1) * 12;
    else part += VALUES.get(word) ?? 0;
  }
  return String(total + part);
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

/** A reply in one of our protocols, or part of one; never text for people. */
export function isProtocolText(text: string, tools: readonly string[]): boolean {
  const start = text
    .slice(0, 400)
    .trim()
    .replace(/^```\w*\s*/, '')
    .replace(/[“”„‟]/g, '"');
  const named = ['tool_calls?', 'function_calls?', ...tools].join('|');
  // `read_file {…}`, `tool_calls: […]`, `<tool_call>{…}`
  const call = `^[\`*]{0,3}(?:<\\|?|\\[)?(?:functions?[.:])?(?:${named})(?:\\|?>|\\])?[\`*]{0,3}\\s{0,3}[(:=]?\\s{0,3}[[{]`;
  if (new RegExp(call, 'im').test(start)) return true;
  if (!/^[[{"]/.test(start)) return false;
  return /\\?["']?(?:[a-z]_)?(?:action|tool_calls|arguments|parameters|function|reason|answer|tool)\\?["']?\s*:/.test(
    start,
  );
}

/**
 * Whether a text shows that these lines were read: it has one of their identifiers, or a word of at
 * least four letters. Lines with neither can't be named, so any text counts.
 */
export function namesCode(reason: string, lines: readonly string[]): boolean {
  const start = reason.slice(0, MAX_REASON);
  const known = new Set(lines.flatMap(line => wordsOf(line)));
  if (known.size === 0) return start.trim() !== '';
  return wordsOf(start).some(word => known.has(word));
}

/** Whether a text has words other than keywords, but none of these lines'. */
export const isForeign = (text: string, lines: readonly string[]): boolean =>
  wordsOf(text.slice(0, MAX_REASON)).some(word => !KEYWORDS.has(word)) && !namesCode(text, lines);

const MAX_REASON = 4000;
const LONG_WORD = 4;

/** Identifiers unchanged, and the longer words in and around them in lower case. */
function wordsOf(text: string): string[] {
  const tokens = text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return tokens.flatMap(token => {
    const parts = token.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+/gu) ?? [];
    const words = [token, ...parts].map(word => word.toLowerCase());
    const isShortName = !COMMON.has(token.toLowerCase()) && token.length < LONG_WORD;
    return [...(isShortName ? [token] : []), ...words.filter(word => word.length >= LONG_WORD)];
  });
}

/** Short words of English and of programming languages, which aren't names. */
const COMMON = new Set(
  `a i an as at be by do go he if in is it me my no of on or so to up us we all and any are but can did
  for get got had has her him his how its let new not now old one our out own put ran run say see set
  she the too try two use var was way who why yes yet you def end fun nil fn val int im dont cant`.split(
    /\s+/,
  ),
);

/**
 * Whether a plain answer is a refusal. The server marks only some; the others are ordinary text, a
 * short apology from the first word on.
 */
export function isRefusal(text: string): boolean {
  const start = opening(text);
  return text.trim().length <= MAX_APOLOGY && DECLINES.some(pattern => pattern.test(start));
}

/** A real answer continues after its apology. */
const MAX_APOLOGY = 400;
const OPENING = 160;

const opening = (text: string): string =>
  text.trim().slice(0, OPENING).replaceAll('’', "'").replace(/\s+/g, ' ').toLowerCase();

const UNWILLING =
  "(?:can't|cannot|can not|won't|will not|am unable to|am not able to|'m unable to|'m not able to)";
const HELPING =
  '(?:assist|help|fulfil|fulfill|comply|provide|do that|do this|process|complete|continue|answer|respond|engage|discuss|support|generate|create|perform|handle|proceed|review|analy[sz]e|evaluate|examine)';

const DECLINES = [
  new RegExp(
    `^(?:i'm |i am |we're )?(?:(?:very|so|really|truly) )?(?:sorry|afraid|(?:i |my )?apolog(?:i[sz]e|ies))\\b.{0,40}\\bi ?${UNWILLING}`,
  ),
  new RegExp(`^(?:unfortunately,? |as an? [^.,]{0,60}, ?)?i ?${UNWILLING} (?:\\w+ )?${HELPING}`),
  /^(?:i'm |i am )?sorry,? (?:but )?(?:that|this) (?:request|is not|isn't|goes)/,
  /^(?:i )?(?:must|have to) (?:decline|refuse)\b/,
  /^es tut mir leid\b.{0,60}\bnicht\b/,
  /^(?:je suis )?désolée?[ ,.].{0,60}\b(?:ne peux pas|ne puis)/,
  /^lo siento\b.{0,60}\bno puedo\b/,
  /^mi dispiace\b.{0,60}\bnon posso\b/,
  /^(?:desculpe|lamento|sinto muito)\b.{0,60}\bnão posso\b/,
  /^(?:很|非常|十分)?(?:抱歉|对不起|對不起|遗憾|遺憾).{0,60}(?:不能|无法|無法)/,
  /^(?:大変)?(?:申し訳|すみません|ごめんなさい).{0,80}でき(?:ません|ない|かね)/,
  /^죄송.{0,80}수 없/,
  /^(?:к сожалению|извините|простите|прошу прощения).{0,60}не (?:могу|смогу)/,
  /^(?:przepraszam|przykro mi|niestety).{0,60}nie (?:mogę|jestem w stanie)/,
  /^(?:het spijt me|sorry|helaas).{0,60}\b(?:kan ik|ik kan)\b.{0,40}\b(?:niet|geen)\b/,
  /^(?:tyvärr|förlåt|beklager|desværre|jeg beklager).{0,60}\b(?:kan jag|jag kan|kan jeg|jeg kan)\b.{0,40}\b(?:inte|ikke)\b/,
  /^(?:üzgünüm|maalesef|özür dilerim).{0,80}(?:emem|amam|emiyorum|amıyorum)/,
  /^(?:leider|entschuldigung|tut mir leid).{0,60}\b(?:kann ich|ich kann)\b.{0,40}\bnicht\b/,
  /^(?:lamentablemente|disculpa|désolé|malheureusement|purtroppo|infelizmente).{0,60}\b(?:no puedo|ne peux pas|non posso|não posso)\b/,
];

/** Keywords of the languages, and names that every program uses. */
export const KEYWORDS = new Set(
  `abstract and any array assert async await bool boolean break byte case catch char class console
  const continue debugger def default defer del delete dict do double elif else end ensure enum error
  except export extends extension extern false final finally float fn for foreach from func function
  get global go goto guard if impl implements import in init inout instanceof int integer interface
  internal is lambda let list long match math module mut mutating namespace new nil nonlocal none not
  null number object open operator optional or override package pass print println private promise
  protected protocol pub public raise readonly record ref rescue result return self set short sizeof
  static std str string struct sub super switch template then this throw throws trait true try type
  typealias typedef typeof undefined union unknown unless unsafe until use using val var vec virtual
  void volatile when where while with yield`.split(/\s+/),
);
