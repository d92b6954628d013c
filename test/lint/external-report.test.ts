import * as assert from 'uvu/assert';
import { externalFormat, readExternalReport } from '../../src/lint/parse-report.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('lint/external-report');

const read = (text: string) => readExternalReport(text, { root: '/repo' });

test('the format of a report is recognised by its start', () => {
  assert.is(externalFormat('[{"filePath":"a","messages":[]}]'), 'eslint-json');
  assert.is(externalFormat('{"version":"2.1.0","runs":[]}'), 'sarif');
  assert.is(externalFormat('{"source":{},"diagnostics":[]}'), 'rdjson');
  assert.is(externalFormat('{"message":"m","location":{"path":"a"}}\n{}'), 'rdjsonl');
  assert.is(externalFormat('<?xml version="1.0"?><checkstyle/>'), 'checkstyle');
  assert.is(externalFormat('::error file=a.js,line=1::m'), 'github');
  assert.is(externalFormat('a.c:1:2: error: m'), 'gcc');
});

test('when the start is misleading, the format that fits is used', () => {
  const banner = '> lint\n> eslint --format json\n\n';
  const eslint = `${banner}[{"filePath":"a.js","messages":[{"message":"m","line":1}]}]\n`;
  const late = `${'npm notice\n'.repeat(500)}::error file=a.js,line=1::m\n`;
  for (const text of [eslint, late]) {
    const ready = read(text);
    assert.equal(ready.ok && ready.report.diagnostics.map(({ path }) => path), ['a.js']);
  }
});

test('a text that fits no format is refused, whatever it resembles', () => {
  const texts = ['garbage', '{"a":1}', '{\n  "name": "x"\n}', '[1]', '[{"filename":"a.py"}]'];
  for (const text of [
    ...texts,
    'null',
    '<html/>',
    '<a',
    '[{"filePath":',
    '\0\u0001',
    '::debug::m',
  ]) {
    assert.is(read(text).ok, false, JSON.stringify(text));
  }
});

test('the refusal of a text describes what it contains instead', () => {
  const damaged = read('[{"filePath":');
  assert.match(damaged.ok ? '' : damaged.problem, 'report is damaged');
  const garbage = read('garbage\nmore');
  assert.is(garbage.ok || garbage.problem, 'it begins: garbage');
  for (const [count, shown] of [
    [120, `b${'g'.repeat(119)}`],
    [121, `b${'g'.repeat(119)}…`],
  ] as const) {
    const long = read(`b${'g'.repeat(count - 1)}`);
    assert.is(long.ok || long.problem, `it begins: ${shown}`);
  }
});

test('a report without diagnostics is still a report', () => {
  for (const text of ['', '\n', '[]', '{"runs":[]}', '<checkstyle/>', '{"diagnostics":[]}']) {
    assert.is(read(text).ok, true, text);
  }
});

test('diagnostics of files that are missing from the commit are counted', () => {
  const files = new Set(['a.js']);
  const ready = readExternalReport('a.js:1: m\nb.js:1: m\n/etc/c.js:1: m\n', {
    root: '/repo',
    files,
  });
  assert.equal(ready.ok && [ready.report.diagnostics.length, ready.report.lost], [1, 2]);
});

test('a hostile text is refused in linear time', () => {
  mustEnd(() => {
    for (const text of [`{${' '.repeat(500_000)}`, '['.repeat(500_000), 'a:'.repeat(250_000)]) {
      assert.is(read(text).ok, false);
    }
  });
});

test.run();
