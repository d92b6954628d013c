import * as assert from 'uvu/assert';
import { type HookMessageOptions, hookMessage } from '../../src/hooks/message.js';
import { CLEAN, finding, INCOMPLETE } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';

const test = suite('hook message');

const options = (parts: Partial<HookMessageOptions> = {}): HookMessageOptions => ({
  failOn: 'error',
  elapsedMs: 100,
  goesOnLater: true,
  color: false,
  columns: 80,
  ...parts,
});

const GRAVE = {
  ...CLEAN,
  findings: [finding({ severity: 'error', rule: 'focused-test', evidence: 'it.only()' })],
};

test('a commit that is stopped is told why and every way on', () => {
  const { text, blocks } = hookMessage(GRAVE, options());
  assert.ok(blocks);
  assert.match(text, 'src/a.ts:1  error  focused-test');
  assert.match(text, '// apfel-bot-ignore focused-test reason');
  assert.match(text, 'apfel-bot stopped this commit: 1 finding to settle.');
  assert.match(text, 'apfel-bot review --staged');
  assert.match(text, 'git commit --no-verify');
});

test('nothing to say in under a second is nothing at all', () => {
  assert.equal(hookMessage(CLEAN, options()), { text: '', blocks: false });
  const withoutModel = { ...CLEAN, complete: false };
  assert.is(hookMessage(withoutModel, options({ elapsedMs: 999 })).text, '');
});

test('what took longer is told in one line', () => {
  const { text } = hookMessage(CLEAN, options({ elapsedMs: 1000 }));
  assert.match(text, /^apfel-bot: clean · [^\n]*\n$/);
});

test('what is not grave is told and does not stop the commit', () => {
  const { text, blocks } = hookMessage(GRAVE, options({ failOn: 'never' }));
  assert.not.ok(blocks);
  assert.match(text, 'focused-test');
  assert.not.match(text, 'stopped');
});

test('hooks.failOn decides what is grave', () => {
  const outcome = { ...CLEAN, findings: [finding({ severity: 'warning' })] };
  assert.not.ok(hookMessage(outcome, options()).blocks);
  assert.ok(hookMessage(outcome, options({ failOn: 'warning' })).blocks);
});

test('what the deadline cut off is promised only where it is done', () => {
  assert.ok(INCOMPLETE.ledger.outOfTime > 0);
  const outcome = { ...INCOMPLETE, findings: [] };
  assert.match(
    hookMessage(outcome, options()).text,
    'in the background; see it with: apfel-bot show',
  );
  assert.not.match(hookMessage(outcome, options({ goesOnLater: false })).text, 'background');
});

test('text from outside cannot steer the terminal', () => {
  const evil = finding({ severity: 'error', message: '\u001b[2Jgone', path: 'a\u001b]0;x\u0007' });
  assert.not.match(hookMessage({ ...CLEAN, findings: [evil] }, options()).text, /\u001b/);
});

test.run();
