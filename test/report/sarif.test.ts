import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { toSarif } from '../../src/report/sarif.js';
import { corpus } from '../support/corpus.js';
import { suite } from '../support/suite.js';
import { CLEAN, EMPTY, finding, INCOMPLETE, SAMPLE } from './sample-outcome.js';

const test = suite('report/sarif');
const reports = corpus('lint-outputs');

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region?: object;
    };
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions?: readonly object[];
}

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly results: readonly Result[];
  readonly automationDetails: { readonly id: string };
  readonly invocations: readonly {
    readonly executionSuccessful: boolean;
    readonly toolExecutionNotifications: readonly { readonly message: { readonly text: string } }[];
  }[];
}

function runOf(outcome: Outcome): Run {
  const log = JSON.parse(toSarif(outcome, { toolVersion: '1.2.3' })) as { runs: Run[] };
  assert.is(log.runs.length, 1);
  return log.runs[0] as Run;
}

/** The published schema is draft 04; its `id` is all that newer drafts spell differently. */
function officialSchema(): ValidateFunction {
  const path = reports.path('sarif/schema-2.1.0.json');
  const { id, $schema, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as Record<
    string,
    unknown
  >;
  assert.type(id, 'string');
  assert.type($schema, 'string');
  const uri = /^(?:%[0-9A-F]{2}|[\w\-.~:/?#[\]@!$&'()*+,;=])*$/i;
  const formats = {
    uri,
    'uri-reference': uri,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  };
  return new Ajv({ strict: false, allErrors: true, formats }).compile(schema);
}

test.unless(reports.absent, 'every log is valid under the official schema', () => {
  const validate = officialSchema();
  for (const outcome of [EMPTY, CLEAN, INCOMPLETE, SAMPLE]) {
    validate(JSON.parse(toSarif(outcome, { toolVersion: '1.2.3' })));
    assert.equal(validate.errors ?? [], []);
  }
});

test.unless(reports.absent, 'the official schema would notice a mistake', () => {
  const validate = officialSchema();
  const log = JSON.parse(toSarif(SAMPLE, { toolVersion: '1.2.3' })) as { runs: Run[] };
  const [run] = log.runs;
  const result = { ...run?.results[0], level: 'info' };
  assert.not(validate({ ...log, runs: [{ ...run, results: [result] }] }));
});

test('each result points at its rule', () => {
  const run = runOf(SAMPLE);
  const ids = run.tool.driver.rules.map(rule => rule.id);
  assert.is(new Set(ids).size, ids.length);
  for (const result of run.results) assert.is(ids[result.ruleIndex], result.ruleId);
});

test('locations, levels and fingerprints are carried over', () => {
  const [first] = runOf(SAMPLE).results;
  assert.is(first?.level, 'error');
  assert.equal(first?.locations[0]?.physicalLocation.region, {
    startLine: 12,
    endLine: 12,
    startColumn: 14,
    endColumn: 34,
  });
  assert.is(first?.partialFingerprints['apfelBotId/v1'], SAMPLE.findings[0]?.id);
  assert.ok(runOf(SAMPLE).results.some(result => result.level === 'note'));
});

test('a URI encodes the bytes that git knows the file by', () => {
  const uris = runOf(SAMPLE).results.map(
    result => result.locations[0]?.physicalLocation.artifactLocation.uri,
  );
  assert.ok(uris.includes('src/caf%E9.py'));
  assert.ok(uris.includes('src/%E8%A1%A8.ts'));
  assert.ok(uris.includes('%3A%3Aset-output%20name%3Dx%3A%3Ay'));
  assert.ok(uris.includes('docs/two%0A%3A%3Aerror%3A%3Alines.md'));
});

test('a finding on the old side names the file and no line', () => {
  const run = runOf({ ...CLEAN, findings: [finding({ side: 'old', evidence: 'x' })] });
  assert.equal(Object.keys(run.results[0]?.locations[0]?.physicalLocation ?? {}), [
    'artifactLocation',
  ]);
});

test('only findings silenced in the code are listed as suppressed', () => {
  const suppressed = runOf(SAMPLE).results.filter(result => result.suppressions !== undefined);
  assert.is(suppressed.length, 1);
  assert.is(suppressed[0]?.ruleId, 'debug-output');
  assert.equal(suppressed[0]?.suppressions, [{ kind: 'inSource' }]);
  assert.is(runOf(SAMPLE).results.length, SAMPLE.findings.length + 1);
});

test('an incomplete run is not a success in SARIF and says what is missing', () => {
  const [invocation] = runOf(INCOMPLETE).invocations;
  const texts = invocation?.toolExecutionNotifications.map(note => note.message.text) ?? [];
  assert.is(invocation?.executionSuccessful, false);
  assert.match(texts.join('\n'), /incomplete: 2 hunks not done/);
  assert.match(texts.join('\n'), /limit reached: deadline 8s/);
});

test('SARIF says so when only checks ran', () => {
  const [invocation] = runOf(CLEAN).invocations;
  assert.is(invocation?.executionSuccessful, true);
  assert.match(JSON.stringify(invocation), /checks only/);
});

test('a message holds no link and no hidden character', () => {
  const texts = runOf(SAMPLE).results.map(result => result.message.text);
  assert.not.match(texts.join(''), /\]\(|[\u202e\x1b]/);
  assert.not.match(toSarif(SAMPLE, { toolVersion: '1' }), /\\ud[89a-f]/i);
});

test('the SARIF run is named so that GitHub files it under one category', () => {
  assert.is(runOf(EMPTY).automationDetails.id, `apfel-bot/review/${EMPTY.run}`);
});

test('a rule named like a property of Object is a rule like any other', () => {
  const run = runOf({ ...CLEAN, findings: [finding({ rule: 'constructor' })] });
  assert.match(JSON.stringify(run.tool.driver.rules), /Reported as constructor/);
});

test.run();
