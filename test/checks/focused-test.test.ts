// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that other tools fill in.
import * as assert from 'uvu/assert';
import { focusedTest } from '../../src/checks/disabled-tests.js';
import { suite } from '../support/suite.js';
import { dependsOnSettings, focusedTests, score } from './focused-corpus.js';
import { judgeHunks, judgeText, linesOf } from './judge-text.js';

const test = suite('checks/focused-test');

const focused: ReadonlyArray<readonly [string, string]> = [
  ['a.test.ts', 'it.only("adds", () => {});'],
  ['a.spec.js', '  describe.only("sum", function () {'],
  ['src/__tests__/a.js', 'fit("adds", () => {'],
  ['cypress/login.js', 'context.only("login", () => {'],
  ['e2e/a.ts', 'test.describe.serial.only("a", () => {'],
  ['test/a.js', 'test("a", { only: true }, () => {'],
  ['test/a.js', 'Deno.test.only("a", () => {'],
  ['test/a.js', 'QUnit.only("a", assert => {'],
  ['test/a.js', 'testWithDatabase.only("reads", async () => {'],
  ['test/a.js', 'it["only"]("a", () => {'],
  ['test/a.js', 'describe.only.each`table`("a", () => {'],
  ['src/sum.ts', 'describe.only("in-source tests", () => {'],
  ['src/sum.ts', 'if (import.meta.vitest) it.only("a", () => {'],
  ['src/sum.ts', 'fdescribe("in-source tests", () => {'],
  ['test/test_a.py', '@pytest.mark.only'],
  ['spec/a_spec.rb', '  fit "adds" do'],
  ['spec/a_spec.rb', '  it "adds", focus: true do'],
  ['spec/a_spec.rb', 'RSpec.fdescribe Sum do'],
  ['spec/a_spec.rb', '  it "adds", :focus do'],
  ['sum_test.go', '\tFIt("adds", func() {'],
  ['sum_test.go', '\tginkgo.FDescribe("sum", func() {'],
  ['Tests/SumTests.swift', '  fdescribe("sum") {'],
  ['src/test/SumSpec.groovy', '  @IgnoreRest'],
  ['tests/SumTest.php', "it('adds', fn () => 1)->only();"],
  ['test/sum_test.exs', '  @tag :focus'],
];

for (const [path, line] of focused) {
  test(`${line.trim()} in ${path} is a focused test`, () =>
    assert.equal(linesOf(judgeText(focusedTest, path, line)), [1]));
}

const ordinary: ReadonlyArray<readonly [string, string]> = [
  ['a.test.ts', 'it("only adds", () => {});'],
  ['a.test.ts', '// it.only("adds")'],
  ['a.test.ts', '/* describe.only( */ it("a", () => {'],
  ['a.test.ts', ' * it.only("in a doc comment")'],
  ['a.test.ts', 'const code = "describe.only()";'],
  ['a.test.ts', "ruleTester.run('x', { code: 'fit()' });"],
  ['a.test.ts', 'const code = `it.only(${name})`;'],
  ['a.test.ts', 'expect(text).toMatch(/it.only("/);'],
  ['a.test.ts', 'const run = isCi ? it : it.only;'],
  ['a.test.ts', 'await user.only("x");'],
  ['a.test.ts', 'expect(model.fit(data)).toBe(1);'],
  ['a.test.ts', "assert.ok(!fit.attr('fit'));"],
  ['a.test.ts', 'assert.ok(css.includes(`object-fit: ${fit}`), `no ${fit}`);'],
  ['a.test.ts', 'this.only();'],
  ['src/canvas.ts', 'fit(image, frame);'],
  ['src/request.ts', 'context.only("a");'],
  ['src/request.ts', 'fcontext("a");'],
  ['spec/a_spec.rb', 'config.filter_run_when_matching :focus'],
  ['README.md', 'describe.only("sum", () => {'],
  ['src/model.rb', 'fit "adds"'],
  ['spec/a_spec.rb', 'expect(model.fit "x").to eq 1'],
  ['spec/a_spec.rb', '# fit "adds"'],
  ['sum_test.go', 'file.FEntry("x")'],
  ['tests/SumTest.php', "$request->only(['name']);"],
  ['Tests/SumTests.swift', 'image.fit(frame)'],
];

for (const [path, line] of ordinary) {
  test(`${line.trim()} in ${path} is not a focused test`, () =>
    assert.equal(judgeText(focusedTest, path, line), []));
}

for (const [path, line] of focused) {
  if (/\.[jt]s$/.test(path)) continue;
  test(`${line.trim()} outside tests is not a focused test`, () => {
    const elsewhere = `lib/sum.${path.split('.').at(-1)}`;
    assert.equal(judgeText(focusedTest, elsewhere, line), []);
  });
}

test('a focused test in a comment over several lines is not reported', () =>
  assert.equal(judgeText(focusedTest, 'a.test.ts', '/*\nit.only("a")\n*/'), []));

test('a template over several lines is not code, but its embedded expressions are', () => {
  const text = 'const a = `\n  it.only()\n  ${it.only()}\n`;\nit.only("b", f);';
  assert.equal(linesOf(judgeText(focusedTest, 'a.test.ts', text)), [3, 5]);
});

test('a renamed test function is recognized', () => {
  const text = 'import {\n  it as spec,\n} from "vitest";\nspec.only("a", f);';
  assert.equal(linesOf(judgeText(focusedTest, 'a.test.ts', text)), [4]);
});

test('a comment left open in one hunk does not reach into the next', () =>
  assert.equal(
    linesOf(judgeHunks(focusedTest, 'a.test.ts', ['+/* x', '@50', '+it.only("a", f)'])),
    [50],
  ));

test('the finding of a focused test covers the call without its arguments', () => {
  const [hit] = judgeText(focusedTest, 'a.test.ts', '  it.only("adds", f);');
  assert.equal([hit?.column, hit?.endColumn], [3, 10]);
  assert.match(hit?.message ?? '', /^`it\.only` /);
});

const SOURCES = {
  'jest-no-focused-tests': 'a.test.js',
  'mocha-no-exclusive-tests': 'a.test.js',
  'playwright-no-focused-test': 'a.spec.ts',
};

test.unless(
  focusedTests.absent,
  'focused-test agrees with three linters on 86 of 100 snippets',
  () => {
    const { right, total } = score(focusedTest, SOURCES);
    assert.is(total, 100);
    assert.ok(right >= 86, `${right} of ${total}`);
  },
);

test.unless(
  focusedTests.absent,
  'focused-test agrees on 84 of the 86 snippets that need no configuration',
  () => {
    const { right, total, wrong } = score(focusedTest, SOURCES, row => !dependsOnSettings(row));
    assert.ok(total >= 84, `only ${total} were asked`);
    assert.ok(right >= total - 2, wrong.join('\n'));
  },
);

test.run();
