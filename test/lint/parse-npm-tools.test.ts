import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { parseReport } from '../../src/lint/parse-report.js';
import type { ParsedReport, ReportFormat } from '../../src/lint/report.js';
import { suite } from '../support/suite.js';

const test = suite('lint/parse-npm-tools');

const parse = (format: ReportFormat, report: unknown): ParsedReport =>
  parseReport(format, typeof report === 'string' ? report : JSON.stringify(report), {
    tool: 'tool',
    root: '/repo',
  });

const only = ({ diagnostics }: ParsedReport): Diagnostic => {
  assert.is(diagnostics.length, 1);
  const [diagnostic] = diagnostics;
  if (diagnostic === undefined) throw new Error('no diagnostic');
  return diagnostic;
};

const eslintFile = (...messages: unknown[]): unknown => ({ filePath: '/repo/src/a.js', messages });

test('an ESLint report is read with places, severities, fixes and suggestions', () => {
  const message = {
    ruleId: 'no-x',
    severity: 2,
    message: 'No x.',
    line: 3,
    column: 5,
    endLine: 3,
    endColumn: 6,
    fix: { range: [10, 11], text: 'y' },
    suggestions: [{ messageId: 'm', desc: 'Use z', fix: { range: [10, 11], text: 'z' } }],
  };
  assert.equal(only(parse('eslint-json', [eslintFile(message)])), {
    tool: 'tool',
    rule: 'no-x',
    path: 'src/a.js',
    unit: 'utf16',
    severity: 'error',
    message: 'No x.',
    suggestions: [{ description: 'Use z', edits: [{ range: { start: 10, end: 11 }, text: 'z' }] }],
    line: 3,
    column: 5,
    endLine: 3,
    endColumn: 6,
    isFixable: true,
    fix: { description: 'fix', edits: [{ range: { start: 10, end: 11 }, text: 'y' }] },
  });
});

test("ESLint's metadata gives the line of documentation", () => {
  const results = [eslintFile({ ruleId: 'no-x', severity: 1, message: 'No x.', line: 1 })];
  const metadata = { rulesMeta: { 'no-x': { docs: { description: 'disallow x', url: 'u' } } } };
  const diagnostic = only(parse('eslint-json', { results, metadata }));
  assert.equal([diagnostic.docs, diagnostic.severity], ['disallow x', 'warning']);
});

test("a file that ESLint can't parse is a diagnostic without a rule", () => {
  const fatal = { ruleId: null, fatal: true, severity: 2, message: 'Parsing error: x', line: 4 };
  const { rule, line, severity } = only(parse('eslint-json', [eslintFile(fatal)]));
  assert.equal([rule, line, severity], [null, 4, 'error']);
});

test('a file that ESLint ignores counts as not linted, not as clean', () => {
  const ignored = {
    ruleId: null,
    fatal: false,
    severity: 1,
    message: 'File ignored because of a matching ignore pattern. Use "--no-ignore" to …',
  };
  const report = parse('eslint-json', [eslintFile(ignored)]);
  assert.equal([report.diagnostics.length, report.notLinted], [0, ['src/a.js']]);
  assert.equal(report.problems, []);
});

test("Biome's places are read as the current version writes them, formatting without a line", () => {
  const place = (line: number): unknown => ({
    path: 'a.ts',
    start: { line, column: line },
    end: { line, column: line + 8 },
  });
  const { diagnostics } = parse('biome-json', {
    diagnostics: [
      { severity: 'error', message: 'No.', category: 'lint/x/noY', location: place(6) },
      { severity: 'error', message: 'Formatter …', category: 'format', location: place(0) },
      { severity: 'error', message: 'expected `)`', category: 'parse', location: place(1) },
    ],
  });
  assert.equal(
    diagnostics.map(each => [each.rule, each.line, each.endColumn, each.isFixable, each.unit]),
    [
      ['lint/x/noY', 6, 14, undefined, 'codepoint'],
      ['format', undefined, undefined, true, 'codepoint'],
      [null, 1, 9, undefined, 'codepoint'],
    ],
  );
});

test("Biome's places in earlier versions are offsets in bytes", () => {
  const diagnostic = only(
    parse('biome-json', {
      summary: {},
      diagnostics: [
        {
          category: 'lint/x/noY',
          severity: 'warning',
          description: '',
          message: [
            { elements: [], content: 'Do not ' },
            { elements: ['Emphasis'], content: 'y.' },
          ],
          location: { path: { file: 'a.ts' }, span: [3, 11], sourceCode: null },
        },
      ],
    }),
  );
  assert.equal(diagnostic.span, { start: 3, end: 11 });
  assert.equal([diagnostic.message, diagnostic.unit], ['Do not y.', 'byte']);
});

test("Biome's own errors and the diagnostics it did not print are problems", () => {
  const missing = {
    severity: 'error',
    message: 'No such file or directory (os error 2)',
    category: 'internalError/io',
    location: { path: '/repo/gone.js', start: { line: 0, column: 0 }, end: { line: 0, column: 0 } },
  };
  const report = parse('biome-json', {
    summary: { diagnosticsNotPrinted: 7 },
    diagnostics: [missing],
  });
  assert.equal(report.problems, [
    'gone.js: No such file or directory (os error 2)',
    'the report leaves out 7 diagnostics',
  ]);
  assert.is(report.isWhole, false);
});

