import * as assert from 'uvu/assert';
import { skippedTest } from '../../src/checks/disabled-tests.js';
import { suite } from '../support/suite.js';
import { focusedTests, score } from './focused-corpus.js';
import { judgeText, linesOf } from './judge-text.js';

const test = suite('checks/skipped-test');

const skipped: ReadonlyArray<readonly [string, string]> = [
  ['a.test.ts', 'it.skip("adds", () => {});'],
  ['a.test.ts', 'xdescribe("sum", () => {'],
  ['a.test.ts', 'test("a", { skip: true }, () => {'],
  ['a.test.ts', 'test("a", { skip: "flaky" }, () => {'],
  ['a.test.ts', 'pending();'],
  ['a.test.ts', 'it("will add one day");'],
  ['a.test.ts', 'it.skip("if it rains", () => { if (a) b(); });'],
  ['a.test.ts', 'it.skip(title, () => {'],
  ['src/sum.ts', 'describe.skip("in-source tests", () => {'],
  ['tests/test_a.py', '@pytest.mark.skip(reason="flaky")'],
  ['tests/test_a.py', '    @unittest.skip("flaky")'],
  ['tests/test_a.py', 'pytestmark = pytest.mark.skip'],
  ['tests/test_a.py', 'def test_a():\n    pytest.skip("later")'],
  ['spec/a_spec.rb', '  xit "adds" do'],
  ['spec/a_spec.rb', '    skip "later"'],
  ['spec/a_spec.rb', '  it "adds", skip: true do'],
  ['sum_test.go', 'func TestSum(t *testing.T) {\n\tt.Skip("flaky")'],
  ['sum_test.go', '\tPIt("adds", func() {'],
  ['src/sum.rs', '    #[ignore]'],
  ['src/sum.rs', '    #[ignore = "slow"]'],
  ['Tests/SumTests.swift', '    throw XCTSkip("later")'],
  ['Tests/SumTests.swift', '@Test(.disabled("flaky")) func adds() {'],
  ['Tests/SumTests.swift', '@Test("adds",\n  .disabled("flaky"))'],
  ['src/test/java/SumTest.java', '  @Disabled("flaky")'],
  ['src/test/java/SumTest.java', '  @Ignore'],
  ['src/test/java/SumTest.java', '  @Test(enabled = false)'],
  ['Sum.Tests/SumTest.cs', '    [Fact(Skip = "flaky")]'],
  ['Sum.Tests/SumTest.cs', '    [Ignore("flaky")]'],
  ['tests/SumTest.php', "        $this->markTestSkipped('later');"],
  ['tests/SumTest.php', "it('adds', fn () => 1)->skip();"],
  ['test/sum_test.exs', '  @tag skip: "flaky"'],
];

for (const [path, text] of skipped) {
  test(`${text.trim()} in ${path} is a skipped test`, () =>
    assert.equal(linesOf(judgeText(skippedTest, path, text)), [text.split('\n').length]));
}

const ordinary: ReadonlyArray<readonly [string, string]> = [
  ['a.test.ts', 'it("skips", () => {});'],
  ['a.test.ts', 'it.todo("adds");'],
  ['a.test.ts', '// it.skip("adds")'],
  ['a.test.ts', 'it.skipIf(isWindows)("adds", () => {'],
  ['a.test.ts', 'const run = isCi ? it.skip : it;'],
  ['a.test.ts', 'test.skip(browserName === "firefox", "not there yet");'],
  ['a.test.ts', 'test.skip(isMobile, "not there yet");'],
  ['a.test.ts', 'if (isWindows) it.skip("adds", f);'],
  ['a.test.ts', 'if (isWindows) {\n  it.skip("adds", f);'],
  ['a.test.ts', 'expect(pending()).toBe(1);'],
  ['a.test.ts', 'cursor.skip(5);'],
  ['a.test.ts', 'test("some input");'],
  ['src/list.ts', 'pending();'],
  ['src/list.ts', 'context.skip("a");'],
  ['tests/test_a.py', '@pytest.mark.skipif(sys.platform == "win32", reason="x")'],
  ['tests/test_a.py', '    if not has_tls:\n        pytest.skip("no TLS")'],
  ['tests/test_a.py', '    if (\n        not a\n    ):\n        pytest.skip("no TLS")'],
  ['tests/test_a.py', '    try:\n        a()\n    except OSError:\n        self.skipTest("x")'],
  ['tests/test_a.py', '"""\n@pytest.mark.skip\n"""'],
  ['tests/conftest.py', 'marker = pytest.mark.skip(reason="x")'],
  ['src/app.py', '@skip'],
  ['spec/a_spec.rb', '    skip "later" unless ENV["CI"]'],
  ['spec/a_spec.rb', 'list.skip 3'],
  ['sum_test.go', '\tif testing.Short() {\n\t\tt.Skip("slow")'],
  ['sum_test.go', '\tif a {\n\t\tlog()\n\t\tt.Skip("slow")'],
  ['sum_test.go', '\tif a {\n\t\tlog()\n\n\t\tt.Skip("slow")'],
  ['sum.go', '\tt.Skip("x")'],
  ['src/sum.rs', '    #[serde(skip)]'],
  ['src/sum.rs', '    // #[ignore]'],
  ['Tests/SumTests.swift', '    guard a else {\n      throw XCTSkip("x")'],
  ['Tests/SumTests.swift', '    try XCTSkipIf(isCi)'],
  ['Tests/SumTests.swift', '@Test(.disabled(if: isCi)) func adds() {'],
  ['Sources/View.swift', '  .disabled(isBusy)'],
  ['src/main/java/User.java', '  @Ignore'],
  ['src/test/java/SumTest.java', '  @DisabledOnOs(OS.WINDOWS)'],
  ['tests/SumTest.php', '$users->skip(5);'],
];

for (const [path, text] of ordinary) {
  test(`${text.trim()} in ${path} is not a skipped test`, () =>
    assert.equal(judgeText(skippedTest, path, text), []));
}

/** Where an attribute alone tells that it stands on a test. */
const ANYWHERE = /\.(?:rs|swift)$/;

for (const [path, text] of skipped) {
  if (path.endsWith('.ts') || ANYWHERE.test(path)) continue;
  test(`${text.trim()} outside tests is not a skipped test`, () => {
    const elsewhere = `lib/sum.${path.split('.').at(-1)}`;
    assert.equal(judgeText(skippedTest, elsewhere, text), []);
  });
}

test('a skip after another statement on the same line is found', () =>
  assert.equal(linesOf(judgeText(skippedTest, 'a.test.ts', 'f(); pending();')), [1]));

test('the finding of a skipped test covers the call without its arguments', () => {
  const [hit] = judgeText(skippedTest, 'a.test.ts', '  it.skip("adds", f);');
  assert.equal([hit?.column, hit?.endColumn], [3, 10]);
});

const SOURCES = {
  'jest-no-disabled-tests': 'a.test.js',
  'playwright-no-skipped-test': 'a.spec.ts',
};

test.unless(
  focusedTests.absent,
  'skipped-test agrees with two linters on 88 of 92 snippets',
  () => {
    const { right, total, wrong } = score(skippedTest, SOURCES);
    assert.is(total, 92);
    assert.ok(right >= 88, wrong.join('\n'));
  },
);

test.run();
