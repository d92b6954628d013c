import * as assert from 'uvu/assert';
import { ignoredRules, ignoreProblems, silences } from '../../src/checks/rules.js';
import { apfelBot, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';

const test = suite('checks/ignores');

for (const [line, problem] of [
  ['// apfel-bot-ignore focused-test the others take an hour', undefined],
  ['// apfel-bot-ignore secret/* all made up', undefined],
  ['// apfel-bot-ignore secret/aws-access-key of a closed account', undefined],
  ['// apfel-bot-ignore model/off-by-one the list has an end mark', undefined],
  ['// apfel-bot-ignore rule/loop as agreed', undefined],
  ['// apfel-bot-ignore no-unused-vars linters have their own', 'names no rule "no-unused-vars"'],
  ['// apfel-bot-ignore nosuch/* reason', 'names no rule "nosuch/*"'],
  ['// apfel-bot-ignore nosuch reason', 'names no rule "nosuch"'],
  [
    '// apfel-bot-ignore focus-test slow',
    'names no rule "focus-test"; did you mean "focused-test"?',
  ],
  [
    '# apfel-bot-ignore secret/aws-acces-key old',
    'names no rule "secret/aws-acces-key"; did you mean "secret/aws-access-key"?',
  ],
  ['// apfel-bot-ignore debugger', 'debugger gives no reason; write one after the rule'],
  ['/* apfel-bot-ignore debugger */', 'debugger gives no reason; write one after the rule'],
  ['<!-- apfel-bot-ignore debugger -->', 'debugger gives no reason; write one after the rule'],
] as const) {
  test(`"${line}" is ${problem === undefined ? 'fine' : 'noted'}`, () => {
    const expected = problem === undefined ? [] : [`a.ts:1: apfel-bot-ignore ${problem}`];
    assert.equal(ignoreProblems(line, 'a.ts:1'), expected);
  });
}

test('a mistake in an ignore comment is a notice and stops nothing', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'debugger; // apfel-bot-ignore debuger for the talk\n');
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    const notice = 'a.js:1: apfel-bot-ignore names no rule "debuger"; did you mean "debugger"?';
    assert.ok(outcome.notices.includes(notice), outcome.notices.join('\n'));
    assert.equal(
      outcome.findings.map(({ rule }) => rule),
      ['debugger'],
    );
  }));

test('what is ignored is counted as ignored, not as rejected', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'debugger; // apfel-bot-ignore debugger for the talk\n');
    const { stdout } = await apfelBot(['review', '--staged', '--no-model'], { cwd: repo.dir });
    assert.match(stdout, /ignored 1: 1 debugger|ignored 1.*debugger/);
    assert.not.match(stdout, 'rejected');
  }));

for (const [line, rules] of [
  ['x(); // apfel-bot-ignore debugger needed here', ['debugger']],
  ['# apfel-bot-ignore secret/aws-access-key a test value', ['secret/aws-access-key']],
  ['<!-- apfel-bot-ignore whitespace -->', ['whitespace']],
  ['// apfel-bot-ignore secret/* fixtures', ['secret/*']],
  ['// apfel-bot-ignore', []],
  ['an ordinary line', []],
] as const) {
  test(`${JSON.stringify(line)} silences ${rules.join() || 'nothing'}`, () => {
    assert.equal(ignoredRules(line), rules);
  });
}

test('a family silences its rules and no other', () => {
  assert.ok(silences('secret/*', 'secret/aws-access-key'));
  assert.ok(silences('debugger', 'debugger'));
  assert.not.ok(silences('secret', 'secret/aws-access-key'));
  assert.not.ok(silences('debug', 'debugger'));
});

test.run();
