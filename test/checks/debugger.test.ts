import * as assert from 'uvu/assert';
import { debuggerStatement } from '../../src/checks/left-behind.js';
import { suite } from '../support/suite.js';
import { focusedTests, score } from './focused-corpus.js';
import { judgeText, linesOf } from './judge-text.js';

const test = suite('checks/debugger');

const stops: ReadonlyArray<readonly [string, string]> = [
  ['src/a.ts', '  debugger;'],
  ['src/a.ts', 'debugger'],
  ['src/a.ts', '  debugger;\r'],
  ['src/a.ts', 'if (a) { debugger }'],
  ['src/a.ts', 'if (a) debugger;'],
  ['src/App.vue', '  debugger;'],
  ['e2e/a.spec.ts', 'await page.pause();'],
  ['e2e/a.spec.ts', 'await adminPage.pause();'],
  ['cypress/a.ts', 'cy.pause()'],
  ['test/a.js', 'browser.debug();'],
  ['a.py', '    breakpoint()'],
  ['a.py', 'import pdb; pdb.set_trace()'],
  ['a.py', 'ipdb.set_trace()'],
  ['a.rb', '    binding.pry'],
  ['a.rb', '  byebug'],
  ['a.rb', '  debugger if broken?'],
  ['a.rb', "require 'debug/open'"],
  ['a.rb', '  require("debug/start") if ENV["X"]'],
  ['a.rb', 'pry binding'],
  ['a.go', '\truntime.Breakpoint()'],
  ['a.cs', 'Debugger.Break();'],
  ['a.php', 'xdebug_break();'],
  ['a.ex', 'require IEx; IEx.pry'],
];

for (const [path, line] of stops) {
  test(`${line.trim()} in ${path} is a debugger statement`, () =>
    assert.equal(linesOf(judgeText(debuggerStatement, path, line)), [1]));
}

const ordinary: ReadonlyArray<readonly [string, string]> = [
  ['src/a.ts', '// debugger;'],
  ['src/a.ts', 'const text = "debugger;";'],
  ['src/a.ts', 'options.debugger = true;'],
  ['src/a.ts', 'const a = { debugger: 1 };'],
  ['src/a.ts', "import debugger2 from 'debugger';"],
  ['src/a.ts', 'attach(debugger_);'],
  ['src/a.ts', 'video.pause();'],
  ['src/a.ts', 'page.pause(5);'],
  ['a.py', 'def breakpoint():'],
  ['a.py', 'self.breakpoint()'],
  ['a.py', '# pdb.set_trace()'],
  ['a.py', '"""\nbreakpoint()\n"""'],
  ['a.rb', "gem 'byebug'"],
  ['a.rb', 'debugger = Debugger.new'],
  ['a.rb', 'binding.local_variables'],
  ['a.rb', "require 'debug'"],
  ['a.rb', "# require 'debug/open'"],
  ['a.rb', "require 'debug/opener'"],
  ['a.rb', 'pry = Pry.new'],
  ['a.md', 'debugger;'],
  ['notes.txt', 'breakpoint()'],
];

for (const [path, text] of ordinary) {
  test(`${text.trim()} in ${path} is not a debugger statement`, () =>
    assert.equal(judgeText(debuggerStatement, path, text), []));
}

test('the finding covers the debugger statement up to its arguments', () => {
  const [hit] = judgeText(debuggerStatement, 'a.py', '    breakpoint()');
  assert.equal([hit?.column, hit?.endColumn], [5, 16]);
});

test.unless(focusedTests.absent, 'debugger agrees with two linters on all 11 snippets', () => {
  const sources = { 'eslint-no-debugger': 'src/a.js', 'playwright-no-page-pause': 'a.spec.ts' };
  const { right, total, wrong } = score(debuggerStatement, sources);
  assert.is(total, 11);
  assert.is(right, 11, wrong.join('\n'));
});

test.run();
