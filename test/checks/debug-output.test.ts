// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that other tools fill in.
import * as assert from 'uvu/assert';
import { debugOutput } from '../../src/checks/left-behind.js';
import { suite } from '../support/suite.js';
import { focusedTests, score } from './focused-corpus.js';
import { judgeText, linesOf } from './judge-text.js';

const test = suite('checks/debug-output');

const leftOver: ReadonlyArray<readonly [string, string]> = [
  ['src/a.ts', 'console.log(user);'],
  ['src/a.ts', '  if (a) console.debug("here");'],
  ['src/a.ts', 'load().then(console.log);'],
  ['src/a.ts', 'load().then(data => console.table(data));'],
  ['src/a.ts', 'text += `${console.log(a)}`;'],
  ['src/App.vue', 'console.dir(this)'],
  ['src/latest/a.ts', 'console.log(1)'],
  ['src/domain.ts', 'console.log(1)'],
  ['src/a.rs', '    let b = dbg!(a);'],
  ['pkg/a.go', '\tspew.Dump(a)'],
  ['pkg/a.go', '\tprintln(a)'],
  ['src/A.php', '    var_dump($a);'],
  ['src/A.php', '    dd($a);'],
  ['src/main/java/User.java', '    System.out.println(a);'],
  ['lib/a.ex', '|> IO.inspect()'],
];

for (const [path, line] of leftOver) {
  test(`${line.trim()} in ${path} is debug output`, () =>
    assert.equal(linesOf(judgeText(debugOutput, path, line)), [1]));
}

const meant: ReadonlyArray<readonly [string, string]> = [
  ['src/a.ts', 'console.error(failure);'],
  ['src/a.ts', 'console.warn("deprecated"); console.info(1);'],
  ['src/a.ts', '// console.log(user);'],
  ['src/a.ts', 'const help = "console.log(x)";'],
  ['src/a.ts', 'const log = options.log ?? console.log;'],
  ['src/a.ts', 'my.console.log(a);'],
  ['src/a.ts', 'console.log(a); // eslint-disable-line no-console'],
  ['src/a.ts', '// eslint-disable-next-line no-console\nconsole.log(a);'],
  ['src/a.ts', '// biome-ignore lint/suspicious/noConsole: the output\nconsole.log(a);'],
  ['src/a.ts', "import { console } from './console.js';\nconsole.log(a);"],
  ['src/a.ts', '#!/usr/bin/env node\nconsole.log(a);'],
  ['src/a.test.ts', 'console.log(a);'],
  ['scripts/build.mjs', 'console.log(a);'],
  ['bin/run.js', 'console.log(a);'],
  ['src/cli.ts', 'console.log(a);'],
  ['packages/x/src/cli/help.ts', 'console.log(a);'],
  ['vite.config.ts', 'console.log(a);'],
  ['src/logger.ts', 'console.log(a);'],
  ['examples/a.js', 'console.log(a);'],
  ['README.md', 'console.log(a);'],
  ['a.py', 'print(a)'],
  ['Sources/A.swift', 'print(a)'],
  ['pkg/a.go', '\tfmt.Println(a)'],
  ['src/a.rs', 'println!("{a}");'],
  ['src/A.php', '$this->dump($a); Foo::dd($a); function dump($a) {'],
  ['src/main/java/Main.java', 'System.out.println(a);'],
  ['src/main/java/User.java', '// System.out.println(a);'],
];

for (const [path, text] of meant) {
  test(`${text.trim()} in ${path} is not debug output`, () =>
    assert.equal(judgeText(debugOutput, path, text), []));
}

const SOURCES = { 'eslint-no-console': 'src/a.js' };

test.unless(focusedTests.absent, 'debug-output agrees with ESLint on plain debugging', () => {
  // Warnings, errors and information are left alone here; upstream forbids the console as a whole.
  const { right, total, wrong } = score(
    debugOutput,
    SOURCES,
    ({ code, kind, options }) =>
      !/console(?:\.(?:warn|error|info)|\[)/.test(code) &&
      !(kind === 'valid' && options !== undefined),
  );
  assert.ok(total >= 15, `only ${total} were asked`);
  assert.is(right, total, wrong.join('\n'));
});

test.unless(
  focusedTests.absent,
  'debug-output agrees with ESLint on 21 of 44 snippets when every console method counts',
  () => {
    const { right, total } = score(debugOutput, SOURCES);
    assert.is(total, 44);
    assert.ok(right >= 21, `${right} of ${total}`);
  },
);

test.run();
