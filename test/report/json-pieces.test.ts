import * as assert from 'uvu/assert';
import { joinPieces, jsonPieces } from '../../src/report/json.js';
import { suite } from '../support/suite.js';

const test = suite('report/json-pieces');

const many = (amount: number): object[] =>
  Array.from({ length: amount }, (_, at) => ({
    at,
    text: `line\n${at} "]},`,
    list: [],
    none: undefined,
    deep: { numbers: [1, 2, 3], empty: {} },
  }));

const VALUES: Readonly<Record<string, unknown>> = {
  nothing: null,
  text: 'a\nb',
  empty: {},
  'an empty list': [],
  'only what is not there': { one: undefined },
  'a small thing': { one: 1, two: undefined, three: [1, { four: null }], 'fi"ve': [undefined] },
  'a long list': many(1001),
  'a list of just one portion': many(250),
  'long lists, deeper and deeper': {
    one: many(251),
    two: { three: many(600), four: { five: many(300), six: { seven: many(300) } } },
    eight: [many(300), many(2)],
  },
  'a long list with gaps': Array.from({ length: 700 }, (_, at) => (at % 2 ? undefined : at)),
};

for (const [name, value] of Object.entries(VALUES)) {
  for (const indent of [0, 2]) {
    test(`${name}, indented by ${indent}, is written as JSON.stringify writes it`, () => {
      const pieces = [...jsonPieces(value, { indent })];
      assert.is(pieces.join(''), JSON.stringify(value, null, indent));
    });
  }
}

test('texts are replaced wherever they stand', () => {
  const replace = (_: string, each: unknown): unknown =>
    typeof each === 'string' ? each.toUpperCase() : each;
  const value = { one: many(600), two: { three: ['a', 'b'] } };
  const pieces = [...jsonPieces(value, { replace })];
  assert.is(pieces.join(''), JSON.stringify(value, replace));
});

test('a long list is written in pieces, with a pause after each', async () => {
  let breaths = 0;
  const value = { list: many(5000) };
  const text = await joinPieces(jsonPieces(value), () => {
    breaths += 1;
    return undefined;
  });
  assert.is(text, JSON.stringify(value));
  assert.ok(breaths >= 20, String(breaths));
});

test.run();
