import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { evaluate, type Scope } from './expression.js';
import { fillIn, functionsIn, mayRun, type Status } from './fill-in.js';

const names = {
  github: { event: { comment: { body: '/Apfel review' }, pull_request: { head: { repo: null } } } },
  needs: { one: { result: 'success' }, two: { result: 'failure' } },
  vars: {},
};
const scope: Scope = { names, functions: functionsIn('.') };

const test = suite('workflows/expression');

for (const [text, expected] of [
  ["'it''s'", "it's"],
  ["'A' == 'a'", true],
  ["null == ''", true],
  ['1 == true', true],
  ["github.event.pull_request.head.repo.full_name != 'ada/engine'", true],
  ["github.event.pull_request.head.repo.full_name == 'ada/engine'", false],
  ['github.event.issue.pull_request', null],
  ["startsWith(github.event.comment.body, '/apfel')", true],
  ["contains(needs.*.result, 'failure')", true],
  ["contains(needs.*.result, 'cancelled')", false],
  ["vars.MACS || '2'", '2'],
  ['false || (true && !false)', true],
  ['fromJSON(\'{"a": [1]}\').a', [1]],
  ["needs['one'].result", 'success'],
  ["hashFiles('no-such-file') != ''", false],
  ["hashFiles('package.json') != ''", true],
] as const) {
  test(`${text} is ${JSON.stringify(expected)}`, () =>
    assert.equal(evaluate(text, scope), expected));
}

for (const text of ['secrets.KEY', 'format(1)', '1 +', "'open", 'needs.', '(1', '1 2', '']) {
  test(`${JSON.stringify(text)} is refused`, () =>
    assert.throws(
      () => evaluate(text, scope),
      (thrown: unknown) => thrown instanceof Error,
    ));
}

test('an expression that stands alone keeps its kind; among text it becomes text', () => {
  assert.equal(fillIn(`\${{ fromJSON('[1]') }}`, scope), [1]);
  assert.is(fillIn(`a \${{ vars.NONE }}b \${{ 1 == 1 }}`, scope), 'a b true');
});

const status = (result: 'success' | 'failure' | 'skipped'): Status => ({
  isSuccess: result === 'success',
  isFailure: result === 'failure',
  isCancelled: false,
});

for (const [condition, after, expected] of [
  [undefined, 'success', true],
  [undefined, 'skipped', false],
  ["needs.one.result == 'success'", 'failure', false],
  ['always()', 'failure', true],
  ['failure()', 'failure', true],
  ['failure()', 'skipped', false],
  [`\${{ !cancelled() && needs.two.result != 'skipped' }}`, 'failure', true],
] as const) {
  test(`if: ${condition} ${expected ? 'runs' : 'is skipped'} after ${after}`, () =>
    assert.is(mayRun(condition, status(after), scope), expected));
}

test.run();
