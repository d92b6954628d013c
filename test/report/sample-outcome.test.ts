import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import * as assert from 'uvu/assert';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { CLEAN, EMPTY, INCOMPLETE, SAMPLE } from './sample-outcome.js';

const test = suite('report/sample-outcome');

const source = readFileSync('schema/outcome.json', 'utf8');
const validate = new Ajv({ allErrors: true }).compile(JSON.parse(source));

/** Where the schema objects, or an empty list. */
const objections = (value: unknown): string[] => {
  validate(value);
  return (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`);
};

const SHA = 'b'.repeat(40);

const WHOLE = {
  ...SAMPLE,
  task: 'fix-lint',
  change: { ...SAMPLE.change, head: SHA, repository: 'owner/name', pull: 7 },
  edits: [
    {
      path: 'src/a.ts',
      diagnostic: { rule: 'no-unused-vars', line: 3 },
      status: 'kept',
      reason: 'it applies',
      by: 'linter',
    },
  ],
  branch: { name: 'apfel-bot/fix-lint-b1', commit: SHA, base: SHA, bundle: 'out.bundle' },
  diagnostics: { before: 14, after: 2, fixed: 12, introduced: 0 },
  answer: { text: 'yes', sources: [{ path: 'src/a.ts', line: 3 }] },
  description: { title: 'a', body: 'b' },
  model: { ...SAMPLE.model, protocol: 'guided', contextWindow: 4096 },
};

test('every sample is a valid outcome', () => {
  for (const outcome of [EMPTY, CLEAN, INCOMPLETE, SAMPLE, WHOLE]) {
    assert.equal(objections(outcome), []);
  }
});

test('a sample is still valid after writing and reading it as JSON', () => {
  assert.equal(objections(JSON.parse(JSON.stringify(WHOLE))), []);
});

test('an unknown field is refused at every level', () => {
  const open: string[] = [];
  const visit = (value: unknown, rebuild: (changed: unknown) => unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const entries = Object.entries(value);
    if (!Array.isArray(value) && objections(rebuild({ ...value, extra: 1 })).length === 0) {
      open.push(path);
    }
    for (const [key, inner] of entries) {
      const put = (changed: unknown): unknown =>
        rebuild(
          Array.isArray(value)
            ? value.map((item, index) => (String(index) === key ? changed : item))
            : { ...value, [key]: changed },
        );
      visit(inner, put, `${path}/${key}`);
    }
  };
  visit(WHOLE, changed => changed, '');
  assert.equal(open, []);
});

test('values of the wrong type are refused', () => {
  const [first] = SAMPLE.findings;
  const wrong: [string, unknown][] = [
    ['a path that climbs', { ...WHOLE, findings: [{ ...first, path: 'a/../../b' }] }],
    [
      'a path that climbs behind a newline',
      { ...WHOLE, findings: [{ ...first, path: 'a\n/../b' }] },
    ],
    ['an absolute path', { ...WHOLE, findings: [{ ...first, path: '/etc/passwd' }] }],
    ['a severity of its own', { ...WHOLE, findings: [{ ...first, severity: 'fatal' }] }],
    ['line nought', { ...WHOLE, findings: [{ ...first, line: 0 }] }],
    ['an id that is no fingerprint', { ...WHOLE, findings: [{ ...first, id: 'x' }] }],
    ['a short sha', { ...WHOLE, change: { ...WHOLE.change, base: 'abc1234' } }],
    ['a repository with a path', { ...WHOLE, change: { ...WHOLE.change, repository: 'a/b/c' } }],
    ['a bundle elsewhere', { ...WHOLE, branch: { ...WHOLE.branch, bundle: '../x.bundle' } }],
    ['a bundle at an absolute path', { ...WHOLE, branch: { ...WHOLE.branch, bundle: '/x' } }],
    ['a branch that is an option', { ...WHOLE, branch: { ...WHOLE.branch, name: '--force' } }],
    ['a branch git refuses', { ...WHOLE, branch: { ...WHOLE.branch, name: 'a..b' } }],
    ['a local time', { ...WHOLE, startedAt: '2026-02-03 04:05' }],
    ['another version', { ...WHOLE, version: 2 }],
    ['a run that is a path', { ...WHOLE, run: '../x' }],
    ['an item that was reviewed', withItemState('reviewed')],
    ['no ledger', { ...WHOLE, ledger: undefined }],
  ];
  for (const [what, outcome] of wrong) assert.not.equal(objections(outcome), [], what);
});

function withItemState(state: string): unknown {
  const items = [{ path: 'a', hunk: 1, state, reason: 'x' }];
  return { ...WHOLE, ledger: { ...WHOLE.ledger, items } };
}

test('the schema uses only keywords that compile without helpers', () => {
  assert.not.match(source, /"(?:minLength|maxLength|uniqueItems|format)":/);
});

test('a hostile path of half a megabyte is judged in linear time', () => {
  mustEnd(() => {
    const [first] = SAMPLE.findings;
    for (const unit of ['/', '../', '.', 'a/']) {
      objections({ ...WHOLE, findings: [{ ...first, path: unit.repeat(200_000) }] });
      objections({ ...WHOLE, branch: { ...WHOLE.branch, name: unit.repeat(200_000) } });
    }
  });
});

test.run();
