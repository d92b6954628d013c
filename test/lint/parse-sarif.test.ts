import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { parseReport } from '../../src/lint/parse-report.js';
import { suite } from '../support/suite.js';

const test = suite('lint/parse-sarif');

const at = (uri: string, region: object = { startLine: 2 }): object => ({
  physicalLocation: { artifactLocation: { uri }, region },
});

function parse(run: object): readonly Diagnostic[] {
  const tool = { driver: { name: 'T', rules: [] } };
  const log = { version: '2.1.0', runs: [{ tool, ...run }] };
  return parseReport('sarif', JSON.stringify(log), { root: '/repo' }).diagnostics;
}

const result = (more: object): object => ({
  ruleId: 'R1',
  message: { text: 'm' },
  locations: [at('a.c')],
  ...more,
});

test("the rule's own level holds where the result has none", () => {
  const rules = [{ id: 'R1', defaultConfiguration: { level: 'error' } }];
  const results = [result({}), result({ level: 'note' }), result({ ruleId: 'R2' })];
  assert.equal(
    parse({ tool: { driver: { name: 'T', rules } }, results }).map(each => each.severity),
    ['error', 'info', 'warning'],
  );
});

test('a rule may be referenced by its index, also in an extension', () => {
  const tool = {
    driver: { name: 'T', rules: [{ id: 'zero' }, { id: 'one' }] },
    extensions: [{ rules: [{ id: 'far', shortDescription: { text: 'From afar' } }] }],
  };
  const results = [
    { ...result({ ruleIndex: 1 }), ruleId: undefined },
    { ...result({ rule: { index: 0, toolComponent: { index: 0 } } }), ruleId: undefined },
  ];
  assert.equal(
    parse({ tool, results }).map(each => [each.rule, each.docs]),
    [
      ['one', undefined],
      ['far', 'From afar'],
    ],
  );
});

test('a message that is referenced by id gets its arguments', () => {
  const rules = [{ id: 'R1', messageStrings: { default: { text: '{0} is not {1} ({2})' } } }];
  const message = { id: 'default', arguments: ['this', 'that'] };
  const [first] = parse({
    tool: { driver: { name: 'T', rules } },
    results: [result({ message })],
  });
  assert.is(first?.message, 'this is not that ({2})');
});

test('URI bases are resolved even in circles, and names are decoded', () => {
  const originalUriBaseIds = {
    SRC: { uri: 'src/', uriBaseId: 'TOP' },
    TOP: { uri: 'file:///repo/' },
    LOOP: { uri: 'x/', uriBaseId: 'LOOP' },
  };
  const located = (uri: string, uriBaseId: string): object => ({
    locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId } } }],
  });
  const results = [
    result(located('a%20b.c', 'SRC')),
    result(located('c.c', '%SRCROOT%')),
    result(located('50%.c', 'TOP')),
    result(located('d.c', 'LOOP')),
  ];
  assert.equal(
    parse({ originalUriBaseIds, results }).map(each => each.path),
    ['src/a b.c', 'c.c', '50%.c', `${'x/'.repeat(10)}d.c`],
  );
});

test('results that passed, are suppressed or are gone are not diagnostics', () => {
  const results = [
    result({ kind: 'pass' }),
    result({ level: 'none' }),
    result({ baselineState: 'absent' }),
    result({ suppressions: [{ kind: 'inSource' }] }),
    result({ suppressions: [{ kind: 'external', status: 'rejected' }] }),
  ];
  assert.is(parse({ results }).length, 1);
});

test('a fix of the file itself is a suggestion; one that changes other files is not', () => {
  const change = (uri: string): object => ({
    artifactLocation: { uri },
    replacements: [
      {
        deletedRegion: { startLine: 2, startColumn: 3, endColumn: 5 },
        insertedContent: { text: 'ok' },
      },
      { deletedRegion: { charOffset: 9, charLength: 2 } },
    ],
  });
  const fixes = [
    { description: { text: 'Fix it' }, artifactChanges: [change('a.c')] },
    { artifactChanges: [change('a.c'), change('b.c')] },
    { artifactChanges: [change('b.c')] },
  ];
  const [first] = parse({ results: [result({ fixes })] });
  assert.equal(first?.suggestions, [
    {
      description: 'Fix it',
      edits: [
        { range: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 5 }, text: 'ok' },
        { range: { start: 9, end: 11 }, text: '' },
      ],
    },
  ]);
});

test('the log declares the unit of its columns', () => {
  const units = [undefined, 'utf16CodeUnits', 'unicodeCodePoints'].map(
    columnKind => parse({ columnKind, results: [result({})] })[0]?.unit,
  );
  assert.equal(units, ['utf16', 'utf16', 'codepoint']);
});

test('a refined rule has the level of the rule that it refines', () => {
  const rules = [{ id: 'CA1000', defaultConfiguration: { level: 'error' } }];
  const location = {
    physicalLocation: { artifactLocation: { uri: 'a' }, region: { startLine: 1 } },
  };
  const results = ['CA1000/1', 'CA1000', 'CA2000/1'].map(ruleId => ({
    ruleId,
    message: { text: 'm' },
    locations: [location],
  }));
  const log = { runs: [{ tool: { driver: { name: 't', rules } }, results }] };
  const { diagnostics } = parseReport('sarif', JSON.stringify(log), { root: '/repo' });
  assert.equal(
    diagnostics.map(({ severity }) => severity),
    ['error', 'error', 'warning'],
  );
});

test.run();
