import * as assert from 'uvu/assert';
import { lineMark } from '../../src/review/chunk.js';
import {
  type RefusedFinding,
  type ReportedFinding,
  reportFinding,
} from '../../src/review/report-finding.js';
import { toolContext } from '../agent/tools/tool-context.js';
import { suite } from '../support/suite.js';

const test = suite('report-finding');

const LINES = new Map([
  [12, 'for (let i = 0; i <= list.length; i++) {'],
  [13, '  total += list[i];'],
]);

function reporter(shown = [{ path: 'a.ts', lines: LINES }]) {
  const findings: ReportedFinding[] = [];
  const tool = reportFinding({ shown, found: finding => findings.push(finding) });
  const report = (input: object) =>
    tool.run({ severity: 'error', message: 'reads past the end', ...input }, toolContext());
  return { findings, report };
}

const mark = (line: number): string => lineMark(line, LINES.get(line) ?? '');

test('a finding whose mark and quote agree is taken', async () => {
  const { findings, report } = reporter();
  const { text } = await report({ line: mark(12), quote: 'i<=list.length' });
  assert.is(text, 'noted at a.ts:12');
  assert.equal(findings, [
    {
      path: 'a.ts',
      line: 12,
      quote: 'i<=list.length',
      severity: 'error',
      message: 'reads past the end',
    },
  ]);
});

test('a wrong number beside the right mark and quote is no finding', async () => {
  const { findings, report } = reporter();
  const outcome = await report({ line: mark(12).replace('12', '15'), quote: 'i <= list.length' });
  assert.equal(findings, []);
  assert.is(outcome.isError, true);
});

const WRONG: ReadonlyArray<readonly [what: string, input: object, reason: RegExp]> = [
  [
    'a quote from elsewhere',
    { line: mark(12), quote: 'total += list[i]' },
    /line 12 is marked 12#\w\w and reads: for/,
  ],
  [
    'a number without its mark',
    { line: '12', quote: 'i <= list.length' },
    /Give the mark and quote/,
  ],
  [
    'a line that is not shown',
    { line: '99#zz', quote: 'x' },
    /line 99 is not one of the changed lines/,
  ],
  ['no mark at all', { line: 'the loop', quote: 'x' }, /must be the mark of a changed line/],
  ['no quote', { line: mark(12), quote: ' ' }, /Give the mark and quote/],
  [
    'another file',
    { line: mark(12), quote: 'i <= list.length', path: 'b.ts' },
    /b\.ts is not shown\. Shown: a\.ts/,
  ],
];

for (const [what, input, reason] of WRONG) {
  test(`${what} is sent back with what to do`, async () => {
    const { findings, report } = reporter();
    const { isError, text } = await report(input);
    assert.ok(isError);
    assert.match(text, reason);
    assert.equal(findings, []);
  });
}

test('what was sent back is also told to whoever wants to know', async () => {
  const refused: RefusedFinding[] = [];
  const shown = [{ path: 'a.ts', lines: LINES }];
  const tool = reportFinding({ shown, found: () => undefined, refused: it => refused.push(it) });
  const said = { severity: 'error', message: 'm' };
  await tool.run({ ...said, line: '99#zz', quote: 'x' }, toolContext());
  await tool.run({ ...said, line: mark(12), quote: 'nowhere' }, toolContext());
  await tool.run({ ...said, line: mark(12), quote: 'list', path: 'b.ts' }, toolContext());
  assert.equal(
    refused.map(({ path, line, reason }) => [path, line, reason]),
    [
      ['a.ts', 99, 'not-on-changed-line'],
      ['a.ts', 12, 'quote-not-found'],
      ['b.ts', 12, 'not-on-changed-line'],
    ],
  );
});

test('the same line in two files needs the path', async () => {
  const both = [
    { path: 'a.ts', lines: LINES },
    { path: 'b.ts', lines: LINES },
  ];
  const { findings, report } = reporter(both);
  assert.match((await report({ line: mark(12), quote: 'list' })).text, /give the path/);
  await report({ line: mark(12), quote: 'list', path: 'b.ts' });
  assert.is(findings[0]?.path, 'b.ts');
});

test.run();
