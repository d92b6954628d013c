import * as assert from 'uvu/assert';
import { type HookMessageOptions, hookMessage } from '../../src/hooks/message.js';
import { CLEAN, finding, INCOMPLETE, ledger } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/message');

const options = (parts: Partial<HookMessageOptions> = {}): HookMessageOptions => ({
  failOn: 'error',
  color: false,
  columns: 80,
  ...parts,
});

const BLOCKING = {
  ...CLEAN,
  findings: [finding({ severity: 'error', rule: 'focused-test', evidence: 'it.only()' })],
};

test('a blocked commit shows why it was blocked and every way to go on', () => {
  const { text, blocks } = hookMessage(BLOCKING, options());
  assert.ok(blocks);
  assert.match(text, 'src/a.ts:1  error  focused-test');
  assert.match(text, '// apfel-bot-ignore focused-test reason');
  assert.match(text, 'apfel-bot blocked this commit: 1 finding to fix.');
  assert.match(text, 'apfel-bot review --staged');
  assert.match(text, 'git commit --no-verify');
});

test('a blocked commit names no ignore comment where the file can have none', () => {
  const broken = finding({ severity: 'error', rule: 'invalid/json', path: 'a.json' });
  const { text } = hookMessage({ ...CLEAN, findings: [broken] }, options());
  assert.match(text, '"checks": {"invalid/json": "off"}');
  assert.not.match(text, 'comment');
});

test('a complete run without findings prints nothing', () => {
  assert.equal(hookMessage(CLEAN, options()), { text: '', blocks: false });
});

test('a clean commit without a model gets one line that says why there is none', () => {
  const { text, blocks } = hookMessage({ ...CLEAN, complete: false }, options());
  assert.is(
    text,
    'apfel-bot: checks only, no model: nothing answers at http://127.0.0.1:11434/v1\n',
  );
  assert.not.ok(blocks);
});

test('hunks that the model refused or failed at are one line even in a quick run', () => {
  for (const state of ['refused', 'failed'] as const) {
    const model = { ...CLEAN.model, available: true };
    const cut = ledger({ total: 2, reviewed: 1, [state]: 1 });
    const { text } = hookMessage({ ...CLEAN, complete: false, model, ledger: cut }, options());
    assert.match(
      text,
      new RegExp(`^apfel-bot: incomplete: of 2 hunks, 1 ${state}; see: apfel-bot show\n$`),
    );
  }
});

test('an incomplete run without findings is one line with its most important reason', () => {
  const model = { ...CLEAN.model, available: true };
  const none = 'checks only, no model: nothing answers at';
  for (const [counts, isThere, words] of [
    [{ checked: 2 }, false, none],
    [{ checked: 1, outOfTime: 1 }, false, '1 hunk out of time'],
    [{ reviewed: 1, outOfTime: 2 }, true, '2 hunks out of time'],
    [{ outOfTime: 1, refused: 1 }, true, 'incomplete: of 2 hunks, 1 refused, 1 out of time; '],
    [{ outOfTime: 1, failed: 1 }, true, 'incomplete: of 2 hunks, 1 failed, 1 out of time; '],
    [{ reviewed: 1, checked: 1 }, true, 'incomplete: not all seen by the model · '],
  ] as const) {
    const outcome = { ...CLEAN, complete: false, ledger: ledger({ total: 2, ...counts }) };
    const { text } = hookMessage({ ...outcome, ...(isThere && { model }) }, options());
    assert.ok(text.startsWith(`apfel-bot: ${words}`), text);
    assert.is(text.split('\n').length, 2);
    assert.is(text.endsWith('see: apfel-bot show\n'), 'refused' in counts || 'failed' in counts);
  }
});

test('findings that do not block are followed by what was out of time, if anything was', () => {
  const outcome = { ...CLEAN, complete: false, findings: [finding({})] };
  const textFor = (outOfTime: number) =>
    hookMessage({ ...outcome, ledger: ledger({ total: 3, outOfTime }) }, options()).text;
  assert.not.match(textFor(0), 'out of time\n');
  assert.match(textFor(1), /\napfel-bot: 1 hunk out of time\n$/);
});

test('findings below hooks.failOn are shown and do not block the commit', () => {
  const { text, blocks } = hookMessage(BLOCKING, options({ failOn: 'never' }));
  assert.not.ok(blocks);
  assert.match(text, 'focused-test');
  assert.not.match(text, 'blocked this commit');
});

test('hooks.failOn decides which findings block', () => {
  const outcome = { ...CLEAN, findings: [finding({ severity: 'warning' })] };
  assert.not.ok(hookMessage(outcome, options()).blocks);
  assert.ok(hookMessage(outcome, options({ failOn: 'warning' })).blocks);
});

test('the next steps of a blocked commit fit a narrow terminal without a broken command', () => {
  const outcome = { ...CLEAN, findings: [finding({ severity: 'error' })] };
  const lines = hookMessage(outcome, options({ columns: 48 })).text.split('\n');
  const steps = lines.slice(lines.findIndex(line => line.startsWith('  fix and stage')));
  assert.equal(steps, [
    '  fix and stage, then check again:',
    '    apfel-bot review --staged',
    '  or keep the code: silence the rule as shown',
    '    above',
    '  or skip the hooks this once:',
    '    git commit --no-verify',
    '',
  ]);
});

test('a commit blocked by a secret is not advised to keep the code as it is', () => {
  const findings = [finding({ severity: 'error', rule: 'secret/private-key' })];
  const { text } = hookMessage({ ...CLEAN, findings }, options());
  assert.match(text, '\n  or if it gives access to nothing: silence the rule as shown above\n');
  assert.not.match(text, 'keep the code');
});

test('pre-commit announces no background review, because the commit may not be made', () => {
  assert.ok(INCOMPLETE.ledger.outOfTime > 0);
  for (const findings of [[], [finding({ severity: 'info' })]]) {
    const { text } = hookMessage({ ...INCOMPLETE, findings }, options());
    assert.match(text, 'out of time');
    assert.not.match(text, /background|after the commit/);
  }
  const { text } = hookMessage({ ...INCOMPLETE, findings: [] }, options());
  assert.is(text.trim().split('\n').length, 1);
});

test('text from outside cannot steer the terminal', () => {
  const evil = finding({ severity: 'error', message: '\u001b[2Jgone', path: 'a\u001b]0;x\u0007' });
  assert.not.match(hookMessage({ ...CLEAN, findings: [evil] }, options()).text, /\u001b/);
});

test.run();
