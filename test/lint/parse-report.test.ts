import * as assert from 'uvu/assert';
import { parseReport } from '../../src/lint/parse-report.js';
import { REPORT_FORMATS, type ReportContext, type ReportFormat } from '../../src/lint/report.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('lint/parse-report');
const root = '/tmp/scratch';

const complaints = (...files: string[]): string => files.map(file => `${file}:1:1: bad`).join('\n');
const paths = (text: string, more: Partial<ReportContext> = {}): string[] =>
  parseReport('gcc', text, { root, ...more }).diagnostics.map(({ path }) => path);
const problems = (text: string, more: Partial<ReportContext> = {}): readonly string[] =>
  parseReport('gcc', text, { root, ...more }).problems;

test('absolute paths below the root and relative ones are paths of the repository', () => {
  assert.equal(paths(complaints(`${root}/src/a.c`, './src/b.c', 'src/x/../c.c')), [
    'src/a.c',
    'src/b.c',
    'src/c.c',
  ]);
});

test('relative paths start in the folder where the linter ran', () => {
  assert.equal(paths(complaints('src/a.c', '../b.c'), { folder: 'packages/core' }), [
    'packages/core/src/a.c',
    'packages/b.c',
  ]);
});

test('a name in another Unicode form than in the commit is found, unless two fit', () => {
  const [composed, decomposed] = ['caf\u00e9.c', 'cafe\u0301.c'];
  assert.equal(paths(complaints(composed), { files: new Set([decomposed]) }), [decomposed]);
  assert.equal(paths(complaints(decomposed), { files: new Set([composed]) }), [composed]);
  const both = new Set([`a/${composed}`, `a/${decomposed}`]);
  assert.equal(paths(complaints('a/cafe\u0301.c'), { files: both }), [`a/${decomposed}`]);
  const odd = new Set(['a\u0323\u0307.c', 'a\u0307\u0323.c']);
  assert.equal(paths(complaints('\u1ea1\u0307.c'), { files: odd }), []);
});

test('git\u2019s own folder is never a path of the repository, however a Mac lets it be spelt', () => {
  assert.equal(paths(complaints('.git/config', '.GIT/config', '.g\u200cit/config')), []);
});

test('a path below another name of the root is a path of the repository', () => {
  const aliases = ['/private/tmp/scratch'];
  assert.equal(paths(complaints('/private/tmp/scratch/a.c'), { aliases }), ['a.c']);
});

test('a folder below /var, /tmp or /etc is known with and without /private before it', () => {
  for (const folder of ['/var/folders/x/scratch', '/tmp/scratch', '/etc/scratch']) {
    const [long, short] = [`/private${folder}`, folder];
    assert.equal(paths(complaints(`${short}/a.c`), { root: long }), ['a.c'], short);
    assert.equal(paths(complaints(`${long}/a.c`), { root: short }), ['a.c'], long);
    assert.equal(paths(complaints(`${long}/a.c`), { root: '/x', aliases: [short] }), ['a.c']);
  }
  assert.equal(paths(complaints('/private/home/a.c'), { root: '/home' }), []);
  assert.equal(paths(complaints('/private/variable/a.c'), { root: '/variable' }), []);
});

test('paths outside are dropped and counted, and a folder whose name only starts like the root is outside', () => {
  const text = complaints('/usr/include/a.h', '../b.h', '/tmp/scratch-2/c.h', 'd.c');
  assert.equal(paths(text), ['d.c']);
  assert.equal(problems(text), [
    '3 diagnostics outside the repository left out, for example in /usr/include/a.h',
  ]);
});

test('files that the commit does not have are dropped and counted', () => {
  const text = complaints('a.c', 'dist/a.c');
  const files = new Set(['a.c']);
  assert.equal(paths(text, { files }), ['a.c']);
  assert.equal(problems(text, { files }), [
    "1 diagnostic in files that aren't in the commit left out, for example in dist/a.c",
  ]);
});

test('a path with backslashes is a path of the repository when the commit has it with slashes', () => {
  const report = JSON.stringify([{ filePath: 'src\\a.js', messages: [{ message: 'm' }] }]);
  const { diagnostics } = parseReport('eslint-json', report, {
    root,
    files: new Set(['src/a.js']),
  });
  assert.equal(
    diagnostics.map(({ path }) => path),
    ['src/a.js'],
  );
});

test('the tool is named by the caller, or else by the report', () => {
  const sarif = JSON.stringify({
    runs: [
      {
        tool: { driver: { name: 'Theirs' } },
        results: [
          {
            message: { text: 'm' },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'a.c' } } }],
          },
        ],
      },
    ],
  });
  const tools = [{ root }, { root, tool: 'ours' }].map(
    context => parseReport('sarif', sarif, context).diagnostics[0]?.tool,
  );
  assert.equal(tools, ['Theirs', 'ours']);
});

