import * as assert from 'uvu/assert';
import type { FixOutcome, Outcome } from '../../src/core/outcome.js';
import { fixMarkdown, fixText } from '../../src/report/fix.js';
import { toGithub } from '../../src/report/github.js';
import { toRdjson } from '../../src/report/rdjson.js';
import { toSarif } from '../../src/report/sarif.js';
import { summarise, summaryLine } from '../../src/report/summary-line.js';
import { suite } from '../support/suite.js';
import { EMPTY, finding } from './sample-outcome.js';

const test = suite('report/fix');

const edit = (rule: string, by: 'linter' | 'model' = 'linter') => ({
  path: 'a.js',
  diagnostic: { rule, line: 1 },
  status: 'kept' as const,
  by,
});

const FIXED: FixOutcome = {
  ...EMPTY,
  task: 'fix-lint',
  linters: [
    {
      name: 'eslint',
      command: 'eslint …',
      folder: '',
      files: 3,
      source: 'package.json, script lint',
      finished: true,
    },
  ],
  durationMs: 412,
  findings: [finding({ rule: 'eqeqeq', source: 'linter' })],
  edits: [edit('semi'), edit('no-var'), edit('no-var', 'model')],
  diagnostics: { before: 4, after: 1, fixed: 3, introduced: 0 },
  branch: {
    name: 'apfel-bot/fix-lint-1',
    commit: 'b'.repeat(40),
    base: 'fedcba98765432100000'.repeat(2),
    bundle: null,
  },
};

test('of many diagnostics that are left, forty are listed and the rest is counted', () => {
  const left = (amount: number): string => {
    const findings = Array.from({ length: amount }, (_, at) => finding({ line: at + 1 }));
    return fixText({ ...FIXED, findings }, { color: false });
  };
  assert.not.match(left(40), /more are left/);
  assert.match(left(42), /^… 2 more are left$/m);
  assert.not.match(fixMarkdown(FIXED, {}), /more are left/);
});

test('the colour of the last line is that of the worst diagnostic that is left', () => {
  for (const [severities, code] of [
    [[], 32],
    [['warning'], 33],
    [['warning', 'error'], 31],
  ] as const) {
    const findings = severities.map((severity, at) => finding({ severity, line: at + 1 }));
    assert.match(fixText({ ...FIXED, findings }, { color: true }), `\x1b[${code}m3 of 4`);
  }
});

