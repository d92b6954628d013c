import * as assert from 'uvu/assert';
import { focusedTest, skippedTest } from '../../src/checks/disabled-tests.js';
import { debuggerStatement, debugOutput } from '../../src/checks/left-behind.js';
import { suite } from '../support/suite.js';
import { judgeText, linesOf } from './judge-text.js';

const test = suite('checks/test-recall');

const CHECKS = {
  focus: focusedTest,
  skip: skippedTest,
  pause: debuggerStatement,
  print: debugOutput,
} as const;

type Case = readonly [path: string, ...texts: string[]];

const found: Readonly<Record<keyof typeof CHECKS, readonly Case[]>> = {
  focus: [
    [
      'a_test.go',
      'var _ = Describe("a", Focus, func() {',
      'It("a", Label("b"), ginkgo.Focus, func() {',
      'tester.FWhen("a", func() {',
      'gnk.FEntry("a", 1),',
      'gnk.Entry("a", gnk.Focus, 4),',
      '\tFocus,',
    ],
    ['LoginTests.swift', 'fit("a") {', 'fdescribe("a") {', 'fitBehavesLike(A.self)'],
    ['LoginTest.kt', 'fcontext("a") {', 'ftest("a") {', 'test("f:a") {'],
    [
      'a_spec.rb',
      'fit "a" do',
      'fdescribe A do',
      'focus "a" do',
      'it "a", focus: true do',
      'RSpec.describe A, :focus do',
      'xit "a", :focus do',
    ],
    [
      'a.test.ts',
      "fit('a', async () => {",
      "fit('a', function () {",
      "fit('a', body);",
      "fit('a',",
    ],
  ],
  skip: [
    ['a_test.go', 'It("a", Pending, func() {', 'gnk.PDescribe("a", func() {', 't.Skip("later")'],
    ['LoginTests.swift', 'xit("a") {', 'pending("a") {', 'xitBehavesLike(A.self)'],
    [
      'LoginTests.swift',
      'try XCTSkipIf(true, "later")',
      'try XCTSkipUnless(false)',
      'func DISABLED_testA() {',
      'func testA_DISABLED() {',
      '@Test(.enabled(if: false)) func a() {',
    ],
    [
      'a_spec.rb',
      'pending "a" do',
      'skip "a" do',
      'it "a", :pending do',
      'it "a", pending: "later" do',
      'it "a"',
      'pending',
    ],
    [
      'test_a.py',
      '@pytest.mark.skip',
      '@unittest.skip("later")',
      '@pytest.mark.skipif(True, reason="a")',
    ],
    ['test_a.py', 'raise unittest.SkipTest("later")'],
    [
      'LoginTest.kt',
      '@Disabled',
      '@Ignore("later")',
      'xit("a") {',
      '"a".config(enabled = false) {',
    ],
    ['a_test.cc', 'TEST(A, DISABLED_B) {', 'TEST_F(DISABLED_A, B) {', 'GTEST_SKIP() << "later";'],
    ['LoginTests.m', '- (void)DISABLED_testA {'],
    ['a.rs', '#[ignore]', '#[ignore = "later"]'],
  ],
  pause: [
    [
      'a.rb',
      'byebug',
      'remote_byebug',
      'Kernel.byebug',
      'debugger',
      'binding.irb',
      'binding.b',
      'binding.console',
      'binding.pry_remote',
      'x = 1; byebug',
      'foo { byebug }',
      'jard',
      'pry',
      'Pry.rescue do',
      'save_and_open_page',
      'save_screenshot foo',
      'page.save_and_open_screenshot',
      'byebug if foo',
    ],
    ['A.swift', 'raise(SIGINT)', 'if x { raise(SIGTRAP) }'],
    ['a.m', 'raise(SIGTRAP);', '__builtin_debugtrap();'],
  ],
  print: [['A.swift', 'debugPrint(a)', 'dump(a)', 'let _ = Self._printChanges()', 'Swift.dump(a)']],
};

