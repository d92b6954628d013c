import * as assert from 'uvu/assert';
import { schemaProblems } from '../../src/core/schema-problem.js';
import { validateConfig } from '../../src/generated/validate-config.js';
import { validateRequest } from '../../src/generated/validate-request.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('core/schema-problem');

const inConfig = (value: unknown): string[] => schemaProblems(validateConfig(value));

const GRADES = '"off", "info", "warning" or "error", or {"grade": …, "ignore": [globs]}';

for (const [name, value, ...lines] of [
  [
    'a prefix of an allowed value',
    { review: { failOn: 'warn' } },
    'review.failOn: must be one of "error", "warning", "info", "never", found "warn"; did you mean "warning"?',
  ],
  [
    'a number where a duration is expected',
    { hooks: { deadline: 8 } },
    'hooks.deadline: must be a number with its unit: "500ms", "8s", "2m", "1h", found 8',
  ],
  [
    'a misspelt value',
    { model: { protocol: 'giuded' } },
    'model.protocol: must be one of "auto", "guided", "native", "text", found "giuded"; did you mean "guided"?',
  ],
  [
    'a value unlike any allowed one',
    { review: { failOn: 'fatal' } },
    'review.failOn: must be one of "error", "warning", "info", "never", found "fatal"',
  ],
  [
    'a value where an object is allowed too',
    { checks: { debugger: 'err' } },
    `checks.debugger: must be ${GRADES}, found "err"; did you mean "error"?`,
  ],
  [
    'a key in that object',
    { checks: { debugger: { graed: 'off' } } },
    'checks.debugger: unknown key "graed"; did you mean "grade"?',
  ],
  [
    'a value in that object',
    { checks: { debugger: { grade: 'of' }, debug: 7 } },
    'checks.debugger.grade: must be one of "off", "info", "warning", "error", found "of"; did you mean "off"?',
    `checks.debug: must be ${GRADES}, found 7`,
  ],
] as const) {
  test(`${name} is named, with what was probably meant`, () => {
    assert.equal(inConfig(value), lines);
  });
}

const REQUEST = {
  decision: 'run',
  reason: '',
  verb: 'review',
  args: [],
  repository: 'a/b',
  pull: 1,
  base: 'a'.repeat(40),
  head: 'b'.repeat(40),
};

test('a choice without a description lists each form', () => {
  assert.equal(schemaProblems(validateRequest(REQUEST)), []);
  assert.equal(schemaProblems(validateRequest({ ...REQUEST, head: '--x', pull: 0 })), [
    'pull: must be >= 1 or must be null, found 0',
    'head: must match pattern "^(?:[0-9a-f]{40}|[0-9a-f]{64})$" or must be null, found "--x"',
  ]);
});

test('twenty thousand problems are reported in linear time', () => {
  const checks = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [`c${at}`, { grade: 'x'.repeat(100) }]),
  );
  mustEnd(() => {
    assert.is(inConfig({ checks }).length, 20_000);
    assert.is(inConfig({ checks: { debugger: checks } }).length, 20_000);
  });
});

test.run();
