import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { forbidEdit } from '../../src/lint/forbid-edit.js';
import { corpus, readJsonLines } from '../support/corpus.js';
import { suite } from '../support/suite.js';

const test = suite('forbid-edit');

const complaint = (path: string, line: number, endLine = line): Diagnostic => ({
  tool: 't',
  rule: 'r',
  path,
  unit: 'utf16',
  severity: 'error',
  message: 'm',
  line,
  endLine,
});

interface Case {
  path: string;
  before: string;
  after: string;
  /** Of the diagnostic. */
  line?: number;
  endLine?: number;
}

const judge = ({ path, before, after, line = 1, endLine = line }: Case): string | undefined =>
  forbidEdit({ path, before, after, diagnostics: [complaint(path, line, endLine)] });

/** Path, the line that gets the mark, the line with it. */
const SUPPRESSIONS: ReadonlyArray<readonly [path: string, before: string, after: string]> = [
  ['a.js', 'f();', 'f(); // eslint-disable-line no-x'],
  ['a.js', 'f();', '// eslint-disable-next-line\nf();'],
  ['a.js', 'f();', '/* eslint-disable no-x */\nf();'],
  ['a.js', 'f();', '/* eslint no-x: "off" */\nf();'],
  ['a.js', 'f();', '/* global f */\nf();'],
  ['a.ts', 'f();', '// @ts-ignore\nf();'],
  ['a.ts', 'f();', '// @ts-expect-error it is fine\nf();'],
  ['a.ts', 'f();', '// @ts-nocheck\nf();'],
  ['a.ts', 'f();', '// biome-ignore lint/x/y: reason\nf();'],
  ['a.ts', 'f();', '// oxlint-disable-next-line no-x\nf();'],
  ['a.css', 'a {}', '/* stylelint-disable-next-line */\na {}'],
  ['a.ts', 'f();', '// prettier-ignore\nf();'],
  ['a.py', 'import os', 'import os  # noqa: F401'],
  ['a.py', 'f()', 'f()  #noqa'],
  ['a.py', 'f()', 'f()  # type: ignore[attr]'],
  ['a.py', 'f()', 'f()  # pylint: disable=x'],
  ['a.py', 'f()', '# fmt: off\nf()'],
  ['a.sh', 'echo $x', '# shellcheck disable=SC2086\necho $x'],
  ['a.swift', 'f()', 'f() // swiftlint:disable:this force_cast'],
  ['a.go', 'f()', 'f() //nolint:errcheck'],
  ['a.go', 'f()', '//lint:ignore SA1 reason\nf()'],
  ['a.rb', 'f', 'f # rubocop:disable Style/X'],
  ['a.rs', 'fn f() {}', '#[allow(dead_code)]\nfn f() {}'],
  ['a.rs', 'fn f() {}', '#![allow(clippy::all)]\nfn f() {}'],
  ['a.rs', 'fn f() {}', '#[expect(dead_code)]\nfn f() {}'],
  ['a.md', 'text', '<!-- markdownlint-disable MD013 -->\ntext'],
  ['a.ts', 'f();', 'f(); // apfel-bot-ignore secret/x'],
  ['a.c', 'f();', 'f(); // NOLINT'],
  ['a.java', 'int x;', '@SuppressWarnings("unused")\nint x;'],
];

