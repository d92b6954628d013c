import * as assert from 'uvu/assert';
import { applyFix } from '../../src/fix/order.js';
import { anchorDiagnostics } from '../../src/lint/anchor.js';
import { parseReport } from '../../src/lint/parse-report.js';
import type { ParsedReport } from '../../src/lint/report.js';
import { suite } from '../support/suite.js';

const test = suite('lint/parse-clippy');

const SOURCE = 'fn main() {\n    let é = vec![1];\n    if é.len() == 0 { return; }\n}\n';

const span = (more: object): object => ({
  file_name: 'src/main.rs',
  is_primary: true,
  line_start: 3,
  line_end: 3,
  column_start: 8,
  column_end: 20,
  suggested_replacement: null,
  suggestion_applicability: null,
  ...more,
});

const help = (applicability: string, more: object = {}): object => ({
  level: 'help',
  message: 'try',
  spans: [
    span({
      suggested_replacement: 'é.is_empty()',
      suggestion_applicability: applicability,
      ...more,
    }),
  ],
});

const warning = (...children: object[]): object => ({
  reason: 'compiler-message',
  message: {
    level: 'warning',
    message: 'length comparison to zero',
    code: { code: 'clippy::len_zero' },
    spans: [span({})],
    children: [
      {
        level: 'help',
        message: 'for further information visit https://example.org/#len',
        spans: [],
      },
      ...children,
    ],
  },
});

const summary = {
  reason: 'compiler-message',
  message: { level: 'warning', message: '1 warning emitted', spans: [] },
};
const end = { reason: 'build-finished', success: true };

const parse = (...lines: object[]): ParsedReport =>
  parseReport('clippy-json', lines.map(line => JSON.stringify(line)).join('\n'), { root: '/repo' });

test('a machine-applicable fix is applied correctly in lines with non-ASCII letters', () => {
  const { diagnostics } = parse(warning(help('MachineApplicable')), summary, end);
  assert.equal(
    diagnostics.map(each => [each.path, each.rule, each.docs, each.isFixable]),
    [['src/main.rs', 'clippy::len_zero', 'https://example.org/#len', true]],
  );
  const [anchored] = anchorDiagnostics(diagnostics, () => SOURCE);
  const fixed = anchored?.fix && applyFix(SOURCE, anchored.fix);
  assert.is(fixed, SOURCE.replace('é.len() == 0', 'é.is_empty()'));
});

test('a fix that may be wrong is a suggestion; one with placeholders or for other files is dropped', () => {
  const { diagnostics } = parse(
    warning(
      help('MaybeIncorrect'),
      help('HasPlaceholders'),
      help('MachineApplicable', { file_name: 'src/lib.rs' }),
    ),
    end,
  );
  assert.equal([diagnostics[0]?.fix, diagnostics[0]?.suggestions?.length], [undefined, 1]);
});

test('a diagnostic of both the library and its tests is reported once', () => {
  assert.is(parse(warning(), warning(), end).diagnostics.length, 1);
});

test('a report that ends before the build does is incomplete', () => {
  const report = parse(warning());
  assert.equal(
    [report.diagnostics.length, report.isWhole, report.problems],
    [1, false, ['the clippy-json report ends before the build does']],
  );
});

test('two safe fixes are alternatives, and fixable all the same', () => {
  const span = {
    is_primary: true,
    file_name: 'a.rs',
    line_start: 1,
    column_start: 1,
    line_end: 1,
    column_end: 2,
  };
  const child = (suggested_replacement: string, suggestion_applicability: string) => ({
    message: 'try',
    spans: [{ ...span, suggested_replacement, suggestion_applicability }],
  });
  const diagnosticWith = (...children: object[]) => {
    const message = { level: 'warning', message: 'm', spans: [span], children };
    const line = JSON.stringify({ reason: 'compiler-message', message });
    return parseReport('clippy-json', line, { root: '/repo' }).diagnostics[0];
  };
  for (const [children, isFixable, hasFix, suggestions] of [
    [[], false, false, 0],
    [[child('b', 'MaybeIncorrect')], false, false, 1],
    [[child('b', 'MachineApplicable')], true, true, 0],
    [[child('b', 'MachineApplicable'), child('c', 'MachineApplicable')], true, false, 2],
  ] as const) {
    const found = diagnosticWith(...children);
    assert.is(found?.isFixable ?? false, isFixable);
    assert.is(found?.fix !== undefined, hasFix);
    assert.is(found?.suggestions?.length ?? 0, suggestions);
  }
});

test.run();