const notFound: typeof found = {
  focus: [
    ['a.test.ts', 'fit(model, data)', "fit('linear', 3)", 'fit(box) {', 'const a = fit(box);'],
    ['LoginTests.swift', 'fit(rect, in: other)', 'func fit(_ a: Int) {'],
    ['a_spec.rb', 'fill_in "a", with: "b", focus: true', 'fit model', 'x = fit(1)', 'focus_on "a"'],
    ['a_test.go', 'file.FEntry("x")', 'canvas.Focus()', 'setMode(a, Focused)'],
  ],
  skip: [
    ['test_a.py', 'def test_a():\n    if x:\n        return\n    pytest.skip("not here")'],
    [
      'a_spec.rb',
      'it "a" do',
      'it "a", :slow do',
      'pending_count = 1',
      'devise_for :a, :skip => :all',
      'skip "a" if x',
    ],
    ['A.swift', '.disabled(isBusy)', 'try XCTSkipIf(isOld)', '.enabled(if: isNew)'],
    ['a_test.go', 'if testing.Short() {\n\tt.Skip("slow")'],
    ['a.test.js', 'pending.then(() => 1);', '  pending.push(1)'],
  ],
  pause: [
    [
      'a.rb',
      'debugger_name = 1',
      'a.debugger',
      'byebug = 2',
      'pry_bar',
      'jard.x',
      'page.save_screenshot(path)',
    ],
    ['A.swift', '#if DEBUG\nraise(SIGINT)\n#endif', 'alarm.raise(SIGINT)'],
    ['A.cs', '#if DEBUG\nDebugger.Break();\n#endif'],
  ],
  print: [
    ['A.swift', 'func dump(_ a: Int) {', 'database.dump(a)', '#if DEBUG\ndebugPrint(a)\n#endif'],
    ['A.swift', '#if os(iOS)\n#if DEBUG\n#if A\ndump(a)\n#endif\n#endif\n#endif'],
  ],
};

for (const [name, check] of Object.entries(CHECKS) as Array<
  [keyof typeof CHECKS, (typeof CHECKS)[keyof typeof CHECKS]]
>) {
  for (const [path, ...texts] of found[name]) {
    test(`each way to ${name} in ${path} is found (${texts[0]})`, () => {
      const missed = texts.filter(text => judgeText(check, path, text).length !== 1);
      assert.equal(missed, []);
    });
  }
  for (const [path, ...texts] of notFound[name]) {
    test(`what only looks like a way to ${name} in ${path} is not found (${texts[0]})`, () => {
      const flagged = texts.filter(text => judgeText(check, path, text).length > 0);
      assert.equal(flagged, []);
    });
  }
}

test('after #else and #endif the code is not only for debug builds', () => {
  const lines = [
    '#if DEBUG',
    'dump(a)',
    '#else',
    'dump(b)',
    '#endif',
    'dump(c)',
    '#if !DEBUG',
    'dump(d)',
  ];
  assert.equal(linesOf(judgeText(debugOutput, 'A.swift', lines.join('\n'))), [4, 6, 8]);
});

test('a skip that cites an issue is info, without one a warning', () => {
  const severities = (path: string, text: string) =>
    judgeText(skippedTest, path, text).map(({ severity }) => severity ?? 'warning');
  for (const [path, text] of [
    ['a.test.ts', "it.skip('a', () => {}); // #412"],
    ['a.test.ts', '// https://github.com/acme/a/issues/12\nit.skip("a", () => {});'],
    ['a_test.go', 't.Skip("flaky, see ACME-123")'],
    ['a.rs', '#[ignore = "GH-12"]'],
    ['LoginTests.swift', '@Test(.disabled("rdar://123")) func a() {'],
  ] as const) {
    assert.equal(severities(path, text), ['info'], text);
  }
  for (const text of ["it.skip('a', () => {}); // later", "it.skip('UTF-8', () => {});"]) {
    assert.equal(severities('a.test.ts', text), ['warning'], text);
  }
});

test.run();