for (const [path, before, after] of SUPPRESSIONS) {
  test(`an edit that adds ${JSON.stringify(after)} is refused`, () => {
    assert.match(judge({ path, before, after }) ?? '', /^it suppresses the diagnostic \(/);
  });
  test(`an edit that removes ${JSON.stringify(after)} is allowed`, () => {
    assert.is(judge({ path, before: `${after}\nx`, after: `${before}\nx` }), undefined);
  });
}

test('a suppression may not be widened, and may be narrowed or moved', () => {
  const disable = (text: string): string => `a();\n// eslint-disable-next-line${text}\nf();\n`;
  const change = (before: string, after: string): string | undefined =>
    judge({ path: 'a.js', before: disable(before), after: disable(after), line: 2 });
  assert.ok(change(' x', ' x, y'));
  assert.ok(change(' x', ''));
  assert.ok(change(' x', ' y'));
  assert.ok(
    judge({ path: 'a.js', before: disable(' x'), after: disable(' x').replace('-next-line', '') }),
  );
  assert.is(change(' x, y -- why', ' x -- why'), undefined);
  assert.is(change('', ' x'), undefined);
  const two = (one: string, other: string): string => disable(one) + disable(other);
  const [before, after] = [two(' x, y', ' a, b'), two(' x', ' a')];
  assert.is(judge({ path: 'a.js', before, after, line: 2 }), undefined);
  assert.is(
    judge({ path: 'a.js', before: disable(' x'), after: `${disable(' x')}b();\n` }),
    undefined,
  );
});

test('the end of a suppressed range may be removed only with its start', () => {
  const [start, end] = ['/* eslint-disable x */', '/* eslint-enable x */'];
  const before = `${start}\nf();\n${end}\ng();\n`;
  assert.ok(judge({ path: 'a.js', before, after: `${start}\nf();\ng();\n`, line: 3 }));
  assert.is(judge({ path: 'a.js', before, after: 'f();\ng();\n', line: 3 }), undefined);
});

test('lines above and below the diagnostic, or without one that has a line, are outside it', () => {
  const before = 'a();\nb();\nc();\nd();\ne();\n';
  const [whole, after] = [complaint('a.js', 1), 'e();\n'];
  const { line: _, endLine: __, ...nowhere } = whole;
  for (const each of [complaint('a.js', 5), nowhere])
    assert.match(
      forbidEdit({ path: 'a.js', before, after, diagnostics: [each] }) ?? '',
      'it deletes 4 lines outside the diagnostic',
    );
  const last = { path: 'a.js', before, after: 'a();\n', line: 1 };
  assert.match(judge(last) ?? '', 'it deletes 4 lines outside the diagnostic');
});

const TESTS: ReadonlyArray<readonly [path: string, before: string, after: string]> = [
  ['a.test.ts', "test('a', () => {});\nit('b', f);\n", "test('a', () => {});\n"],
  ['a.test.ts', "it('b', f);\nx;\n", "// it('b', f);\nx;\n"],
  ['a.test.ts', "it('b', f);\n", "it.skip('b', f);\n"],
  ['a.test.ts', "it('b', f);\n", "xit('b', f);\n"],
  ['a.test.ts', 'describe(Thing, f);\nx;\n', 'x;\n'],
  ['a.test.ts', "it.each([1])('b', f);\nx;\n", 'x;\n'],
  ['src/a.js', "test('in source', f);\nx;\n", 'x;\n'],
  ['test_a.py', 'def test_a():\n    pass\nx = 1\n', 'x = 1\n'],
  ['test_a.py', 'def test_a():\n    pass\n', '@pytest.mark.skip\ndef test_a():\n    pass\n'],
  ['a_test.go', 'func TestA(t *testing.T) {}\nvar x = 1\n', 'var x = 1\n'],
  ['a.rs', '#[test]\nfn a() {}\nfn b() {}\n', 'fn b() {}\n'],
  ['ATests.swift', 'func testA() {}\nlet x = 1\n', 'let x = 1\n'],
  ['a_spec.rb', "it 'works' do\nend\nx\n", 'x\n'],
  ['a.bats', '@test "a" {\n}\nx\n', 'x\n'],
];

for (const [path, before, after] of TESTS) {
  test(`an edit that leaves one test less in ${path} is refused: ${JSON.stringify(after)}`, () => {
    assert.match(judge({ path, before, after, endLine: 9 }) ?? '', /test|suppresses/);
  });
}

const EXPORTS: ReadonlyArray<readonly [path: string, before: string, after: string, lost: string]> =
  [
    ['a.ts', 'export const a = 1;\nx;', 'const a = 1;\nx;', 'a'],
    ['a.ts', 'export async function load() {}\nx;', 'export async function read() {}\nx;', 'load'],
    ['a.ts', 'export interface Shape {}\nx;', 'x;', 'Shape'],
    ['a.ts', "export { a, b as c } from './x';", "export { a } from './x';", 'c'],
    ['a.ts', "export * from './x';\nexport * from './y';", "export * from './x';", '\\* \\(2\\)'],
    ['a.ts', 'export default class {}\nx;', 'class A {}\nx;', 'default'],
    ['a.js', 'exports.run = f;\nx;', 'x;', 'run'],
    ['a.js', 'module.exports = { a, b };', 'module.exports = { a };', 'b'],
    ['a.py', 'def load():\n  pass\nx=1', 'def _load():\n  pass\nx=1', 'load'],
    ['a.py', 'class Thing:\n  pass\nx=1', 'x=1', 'Thing'],
    ['pkg/__init__.py', 'from .a import b, c as d\n', 'from .a import b\n', 'd'],
    ['a.go', 'func (s *S) Load() {}\nvar x = 1', 'var x = 1', 'Load'],
    ['a.go', 'const (\n\tA = 1\n\tB = 2\n)', 'const (\n\tA = 1\n)', 'B'],
    ['a.rs', 'pub fn load() {}\nfn x() {}', 'fn load() {}\nfn x() {}', 'load'],
    ['a.rs', 'pub use a::b;\nfn x() {}', 'fn x() {}', 'use a::b'],
    ['a.swift', 'public struct S {}\nlet x = 1', 'struct S {}\nlet x = 1', 'S'],
    ['a.rb', 'def load\nend\nx', 'def read\nend\nx', 'load'],
    ['A.java', 'public void load() {}\nint x;', 'void load() {}\nint x;', 'load'],
  ];

for (const [path, before, after, lost] of EXPORTS) {
  test(`an edit of ${path} that removes ${lost} is refused`, () => {
    const said = judge({ path, before, after, endLine: 9 }) ?? '';
    assert.match(said, new RegExp(`^it removes or renames ${lost}, which`));
  });
}

const LEGITIMATE: ReadonlyArray<readonly [title: string, Case]> = [
  [
    'an unused import goes',
    {
      path: 'a.ts',
      before: "import a from 'a';\nexport const b = 1;\n",
      after: 'export const b = 1;\n',
    },
  ],
  [
    'an unused import of several lines goes',
    {
      path: 'a.ts',
      before: "import {\n  a,\n  b,\n} from 'a';\nc();\n",
      after: 'c();\n',
      line: 2,
      endLine: 3,
    },
  ],
  [
    'an unused import of Python goes',
    { path: 'a.py', before: 'import os\nimport sys\nx = sys\n', after: 'import sys\nx = sys\n' },
  ],
  ['an unused variable goes', { path: 'a.js', before: 'const a = 1;\nf();\n', after: 'f();\n' }],
  [
    'a local is renamed',
    {
      path: 'a.js',
      before: 'export function f() {\n  const A = 1;\n  return A;\n}\n',
      after: 'export function f() {\n  const a = 1;\n  return a;\n}\n',
      line: 2,
    },
  ],
  ['braces are added', { path: 'a.js', before: 'if (a) b();\n', after: 'if (a) {\n  b();\n}\n' }],
  [
    'an argument is joined',
    {
      path: 'a.js',
      before: 'f(\n  a,\n  b,\n  c,\n  d,\n);\n',
      after: 'f(a, b, c, d,);\n',
      line: 99,
    },
  ],
  [
    'a test title is changed',
    { path: 'a.test.js', before: "it('A', f);\n", after: "it('a', f);\n" },
  ],
  [
    'a test gets an assertion',
    {
      path: 'a.test.js',
      before: "it('a', () => {});\n",
      after: "it('a', () => {\n  expect(1).toBe(1);\n});\n",
    },
  ],
  [
    'let becomes const',
    { path: 'a.ts', before: 'export let a = 1;\n', after: 'export const a = 1;\n' },
  ],
  [
    'blank lines go',
    { path: 'a.js', before: `a();${'\n'.repeat(9)}b();\n`, after: 'a();\nb();\n', line: 1 },
  ],
  [
    'a quoted word is no suppression of Python',
    { path: 'a.js', before: 'a();\n', after: "say('noqa');\n" },
  ],
  [
    'a regular expression with quotes is read as one',
    {
      path: 'a.js',
      before: 'const q = /[\'"]/;\nexport const a = 1;\n',
      after: 'const q = /[\'"`]/;\nexport const a = 1;\n',
    },
  ],
  [
    'an unused private function of four lines goes',
    { path: 'a.py', before: 'def _f():\n  a()\n  b()\n  c()\nx = 1\n', after: 'x = 1\n' },
  ],
  ['quotes are added in a shell', { path: 'a.sh', before: 'rm $x\n', after: 'rm "$x"\n' }],
];

for (const [title, edit] of LEGITIMATE) {
  test(`an edit is allowed where ${title}`, () => assert.is(judge(edit), undefined));
}

test.run();

const invalid = corpus('eslint-invalid');
const upstream = suite('no edit passes that the eslint-invalid corpus shows to be wrong');

interface InvalidCase {
  code: string;
  output?: string;
  suggestionOutputs: string[];
  messages: Array<{ line: number; endLine?: number }>;
}

upstream.unless(invalid.absent, "what ESLint's own authors call a fix is allowed", () => {
  const cases = readJsonLines<InvalidCase>(invalid.path('cases.jsonl'));
  let results = 0;
  const refused = cases.flatMap(({ code, output, suggestionOutputs, messages }) => {
    const diagnostics = messages.map(each => complaint('a.js', each.line, each.endLine));
    return [...suggestionOutputs, ...(output === undefined ? [] : [output])].flatMap(after => {
      results += 1;
      return forbidEdit({ path: 'a.js', before: code, after, diagnostics }) ?? [];
    });
  });
  assert.equal(refused, []);
  assert.is(results, 292);
});

upstream.unless(
  invalid.absent,
  'all 999 cases, suppressed in three ways, emptied or deleted, are refused',
  () => {
    const cases = readJsonLines<InvalidCase>(invalid.path('cases.jsonl'));
    const kept = cases.flatMap(({ code, messages }) => {
      const diagnostics = messages.map(each => complaint('a.js', each.line, each.endLine));
      const edits = [
        `/* eslint-disable */\n${code}`,
        `// eslint-disable-next-line\n${code}`,
        `${code} // eslint-disable-line -- fine`,
        '\n',
      ];
      return edits.filter(
        after => forbidEdit({ path: 'a.js', before: code, after, diagnostics }) === undefined,
      );
    });
    assert.is(cases.length, 999);
    assert.equal(kept, []);
  },
);

upstream.run();
