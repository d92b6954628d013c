import * as assert from 'uvu/assert';
import { groundingOf, isProtocolText } from '../../src/agent/grounding.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('grounding');

const SHOWN = [
  'src/limits.ts: lines 1-3 of 90\n1| export const maxTurns = 8;\n2| export const reply_tokens = 1_000;\n3| retry(five_times, 0.5);',
  '1 match in 1 file for "five"\nsrc/other.ts:41: const five = 5;',
];
const ASKED = 'What is maxTurns, and where is parseAll?';
const of = (answer: string) => groundingOf(answer, SHOWN, ASKED);

for (const answer of [
  'It is 8.',
  'It is eight.',
  'It is five.',
  '`maxTurns` is 8, in src/limits.ts:1.',
  'reply_tokens is 1,000 and the delay 0.5.',
  'The constant maxTurns limits it.',
]) {
  test(`${JSON.stringify(answer)} stands in what was shown`, () => {
    const { proven, unproven } = of(answer);
    assert.equal(unproven, []);
    assert.ok(proven.length > 0);
  });
}

for (const [answer, claim] of [
  ['It is 12.', '12'],
  ['It is twelve.', '12'],
  ['It is 41.', '41'],
  ['It is 90, in src/limits.ts:1.', '90'],
  ['It is set by `maxTries`.', 'maxTries'],
  ['It is 8, in src/config.ts:3.', 'src/config.ts'],
  ['call resetAll() first', 'resetAll()'],
] as const) {
  test(`${JSON.stringify(answer)} claims something that was not shown`, () => {
    assert.equal(of(answer).unproven, [claim]);
  });
}

test('an answer without anything that can be checked proves nothing', () => {
  for (const answer of [
    '',
    'success',
    'In general that depends on the time.',
    'One of them does.',
  ]) {
    const { proven, unproven } = of(answer);
    assert.equal([proven, unproven], [[], []], answer);
  }
});

test('to repeat the question is neither wrong nor a proof', () => {
  assert.equal(of('parseAll is somewhere.'), { proven: [], unproven: [] });
});

test('a true sentence about an error is an answer like any other', () => {
  const shown = ['a.ts: lines 1-1 of 1\n1| throw new ParseError("failed");'];
  const { proven } = groundingOf('It seems to fail: it throws `ParseError`.', shown);
  assert.equal(proven, ['ParseError']);
});

test('text of a protocol is never an answer', () => {
  for (const text of [
    '{"action": "read_file", "path": "a"}',
    '```json\n{"a_reason": "x", "b_action": "fly"}\n```',
    '“{"tool_calls": []}',
    '"{\\"action\\": \\"finish\\"}"',
    '{“action”: “finish”}',
  ]) {
    assert.ok(isProtocolText(text), text);
  }
  for (const text of ['The object {"a": 1} is returned.', '{ a: 1 } is the default.', 'It is 8.']) {
    assert.not(isProtocolText(text), text);
  }
});

test('a long hostile text is read in linear time', () => {
  mustEnd(() => {
    for (const unit of ['a/', '`', 'a.', '1,', '1|', 'aB', ': lines 1-1 of ']) {
      const long = unit.repeat(200_000 / unit.length);
      groundingOf(long, [long], long);
      isProtocolText(long);
    }
  });
});

test.run();
