import type { FileChange } from '../core/change.js';
import { type LineCheck, type LineJudge, NO_HITS } from './check.js';
import { type CodePattern, includesAny, isConditional, judgePatterns } from './code-pattern.js';
import { fileRole } from './language.js';
import type { CodeView } from './lexer.js';

/** A focused test: the runner passes because it skips all the others. */
export const focusedTest: LineCheck = {
  rules: { 'focused-test': 'error' },
  guards: false,
  open: (file, view) =>
    view?.language === 'javascript'
      ? judgeTestCalls(file, view, FOCUSED)
      : judgePatterns({ file, view }, FOCUS_PATTERNS, { rule: 'focused-test' }),
};

/** A test that doesn't run. Tests skipped under a condition are fine: somebody decided that. */
export const skippedTest: LineCheck = {
  rules: { 'skipped-test': 'warning' },
  guards: false,
  open: (file, view) => {
    const judge =
      view?.language === 'javascript'
        ? judgeTestCalls(file, view, SKIPPED)
        : judgePatterns({ file, view }, SKIP_PATTERNS, { rule: 'skipped-test' });
    if (judge === undefined) return undefined;
    return line => {
      const hits = judge(line);
      if (hits.length === 0) return hits;
      const isKnown = ISSUE.test(line.text) || ISSUE.test(view?.memory.previous() ?? '');
      return isKnown ? hits.map(hit => ({ ...hit, severity: 'info' })) : hits;
    };
  },
};