test('edits that are not the linter’s own are listed for a look', () => {
  const review = /Worth a look.*:\n(?: {4}|\n- `)a\.js:1.*no-var, by the model/;
  assert.match(fixText(FIXED, { color: false }), review);
  assert.match(fixMarkdown(FIXED, {}).replace('` `', '').replace('`,', ','), review);
  assert.match(fixMarkdown(FIXED, {}), '- `a.js:1` `no-var`, by the model');
});

test('workflow commands are followed by a line for each linter', () => {
  assert.match(toGithub(FIXED), '\neslint … · 3 files · package.json, script lint\n');
});

test('a reason that most diagnostics are left for is there once, and any other with its own', () => {
  const findings = ['x', 'same', 'same', 'same'].map((left, at) => finding({ line: at + 1, left }));
  const text = fixText({ ...FIXED, findings }, { color: false });
  assert.equal(
    text.split('\n').filter(line => /left[:,] /.test(line)),
    ['  left: x', 'left, unless said otherwise: same'],
  );
  assert.match(
    fixText({ ...FIXED, findings: findings.slice(2) }, { color: false }),
    / {2}left: same\n/,
  );
});

const notifications = (outcome: Outcome): string[] =>
  JSON.parse(
    toSarif(outcome, { toolVersion: '1' }),
  ).runs[0].invocations[0].toolExecutionNotifications.map(
    (note: { message: { text: string } }) => note.message.text,
  );

test('the line that every reader sees counts what was fixed and what is left', () => {
  assert.is(summaryLine(FIXED), '3 of 4 diagnostics fixed, 1 left · no model · 0.4 s');
  const model = { ...FIXED.model, available: true, requests: 2 };
  assert.match(summaryLine({ ...FIXED, model } as Outcome), / left · 2 requests to the model · /);
});

test('the report ends with commands that take the fixes, and names the file that was written', () => {
  const text = (out?: string): string => fixText(FIXED, { color: false, out });
  const commits = 'fedcba987654..apfel-bot/fix-lint-1';
  assert.match(text(), `\nwithout a merge: git cherry-pick ${commits}\n`);
  assert.match(text('out/fix.json'), /\nto merge them all: git merge apfel-bot\/fix-lint-1\n/);
  assert.match(text('out/fix.json'), /with GITHUB_TOKEN set: apfel-bot push out\/fix\.json\n$/);
  assert.match(text("it's.json"), /: apfel-bot push 'it'\\''s\.json'\n$/);
  const again = { out: '.git/f.json', command: 'apfel-bot fix-lint --all --out .git/f.json' };
  assert.match(
    fixText(FIXED, { color: false, again }),
    /: apfel-bot fix-lint --all --out \.git\/f\.json; apfel-bot push \.git\/f\.json\n$/,
  );
  assert.not.match(text(), /apfel-bot push/);
  assert.match(fixMarkdown(FIXED, { out: 'fix.json' }), /: apfel-bot push fix\.json/);
  const { branch: _, ...none } = FIXED;
  assert.not.match(fixText(none, { color: false }), /push/);
});

test('a fix that is incomplete, or had nothing to fix, says so', () => {
  const diagnostics = { before: 0, after: 0, fixed: 0, introduced: 0 };
  const nothing: FixOutcome = { ...FIXED, findings: [], edits: [], diagnostics, complete: false };
  assert.is(summarise(nothing).verdict, 'incomplete · nothing to fix');
  assert.is(summarise(nothing).tone, 'warning');
});

test('a linter that crashed is named instead of nothing to fix, and its reason is there once', () => {
  const [linter] = FIXED.linters ?? [];
  const reason = 'ESLint ended with exit code 2: TypeError: boom';
  const crashed: FixOutcome = {
    ...FIXED,
    findings: [],
    edits: [],
    diagnostics: { before: 0, after: 0, fixed: 0, introduced: 0 },
    linters: linter === undefined ? [] : [{ ...linter, finished: false, reason }],
    notices: [reason, 'another'],
    complete: false,
  };
  assert.is(summarise(crashed).verdict, 'incomplete · eslint did not finish');
  for (const text of [fixText(crashed, { color: false }), fixMarkdown(crashed, {})]) {
    assert.is(text.split('boom').length, 2, text);
    assert.match(text, 'note: another');
  }
});

test('a recorded fix without edits is summed up by its findings', () => {
  assert.is(
    summarise({ ...EMPTY, task: 'fix-lint', findings: [finding({})] }).verdict,
    '1 warning',
  );
});

test('workflow commands list the fixes and where to see them', () => {
  const lines = toGithub(FIXED).split('\n');
  assert.ok(lines.includes(`::notice title=apfel-bot::${summaryLine(FIXED)}`), lines.join('\n'));
  assert.equal(
    lines.slice(lines.indexOf('fixed: no-var: 1 by the linter, 1 by the model')).slice(0, 3),
    [
      'fixed: no-var: 1 by the linter, 1 by the model',
      'fixed: semi: 1 by the linter',
      'see: git diff fedcba987654 apfel-bot/fix-lint-1',
    ],
  );
});

test('no name from outside becomes a workflow command', () => {
  const hostile = { ...FIXED, edits: [edit('x\n::error::pwned')] };
  const branch = { name: 'a\n::error::b', commit: '', base: '', bundle: null };
  const output = toGithub({ ...hostile, branch } as Outcome);
  assert.not.ok(
    output.split(/[\r\n]/).some(line => /^\s*::error/.test(line)),
    output,
  );
});

test('SARIF lists the fixes as notifications', () => {
  const told = notifications(FIXED);
  assert.is(told[0], summaryLine(FIXED));
  assert.ok(told.includes('fixed: semi: 1 by the linter'));
  assert.is(told.length, 4);
});

test('neither a review nor rdjson mentions fixes', () => {
  assert.equal(notifications(EMPTY), []);
  assert.not.match(toRdjson(FIXED), /fixed/);
});

test.run();
