import * as assert from 'uvu/assert';
import { parseReport } from '../../src/lint/parse-report.js';
import type { ParsedReport, ReportFormat } from '../../src/lint/report.js';
import { suite } from '../support/suite.js';

const test = suite('lint/parse-other-tools');

const parse = (format: ReportFormat, report: unknown): ParsedReport =>
  parseReport(format, typeof report === 'string' ? report : JSON.stringify(report), {
    root: '/repo',
  });

test("tsc's paths may have spaces and brackets, and errors about the project are problems", () => {
  const report = parse(
    'tsc',
    [
      "src/a b(1).ts(4,21): error TS2322: Type 'number' is not assignable to type 'string'.",
      "  Types of property 'b' are incompatible.",
      "error TS18003: No inputs were found in config file '/repo/tsconfig.json'.",
    ].join('\r\n'),
  );
  assert.equal(
    report.diagnostics.map(each => [each.path, each.line, each.column, each.rule]),
    [['src/a b(1).ts', 4, 21, 'TS2322']],
  );
  assert.match(report.diagnostics[0]?.message ?? '', /'string'\.\n {2}Types of property 'b'/);
  // The path of the temporary folder is left out.
  assert.equal(report.problems, ["TS18003: No inputs were found in config file 'tsconfig.json'."]);
  assert.is(report.isWhole, false);
});

test("gcc's format has severities, rules at either end, and paths with spaces", () => {
  const { diagnostics } = parse(
    'gcc',
    [
      'my src/a.c:3:5: warning: unused variable ‘x’ [-Wunused-variable]',
      'my src/a.c:4: fatal error: no such file',
      'b.py:1:80: E501 line too long (82 > 79 characters)',
      'b.py:2:1: note: declared here',
      '12:30:45: a time of day',
      '[id].tsx:1:2: Unexpected any (no-explicit-any)',
    ].join('\n'),
  );
  assert.equal(
    diagnostics.map(each => [each.path, each.line, each.column, each.severity, each.rule]),
    [
      ['my src/a.c', 3, 5, 'warning', '-Wunused-variable'],
      ['my src/a.c', 4, undefined, 'error', null],
      ['b.py', 1, 80, 'error', 'E501'],
      ['b.py', 2, 1, 'info', null],
      ['[id].tsx', 1, 2, 'error', 'no-explicit-any'],
    ],
  );
});

test('workflow commands are unescaped, and other lines are ignored', () => {
  const { diagnostics } = parse(
    'github',
    [
      '> lint',
      '::group::files',
      '  ::error title=no-x,file=src/a%2Cb%3A1.ts,line=2,col=3,endLine=2,endColumn=9::50%25 wrong%0Asecond line',
      '::notice file=c.ts,line=7::Take care (some-rule)',
      '::error::no place',
    ].join('\n'),
  );
  assert.equal(
    diagnostics.map(each => [each.path, each.line, each.endColumn, each.severity, each.rule]),
    [
      ['src/a,b:1.ts', 2, 9, 'error', 'no-x'],
      ['c.ts', 7, undefined, 'info', 'some-rule'],
    ],
  );
  assert.is(diagnostics[0]?.message, '50% wrong\nsecond line');
});

test('Checkstyle reports may have entities, both kinds of quotes and a DOCTYPE, which does nothing', () => {
  const { diagnostics } = parse(
    'checkstyle',
    `npm notice something
<?xml version="1.0"?>
<!DOCTYPE checkstyle [ <!ENTITY xxe SYSTEM "file:///etc/passwd"> <!ENTITY a "b"> ]>
<!-- <file name="no"><error line="1"/></file> -->
<checkstyle version='4.3'>
 <file name='src/a &amp; b.ts'>
  <error line="2" column="3" severity="warning" message="a &lt; b &gt; c &#x41;&#66; &xxe; 'q' > ok" source="rule.X"/>
  <error line="0" message='no &quot;severity&quot;' />
 </file>
</checkstyle>`,
  );
  assert.equal(
    diagnostics.map(each => [each.path, each.line, each.severity, each.rule, each.message]),
    [
      ['src/a & b.ts', 2, 'warning', 'rule.X', "a < b > c AB &xxe; 'q' > ok"],
      ['src/a & b.ts', undefined, 'error', null, 'no "severity"'],
    ],
  );
});

for (const [cut, why] of [
  ['<checkstyle><file name="a"><error line="1"', 'is damaged: Unclosed root tag'],
  ['<checkstyle><file name="a"><error line="1"/>', 'is damaged: Unclosed root tag'],
  ['<?xml version="1.0"?><!-- <checkstyle>', 'is damaged: Unexpected end'],
] as const) {
  test(`a Checkstyle report cut after ${cut.length} characters is ${why}`, () => {
    const { diagnostics, problems, isWhole } = parse('checkstyle', cut);
    assert.equal([diagnostics, problems, isWhole], [[], [`the checkstyle report ${why}`], false]);
  });
}

test("a file that standard's configuration leaves out is not linted, and not a diagnostic", () => {
  const ignored =
    'File ignored because of a matching ignore pattern. Use "--no-ignore" to override.';
  const text = `  src/a.js:0:0: ${ignored} (null) (warning)\n  src/b.js:1:1: Unexpected var. (no-var)\n`;
  const { diagnostics, notLinted, isWhole } = parse('gcc', text);
  assert.equal([diagnostics.map(({ path }) => path), notLinted], [['src/b.js'], ['src/a.js']]);
  assert.is(isWhole, true);
});