/** Somebody is going to look at it: an issue on GitHub, in Jira, or with Apple. */
const ISSUE =
  /(?:^|[\s("'[`:/])(?:#\d+\b|GH-\d+|(?!UTF|ISO|SHA|AES|RFC|ES-|X-)[A-Z][A-Z0-9]{1,9}-\d+\b|rdar:|FB\d{6,}|SR-\d+)|\bhttps?:\/\/[^\s"']*\/(?:issues|pull|browse|show_bug|bugs?|work_items|ticket|t)\b/;

const FOCUSED: TestCallRule = {
  rule: 'focused-test',
  hints: ['only', 'fdescribe', 'fit', 'fcontext', 'fspecify', 'ftest', 'ddescribe', 'iit'],
  hintsElsewhere: ['only', 'fdescribe'],
  judge: (call, isTest) => (isFocused(call, isTest) ? focuses(`\`${nameOf(call)}\``) : undefined),
};

const focuses = (what: string): string =>
  `${what} keeps all other tests from running. Remove the focus before merging.`;

function isFocused({ root, modifiers, args }: TestCall, isTest: boolean): boolean {
  if (FOCUSED_ROOTS.has(root)) {
    if (!modifiers.every(modifier => MODIFIERS.has(modifier))) return false;
    // `fit` is also a common name for a function that fits something.
    const isOwn = root === 'fit' && modifiers.length === 0 && NO_TITLE.test(args);
    return !isOwn && (isTest || root === 'fdescribe');
  }
  if (!PLAIN_ROOTS.has(root)) {
    // The project's own test function, recognized by its title and body.
    return isTest && modifiers.at(-1) === 'only' && TITLE_AND_BODY.test(args);
  }
  if (modifiers.includes('only')) return isTest || UNMISTAKABLE_ROOTS.has(root);
  return isTest && ONLY_OPTION.test(args);
}

/** Not a title and a body: `fit(model, data)`, `fit('linear', 3)`, `fit(box) {`. */
const NO_TITLE =
  /^\s*\(\s*(?:[^"'`\s)]|(["'`])[^"'`]*\1\s*(?:\)|,(?!\s*(?:async\b|function\b|\(|\{|[A-Za-z_$][\w$]*\s*(?:=>|\)|,|\()|$))))/;
const TITLE_AND_BODY = /^\s*\(\s*["'`][^"'`]*["'`]\s*,.*(?:=>|\bfunction\b)/;
const ONLY_OPTION = /^\s*\([^{}()]*\{[^{}()]*\bonly\s*:\s*true\b/;

// biome-ignore format: two lines per pattern read as a table.
const FOCUS_PATTERNS: readonly CodePattern[] = [
  { languages: ['python'], hints: ['mark.only'], message: focuses('`pytest.mark.only`'), isOnlyInTests: true,
    pattern: /\bpytest\.mark\.only\b/ },
  { languages: ['ruby'], hints: ['fit', 'fdescribe', 'fcontext', 'fspecify', 'fexample', 'ffeature', 'fscenario', 'focus'], message: focuses('This focused example'), isOnlyInTests: true,
    pattern: /^\s*(?:RSpec\.)?(?:(?:fit|fdescribe|fcontext|fspecify|fexample|ffeature|fscenario)(?:\s+["':{A-Z]|\s+do\b|\s*\(\s*["'A-Z:]|\s*\{|\s+\w.*\bdo\b)|focus(?:\s+["']|\s+do\b|\s*\{))/ },
  // Capybara's `fill_in` has an option of the same name.
  { languages: ['ruby'], hints: ['focus'], message: focuses('The `focus` tag'), isOnlyInTests: true,
    pattern: /^\s*(?:RSpec\.)?[fx]?(?:describe|context|feature|example_group|it|its|specify|example|scenario|focus|pending|skip|shared_examples(?:_for)?|shared_context|include_examples|it_behaves_like)\b.*,\s*(?::focus\b(?!\s*=>\s*false)|focus:\s*true\b)/ },
  // Ginkgo may be imported under any name.
  { languages: ['go'], hints: ['FIt', 'FDescribe', 'FContext', 'FWhen', 'FEntry', 'FSpecify', 'FMeasure'], message: focuses('This focused spec'), isOnlyInTests: true,
    pattern: /(?:^|[^\w.]|\bginkgo\.|\b\w{1,40}\.(?=\w+\(\s*"[^"]*"\s*,))F(?:It|Describe(?:Table(?:Subtree)?)?|Context|When|Entry|Specify|Measure)\(/ },
  { languages: ['go'], hints: ['Focus'], message: focuses('The `Focus` decorator'), isOnlyInTests: true,
    pattern: /\b(?:It|Describe(?:Table(?:Subtree)?)?|Context|When|Entry|Specify|Label|Serial|Ordered)\b.*,\s*(?:\w{1,40}\.)?Focus\s*[,)]|^\s*(?:\w{1,40}\.)?Focus,\s*$/ },
  // An own function of that name takes no title.
  { languages: ['swift'], hints: ['fit', 'fdescribe', 'fcontext'], message: focuses('This focused example'), isOnlyInTests: true,
    pattern: /^\s*(?:(?:fit|fdescribe|fcontext)\s*\(\s*["#]|fitBehavesLike\s*\()/ },
  { languages: ['java'], hints: ['fit', 'fdescribe', 'fcontext', 'ftest', 'fshould', 'ffeature', 'fscenario'], message: focuses('This focused test'), isOnlyInTests: true,
    pattern: /^\s*(?:fit|fdescribe|fcontext|ftest|fshould|ffeature|fscenario)\s*\(\s*"/ },
  // Kotest treats this start of a title as a focus.
  { languages: ['java'], hints: ['"f:'], message: focuses('`f:` in the title'), isOnlyInTests: true,
    pattern: /^\s*(?:it|describe|context|test|should|feature|scenario|given)\s*\(\s*"/, withStrings: /\(\s*"f:/ },
  { languages: ['java'], hints: ['@IgnoreRest'], message: focuses('`@IgnoreRest`'), isOnlyInTests: true,
    pattern: /@IgnoreRest\b/ },
  { languages: ['php'], hints: ['only'], message: focuses('`only()`'), isOnlyInTests: true,
    pattern: /->only\(\s*\)/ },
  { languages: ['elixir'], hints: ['focus'], message: focuses('The `focus` tag'), isOnlyInTests: true,
    pattern: /^\s*@(?:module)?tag\s+(?::focus\b|focus:\s*true\b)/ },
];

const SKIPPED: TestCallRule = {
  rule: 'skipped-test',
  hints: ['skip', 'xdescribe', 'xit', 'xtest', 'xcontext', 'xs', 'pending', 'it('],
  hintsElsewhere: ['skip'],
  judge: skipMessage,
  allows: ({ args, code, start }, view) =>
    (CONDITION_ARGUMENT.test(args) && !/=>|\bfunction\b/.test(args)) ||
    isConditional(code, start, view.memory),
};

const ADVICE = 'Fix the test, or explain in an issue why it has to wait.';
const disables = (what: string): string => `${what} disables this test. ${ADVICE}`;
const NO_BODY = `A test without a body never runs. ${ADVICE}`;

function skipMessage(call: TestCall, isTest: boolean): string | undefined {
  const { root, modifiers, args } = call;
  const isPlain = PLAIN_ROOTS.has(root);
  const neverRuns = `\`${nameOf(call)}\` never runs. ${ADVICE}`;
  if (modifiers.includes('skip') && isPlain) {
    return isTest || UNMISTAKABLE_ROOTS.has(root) ? neverRuns : undefined;
  }
  if (!isTest) return undefined;
  if (SKIPPED_ROOTS.has(root) && modifiers.every(one => MODIFIERS.has(one))) return neverRuns;
  if (root === 'pending' && modifiers.length === 0)
    return isStatement(call) ? disables('`pending()`') : undefined;
  if (isPlain && SKIP_OPTION.test(args)) return disables('The `skip` option');
  return root === 'it' && TITLE_ONLY.test(args) && isStatement(call) ? NO_BODY : undefined;
}

const SKIP_OPTION = /^\s*\([^{}()]*\{[^{}()]*\bskip\s*:\s*(?:true\b|["'`])/;
const TITLE_ONLY = /^\s*\(\s*(["'`]) +\1\s*\)\s*;?\s*$/;

// `test.skip(isMobile, 'reason')` and `test.skip(a === b)` take a condition, not a title.
const CONDITION_ARGUMENT = /^\s*\(\s*[^"'`\s)][^,"'`]*(?:[=!<>&|]|,\s*["'`])/;

/** At the start of a statement, not part of an expression. */
const isStatement = ({ code, start }: TestCall): boolean => {
  const before = code.slice(0, start).trimEnd();
  return before === '' || ';{}'.includes(before.slice(-1));
};

/** How other languages than JavaScript skip tests. */
// biome-ignore format: two lines per pattern read as a table.
const SKIP_PATTERNS: readonly CodePattern[] = [
  { languages: ['python'], hints: ['mark.skip', '@unittest.skip', '@skip'], message: disables('The skip mark'), isOnlyInTests: true,
    pattern: /^\s*@(?:pytest\.mark\.skipif|unittest\.skipIf)\(\s*True\b|^\s*@unittest\.skipUnless\(\s*False\b|^\s*@pytest\.mark\.skip\b|^\s*@(?:unittest\.)?skip\s*(?:\(|$)|\b(?:pytestmark|marks)\s*=\s*\[?\s*pytest\.mark\.skip\b/ },
  { languages: ['python'], hints: ['pytest.skip', 'skipTest', 'SkipTest'], message: disables('This call'), isOnlyInTests: true, unlessConditional: true,
    pattern: /^\s*(?:pytest\.skip|self\.skipTest|raise\s+(?:unittest\.)?SkipTest)\b/ },
  { languages: ['ruby'], hints: ['xit', 'xdescribe', 'xcontext', 'xspecify', 'xexample', 'xfeature', 'xscenario'], message: disables('The leading `x`'), isOnlyInTests: true,
    pattern: /^\s*(?:RSpec\.)?(?:xit|xdescribe|xcontext|xspecify|xexample|xfeature|xscenario)(?:\s+["'\w:{]|\s*\(|\s*\{)/ },
  { languages: ['ruby'], hints: ['skip', 'pending'], message: disables('This'), isOnlyInTests: true, unlessConditional: true,
    pattern: /^\s*(?:RSpec\.)?[fx]?(?:describe|context|feature|example_group|it|its|specify|example|scenario|shared_examples(?:_for)?|shared_context|it_behaves_like)\b.*,\s*(?::(?:skip|pending)\b(?!\s*=>\s*false)|(?:skip|pending):\s*(?:true\b|["']))|^\s*(?:skip|pending)(?:\s*$|\s+["']|\s*\(|\s+do\b|\s*\{)/ },
  { languages: ['ruby'], hints: ['it ', 'it(', 'specify', 'example', 'scenario'], message: NO_BODY, isOnlyInTests: true,
    pattern: /^\s*(?:it|specify|example|scenario)(?:\s+|\s*\(\s*)(["']) +\1\s*\)?\s*$/ },
  { languages: ['go'], hints: ['.Skip'], message: disables('This call'), isOnlyInTests: true, unlessConditional: true,
    pattern: /^\s*[tbf]\.Skip(?:f|Now)?\(/ },
  { languages: ['go'], hints: ['PIt', 'XIt', 'Describe', 'Context', 'PWhen', 'XWhen', 'Entry', 'Specify', 'Measure'], message: disables('The leading `P` or `X`'), isOnlyInTests: true,
    pattern: /(?:^|[^\w.]|\bginkgo\.|\b\w{1,40}\.(?=\w+\(\s*"[^"]*"\s*,))[PX](?:It|Describe(?:Table(?:Subtree)?)?|Context|When|Entry|Specify|Measure)\(/ },
  { languages: ['go'], hints: ['Pending'], message: disables('The `Pending` decorator'), isOnlyInTests: true,
    pattern: /\b(?:It|Describe(?:Table(?:Subtree)?)?|Context|When|Entry|Specify|Label|Serial|Ordered)\b.*,\s*(?:\w{1,40}\.)?Pending\s*[,)]|^\s*(?:\w{1,40}\.)?Pending,\s*$/ },
  { languages: ['rust'], hints: ['ignore'], message: disables('`#[ignore]`'),
    pattern: /#\[\s*ignore\s*(?:\]|=)/ },
  { languages: ['swift'], hints: ['XCTSkip('], message: disables('`XCTSkip`'), unlessConditional: true,
    pattern: /\bthrow\s+XCTSkip\(/ },
  { languages: ['swift'], hints: ['XCTSkip', 'enabled(if:'], message: disables('This condition'),
    pattern: /\bXCTSkipIf\(\s*true\b|\bXCTSkipUnless\(\s*false\b|\.enabled\(if:\s*false\b/ },
  { languages: ['swift', 'c'], hints: ['DISABLED', 'disabled_'], message: disables('Its name'),
    pattern: /\bfunc\s+(?:DISABLED|disabled)_?[tT]est\w*|\bfunc\s+test\w*_DISABLED\b|^\s*-\s*\(void\)\s*(?:DISABLED|disabled)_?[tT]est\w*|\bTEST(?:_F|_P)?\(\s*\w+\s*,\s*DISABLED_\w+|\bTEST(?:_F|_P)?\(\s*DISABLED_\w+/ },
  { languages: ['c'], hints: ['GTEST_SKIP', 'XCTSkip('], message: disables('This call'), isOnlyInTests: true, unlessConditional: true,
    pattern: /^\s*(?:GTEST_SKIP|XCTSkip)\(/ },
  // SwiftUI has a modifier with the same name, and `.disabled(if:)` is a condition.
  { languages: ['swift'], hints: ['.disabled('], message: disables('`.disabled`'),
    pattern: /^\s*@(?:Test|Suite)\b.*\.disabled\(\s*["')]/ },
  { languages: ['swift'], hints: ['.disabled('], message: disables('`.disabled`'), isOnlyInTests: true,
    pattern: /^\s*\.disabled\(\s*"/ },
  { languages: ['swift'], hints: ['xit', 'xdescribe', 'xcontext', 'pending'], message: disables('The name of this call'), isOnlyInTests: true,
    pattern: /^\s*(?:(?:xit|xdescribe|xcontext|pending)\s*\(\s*["#]|xitBehavesLike\s*\()/ },
  { languages: ['java'], hints: ['@Disabled', '@Ignore', 'enabled', 'xit', 'xdescribe', 'xcontext', 'xtest', 'xs'], message: disables('This'), isOnlyInTests: true,
    pattern: /@(?:Disabled|Ignore)(?!\w)|@Test\s*\([^)@]*\benabled\s*=\s*false\b|\.config\([^)]*\benabled\s*=\s*false\b|^\s*(?:xit|xdescribe|xcontext|xtest|xshould|xscenario|xfeature)\s*\(\s*"/ },
  { languages: ['csharp'], hints: ['Ignore', 'Skip'], message: disables('This attribute'), isOnlyInTests: true,
    pattern: /\[\s*Ignore\s*[\](]|\b(?:Fact|Theory|InlineData)\s*\([^()]*\bSkip\s*=/ },
  { languages: ['php'], hints: ['markTestSkipped', '->skip('], message: disables('This call'), isOnlyInTests: true, unlessConditional: true,
    pattern: /(?:\$this->|self::|static::)markTestSkipped\(|\)\s*->skip\(\s*["')]/ },
  { languages: ['elixir'], hints: ['skip'], message: disables('The `skip` tag'), isOnlyInTests: true,
    pattern: /^\s*@(?:module|describe)?tag\s+(?::skip\b|skip:\s*(?:true\b|"))/ },
];

/** A call in JavaScript that could define a test: `it.concurrent.only.each(…)`. */
interface TestCall {
  /** The test runner's name for it, even if it was imported under another. */
  readonly root: string;
  readonly modifiers: readonly string[];
  /** 0-based, within the line. */
  readonly start: number;
  readonly end: number;
  /** The line without comments and strings. */
  readonly code: string;
  /** The start of what follows the name on its line: a title and options, not a whole test. */
  readonly args: string;
}

const nameOf = ({ root, modifiers }: TestCall): string => [root, ...modifiers].join('.');

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
    const end = start + whole.length;
    const args = code.slice(end, end + MAX_ARGUMENTS);
    calls.push({ root: aliases.get(root) ?? root, modifiers, start, end, code, args });
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

const MAX_ARGUMENTS = 300;

/** Functions that define tests or groups of them, in Jest, Vitest, Mocha, Jasmine, Playwright, AVA… */
const PLAIN_ROOTS: ReadonlySet<string> = new Set(
  'describe it test context specify suite bench scenario QUnit'.split(' '),
);
const FOCUSED_ROOTS: ReadonlySet<string> = new Set(
  'fdescribe fit fcontext fspecify ftest ddescribe iit'.split(' '),
);
const SKIPPED_ROOTS: ReadonlySet<string> = new Set(
  'xdescribe xit xtest xcontext xspecify xsuite xscenario'.split(' '),
);
/** What may follow them; `fit.attr(…)` is a method of something else. */
const MODIFIERS: ReadonlySet<string> = new Set(
  'each for only skip concurrent sequential failing fails todo shuffle runIf skipIf serial extend retries timeout'.split(
    ' ',
  ),
);
/** Outside test files, `context` or `suite` may be something else. */
const UNMISTAKABLE_ROOTS: ReadonlySet<string> = new Set(['describe', 'it', 'test']);

const TEST_ROOTS: ReadonlySet<string> = new Set([
  ...PLAIN_ROOTS,
  ...FOCUSED_ROOTS,
  ...SKIPPED_ROOTS,
]);

interface TestCallRule {
  readonly rule: string;
  /** Only lines with one of these are judged, unless the file renames the runner's functions. */
  readonly hints: readonly string[];
  /** The same for other files, where only unmistakable calls count. */
  readonly hintsElsewhere: readonly string[];
  /** What is wrong with a call, if anything. */
  readonly judge: (call: TestCall, isTest: boolean) => string | undefined;
  /** Whether the call is deliberate all the same. */
  readonly allows?: (call: TestCall, view: CodeView) => boolean;
}

/** Reads a JavaScript or TypeScript file for calls that define tests. */
function judgeTestCalls({ path }: FileChange, view: CodeView, rule: TestCallRule): LineJudge {
  const { isTest } = fileRole(path);
  const hints = isTest ? rule.hints : rule.hintsElsewhere;
  const aliases: Aliases = new Map();
  return ({ text }) => {
    if (isTest && mayRename(text)) learnAliases(view.code(), aliases);
    if (aliases.size === 0 && !includesAny(text, hints)) return NO_HITS;
    for (const call of testCalls(view.code(), aliases)) {
      const message = rule.judge(call, isTest);
      if (message === undefined) continue;
      // One per line is enough; asking about every call of a hostile line isn't linear.
      if (rule.allows?.(call, view) === true) return NO_HITS;
      return [{ rule: rule.rule, message, column: call.start + 1, endColumn: call.end + 1 }];
    }
    return NO_HITS;
  };
}
