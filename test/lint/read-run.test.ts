import * as assert from 'uvu/assert';
import { findLinters, fromUser, type LinterSpec } from '../../src/lint/find.js';
import type { ParsedReport } from '../../src/lint/report.js';
import { type LintRun, readRun } from '../../src/lint/run.js';
import { suite } from '../support/suite.js';

const test = suite('lint/read-run');

function linter(config: string): LinterSpec {
  const [spec] = findLinters({ paths: [config], manifests: new Map() });
  if (spec === undefined) throw new Error(`no linter for ${config}`);
  return spec;
}

const eslint = linter('eslint.config.js');
const REPORT = JSON.stringify([
  { filePath: '/repo/a.js', messages: [{ ruleId: 'x', message: 'm', line: 1 }] },
]);

const read = (spec: LinterSpec, run: Partial<LintRun>): ParsedReport =>
  readRun(spec, spec.check, {
    run: { end: { kind: 'exit', code: 0 }, stdout: '', stderr: '', isCut: false, ...run },
    context: { root: '/repo' },
  });

const exit = (code: number): LintRun['end'] => ({ kind: 'exit', code });

test('findings are read and have the name of the linter', () => {
  const { diagnostics, isWhole } = read(eslint, { end: exit(1), stdout: REPORT });
  assert.equal([diagnostics.map(each => each.tool), isWhole], [['eslint'], true]);
});

const UNCAUGHT = `node:internal/modules/cjs/loader:1207
  const err = new Error(message);
              ^

Error: Cannot find module 'typescript'
Require stack:
- /repo/node_modules/typescript-eslint/dist/index.js
`;

const failures: ReadonlyArray<readonly [title: string, run: Partial<LintRun>, said: RegExp]> = [
  [
    'missing',
    { end: { kind: 'missing' } },
    /^ESLint is not installed here \(node_modules\/\.bin\/eslint\); run npm install$/,
  ],
  [
    'too slow',
    { end: { kind: 'time-up', afterMs: 60_000 } },
    /^ESLint did not finish within 60 s$/,
  ],
  ['killed', { end: { kind: 'signal', signal: 'SIGKILL' } }, /^ESLint was stopped by SIGKILL$/],
  [
    'too talkative',
    { end: exit(1), stdout: REPORT, isCut: true },
    /^ESLint printed more than the limit/,
  ],
  [
    'crashed',
    {
      end: exit(2),
      stderr:
        '\nOops! Something went wrong!\n\nESLint: 9\n\nTypeError: x is not a function\n    at y',
    },
    /^ESLint ended with exit code 2: TypeError: x is not a function$/,
  ],
  [
    'crashed before it started',
    { end: exit(1), stderr: UNCAUGHT },
    /^ESLint: printed no eslint-json report; it begins: Error: Cannot find module 'typescript'$/,
  ],
  [
    'crashed in Node',
    { end: exit(2), stderr: UNCAUGHT },
    /^ESLint ended with exit code 2: Error: Cannot find module 'typescript'$/,
  ],
  [
    'half a report',
    { end: exit(1), stdout: REPORT.slice(0, -5) },
    /^ESLint: the eslint-json report is damaged/,
  ],
  ['no report', { end: exit(0) }, /^ESLint: printed nothing instead of a eslint-json report$/],
  [
    'findings that are not there',
    { end: exit(1), stdout: '[]' },
    /^ESLint: ended with exit code 1, but reports nothing$/,
  ],
];

for (const [title, run, said] of failures) {
  test(`the report of ${title} is one problem and no diagnostics`, () => {
    const { diagnostics, problems, isWhole } = read(eslint, run);
    assert.equal([diagnostics.length, problems.length, isWhole], [0, 1, false]);
    assert.match(problems[0] ?? '', said, problems[0]);
  });
}

test('Stylelint is read from stderr, even after a warning from Node, or else from stdout', () => {
  const report = JSON.stringify([
    { source: '/repo/a.css', warnings: [{ rule: 'r', text: 't', line: 1 }] },
  ]);
  const stylelint = linter('.stylelintrc');
  const streams = [
    { stderr: report },
    { stderr: `(node:1) Warning: old\n${report}\n` },
    { stdout: report, stderr: '(node:1) Warning: old' },
  ];
  for (const stream of streams) {
    assert.is(read(stylelint, { end: exit(2), ...stream }).diagnostics.length, 1);
  }
});

test('a clean result of Prettier is read from stdout', () => {
  const stdout = 'Checking formatting...\nAll matched files use Prettier code style!\n';
  assert.equal(read(linter('.prettierrc'), { stdout }).isWhole, true);
});

test('a linter from the configuration is judged only by its report', () => {
  const spec = fromUser({ name: 'mine', command: ['mine'], format: 'gcc' });
  assert.is(read(spec, { end: exit(17), stdout: 'a.c:1:1: bad' }).diagnostics.length, 1);
  assert.is(read(spec, { end: exit(17) }).isWhole, false);
  assert.is(read(spec, {}).isWhole, true);
});

const REMARK_CRASHES = {
  '12': `a.md
3:5 warning Unexpected spaces list-item-indent remark-lint

b.md
    error   Cannot process file
  [cause]:
    Error: Cannot parse file \`.remarkrc.cjs\`
    at find-up.js:246:15
  [cause]:
    Error: config error
    at Object.<anonymous> (.remarkrc.cjs:1:7)

c.md
    error   Cannot process specified file: it’s ignored

✖ 2 errors
`,
  '11': `a.md
      4:3  warning  Incorrect list-item indent  list-item-indent  remark-lint

b.md
      1:1  error    Error: Cannot parse file \`.remarkrc.cjs\`
Error: config error
    at Object.<anonymous> (.remarkrc.cjs:1:7)

c.md
      1:1  error    Cannot process specified file: it’s ignored

✖ 2 errors
`,
};

for (const [version, stderr] of Object.entries(REMARK_CRASHES)) {
  test(`a file on which remark ${version} crashes is unfinished, and one that it ignores isn't linted`, () => {
    const report = read(linter('.remarkrc'), { end: exit(1), stderr });
    assert.equal(
      report.diagnostics.map(({ path, rule }) => `${path} ${rule}`),
      ['a.md list-item-indent'],
    );
    assert.equal([report.unfinished, report.notLinted], [['b.md'], ['c.md']]);
    assert.equal(report.problems, ['remark: failed: Error: config error']);
  });
}

test('remark without a line for any file has not finished, and with ignored files only it has', () => {
  assert.is(read(linter('.remarkrc'), { end: exit(0) }).isWhole, false);
  const stderr = 'c.md\n error Cannot process specified file: it’s ignored\n\n✖ 1 error\n';
  assert.is(read(linter('.remarkrc'), { end: exit(1), stderr }).isWhole, true);
});

test.run();