test('a broken line of rdjsonl is counted, and the others are used', () => {
  const line = {
    message: 'm',
    location: { path: 'a.ts', range: { start: { line: 1 } } },
    severity: 'INFO',
  };
  const report = parse('rdjsonl', `${JSON.stringify(line)}\n{"message": "ha`);
  assert.equal(
    report.diagnostics.map(each => each.severity),
    ['info'],
  );
  assert.equal(report.problems, ['1 of 2 lines of the rdjsonl report cannot be read']);
  assert.is(report.isWhole, false);
});

test('rdjson names its tool, and a suggestion without columns is about whole lines', () => {
  const { diagnostics } = parseReport(
    'rdjson',
    JSON.stringify({
      source: { name: 'super-lint', url: 'u' },
      severity: 'ERROR',
      diagnostics: [
        {
          message: 'm',
          location: { path: 'a.ts', range: { start: { line: 2 } } },
          suggestions: [{ range: { start: { line: 2 }, end: { line: 3 } }, text: 'x\n' }],
        },
      ],
    }),
    { root: '/repo' },
  );
  assert.equal([diagnostics[0]?.tool, diagnostics[0]?.severity], ['super-lint', 'error']);
  assert.equal(diagnostics[0]?.suggestions?.[0]?.edits[0]?.range, {
    startLine: 2,
    startColumn: 1,
    endLine: 4,
    endColumn: 1,
  });
});

test('all replacements of a ShellCheck diagnostic make one fix', () => {
  const quote = (column: number): unknown => ({
    line: 2,
    endLine: 2,
    column,
    endColumn: column,
    precedence: 7,
    replacement: '"',
  });
  const { diagnostics } = parse('shellcheck-json', {
    comments: [
      {
        file: 'run.sh',
        line: 2,
        endLine: 2,
        column: 6,
        endColumn: 8,
        level: 'style',
        code: 2086,
        message: 'Double quote.',
        fix: { replacements: [quote(6), quote(8)] },
      },
      {
        file: 'run.sh',
        line: 1,
        endLine: 1,
        column: 1,
        endColumn: 1,
        level: 'error',
        code: 2148,
        message: 'm',
        fix: null,
      },
    ],
  });
  assert.equal(
    diagnostics.map(each => [each.rule, each.severity, each.fix?.edits.length, each.isFixable]),
    [
      ['SC2086', 'info', 2, true],
      ['SC2148', 'error', undefined, false],
    ],
  );
});

test("Ruff's safe fix is a fix, its unsafe one a suggestion", () => {
  const entry = (applicability: string): unknown => ({
    cell: null,
    code: 'F401',
    filename: '/repo/a.py',
    message: 'm',
    url: 'u',
    location: { row: 1, column: 8 },
    end_location: { row: 1, column: 10 },
    fix: {
      applicability,
      message: 'Remove it',
      edits: [
        { content: '', location: { row: 1, column: 1 }, end_location: { row: 2, column: 1 } },
      ],
    },
  });
  const [safe, unsafe] = parse('ruff-json', [entry('safe'), entry('unsafe')]).diagnostics;
  assert.equal([safe?.fix?.description, safe?.suggestions], ['Remove it', undefined]);
  assert.equal([unsafe?.fix, unsafe?.suggestions?.length], [undefined, 1]);
});

test('golangci-lint writes null for no issues, and compile errors have no rule', () => {
  assert.equal(parse('golangci-json', '{"Issues":null,"Report":{}}\n0 issues.').isWhole, true);
  const { diagnostics, problems } = parse('golangci-json', {
    Issues: [
      {
        FromLinter: 'errcheck',
        Text: 'not checked',
        Severity: '',
        Pos: { Filename: 'a.go', Line: 4, Column: 2 },
      },
      {
        FromLinter: 'typecheck',
        Text: 'undefined: x',
        Pos: { Filename: 'a.go', Line: 5, Column: 1 },
        LineRange: { From: 5, To: 6 },
        SuggestedFixes: [{}],
      },
    ],
    Report: { Warnings: [{ Tag: 'runner', Text: 'a linter was skipped' }] },
  });
  assert.equal(
    diagnostics.map(each => [each.rule, each.severity, each.line, each.endLine, each.isFixable]),
    [
      ['errcheck', 'error', 4, undefined, false],
      [null, 'error', 5, 6, true],
    ],
  );
  assert.equal(problems, ['a linter was skipped']);
});

test("RuboCop's last column is included, and corrected offenses are gone", () => {
  const place = { start_line: 2, start_column: 3, last_line: 2, last_column: 7, length: 5 };
  const { diagnostics } = parse('rubocop-json', {
    files: [
      {
        path: 'a.rb',
        offenses: [
          {
            severity: 'convention',
            message: 'Layout/X: m',
            cop_name: 'Layout/X',
            corrected: false,
            correctable: true,
            location: place,
          },
          {
            severity: 'fatal',
            message: 'unexpected token',
            cop_name: 'Lint/Syntax',
            corrected: false,
            location: { line: 1, column: 1 },
          },
          {
            severity: 'convention',
            message: 'gone',
            cop_name: 'Layout/Y',
            corrected: true,
            location: place,
          },
        ],
      },
    ],
  });
  assert.equal(
    diagnostics.map(each => [
      each.rule,
      each.message,
      each.severity,
      each.endColumn,
      each.isFixable,
    ]),
    [
      ['Layout/X', 'm', 'warning', 8, true],
      [null, 'unexpected token', 'error', undefined, undefined],
    ],
  );
});

test('an empty list of SwiftLint is clean', () => {
  assert.equal(parse('swiftlint-json', '[\n\n]').isWhole, true);
});

test.run();
