import * as assert from 'uvu/assert';
import { KNOWN_LINTERS } from '../../src/lint/known-linters.js';
import { readRun } from '../../src/lint/run.js';
import { suite } from '../support/suite.js';

const test = suite('lint/recorded-runs');

interface Recorded {
  readonly linter: string;
  readonly code: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Path, line, column, severity and rule of each diagnostic. */
  readonly expected: readonly string[];
}

/** What the commands of `known-linters.ts` printed about small files, each in a folder /repo. */
const RUNS: readonly Recorded[] = [
  {
    linter: 'flake8',
    code: 1,
    stdout: `a.py:1:1: F401 'os' imported but unused
a.py:7:10: E711 comparison to None should be 'if cond is None:'
`,
    expected: ['a.py 1:1 error F401', 'a.py 7:10 error E711'],
  },
  {
    linter: 'pylint',
    code: 30,
    stdout: `************* Module a
a.py:1: C0114: Missing module docstring (missing-module-docstring)
a.py:8: E0602: Undefined variable 'l' (undefined-variable)
`,
    expected: ['a.py 1:- error missing-module-docstring', 'a.py 8:- error undefined-variable'],
  },
  {
    linter: 'ruff-format',
    code: 2,
    stdout: `unformatted: File would be reformatted
 --> a.py:1:6
  |
  - x = {  "a":1 }
1 + x = {"a": 1}
  |

invalid-syntax: Expected a parameter or the end of the parameter list
 --> b.py:1:7
  |
1 | def f(:
  |       ^

1 file would be reformatted
`,
    expected: ['a.py -:- warning format', 'b.py 1:7 error null'],
  },
  {
    linter: 'standard',
    code: 1,
    stdout: `  /repo/a.js:1:1: Unexpected var, use let or const instead. (no-var) (warning)
  /repo/a.js:1:9: Strings must use singlequote. (quotes)
`,
    stderr: `standard: Use JavaScript Standard Style (https://standardjs.com)
standard: Run \`standard --fix\` to automatically fix some problems.
`,
    expected: ['a.js 1:1 warning no-var', 'a.js 1:9 error quotes'],
  },
  {
    linter: 'remark',
    code: 1,
    stderr: `a.md
4:1-4:7     warning Unexpected definition with an already defined identifier (\`a\`)  no-duplicate-definitions remark-lint
  [cause]:
    3:1-3:7 info    Identifier already defined here                                no-duplicate-definitions remark-lint
4:1-4:7     warning Unexpected unused definition                                   no-unused-definitions    remark-lint

⚠ 2 warnings
`,
    expected: [
      'a.md 4:1 warning no-duplicate-definitions',
      'a.md 4:1 warning no-unused-definitions',
    ],
  },
  {
    linter: 'remark',
    code: 1,
    stderr: `a.md
             warning A message without a place and of two lines       some-rule                remark-lint
its second line
1:5          warning Unexpected \`3\` spaces, expected \`1\` space ${' '.repeat(300)}list-item-indent         remark-lint
5:1-5:14     warning Unexpected definition with an already defined identifier (\`x\`) no-duplicate-definitions remark-lint
  [cause]:
    4:1-4:14 info    Identifier already defined here ${' '.repeat(300)}no-duplicate-definitions remark-lint

b.md: no issues found
c.md
7:7-7:17     warning Unexpected reference to undefined definition no-undefined-references  remark-lint

⚠ 4 warnings
`,
    expected: [
      'a.md -:- warning some-rule',
      'a.md 1:5 warning list-item-indent',
      'a.md 5:1 warning no-duplicate-definitions',
      'c.md 7:7 warning no-undefined-references',
    ],
  },
  { linter: 'remark', code: 0, stderr: 'a.md: no issues found\n', expected: [] },
  {
    linter: 'go-vet',
    code: 2,
    stderr: '# x\n./a.go:6:2: fmt.Printf format %d has arg "x" of wrong type string\n',
    expected: ['a.go 6:2 error null'],
  },
  {
    linter: 'xo',
    code: 1,
    stdout: JSON.stringify([
      {
        filePath: '/repo/a.js',
        messages: [
          {
            ruleId: '@stylistic/semi',
            severity: 2,
            message: 'Missing semicolon.',
            line: 1,
            column: 9,
          },
        ],
      },
    ]),
    expected: ['a.js 1:9 error @stylistic/semi'],
  },
  {
    linter: 'prettier',
    code: 1,
    stdout: 'Checking formatting...\n',
    stderr:
      '[warn] a.js\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.\n',
    expected: ['a.js -:- warning format'],
  },
];

/** Earlier versions and programs that could not be run for this; in the form that they document. */
const DOCUMENTED: readonly Recorded[] = [
  {
    linter: 'ruff-format',
    code: 1,
    stdout: 'Would reformat: a.py\n1 file would be reformatted, 1 file already formatted\n',
    expected: ['a.py -:- warning format'],
  },
  { linter: 'dprint', code: 20, stdout: '/repo/a.json\n', expected: ['a.json -:- warning format'] },
  {
    linter: 'swift-format',
    code: 0,
    stderr: "a.swift:2:22: warning: [DoNotUseSemicolons] remove ';'\n",
    expected: ['a.swift 2:22 warning DoNotUseSemicolons'],
  },
  {
    linter: 'swiftformat',
    code: 1,
    stderr: '/repo/a.swift:1:1: error: (semicolons) Remove semicolons.\n',
    expected: ['a.swift 1:1 error semicolons'],
  },
  {
    linter: 'ktlint',
    code: 1,
    stdout: 'a.kt:1:1: Unused import (standard:no-unused-imports)\n',
    expected: ['a.kt 1:1 error standard:no-unused-imports'],
  },
];

for (const { linter, code, stdout = '', stderr = '', expected } of [...RUNS, ...DOCUMENTED]) {
  test(`a recorded run of ${linter} with exit ${code} gives each diagnostic with its place and rule`, () => {
    const known = KNOWN_LINTERS.find(({ name }) => name === linter);
    if (known === undefined) throw new Error(`${linter} is not known`);
    const spec = { ...known, folder: '', foundBy: 'command', reason: '' } as const;
    const run = { end: { kind: 'exit', code }, stdout, stderr, isCut: false } as const;
    const report = readRun(spec, spec.check, { run, context: { root: '/repo' } });
    assert.equal(report.problems, []);
    assert.is(report.isWhole, true);
    assert.equal(
      report.diagnostics.map(
        ({ path, line = '-', column = '-', severity, rule }) =>
          `${path} ${line}:${column} ${severity} ${rule}`,
      ),
      expected,
    );
  });
}

test.run();
