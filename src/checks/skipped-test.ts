import type { FileChange } from '../core/change.js';
import type { Hit, LineCheck, LineJudge } from './check.js';
import { NO_HITS } from './check.js';
import { isConditional, judgePatterns } from './code-pattern.js';
import type { CodeView } from './code-view.js';
import type { TestLine } from './judge-test-calls.js';
import { judgeTestCalls } from './judge-test-calls.js';
import { SKIP_PATTERNS } from './skip-patterns.js';
import type { TestCall } from './test-call.js';
import { argumentsOf, PLAIN_ROOTS, SKIPPED_ROOTS, UNMISTAKABLE_ROOTS } from './test-call.js';

/** A test that does not run. One skipped under a condition was decided about and is left alone. */
export const skippedTest: LineCheck = {
  rules: { 'skipped-test': 'warning' },
  guards: false,
  open: (file, view) =>
    view?.language === 'javascript'
      ? judgeJavaScript(file, view)
      : judgePatterns({ file, view }, SKIP_PATTERNS, { rule: 'skipped-test' }),
};

const judgeJavaScript = (file: FileChange, view: CodeView): LineJudge =>
  judgeTestCalls(file, view, {
    hints: ['skip', 'xdescribe', 'xit', 'xtest', 'xcontext', 'xs', 'pending', 'it('],
    hintsElsewhere: ['skip'],
    judge: line => {
      for (const call of line.calls) {
        const reason = reasonOf(call, line);
        if (reason === undefined) continue;
        // One condition on a line is enough; asking at every call of a hostile line is not linear.
        return isSkippedOnPurpose(call, line) ? NO_HITS : [hit(call, reason)];
      }
      return NO_HITS;
    },
  });

function reasonOf(call: TestCall, line: TestLine): string | undefined {
  const { code, isTest } = line;
  const { root, modifiers } = call;
  if (modifiers.includes('skip') && PLAIN_ROOTS.has(root)) {
    return isTest || UNMISTAKABLE_ROOTS.has(root) ? isNeverRun(call) : undefined;
  }
  if (!isTest) return undefined;
  if (SKIPPED_ROOTS.has(root)) return isNeverRun(call);
  if (root === 'pending') return isStatement(call, code) ? PENDING : undefined;
  if (!PLAIN_ROOTS.has(root)) return undefined;
  const args = argumentsOf(call, code);
  if (SKIP_OPTION.test(args)) return 'The `skip` option leaves this test out.';
  return root === 'it' && TITLE_ONLY.test(args) && isStatement(call, code) ? NO_BODY : undefined;
}

const isNeverRun = ({ root, modifiers }: TestCall): string =>
  `\`${[root, ...modifiers].join('.')}\` is never run.`;

const PENDING = '`pending()` leaves this test out.';
const NO_BODY = 'A test without a body is never run.';

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
  message: `${reason} Mend it, or say in an issue why it has to wait.`,
  column: call.start + 1,
  endColumn: call.end + 1,
});
