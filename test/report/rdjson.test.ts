import { Ajv } from 'ajv';
import * as assert from 'uvu/assert';
import type { FindingWithoutId } from '../../src/core/finding.js';
import { toRdjson } from '../../src/report/rdjson.js';
import { suite } from '../support/suite.js';
import { CLEAN, finding, SAMPLE } from './sample-outcome.js';

const test = suite('report/rdjson');

interface Diagnostic {
  readonly message: string;
  readonly location: { readonly path: string; readonly range?: object };
  readonly severity: string;
  readonly code: { readonly value: string };
  readonly suggestions?: readonly object[];
}

interface DiagnosticResult {
  readonly source: { readonly name: string };
  readonly severity?: string;
  readonly diagnostics: readonly Diagnostic[];
}

const only = (parts: Partial<FindingWithoutId>): Diagnostic | undefined =>
  parse(toRdjson({ ...CLEAN, findings: [finding(parts)] })).diagnostics[0];

const parse = (json: string): DiagnosticResult => JSON.parse(json) as DiagnosticResult;

test('a finding becomes a diagnostic', () => {
  const parts = { line: 2, column: 1, endColumn: 4, evidence: 'abc', suggestion };
  assert.equal(only(parts), {
    message: 'A breakpoint is left in the code.',
    location: {
      path: 'src/a.ts',
      range: { start: { line: 2, column: 1 }, end: { line: 2, column: 4 } },
    },
    severity: 'WARNING',
    code: { value: 'debugger' },
    suggestions: [{ range: { start: { line: 2 }, end: { line: 3 } }, text: 'x' }],
  });
});

const suggestion = { startLine: 2, endLine: 3, text: 'x' };

test('columns count bytes of UTF-8', () => {
  const evidence = 'a𐐀b é語c\udcffd';
  const columnOf = (column: number): unknown =>
    only({ evidence, column, endColumn: column })?.location.range;
  const at = (column: number): object => ({
    start: { line: 1, column },
    end: { line: 1, column },
  });
  assert.equal(columnOf(evidence.indexOf('b') + 1), at(6));
  assert.equal(columnOf(evidence.indexOf('c') + 1), at(13));
  assert.equal(columnOf(evidence.indexOf('d') + 1), at(15));
});

test('without a quote to measure, a range covers whole lines', () => {
  const whole = { start: { line: 1 }, end: { line: 3 } };
  assert.equal(only({ endLine: 3 })?.location.range, whole);
  assert.equal(only({ endLine: 3, column: 2, endColumn: 3 })?.location.range, whole);
  assert.equal(
    only({ endLine: 3, column: 2, endColumn: 3, evidence: 'one line' })?.location.range,
    whole,
  );
  assert.equal(only({ endLine: 3, column: 2, evidence: 'a\nb\nc' })?.location.range, whole);
  assert.equal(only({ endLine: 3, evidence: 'a\nb\nc' })?.location.range, whole);
  assert.is(only({ side: 'old' })?.location.range, undefined);
});

test('the report has the severity of its worst finding', () => {
  const result = parse(toRdjson(SAMPLE));
  assert.is(result.severity, 'ERROR');
  assert.is(result.source.name, 'apfel-bot');
  assert.is(result.diagnostics.length, SAMPLE.findings.length);
  assert.equal([...new Set(result.diagnostics.map(diagnostic => diagnostic.severity))].sort(), [
    'ERROR',
    'INFO',
    'WARNING',
  ]);
  assert.equal(parse(toRdjson(CLEAN)), { source: { name: 'apfel-bot' }, diagnostics: [] });
});

test('the report contains no lone surrogate', () => {
  assert.not.match(toRdjson(SAMPLE), /\\ud[89a-f]/i);
  assert.match(toRdjson(SAMPLE), /caf\\\\xe9\.py/);
});

test('a message that reviewdog posts mentions nobody and commands nothing', () => {
  const messages = parse(toRdjson(SAMPLE)).diagnostics.map(diagnostic => diagnostic.message);
  assert.not.match(messages.join('\n'), /@\w|#\d|!\[|<script|\{\{|^\s*\//m);
});

/** What reviewdog's format has, of which we use a part; its reader takes no other key. */
const position = { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } };
const object = (properties: object, ...required: string[]): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const range = object({ start: object(position, 'line'), end: object(position, 'line') }, 'start');
const string = { type: 'string' };
const severity = { enum: ['ERROR', 'WARNING', 'INFO'] };
const FORMAT = object(
  {
    source: object({ name: string, url: string }, 'name'),
    severity,
    diagnostics: {
      type: 'array',
      items: object(
        {
          message: string,
          location: object({ path: string, range }, 'path'),
          severity,
          code: object({ value: string, url: string }, 'value'),
          suggestions: { type: 'array', items: object({ range, text: string }, 'range', 'text') },
        },
        'message',
        'location',
      ),
    },
  },
  'diagnostics',
);

test('the report has only fields of reviewdog’s format, with its types', () => {
  const ajv = new Ajv();
  const isValid = ajv.compile(FORMAT);
  for (const outcome of [SAMPLE, CLEAN]) {
    assert.ok(isValid(parse(toRdjson(outcome))), ajv.errorsText(isValid.errors));
  }
});

test.run();
