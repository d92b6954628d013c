import type { FileChange } from '../core/change.js';
import { type Hit, type LineJudge, type LineMemory, NO_HITS } from './check.js';
import { includesAny } from './code-pattern.js';
import { fileRole } from './language.js';
import type { CodeView } from './lexer.js';

/** A call in JavaScript that could define a test: `it.concurrent.only.each(…)`. */
export interface TestCall {
  /** The test runner's name for it, even if it was imported under another. */
  readonly root: string;
  readonly modifiers: readonly string[];
  /** 0-based, within the line. */
  readonly start: number;
  readonly end: number;
}

/** The file's own names for the test runner's functions; see `learnAliases`. */
type Aliases = Map<string, string>;

function testCalls(code: string, aliases: Aliases): TestCall[] {
  const calls: TestCall[] = [];
  for (const found of code.matchAll(CALL)) {
    const [whole, name = '', chain = ''] = found;
    const names = [name, ...chain.split(/[^\w$]+/).filter(part => part !== '')];
    // `Deno.test` is `test`.
    if (names.length > 1 && NAMESPACES.has(name)) names.shift();
    const [root = '', ...modifiers] = names;
    const start = found.index;
    calls.push({ root: aliases.get(root) ?? root, modifiers, start, end: start + whole.length });
  }
  return calls;
}

// One name and its chain, up to a call or a table in backticks.
const CALL = /(?<![\w$.#])([A-Za-z_$][\w$]*)((?:\??\.[\w$]+|\[(["'`])[\w$]+\3\])*)(?=\s*[(`])/g;

const NAMESPACES: ReadonlySet<string> = new Set(['Deno', 'globalThis', 'window']);

const RENAMED = /(?<![\w$])([\w$]+)\s+as\s+([\w$]+)/g;
const DESTRUCTURED = /(?<![\w$])([\w$]+)\s*:\s*([\w$]+)/g;
const COPIED = /\b(?:const|let|var)\s+([\w$]+)\s*=\s*([\w$]+)\s*(?:;|$)/g;

/** Learns new names from `import { it as spec }`, `{ it: spec } = require` and `const spec = it`. */
function learnAliases(code: string, aliases: Aliases): void {
  const isTestName = (name: string): boolean => TEST_ROOTS.has(name) || aliases.has(name);
  const learn = (original: string, alias: string): void => {
    if (isTestName(original)) aliases.set(alias, aliases.get(original) ?? original);
  };
  for (const [, original = '', alias = ''] of code.matchAll(RENAMED)) learn(original, alias);
  for (const [, alias = '', original = ''] of code.matchAll(COPIED)) learn(original, alias);
  if (!code.includes('require')) return;
  for (const [, original = '', alias = ''] of code.matchAll(DESTRUCTURED)) learn(original, alias);
}

/** Quickly rules out most lines. */
const mayRename = (text: string): boolean =>
  text.includes(' as ') ||
  text.includes('require') ||
  (text.includes(' = ') && COPY_AT_END.test(text));

const COPY_AT_END = /= (?:describe|it|test|context|specify)\s*;?$/;

/** The start of what follows the name on its line: a title and options, not a whole test. */
export const argumentsOf = (call: TestCall, code: string): string =>
  code.slice(call.end, call.end + MAX_ARGUMENTS);

const MAX_ARGUMENTS = 300;

/** Functions that define tests or groups of them, in Jest, Vitest, Mocha, Jasmine, Playwright, AVA… */
export const PLAIN_ROOTS: ReadonlySet<string> = new Set(
  'describe it test context specify suite bench scenario QUnit'.split(' '),
);
export const FOCUSED_ROOTS: ReadonlySet<string> = new Set(
  'fdescribe fit fcontext fspecify ftest ddescribe iit'.split(' '),
);
export const SKIPPED_ROOTS: ReadonlySet<string> = new Set(
  'xdescribe xit xtest xcontext xspecify xsuite xscenario'.split(' '),
);
/** What may follow them; `fit.attr(…)` is a method of something else. */
export const MODIFIERS: ReadonlySet<string> = new Set(
  'each for only skip concurrent sequential failing fails todo shuffle runIf skipIf serial extend retries timeout'.split(
    ' ',
  ),
);
/** Outside test files, `context` or `suite` may be something else. */
export const UNMISTAKABLE_ROOTS: ReadonlySet<string> = new Set(['describe', 'it', 'test']);

const TEST_ROOTS: ReadonlySet<string> = new Set([
  ...PLAIN_ROOTS,
  ...FOCUSED_ROOTS,
  ...SKIPPED_ROOTS,
]);

/** A line of JavaScript with its calls, under the test runner's names. */
export interface TestLine {
  readonly calls: readonly TestCall[];
  readonly code: string;
  readonly isTest: boolean;
  /** The lines above in the hunk. */
  readonly memory: LineMemory;
}

interface TestCallRule {
  /** Only lines with one of these are judged, unless the file renames the runner's functions. */
  readonly hints: readonly string[];
  /** The same for other files, where only unmistakable calls count. */
  readonly hintsElsewhere: readonly string[];
  readonly judge: (line: TestLine) => readonly Hit[];
}

/** Reads a JavaScript or TypeScript file for calls that define tests. */
export function judgeTestCalls(file: FileChange, view: CodeView, rule: TestCallRule): LineJudge {
  const { isTest } = fileRole(file.path);
  const hints = isTest ? rule.hints : rule.hintsElsewhere;
  const aliases: Aliases = new Map();
  const { memory } = view;
  return ({ text }) => {
    const renames = isTest && mayRename(text);
    if (renames) learnAliases(view.code(), aliases);
    if (aliases.size === 0 && !includesAny(text, hints)) return NO_HITS;
    const code = view.code();
    return rule.judge({ calls: testCalls(code, aliases), code, isTest, memory });
  };
}
