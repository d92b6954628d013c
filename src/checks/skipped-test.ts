import type { FileChange } from '../core/change.js';
import { type Hit, type LineCheck, type LineJudge, NO_HITS } from './check.js';
import { type CodePattern, isConditional, judgePatterns } from './code-pattern.js';
import type { CodeView } from './lexer.js';
import {
  argumentsOf,
  judgeTestCalls,
  MODIFIERS,
  PLAIN_ROOTS,
  SKIPPED_ROOTS,
  type TestCall,
  type TestLine,
  UNMISTAKABLE_ROOTS,
} from './test-call.js';

/** A test that doesn't run. Tests skipped under a condition are fine: somebody decided that. */
export const skippedTest: LineCheck = {
  rules: { 'skipped-test': 'warning' },
  guards: false,
  open: (file, view) => {
    const judge =
      view?.language === 'javascript'
        ? judgeJavaScript(file, view)
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

const judgeJavaScript = (file: FileChange, view: CodeView): LineJudge =>
  judgeTestCalls(file, view, {
    hints: ['skip', 'xdescribe', 'xit', 'xtest', 'xcontext', 'xs', 'pending', 'it('],
    hintsElsewhere: ['skip'],
    judge: line => {
      for (const call of line.calls) {
        const reason = reasonOf(call, line);
        if (reason === undefined) continue;
        // One condition per line is enough; checking every call of a hostile line isn't linear.
        return isSkippedOnPurpose(call, line) ? NO_HITS : [hit(call, reason)];
      }
      return NO_HITS;
    },
  });

function reasonOf(call: TestCall, line: TestLine): string | undefined {
  const { code, isTest } = line;
  const { root, modifiers } = call;
  if (modifiers.includes('skip') && PLAIN_ROOTS.has(root)) {
    return isTest || UNMISTAKABLE_ROOTS.has(root) ? neverRuns(call) : undefined;
  }
  if (!isTest) return undefined;
  if (SKIPPED_ROOTS.has(root) && modifiers.every(one => MODIFIERS.has(one))) return neverRuns(call);
  if (root === 'pending' && modifiers.length === 0)
    return isStatement(call, code) ? PENDING : undefined;
  if (!PLAIN_ROOTS.has(root)) return undefined;
  const args = argumentsOf(call, code);
  if (SKIP_OPTION.test(args)) return 'The `skip` option disables this test.';
  return root === 'it' && TITLE_ONLY.test(args) && isStatement(call, code) ? NO_BODY : undefined;
}

const neverRuns = ({ root, modifiers }: TestCall): string =>
  `\`${[root, ...modifiers].join('.')}\` never runs.`;

const PENDING = '`pending()` disables this test.';
const NO_BODY = 'A test without a body never runs.';

const SKIP_OPTION = /^\s*\([^{}()]*\{[^{}()]*\bskip\s*:\s*(?:true\b|["'`])/;
const TITLE_ONLY = /^\s*\(\s*(["'`]) +\1\s*\)\s*;?\s*$/;

// `test.skip(isMobile, 'reason')` and `test.skip(a === b)` take a condition, not a title.
const CONDITION_ARGUMENT = /^\s*\(\s*[^"'`\s)][^,"'`]*(?:[=!<>&|]|,\s*["'`])/;

function isSkippedOnPurpose(call: TestCall, line: TestLine): boolean {
  const args = argumentsOf(call, line.code);
  const hasCondition = CONDITION_ARGUMENT.test(args) && !/=>|\bfunction\b/.test(args);
  return hasCondition || isConditional(line.code, call.start, line.memory);
}

function isStatement(call: TestCall, code: string): boolean {
  let before = call.start - 1;
  while (before >= 0 && /\s/.test(code.charAt(before))) before -= 1;
  return before < 0 || ';{}'.includes(code.charAt(before));
}

const hit = (call: TestCall, reason: string): Hit => ({
  rule: 'skipped-test',
  message: `${reason} ${ADVICE}`,
  column: call.start + 1,
  endColumn: call.end + 1,
});

const ADVICE = 'Fix the test, or explain in an issue why it has to wait.';

const message = (what: string): string => `${what} disables this test. ${ADVICE}`;

/** How other languages than JavaScript skip tests. */
// biome-ignore format: two lines per pattern read as a table.
const SKIP_PATTERNS: readonly CodePattern[] = [
  { languages: ['python'], hints: ['mark.skip', '@unittest.skip', '@skip'], message: message('The skip mark'), isOnlyInTests: true,
    pattern: /^\s*@(?:pytest\.mark\.skipif|unittest\.skipIf)\(\s*True\b|^\s*@unittest\.skipUnless\(\s*False\b|^\s*@pytest\.mark\.skip\b|^\s*@(?:unittest\.)?skip\s*(?:\(|$)|\b(?:pytestmark|marks)\s*=\s*\[?\s*pytest\.mark\.skip\b/ },
  { languages: ['python'], hints: ['pytest.skip', 'skipTest', 'SkipTest'], message: message('This call'), isOnlyInTests: true, unlessConditional: true,
    pattern: /^\s*(?:pytest\.skip|self\.skipTest|raise\s+(?:unittest\.)?SkipTest)\b/ },
  { languages: ['ruby'], hints: ['xit', 'xdescribe', 'xcontext', 'xspecify', 'xexample', 'xfeature', 'xscenario'], message: message('The leading `x`'), isOnlyInTests: true,
    pattern: /^\s*(?:RSpec\.)?(?:xit|xdescribe|xcontext|xspecify|xexample|xfeature|xscenario)(?:\s+["'\w:{]|\s*\(|\s*\{)/ },
  { languages: ['ruby'], hints: ['skip', 'pending'], message: message('This'), isOnlyInTests: true, unlessConditional: true,
    pattern: /^\s*(?:RSpec\.)?[fx]?(?:describe|context|feature|example_group|it|its|specify|example|scenario|shared_examples(?:_for)?|shared_context|it_behaves_like)\b.*,\s*(?::(?:skip|pending)\b(?!\s*=>\s*false)|(?:skip|pending):\s*(?:true\b|["']))|^\s*(?:skip|pending)(?:\s*$|\s+["']|\s*\(|\s+do\b|\s*\{)/ },
  { languages: ['ruby'], hints: ['it ', 'it(', 'specify', 'example', 'scenario'], message: `A test without a body never runs. ${ADVICE}`, isOnlyInTests: true,
    pattern: /^\s*(?:it|specify|example|scenario)(?:\s+|\s*\(\s*)(["']) +\1\s*\)?\s*$/ },
  { languages: ['go'], hints: ['.Skip'], message: message('This call'), isOnlyInTests: true, unlessConditional: true,
    pattern: /^\s*[tbf]\.Skip(?:f|Now)?\(/ },
  { languages: ['go'], hints: ['PIt', 'XIt', 'Describe', 'Context', 'PWhen', 'XWhen', 'Entry', 'Specify', 'Measure'], message: message('The leading `P` or `X`'), isOnlyInTests: true,
    pattern: /(?:^|[^\w.]|\bginkgo\.|\b\w{1,40}\.(?=\w+\(\s*"[^"]*"\s*,))[PX](?:It|Describe(?:Table(?:Subtree)?)?|Context|When|Entry|Specify|Measure)\(/ },
  { languages: ['go'], hints: ['Pending'], message: message('The `Pending` decorator'), isOnlyInTests: true,
    pattern: /\b(?:It|Describe(?:Table(?:Subtree)?)?|Context|When|Entry|Specify|Label|Serial|Ordered)\b.*,\s*(?:\w{1,40}\.)?Pending\s*[,)]|^\s*(?:\w{1,40}\.)?Pending,\s*$/ },
  { languages: ['rust'], hints: ['ignore'], message: message('`#[ignore]`'),
    pattern: /#\[\s*ignore\s*(?:\]|=)/ },
  { languages: ['swift'], hints: ['XCTSkip('], message: message('`XCTSkip`'), unlessConditional: true,
    pattern: /\bthrow\s+XCTSkip\(/ },
  { languages: ['swift'], hints: ['XCTSkip', 'enabled(if:'], message: message('This condition'),
    pattern: /\bXCTSkipIf\(\s*true\b|\bXCTSkipUnless\(\s*false\b|\.enabled\(if:\s*false\b/ },
  { languages: ['swift', 'c'], hints: ['DISABLED', 'disabled_'], message: message('Its name'),
    pattern: /\bfunc\s+(?:DISABLED|disabled)_?[tT]est\w*|\bfunc\s+test\w*_DISABLED\b|^\s*-\s*\(void\)\s*(?:DISABLED|disabled)_?[tT]est\w*|\bTEST(?:_F|_P)?\(\s*\w+\s*,\s*DISABLED_\w+|\bTEST(?:_F|_P)?\(\s*DISABLED_\w+/ },
  { languages: ['c'], hints: ['GTEST_SKIP', 'XCTSkip('], message: message('This call'), isOnlyInTests: true, unlessConditional: true,
    pattern: /^\s*(?:GTEST_SKIP|XCTSkip)\(/ },
  // SwiftUI has a modifier with the same name, and `.disabled(if:)` is a condition.
  { languages: ['swift'], hints: ['.disabled('], message: message('`.disabled`'),
    pattern: /^\s*@(?:Test|Suite)\b.*\.disabled\(\s*["')]/ },
  { languages: ['swift'], hints: ['.disabled('], message: message('`.disabled`'), isOnlyInTests: true,
    pattern: /^\s*\.disabled\(\s*"/ },
  { languages: ['swift'], hints: ['xit', 'xdescribe', 'xcontext', 'pending'], message: message('The name of this call'), isOnlyInTests: true,
    pattern: /^\s*(?:(?:xit|xdescribe|xcontext|pending)\s*\(\s*["#]|xitBehavesLike\s*\()/ },
  { languages: ['java'], hints: ['@Disabled', '@Ignore', 'enabled', 'xit', 'xdescribe', 'xcontext', 'xtest', 'xs'], message: message('This'), isOnlyInTests: true,
    pattern: /@(?:Disabled|Ignore)(?!\w)|@Test\s*\([^)@]*\benabled\s*=\s*false\b|\.config\([^)]*\benabled\s*=\s*false\b|^\s*(?:xit|xdescribe|xcontext|xtest|xshould|xscenario|xfeature)\s*\(\s*"/ },
  { languages: ['csharp'], hints: ['Ignore', 'Skip'], message: message('This attribute'), isOnlyInTests: true,
    pattern: /\[\s*Ignore\s*[\](]|\b(?:Fact|Theory|InlineData)\s*\([^()]*\bSkip\s*=/ },
  { languages: ['php'], hints: ['markTestSkipped', '->skip('], message: message('This call'), isOnlyInTests: true, unlessConditional: true,
    pattern: /(?:\$this->|self::|static::)markTestSkipped\(|\)\s*->skip\(\s*["')]/ },
  { languages: ['elixir'], hints: ['skip'], message: message('The `skip` tag'), isOnlyInTests: true,
    pattern: /^\s*@(?:module|describe)?tag\s+(?::skip\b|skip:\s*(?:true\b|"))/ },
];