test("oxlint's first label is the place, in both shapes of the report", () => {
  const entry = {
    message: '`debugger` statement is not allowed',
    code: 'eslint(no-debugger)',
    severity: 'warning',
    url: 'https://example.org/rule',
    help: 'Remove it',
    filename: 'a.js',
    labels: [{ span: { offset: 38, length: 9, line: 5, column: 1 } }],
  };
  for (const report of [{ diagnostics: [entry], number_of_files: 1 }, [entry]]) {
    const { rule, line, span, docs, unit } = only(parse('oxlint-json', report));
    assert.equal([rule, line, docs, unit], ['eslint(no-debugger)', 5, 'Remove it', 'byte']);
    assert.equal(span, { start: 38, end: 47 });
  }
});

test("Stylelint's rule is removed from the message, and a syntax error has none", () => {
  const { diagnostics, problems, notLinted } = parse('stylelint-json', [
    {
      source: '/repo/a.css',
      warnings: [
        {
          line: 1,
          column: 4,
          endLine: 1,
          endColumn: 8,
          rule: 'color-x',
          severity: 'error',
          text: 'Bad colour (color-x)',
        },
        {
          line: 2,
          column: 1,
          rule: 'CssSyntaxError',
          severity: 'error',
          text: 'Unclosed block (CssSyntaxError)',
        },
        {
          line: 3,
          column: 1,
          rule: 'y',
          severity: 'warning',
          text: 'Y (y)',
          fix: { range: [9, 9], text: ';' },
        },
      ],
      invalidOptionWarnings: [{ text: 'Unknown rule z' }],
    },
    { source: '/repo/b.css', warnings: [], invalidOptionWarnings: [{ text: 'Unknown rule z' }] },
    { source: '/repo/c.css', warnings: [], ignored: true },
  ]);
  assert.equal(
    diagnostics.map(each => [each.rule, each.message, each.severity, each.isFixable]),
    [
      ['color-x', 'Bad colour', 'error', undefined],
      [null, 'Unclosed block', 'error', undefined],
      ['y', 'Y', 'warning', true],
    ],
  );
  assert.equal(notLinted, ['c.css']);
  assert.equal(problems, ['Unknown rule z']);
});

test('a line of markdownlint has a place, a rule and details, and says nothing about the run', () => {
  const text = [
    'markdownlint-cli2 v0.22.1 (markdownlint v0.40.0)',
    'Finding: :a.md',
    'a.md:3:10 error MD009/no-trailing-spaces Trailing spaces [Expected: 0 or 2; Actual: 1]',
  ].join('\n');
  const { rule, message, line, column, severity } = only(parse('markdownlint', text));
  assert.equal(
    [rule, message, line, column, severity],
    ['MD009', 'Trailing spaces [Expected: 0 or 2; Actual: 1]', 3, 10, 'error'],
  );
});

test('lines of earlier markdownlint versions have no severity, and the quoted context is left out', () => {
  const { diagnostics } = parse(
    'markdownlint',
    'my docs/a.md:4 MD032/blanks-around-lists Lists should be surrounded [Context: "1. [x]"]\n' +
      'b.md:5 warning MD012/no-multiple-blanks Multiple blank lines\n',
  );
  assert.equal(
    diagnostics.map(each => [each.path, each.severity, each.message]),
    [
      ['my docs/a.md', 'error', 'Lists should be surrounded'],
      ['b.md', 'warning', 'Multiple blank lines'],
    ],
  );
});

test('markdownlint found nothing if it printed nothing', () => {
  assert.equal(parse('markdownlint', '').problems, []);
  assert.equal(parse('markdownlint', 'Linting: 2 file(s)\nSummary: 0 error(s)').problems, []);
});

test('Prettier gives a diagnostic for each unformatted file, and syntax errors with their place', () => {
  const report = parse(
    'prettier',
    [
      'Checking formatting...',
      '[warn] src/a b.ts',
      '[error] src/bad.js: SyntaxError: Unexpected token (2:11)',
      '[error]   1 | let a = 1;',
      '[error] > 2 | function (',
      '[error]     |           ^',
      '[warn] Code style issues found in the above file. Run Prettier with --write to fix.',
    ].join('\n'),
  );
  assert.equal(
    report.diagnostics.map(each => [each.path, each.rule, each.line, each.isFixable]),
    [
      ['src/a b.ts', 'format', undefined, true],
      ['src/bad.js', null, 2, false],
    ],
  );
  assert.is(report.isWhole, true);
});

test("a message about Prettier's options is a problem, and a summary alone is clean", () => {
  const report = parse('prettier', '[error] Invalid configuration for file "/repo/a.ts"');
  assert.equal(report.problems, ['Invalid configuration for file "a.ts"']);
  const clean = parse(
    'prettier',
    'Checking formatting...\nAll matched files use Prettier code style!',
  );
  assert.equal([clean.isWhole, clean.problems, clean.diagnostics], [true, [], []]);
});

test.run();