test('output before and after a report is ignored', () => {
  const text =
    '> eslint .\n[warn] careful\n[{"filePath":"a.js","messages":[{"message":"m"}]}]\nnpm ERR!';
  assert.is(parseReport('eslint-json', text, { root }).diagnostics.length, 1);
});

test('the name of the rule is not repeated in the message', () => {
  const text = 'a.py:1:1: F401 unused import\na.js:2:2: no var here (no-var)\n';
  assert.equal(
    parseReport('gcc', text, { root }).diagnostics.map(({ rule, message }) => [rule, message]),
    [
      ['F401', 'unused import'],
      ['no-var', 'no var here'],
    ],
  );
});

test("numbers in brackets at the end of a message aren't a rule", () => {
  const text = 'a.rb:1:81: C: Line is too long. [83/80]\na.c:2:1: never read [2]\n';
  assert.equal(
    parseReport('gcc', text, { root }).diagnostics.map(({ rule, message }) => [rule, message]),
    [
      [null, 'C: Line is too long. [83/80]'],
      [null, 'never read [2]'],
    ],
  );
});

test('too many diagnostics are cut, and a problem says so', () => {
  const report = parseReport('gcc', complaints(...Array<string>(20_003).fill('a.c')), { root });
  assert.equal(
    [report.diagnostics.length, report.isWhole, report.problems],
    [20_000, false, ['3 diagnostics past the first 20000 are left out']],
  );
});

const isDocument = (format: ReportFormat): boolean =>
  !['gcc', 'github', 'tsc', 'prettier', 'rdjsonl', 'unformatted', 'markdownlint'].includes(format);

