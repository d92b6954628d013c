import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { parseReport } from '../../src/lint/parse-report.js';
import { type ParsedReport, REPORT_FORMATS, type ReportFormat } from '../../src/lint/report.js';
import { corpus } from '../support/corpus.js';
import { suite } from '../support/suite.js';

const test = suite('lint/lint-outputs');
const outputs = corpus('lint-outputs');

const read = (file: string): string => readFileSync(outputs.path(file), 'utf8');
const names = (folder: string): string[] => readdirSync(outputs.path(folder)).sort();

/** With the root at the top of the disk every absolute path of another machine is ours. */
const parse = (format: ReportFormat, text: string): ParsedReport =>
  parseReport(format, text, { tool: 'tool', root: '/' });

interface Printed {
  path: string;
  line: number | undefined;
  column: number | undefined;
  message: string;
}

/** `path|line col column …| message`; what follows on further lines belongs to the message. */
function expectedIn(file: string): Printed[] {
  return read(file)
    .split('\n')
    .flatMap(line => {
      const [, path, row, column, message] =
        /^([^|]+)\|(\d+)?(?: col (\d+))?[^|]*\| ?(.*)$/.exec(line) ?? [];
      if (path === undefined || message === undefined) return [];
      return [{ path: plain(path), line: number(row), column: number(column), message }];
    });
}

const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);
const plain = (path: string): string => path.replace(/^(\.?\/)+/, '');
const placeOf = ({ path, line, column }: Printed | Diagnostic): string =>
  [path, line ?? '', column ?? ''].join(':');

/** Those of the 49 tools that write `file:line[:column]: message`. */
const GCC_LIKE = `ansible-lint bandit buf cargo-check clippy erb-lint flake8 go-consistent
  golangci-lint golint gosec govet hlint luacheck misspell mypy pep8 phpstan psalm reek rubocop sorbet
  standardjs standardrb staticcheck yamllint`.split(/\s+/);

for (const name of GCC_LIKE) {
  test.unless(outputs.absent, `the output of ${name} is parsed as errorformat does`, () => {
    const expected = expectedIn(`errorformat/${name}.ok`);
    const { diagnostics, isWhole } = parse('gcc', read(`errorformat/${name}.in`));
    assert.ok(expected.length > 0 && isWhole);
    assert.equal(diagnostics.map(placeOf), expected.map(placeOf));
    // The rule in brackets at the end has a field of its own.
    const differing = diagnostics.filter(({ message, rule }, at) => {
      const text = expected[at]?.message.trim() ?? '';
      const ends = [message, `${message} (${rule})`, `${message} [${rule}]`];
      return !ends.some(end => text.endsWith(end)) && !message.endsWith(text);
    });
    assert.equal(differing, []);
  });
}

test.unless(outputs.absent, 'the 26 tools that write like gcc give 519 diagnostics', () => {
  const counts = GCC_LIKE.map(
    name => parse('gcc', read(`errorformat/${name}.in`)).diagnostics.length,
  );
  assert.is(counts.length, 26);
  assert.is(
    counts.reduce((sum, count) => sum + count, 0),
    519,
  );
});

test.unless(outputs.absent, "an address in brackets isn't a rule", () => {
  const { diagnostics } = parse('gcc', read('errorformat/reek.in'));
  const rules = new Set(diagnostics.map(({ rule }) => rule));
  assert.ok(rules.has('FeatureEnvy') && ![...rules].some(rule => rule?.includes('/')));
});

