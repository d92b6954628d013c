import * as assert from 'uvu/assert';
import type { HunkText } from '../../src/checks/survey.js';
import type { FindingWithoutId } from '../../src/core/finding.js';
import { riskOf } from '../../src/review/plan.js';
import { suite } from '../support/suite.js';

const hunk = (path: string, added: number): HunkText => ({
  path,
  number: 1,
  section: '',
  blob: undefined,
  lines: Array.from({ length: added }, (_, at) => ({ kind: 'added', text: 'x', newLine: at + 1 })),
});

const claimAt = (path: string, line: number): FindingWithoutId => ({
  path,
  line,
  endLine: line,
  side: 'new',
  severity: 'error',
  rule: 'debugger',
  message: 'm',
  source: 'check',
  confidence: 1,
});

const NONE = new Map<string, FindingWithoutId[]>();
const test = suite('review/risk');

test('a hunk with a finding of a check comes before one without', () => {
  const candidates = new Map([['a.ts', [claimAt('a.ts', 2)]]]);
  assert.ok(riskOf(hunk('a.ts', 3), candidates) > riskOf(hunk('b.ts', 3), candidates));
  const elsewhere = new Map([['a.ts', [claimAt('a.ts', 9)]]]);
  assert.is(riskOf(hunk('a.ts', 3), elsewhere), riskOf(hunk('a.ts', 3), NONE));
});

test('code comes before settings, settings before tests, and tests before documents, the riskiest first', () => {
  const paths = [
    'src/auth/login.ts',
    '.github/workflows/ci.yml',
    'src/view.ts',
    'tsconfig.json',
    'test/auth.test.ts',
    'docs/guide.md',
  ];
  const risks = paths.map((path, at) => riskOf(hunk(path, 10 + 100 * at), NONE));
  risks[1] = riskOf(hunk('.github/workflows/ci.yml', 5), NONE);
  assert.equal(
    risks.toSorted((one, other) => other - one),
    risks,
  );
  assert.is(new Set(risks).size, paths.length);
});

test('the hooks of husky come after code', () => {
  assert.ok(riskOf(hunk('.husky/pre-commit', 500), NONE) < riskOf(hunk('src/view.ts', 1), NONE));
});

test('more new lines raise the risk, up to a limit', () => {
  assert.ok(riskOf(hunk('a.ts', 50), NONE) > riskOf(hunk('a.ts', 5), NONE));
  assert.ok(riskOf(hunk('src/auth.ts', 1), NONE) > riskOf(hunk('a.ts', 2000), NONE));
});

test.run();
