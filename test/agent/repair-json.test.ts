import * as assert from 'uvu/assert';
import { repairJson } from '../../src/agent/repair-json.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('agent/repair-json');

const repaired = (text: string): unknown => {
  const found = repairJson(text);
  return found === undefined || found.isCut ? undefined : found.value;
};

test('valid JSON is read unchanged', () => {
  assert.equal(repairJson('{"a": [1, {"b": null}]}'), {
    value: { a: [1, { b: null }] },
    isRepaired: false,
    isCut: false,
    end: 23,
  });
});

const CASES: ReadonlyArray<readonly [what: string, text: string, value: unknown]> = [
  ['a fence', '```json\n{"a": 1}\n```', { a: 1 }],
  ['words before and after', 'I will do it.\n{"a": 1}\nHope this helps!', { a: 1 }],
  ['a missing closing bracket at the end', '{"a": {"b": "c"}', { a: { b: 'c' } }],
  ['a list that is not closed', '{"a": [{"b": 1}}', { a: [{ b: 1 }] }],
  ['a comma too many', '{"a": [1, 2,], }', { a: [1, 2] }],
  ['single quotes', "{'a': 'b', 'c': 'it's here'}", { a: 'b', c: "it's here" }],
  ['bare keys and words of Python', '{a: True, b: None}', { a: true, b: null }],
  ['a raw line feed in a string', '{"a": "x\ny"}', { a: 'x\ny' }],
  ['an escape that JSON does not know', '{"a": "\\d+"}', { a: '\\d+' }],
  ['junk behind the object', '{"a": "b"}\\"}}]}', { a: 'b' }],
  ['an object in quotes, its own not escaped', '{"a": "{"b": "c"}"}', { a: { b: 'c' } }],
  ['the same with single quotes', "{'a': '{'b': 'c'}'}", { a: { b: 'c' } }],
  [
    'a string that is never closed around a whole object',
    '{"a": "{\\"n\\": [2, 2]}\\"}}]}',
    { a: { n: [2, 2] } },
  ],
  ['a list at the start', '[{"a": 1}, {"b": 2}', [{ a: 1 }, { b: 2 }]],
  ['brackets in the prose before', 'See [1] and {x}: {"a": 1}', { a: 1 }],
  ['a key that is not one', '{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
];

for (const [what, text, value] of CASES) {
  test(`broken JSON is repaired: ${what}`, () => assert.equal(repaired(text), value));
}

const CUT = [
  '{"path": "src/a',
  '{"limit": 12',
  '{"path":',
  '{"path"',
  '{"newText": "if (a) {\\n  b();',
  '{"a": [1, 2, ',
  '```json\n{"a_reason": "because", "b_action": "re',
];

for (const text of CUT) {
  test(`JSON that was cut off is not acted on: ${text.slice(0, 30)}`, () => {
    assert.is(repairJson(text)?.isCut, true);
  });
}

test('JSON that is not an object is ignored', () => {
  for (const text of ['', 'hello', '42', '"x"', 'null', 'function f() { return 1 }', '{"a" "b"}']) {
    assert.is(repaired(text), undefined, text);
  }
});

test('hostile texts of half a megabyte are read in linear time', () => {
  const hostile = [
    '{'.repeat(500_000),
    '['.repeat(500_000),
    '{"a":'.repeat(100_000),
    '"{'.repeat(250_000),
    "'{a:".repeat(125_000),
    '{"a":"{'.repeat(70_000),
    "{'a':'{".repeat(70_000),
    `{"a": "${'\\'.repeat(500_000)}`,
    `{'a': '${"' ".repeat(250_000)}`,
    `{"a": ${'1'.repeat(500_000)}`,
    `{"a": "${'{\\"a\\": \\"'.repeat(50_000)}`,
  ];
  for (const text of hostile) {
    mustEnd(() => repairJson(text));
  }
});

test.run();