test.unless(
  outputs.absent,
  'the output of tsc is parsed as errorformat does, with continuation lines',
  () => {
    const { diagnostics } = parse('tsc', read('errorformat/tsc.in'));
    assert.equal(diagnostics.map(placeOf), expectedIn('errorformat/tsc.ok').map(placeOf));
    assert.match(diagnostics[1]?.message ?? '', /number \| string'\.\n {2}Type 'boolean' is not/);
  },
);

test.unless(outputs.absent, 'a text that no format fits is one problem, never a diagnostic', () => {
  const other = names('errorformat')
    .filter(name => name.endsWith('.in'))
    .map(name => name.replace('.in', ''))
    .filter(name => ![...GCC_LIKE, 'tsc', 'scalac'].includes(name));
  assert.is(other.length, 21);
  for (const name of other) {
    const { diagnostics, problems, isWhole } = parse('gcc', read(`errorformat/${name}.in`));
    assert.equal([diagnostics.length, problems.length, isWhole], [0, 1, false], name);
  }
});

test.unless(
  outputs.absent,
  'the 68 SARIF logs give 69 diagnostics, and every other result is counted',
  () => {
    const logs = names('sarif').filter(name => name.endsWith('.sarif'));
    const reports = logs.map(name => parse('sarif', read(`sarif/${name}`)));
    assert.is(logs.length, 68);
    assert.is(reports.flatMap(({ diagnostics }) => diagnostics).length, 69);
    const left = (pattern: RegExp): number =>
      reports
        .flatMap(({ problems }) => problems)
        .reduce((sum, line) => sum + Number(pattern.exec(line)?.[1] ?? 0), 0);
    // 113 results less 1 gone since the baseline and 5 suppressed.
    assert.is(
      left(/^(\d+) diagnostics? without a file/) + left(/^(\d+) diagnostics? outside/) + 69,
      107,
    );
    assert.equal(
      logs.filter((_, at) => reports[at]?.isWhole === false),
      [
        'codeql-action-invalid-sarif.sarif',
        'tutorials-Catastrophic_configuration_error.sarif',
        'tutorials-Catastrophic_execution_error.sarif',
        'tutorials-No_runs.sarif',
        'tutorials-Notifications.sarif',
      ],
    );
  },
);

/** What Biome printed or wrote to a file, out of the snapshot's description of the case. */
function biomeOutput(file: string): string {
  const snapshot = read(`biome/${file}`);
  const written = snapshot.split('## `file.json`\n\n```json\n')[1]?.split('\n```')[0];
  if (written !== undefined) return written;
  return (snapshot.split('# Emitted Messages')[1] ?? '')
    .split('```block\n')
    .slice(1)
    .map(block => block.split('\n```')[0] ?? '')
    .filter(block => !block.startsWith('The `json`'))
    .join('\n');
}

const BIOME: ReadonlyArray<readonly [ReportFormat, string]> = [
  ['biome-json', 'json-reports_diagnostics_json'],
  ['checkstyle', 'checkstyle-reports_diagnostics_checkstyle'],
  ['github', 'github-reports_diagnostics_github'],
  ['rdjson', 'rdjson-reports_diagnostics_rdjson'],
  ['sarif', 'sarif-reports_diagnostics_sarif'],
];

test.unless(outputs.absent, 'five Biome reporters give the same 20 diagnostics', () => {
  const all = BIOME.map(([format, name]) => {
    const report = parse(format, biomeOutput(`${name}_lint_command.snap`));
    assert.ok(report.isWhole, name);
    return report.diagnostics.map(each => `${placeOf(each)} ${each.rule}`).sort();
  });
  assert.is(all[0]?.length, 20);
  for (const told of all) assert.equal(told, all[0]);
});

test.unless(outputs.absent, 'all 28 snapshots of supported formats can be parsed', () => {
  const formats = new Map(BIOME.map(([format, name]) => [name.split('-')[0], format]));
  const snapshots = names('biome').filter(name => formats.has(name.split('-')[0]));
  const counts = snapshots.map(name => {
    const format = formats.get(name.split('-')[0]);
    const report = format && parse(format, biomeOutput(name));
    assert.ok(report?.isWhole, name);
    return report?.diagnostics.length ?? 0;
  });
  assert.is(snapshots.length, 28);
  assert.is(
    counts.reduce((sum, count) => sum + count, 0),
    426,
  );
});

test.unless(outputs.absent, 'four Ruff reporters give the same four diagnostics', () => {
  const place = ({ path, line, rule }: Diagnostic): string => `${path}:${line} ${rule}`;
  const told = (
    [
      ['ruff-json', 'json-output'],
      ['rdjson', 'rdjson-output'],
      ['github', 'github-output'],
      ['gcc', 'pylint-output'],
    ] as const
  ).map(([format, name]) => parse(format, read(`ruff/${name}.txt`)).diagnostics.map(place));
  assert.is(told[0]?.length, 4);
  for (const each of told) assert.equal(each, told[0]);
});

test.unless(
  outputs.absent,
  "Ruff's syntax errors have no rule, and its notebooks have no lines",
  () => {
    const broken = parse('ruff-json', read('ruff/json-syntax_errors.txt')).diagnostics;
    assert.equal(
      broken.map(({ rule, line }) => [rule, line]),
      [
        [null, 1],
        [null, 3],
      ],
    );
    const notebook = parse('ruff-json', read('ruff/json-notebook_output.txt')).diagnostics;
    assert.is(notebook.length, 3);
    assert.ok(notebook.every(each => each.line === undefined && each.fix === undefined));
  },
);

const SWIFTLINT: ReadonlyArray<readonly [ReportFormat, string]> = [
  ['swiftlint-json', 'CannedJSONReporterOutput.json'],
  ['checkstyle', 'CannedCheckstyleReporterOutput.xml'],
  ['sarif', 'CannedSARIFReporterOutput.sarif'],
  ['github', 'CannedGitHubActionsLoggingReporterOutput.txt'],
  ['gcc', 'CannedXcodeReporterOutput.txt'],
  ['gcc', 'CannedRelativePathReporterOutput.txt'],
];

for (const [format, name] of SWIFTLINT) {
  test.unless(
    outputs.absent,
    `SwiftLint's ${name} gives three diagnostics, and one without a file is counted`,
    () => {
      const text = read(`swiftlint/${name}`).replace(/\$\{CURRENT_WORKING_DIRECTORY\}/g, '/here');
      const { diagnostics, problems } = parseReport(format, text, { root: '/here' });
      assert.equal(
        diagnostics.map(({ path, line, severity }) => [path, line, severity]),
        [
          ['filename', 1, 'warning'],
          ['filename', 1, 'error'],
          ['path/file.swift', 1, 'error'],
        ],
      );
      assert.equal(
        diagnostics.map(({ rule }) => rule?.replace('swiftlint.rules.', '')),
        ['line_length', 'line_length', 'syntactic_sugar'],
      );
      assert.match(problems[0] ?? '', /^1 diagnostic without a file left out/);
    },
  );
}

test.unless(
  outputs.absent,
  'reports that are cut or damaged in 1,240 ways never make a parser throw',
  () => {
    const files = ['sarif', 'ruff', 'biome', 'swiftlint', 'errorformat'].flatMap(folder =>
      names(folder).map(name => read(`${folder}/${name}`).slice(0, 50_000)),
    );
    let ways = 0;
    for (const [at, text] of files.entries()) {
      for (let way = 0; way < 5; way += 1) {
        const place = Math.floor((text.length * (way + 1)) / 6);
        const damage = ['', 'null', '}', '"', '<'][(at + way) % 5] ?? '';
        const damaged =
          text.slice(0, place) + damage + (damage === '' ? '' : text.slice(place + 3));
        const format = REPORT_FORMATS[(at + way * 3) % REPORT_FORMATS.length] ?? 'sarif';
        const { diagnostics, problems, isWhole } = parse(format, damaged);
        assert.ok(diagnostics.every(({ path, message }) => path !== '' && message !== ''));
        assert.ok(isWhole || problems.length > 0, 'what is not whole says why');
        ways += 1;
      }
    }
    assert.is(ways, 1240);
  },
);

test.run();
