import type { Language } from './language.js';

/** How many tests and groups of tests the code holds; comments and strings must be blanked already. */
export function countTests(code: string, language: Language, path: string): number {
  const isTestFile = language === 'script' && TEST_FILE.test(path);
  const pattern = isTestFile ? IN_TEST_FILE : TESTS[language];
  if (pattern === undefined) return 0;
  return [...code.matchAll(pattern)].filter(([call]) => !OFF.test(call)).length;
}

/** Switched off: for our purpose the same as gone. */
const OFF = /\.(?:skip|todo|fixme|skipIf|runIf)\b/;

const TEST_FILE = /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e|cy)(?:[/._-]|$)/i;
const IN_TEST_FILE =
  /(?<![\w$.])(?:it|test|describe|suite|context|specify|bench|f(?:it|describe))(?:\.\w{1,20}){0,3}\s{0,9}[(`]/g;

const TESTS: Partial<Readonly<Record<Language, RegExp>>> = {
  // A title or a table follows, which tells a test from a function that happens to be called so.
  script:
    /(?<![\w$.])(?:it|test|describe|suite|context|specify|bench|f(?:it|describe))(?:\.\w{1,20}){0,3}\s{0,9}(?:\(\s{0,200}["'`]|(?<=\.each\s{0,9})[(`])/g,
  python: /^[ \t]{0,80}(?:(?:async[ \t]{1,9})?def[ \t]{1,9}test|class[ \t]{1,9}Test)\w{0,200}/gm,
  go: /^func[ \t]{1,9}(?:Test|Benchmark|Fuzz|Example)\w{0,200}[ \t]{0,9}\(/gm,
  rust: /#\[\s{0,9}(?:\w{1,40}::){0,3}test\b/g,
  swift: /\bfunc[ \t]{1,9}test\w{0,200}|@Test\b/g,
  ruby: /^[ \t]{0,80}(?:(?:it|specify|test|describe|context|scenario|feature)\b[ \t(]{1,9}["'A-Z]|def[ \t]{1,9}test_)/gm,
  java: /@(?:Test|ParameterizedTest|Fact|Theory)\b/g,
  shell: /^@test\b|^[ \t]{0,9}(?:function[ \t]{1,9})?test_?\w{1,100}[ \t]{0,9}\(\)/gm,
};