for (const format of REPORT_FORMATS) {
  test(`a crash instead of a ${format} report is one line that quotes it`, () => {
    const crash = '\n\u001b[31mOops! Something went wrong! :(\u001b[39m\n\n    at main (x)\n';
    const { diagnostics, problems: said, isWhole } = parseReport(format, crash, { root });
    assert.equal([diagnostics.length, said.length, isWhole], [0, 1, false]);
    assert.match(
      said[0] ?? '',
      /^printed no \S+ report; it begins: Oops! Something went wrong! :\($/,
    );
  });

  test(`no output in place of a ${format} report is ${isDocument(format) ? 'one problem' : 'nothing wrong'}`, () => {
    const { problems: said, isWhole } = parseReport(format, ' \n', { root });
    assert.equal([said.length, isWhole], isDocument(format) ? [1, false] : [0, true]);
  });

  test(`JSON of another shape and hostile lines are read as ${format} in linear time`, () => {
    const odd = [
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      '[null,1,[]]',
      '{"diagnostics":[1,{"location":[]}]}',
    ];
    const shapes = ['[[[[', '{"results":{"a":1}}', '{"runs":[{"results":[{"locations":[3]}]}]}'];
    const long = ['a:1:', '(', '::error file=', '<checkstyle ', '[', '{"a":', ' ', '\\', '&#1;'];
    mustEnd(() => {
      for (const text of [
        ...odd,
        ...shapes,
        ...long.map(unit => unit.repeat(400_000 / unit.length)),
      ]) {
        const report = parseReport(format, text, { root });
        assert.ok(
          report.problems.every(line => !line.includes('\n') && line.length < 400),
          text,
        );
      }
    });
  });
}

test('half a report is one problem, wherever it is cut', () => {
  const message = { ruleId: 'x', severity: 2, message: 'm', line: 1, column: 1 };
  const whole = JSON.stringify([{ filePath: 'a.js', messages: [message, message] }]);
  for (let length = 1; length < whole.length; length += 1) {
    const report = parseReport('eslint-json', whole.slice(0, length), { root });
    assert.equal([report.diagnostics.length, report.isWhole], [0, false], `${length}`);
    assert.equal(report.problems, [
      `the eslint-json report is damaged or ends in the middle (${length} characters)`,
    ]);
  }
});

const read = (format: ReportFormat, report: string | object) =>
  parseReport(format, typeof report === 'string' ? report : JSON.stringify(report), {
    root: '/repo',
  });

const checkstyle = (severity: string) =>
  `<checkstyle><file name="a"><error line="1" message="m"${severity}/></file></checkstyle>`;
const clippy = (level: string) =>
  JSON.stringify({
    reason: 'compiler-message',
    message: { level, message: 'm', spans: [{ is_primary: true, file_name: 'a', line_start: 1 }] },
  });
const biome = (severity: string) => ({
  diagnostics: [{ severity, category: 'lint/x', message: 'm', location: { path: 'a' } }],
});
for (const [format, levels] of [
  [
    'gcc',
    {
      'a:1: [warning] m': 'warning',
      'a:1: note: m': 'info',
      'a:1: Fatal error: m': 'error',
      'a:1: m (x) (warning)': 'warning',
      'a:1: m': 'error',
    },
  ],
  [
    'tsc',
    {
      'a(1,2): error TS1: m': 'error',
      'a(1,2): warning TS1: m': 'warning',
      'a(1,2): message TS1: m': 'info',
    },
  ],
  [
    'github',
    {
      '::error file=a::m': 'error',
      '::warning file=a::m': 'warning',
      '::notice file=a::m': 'info',
    },
  ],
  [
    'checkstyle',
    {
      [checkstyle('')]: 'error',
      [checkstyle(' severity="warning"')]: 'warning',
      [checkstyle(' severity="info"')]: 'info',
      [checkstyle(' severity="ignore"')]: 'info',
    },
  ],
  [
    'clippy-json',
    {
      [clippy('warning')]: 'warning',
      [clippy('note')]: 'info',
      [clippy('help')]: 'info',
      [clippy('error')]: 'error',
    },
  ],
  [
    'biome-json',
    {
      [JSON.stringify(biome('error'))]: 'error',
      [JSON.stringify(biome('fatal'))]: 'error',
      [JSON.stringify(biome('warning'))]: 'warning',
      [JSON.stringify(biome('information'))]: 'info',
    },
  ],
  [
    'markdownlint',
    {
      'a.ts:1 warning MD001/x y': 'warning',
      'a.ts:1 error MD001/x y': 'error',
      'a.ts:1 MD001/x y': 'error',
    },
  ],
] as const) {
  test(`the levels of ${format} are errors, warnings and infos`, () => {
    for (const [report, severity] of Object.entries(levels)) {
      assert.equal(
        read(format, report).diagnostics.map(each => each.severity),
        [severity],
        report,
      );
    }
  });
}

test('a report is whole unless it says that it leaves something out', () => {
  for (const [format, report, problems] of [
    ['biome-json', { diagnostics: [] }, []],
    [
      'biome-json',
      { diagnostics: [], summary: { diagnosticsNotPrinted: 1 } },
      ['the report leaves out 1 diagnostics'],
    ],
    ['sarif', { runs: [{ results: [], invocations: [{ executionSuccessful: true }] }] }, []],
    ['sarif', { runs: [{ results: [] }] }, []],
  ] as const) {
    assert.equal(read(format, report).problems, problems);
    assert.is(read(format, report).isWhole, problems.length === 0);
  }
  assert.is(
    read('sarif', { runs: [{ results: [], invocations: [{ executionSuccessful: false }] }] })
      .isWhole,
    false,
  );
  assert.match(
    read('sarif', { runs: [{ results: {} }] }).problems.join(),
    "results that aren't a list",
  );
});

test('what stands around a report, or is half of one, changes nothing', () => {
  for (const [format, report, amount] of [
    ['checkstyle', `before${checkstyle('')}after`, 1],
    ['github', '::error file=a.ts,line=1', 0],
    ['github', '::error file=a.ts,filex,line=1::m', 1],
    ['clippy-json', `{"reason":\n${clippy('warning')}\n{"reason":"build-finished"}`, 1],
    ['remark', 'a.ts\n 1:1 warning Message rule remark-lint\n', 1],
  ] as const) {
    const { diagnostics } = parseReport(format, report, { root: '/repo' });
    assert.is(diagnostics.length, amount, report);
    assert.ok(
      diagnostics.every(({ path }) => path === 'a.ts' || path === 'a'),
      report,
    );
  }
});

test('remark’s rule is the last two words of a message with at least three', () => {
  const rules = (message: string) =>
    read('remark', `a.md\n 1:1 warning ${message}\n`).diagnostics.map(each => [
      each.rule,
      each.message,
    ]);
  assert.equal(rules('Message rule remark-lint'), [['rule', 'Message']]);
  assert.equal(rules('Message rule other'), [['other/rule', 'Message']]);
  assert.equal(rules('Two words'), [[null, 'Two words']]);
});

test('lines below a cause of remark explain a message, and one beside it is the next message', () => {
  const report = [
    'a.md',
    '  1:1 error One rule remark-lint',
    '  [cause]:',
    '    2:2 error Inner rule remark-lint',
    '  3:3 warning Two rule remark-lint',
  ].join('\n');
  assert.equal(
    read('remark', report).diagnostics.map(({ line }) => line),
    [1, 3],
  );
});

test.run();
