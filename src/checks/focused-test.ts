import type { FileChange } from '../core/change.js';
import { type Hit, type LineCheck, type LineJudge, NO_HITS } from './check.js';
import { type CodePattern, judgePatterns } from './code-pattern.js';
import type { CodeView } from './lexer.js';
import {
  argumentsOf,
  FOCUSED_ROOTS,
  judgeTestCalls,
  MODIFIERS,
  PLAIN_ROOTS,
  type TestCall,
  UNMISTAKABLE_ROOTS,
} from './test-call.js';

/** A focused test: the runner passes because it skips all the others. */
export const focusedTest: LineCheck = {
  rules: { 'focused-test': 'error' },
  guards: false,
  open: (file, view) =>
    view?.language === 'javascript'
      ? judgeJavaScript(file, view)
      : judgePatterns({ file, view }, PATTERNS, { rule: 'focused-test' }),
};

const message = (what: string): string =>
  `${what} keeps all other tests from running. Remove the focus before merging.`;

const judgeJavaScript = (file: FileChange, view: CodeView): LineJudge =>
  judgeTestCalls(file, view, {
    hints: ['only', 'fdescribe', 'fit', 'fcontext', 'fspecify', 'ftest', 'ddescribe', 'iit'],
    hintsElsewhere: ['only', 'fdescribe'],
    judge: ({ calls, code, isTest }) => {
      for (const call of calls) if (isFocused(call, code, isTest)) return [hit(call)];
      return NO_HITS;
    },
  });

function isFocused(call: TestCall, code: string, isTest: boolean): boolean {
  const { root, modifiers } = call;
  if (FOCUSED_ROOTS.has(root)) {
    if (!modifiers.every(modifier => MODIFIERS.has(modifier))) return false;
    // `fit` is also a common name for a function that fits something.
    const isOwn =
      root === 'fit' && modifiers.length === 0 && NO_TITLE.test(argumentsOf(call, code));
    return !isOwn && (isTest || root === 'fdescribe');
  }
  if (!PLAIN_ROOTS.has(root)) {
    // The project's own test function, recognized by its title and body.
    return isTest && modifiers.at(-1) === 'only' && TITLE_AND_BODY.test(argumentsOf(call, code));
  }
  if (modifiers.includes('only')) return isTest || UNMISTAKABLE_ROOTS.has(root);
  return isTest && ONLY_OPTION.test(argumentsOf(call, code));
}

/** Not a title and a body: `fit(model, data)`, `fit('linear', 3)`, `fit(box) {`. */
const NO_TITLE =
  /^\s*\(\s*(?:[^"'`\s)]|(["'`])[^"'`]*\1\s*(?:\)|,(?!\s*(?:async\b|function\b|\(|\{|[A-Za-z_$][\w$]*\s*(?:=>|\)|,|\()|$))))/;
const TITLE_AND_BODY = /^\s*\(\s*["'`][^"'`]*["'`]\s*,.*(?:=>|\bfunction\b)/;
const ONLY_OPTION = /^\s*\([^{}()]*\{[^{}()]*\bonly\s*:\s*true\b/;

const hit = (call: TestCall): Hit => ({
  rule: 'focused-test',
  message: message(`\`${[call.root, ...call.modifiers].join('.')}\``),
  column: call.start + 1,
  endColumn: call.end + 1,
});

// biome-ignore format: two lines per pattern read as a table.
const PATTERNS: readonly CodePattern[] = [
  { languages: ['python'], hints: ['mark.only'], message: message('`pytest.mark.only`'), isOnlyInTests: true,
    pattern: /\bpytest\.mark\.only\b/ },
  { languages: ['ruby'], hints: ['fit', 'fdescribe', 'fcontext', 'fspecify', 'fexample', 'ffeature', 'fscenario', 'focus'], message: message('This focused example'), isOnlyInTests: true,
    pattern: /^\s*(?:RSpec\.)?(?:(?:fit|fdescribe|fcontext|fspecify|fexample|ffeature|fscenario)(?:\s+["':{A-Z]|\s+do\b|\s*\(\s*["'A-Z:]|\s*\{|\s+\w.*\bdo\b)|focus(?:\s+["']|\s+do\b|\s*\{))/ },
  // Capybara's `fill_in` has an option of the same name.
  { languages: ['ruby'], hints: ['focus'], message: message('The `focus` tag'), isOnlyInTests: true,
    pattern: /^\s*(?:RSpec\.)?[fx]?(?:describe|context|feature|example_group|it|its|specify|example|scenario|focus|pending|skip|shared_examples(?:_for)?|shared_context|include_examples|it_behaves_like)\b.*,\s*(?::focus\b(?!\s*=>\s*false)|focus:\s*true\b)/ },
  // Ginkgo may be imported under any name.
  { languages: ['go'], hints: ['FIt', 'FDescribe', 'FContext', 'FWhen', 'FEntry', 'FSpecify', 'FMeasure'], message: message('This focused spec'), isOnlyInTests: true,
    pattern: /(?:^|[^\w.]|\bginkgo\.|\b\w{1,40}\.(?=\w+\(\s*"[^"]*"\s*,))F(?:It|Describe(?:Table(?:Subtree)?)?|Context|When|Entry|Specify|Measure)\(/ },
  { languages: ['go'], hints: ['Focus'], message: message('The `Focus` decorator'), isOnlyInTests: true,
    pattern: /\b(?:It|Describe(?:Table(?:Subtree)?)?|Context|When|Entry|Specify|Label|Serial|Ordered)\b.*,\s*(?:\w{1,40}\.)?Focus\s*[,)]|^\s*(?:\w{1,40}\.)?Focus,\s*$/ },
  // An own function of that name takes no title.
  { languages: ['swift'], hints: ['fit', 'fdescribe', 'fcontext'], message: message('This focused example'), isOnlyInTests: true,
    pattern: /^\s*(?:(?:fit|fdescribe|fcontext)\s*\(\s*["#]|fitBehavesLike\s*\()/ },
  { languages: ['java'], hints: ['fit', 'fdescribe', 'fcontext', 'ftest', 'fshould', 'ffeature', 'fscenario'], message: message('This focused test'), isOnlyInTests: true,
    pattern: /^\s*(?:fit|fdescribe|fcontext|ftest|fshould|ffeature|fscenario)\s*\(\s*"/ },
  // Kotest treats this start of a title as a focus.
  { languages: ['java'], hints: ['"f:'], message: message('`f:` in the title'), isOnlyInTests: true,
    pattern: /^\s*(?:it|describe|context|test|should|feature|scenario|given)\s*\(\s*"/, withStrings: /\(\s*"f:/ },
  { languages: ['java'], hints: ['@IgnoreRest'], message: message('`@IgnoreRest`'), isOnlyInTests: true,
    pattern: /@IgnoreRest\b/ },
  { languages: ['php'], hints: ['only'], message: message('`only()`'), isOnlyInTests: true,
    pattern: /->only\(\s*\)/ },
  { languages: ['elixir'], hints: ['focus'], message: message('The `focus` tag'), isOnlyInTests: true,
    pattern: /^\s*@(?:module)?tag\s+(?::focus\b|focus:\s*true\b)/ },
];
