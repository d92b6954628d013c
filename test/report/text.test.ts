import * as assert from 'uvu/assert';
import type { Finding } from '../../src/core/finding.js';
import type { Outcome } from '../../src/core/outcome.js';
import { toText } from '../../src/report/text.js';
import { suite } from '../support/suite.js';
import { CLEAN, EMPTY, finding, INCOMPLETE, SAMPLE } from './sample-outcome.js';

const test = suite('report/text');

const text = (outcome: Outcome, more: Partial<Parameters<typeof toText>[1]> = {}): string =>
  toText(outcome, { color: false, columns: 80, isQuiet: false, ...more });

const lines = (outcome: Outcome): string[] => text(outcome).trimEnd().split('\n');

const withFindings = (...findings: Finding[]): Outcome => ({ ...CLEAN, findings });

test('a clean run is two lines at most, and says that it was checks only', () => {
  assert.equal(lines(CLEAN), [
    'skipped 2: lockfile',
    'clean · 9 hunks in 3 files: 7 checked, 2 skipped · checks only · 0.3 s',
  ]);
  assert.equal(lines(EMPTY), ['nothing to check · no changes · 0.04 s']);
});

test('an incomplete run without findings is never called clean', () => {
  const shown = text(INCOMPLETE);
  assert.not.match(shown, /clean/);
  assert.match(shown, /^incomplete: 2 hunks not done · 9 hunks in 3 files: /m);
  assert.match(shown, /^out of time 1: src\/late\.ts hunk 3 \(deadline\)$/m);
  assert.match(shown, /^limit reached: deadline 8s$/m);
  assert.not.match(shown, /turns/);
});

test('a message is wrapped only where it is wider than the screen with its indent', () => {
  const words = `${'x'.repeat(38)} ${'y'.repeat(39)}`;
  assert.match(text(withFindings(finding({ message: words }))), `\n  ${words}\n`);
  assert.match(text(withFindings(finding({ message: `${words}y` }))), `\n  ${'x'.repeat(38)}\n`);
});

test('a run that lacked the model says why', () => {
  const shown = text({ ...CLEAN, complete: false });
  assert.match(shown, /^no model: nothing answers at http:\/\/127\.0\.0\.1:11434\/v1$/m);
  assert.match(shown, /^incomplete: no model · .* · checks only$/m);
});

test('a finding is a clickable place, a severity, a rule, a message and the code', () => {
  const shown = lines(
    withFindings(
      finding({
        path: 'src/a.ts',
        line: 12,
        column: 5,
        endColumn: 7,
        severity: 'error',
        evidence: 'let ab;',
      }),
    ),
  );
  assert.equal(shown.slice(0, 4), [
    'src/a.ts:12:5  error  debugger',
    '  A breakpoint is left in the code.',
    '    12 | let ab;',
    '       |     ^^',
  ]);
});

test('findings are grouped by file, the most severe first, then by line', () => {
  const shown = lines(
    withFindings(
      finding({ path: 'b.ts', line: 9, severity: 'info' }),
      finding({ path: 'a.ts', line: 1 }),
      finding({ path: 'b.ts', line: 8, severity: 'error' }),
      finding({ path: 'b.ts', line: 2, severity: 'error' }),
    ),
  );
  assert.equal(
    shown.filter(line => /^\w\.ts:/.test(line)).map(line => line.split(' ')[0]),
    ['b.ts:2', 'b.ts:8', 'b.ts:9', 'a.ts:1'],
  );
});

test('each way to silence is reported once, whatever the number of findings', () => {
  const shown = text(
    withFindings(
      finding({ line: 1 }),
      finding({ line: 2 }),
      finding({ path: 'x.py' }),
      finding({ path: 'x.json', rule: 'secret/x' }),
    ),
  );
  assert.is(shown.match(/\/\/ apfel-bot-ignore debugger reason/g)?.length, 1);
  assert.is(shown.match(/# apfel-bot-ignore debugger reason/g)?.length, 1);
  assert.match(shown, /in \.apfel-bot\.json:\n {2}"checks": \{"secret\/x": "off"\}\n/);
});

test('long messages are wrapped to the width', () => {
  const shown = lines(withFindings(finding({ message: 'words and more words '.repeat(20) })));
  for (const line of shown.slice(0, -1)) assert.ok(line.length <= 80, line);
});

test('severities have colours only when colours are wanted', () => {
  assert.match(text(SAMPLE, { color: true }), /\x1b\[31merror\x1b\[39m/);
  assert.match(text(SAMPLE, { color: true }), /\x1b\[33mwarning\x1b\[39m/);
  assert.match(text(SAMPLE, { color: true }), /\x1b\[34minfo\x1b\[39m/);
  assert.not.match(text(SAMPLE), /\x1b/);
});

test('colours aside, both forms are the same text', () => {
  const stripped = text(SAMPLE, { color: true }).replace(/\x1b\[\d+m/g, '');
  assert.is(stripped.replace(/^\\?::/gm, '\\::'), text(SAMPLE));
});

test('no untrusted text controls the terminal or the runner', () => {
  const shown = text(SAMPLE);
  assert.not.match(shown, /(?!\n)[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
  assert.not.match(shown, /^\s*::/m);
  assert.not.match(shown, /##\[/);
  assert.match(shown, /^\\::set-output name=x::y:7 {2}error/m);
  assert.match(shown, /^docs\/two\\n::error::lines\.md:1 /m);
  assert.match(shown, /^src\/caf\\xe9\.py:1 /m);
});

test('rejections, notices and limits are always visible', () => {
  for (const isQuiet of [false, true]) {
    const shown = text(SAMPLE, { isQuiet });
    assert.match(shown, /^ignored 1: 1 debug-output$/m);
    assert.match(shown, /^rejected 2: 2 duplicate$/m);
    assert.match(shown, /^note: the change edits/m);
    assert.match(shown, /^limit reached: deadline 8s$/m);
  }
});

test('the summary comes last, and breaks between its parts, else between words', () => {
  const last = (columns: number, color = false): string =>
    text(SAMPLE, { columns, color }).split('\n\n').at(-1) ?? '';
  assert.match(
    last(80).replace(/\s+/g, ' '),
    /^2 errors, 6 warnings, 2 info · incomplete: 2 hunks not done · 9 hunks in 3 files: .* · 8\.0 s $/,
  );
  assert.match(text(CLEAN, { columns: 60 }), '2 skipped\n  · checks only · 0.3 s\n');
  for (const line of last(40).split('\n')) assert.ok(line.length <= 40, line);
  assert.is(last(40).replace(/\s+/g, ' '), last(80).replace(/\s+/g, ' '));
  // The verdict goes on in bold after the line break.
  const [first = '', second = ''] = last(40, true).split('\n');
  for (const line of [first, second]) assert.match(line, '\u001B[1m');
});

test('a quiet run prints nothing when all is well, and as little as possible otherwise', () => {
  assert.is(text(CLEAN, { isQuiet: true }), '');
  assert.is.not(text(INCOMPLETE, { isQuiet: true }), '');
  const shown = text(SAMPLE, { isQuiet: true });
  assert.not.match(shown, /^ +\d+ \||to silence/m);
  assert.match(shown, /src\/config\.ts:12:14 {2}error/);
});

test('an impossible terminal width does no harm', () => {
  for (const columns of [0, -5, Number.NaN, 1, Number.POSITIVE_INFINITY]) {
    assert.match(toText(SAMPLE, { color: false, columns }), /2 errors/);
  }
});

test.run();
