import * as assert from 'uvu/assert';
import { complete, defaultConfig } from '../../src/config/config.js';
import type { FindingWithoutId } from '../../src/core/finding.js';
import type { ConfigFile } from '../../src/generated/shapes.js';
import { nodeClock } from '../../src/platform/clock.js';

import { type Draft, verify } from '../../src/review/verify.js';
import { suite } from '../support/suite.js';

const candidate = (
  rule: string,
  line: number,
  more: Partial<FindingWithoutId> = {},
): FindingWithoutId => ({
  path: 'a.ts',
  line,
  endLine: line,
  column: 1,
  endColumn: 2,
  side: 'new',
  severity: 'error',
  rule,
  message: 'm',
  source: 'check',
  confidence: 1,
  evidence: `line ${line}`,
  ...more,
});

const draftOf = (
  candidates: readonly FindingWithoutId[],
  ignores: Record<number, string[]> = {},
): Draft => ({
  candidates,
  rejected: [],
  ignores: new Map([
    ['a.ts', new Map(Object.entries(ignores).map(([line, rules]) => [Number(line), rules]))],
  ]),
});

const withConfig = (written: ConfigFile) => complete(written);

const CONTEXT = { clock: nodeClock };
const test = suite('review/verify');

test('findings are in the order of path and line', async () => {
  const candidates = [
    candidate('debugger', 9),
    candidate('debugger', 2),
    candidate('x', 1, { path: 'A.ts' }),
  ];
  const { findings } = await verify(draftOf(candidates), defaultConfig(), CONTEXT);
  assert.equal(
    findings.map(({ path, line }) => `${path}:${line}`),
    ['A.ts:1', 'a.ts:2', 'a.ts:9'],
  );
});

test('an ignore line silences its own line and the next, for its rule only', async () => {
  const candidates = [4, 5, 6]
    .map(line => candidate('debugger', line))
    .concat(candidate('whitespace', 5));
  const survey = draftOf(candidates, { 4: ['debugger'] });
  const { findings, rejected } = await verify(survey, defaultConfig(), CONTEXT);
  assert.equal(
    findings.map(({ rule, line }) => `${rule}:${line}`),
    ['whitespace:5', 'debugger:6'],
  );
  assert.equal(
    rejected.map(({ reason, finding }) => `${reason}:${finding.line}`),
    ['ignored-inline:4', 'ignored-inline:5'],
  );
});

test('the same finding reported twice is kept once', async () => {
  const survey = draftOf([candidate('debugger', 1), candidate('debugger', 1)]);
  const { findings, rejected } = await verify(survey, defaultConfig(), CONTEXT);
  assert.is(findings.length, 1);
  assert.is(rejected[0]?.reason, 'duplicate');
});

test('a finding of the model on a line that a check reported is dropped', async () => {
  const said = candidate('model/bug', 3, { source: 'model' });
  const candidates = [
    candidate('debugger', 3),
    said,
    { ...said, line: 4, endLine: 4, evidence: 'other' },
  ];
  const { findings, rejected } = await verify(draftOf(candidates), defaultConfig(), CONTEXT);
  assert.equal(
    findings.map(({ rule, line }) => `${rule}:${line}`),
    ['debugger:3', 'model/bug:4'],
  );
  assert.is(rejected[0]?.reason, 'duplicate');
});

test('an info of a check does not hide a finding of the model, and the model has one finding a line', async () => {
  const said = candidate('model/bug', 3, { source: 'model', severity: 'warning' });
  const candidates = [
    candidate('whitespace', 3, { severity: 'info', column: 9 }),
    said,
    { ...said, rule: 'model/limit', severity: 'error' as const, column: 5 },
  ];
  const { findings, rejected } = await verify(draftOf(candidates), defaultConfig(), CONTEXT);
  assert.equal(
    findings.map(({ rule }) => rule),
    ['whitespace', 'model/limit'],
  );
  assert.equal(
    rejected.map(({ reason, finding }) => `${reason}:${finding.rule}`),
    ['duplicate:model/bug'],
  );
});

test('a rejected finding keeps its reason', async () => {
  const refuted = { reason: 'refuted', candidate: candidate('model/bug', 3, { source: 'model' }) };
  const draft = { ...draftOf([]), rejected: [refuted] };
  const { findings, rejected } = await verify(draft, defaultConfig(), CONTEXT);
  assert.equal(findings, []);
  assert.equal(
    rejected.map(({ reason, finding }) => `${reason}:${finding.line}`),
    ['refuted:3'],
  );
});

test('the least severe findings beyond the limit are rejected and counted', async () => {
  const candidates = [
    candidate('a', 1, { severity: 'info' }),
    candidate('b', 2),
    candidate('c', 3, { severity: 'warning' }),
  ];
  const config = withConfig({ review: { maxFindings: 2 } });
  const { findings, rejected } = await verify(draftOf(candidates), config, CONTEXT);
  assert.equal(
    findings.map(({ rule }) => rule),
    ['b', 'c'],
  );
  assert.equal(
    rejected.map(({ reason, finding }) => `${reason}:${finding.rule}`),
    ['max-findings:a'],
  );
});

test('a check can be switched off, get another severity and skip paths by its id', async () => {
  const candidates = [
    candidate('debugger', 1),
    candidate('debug-output', 2),
    candidate('whitespace', 3),
    candidate('secret/x', 4),
  ];
  const config = withConfig({
    checks: {
      debugger: 'off',
      'debug-output': 'warning',
      whitespace: { ignore: ['a.*'] },
      secret: 'info',
    },
  });
  const { findings } = await verify(draftOf(candidates), config, CONTEXT);
  assert.equal(
    findings.map(({ rule, severity }) => `${rule} ${severity}`),
    ['debug-output warning', 'secret/x info'],
  );
});

test('the setting of a rule takes precedence over that of its family', async () => {
  const config = withConfig({ checks: { secret: 'off', 'secret/aws-access-key': 'error' } });
  const candidates = [candidate('secret/aws-access-key', 1), candidate('secret/github-token', 2)];
  const { findings } = await verify(draftOf(candidates), config, CONTEXT);
  assert.equal(
    findings.map(({ rule }) => rule),
    ['secret/aws-access-key'],
  );
});

test('findings below review.minSeverity are not reported, but counted', async () => {
  const candidates = [
    candidate('whitespace', 1, { severity: 'info' }),
    candidate('debugger', 2, { severity: 'warning' }),
    candidate('conflict-marker', 3),
  ];
  const config = withConfig({ review: { minSeverity: 'warning' } });
  const { findings, rejected } = await verify(draftOf(candidates), config, CONTEXT);
  assert.equal(
    findings.map(({ severity }) => severity),
    ['warning', 'error'],
  );
  assert.equal(
    rejected.map(({ reason, finding }) => [reason, finding.line]),
    [['below-min-severity', 1]],
  );
});

test.run();
