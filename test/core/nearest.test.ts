import * as assert from 'uvu/assert';
import { ignoredRules, silences } from '../../src/checks/ignores.js';
import { formatDuration, parseDuration } from '../../src/core/deadline.js';
import { nearest } from '../../src/core/nearest.js';
import { pathFromBytes, pathToBytes } from '../../src/core/path-bytes.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('words');

for (const [text, expected] of [
  ['8s', 8000],
  ['2m', 120_000],
  ['1.5s', 1500],
  ['500ms', 500],
  ['1h', 3_600_000],
  ['0s', undefined],
  ['8', undefined],
  ['8 s', undefined],
  ['-1s', undefined],
  ['99h', undefined],
] as const) {
  test(`the duration ${text} is ${expected}`, () => assert.is(parseDuration(text), expected));
}

for (const [milliseconds, text] of [
  [8000, '8s'],
  [600_000, '10m'],
  [1500, '1500ms'],
] as const) {
  test(`${milliseconds} ms is written as ${text}`, () =>
    assert.is(formatDuration(milliseconds), text));
}

for (const [word, meant] of [
  ['reveiw', 'review'],
  ['jsno', 'json'],
  ['sarf', 'sarif'],
  ['rev', 'review'],
  ['pl', 'plan'],
  ['p', undefined],
  ['zebra', undefined],
  ['x', undefined],
] as const) {
  test(`for ${word}, ${meant ?? 'nothing'} is suggested`, () => {
    assert.is(nearest(word, ['review', 'plan', 'json', 'sarif']), meant);
  });
}

test('a prefix of several words suggests none of them', () => {
  assert.is(nearest('pre', ['pre-commit', 'pre-push']), undefined);
});

test('a word of a megabyte is not compared with any other', () => {
  mustEnd(() => {
    assert.is(nearest('review'.repeat(170_000), ['review', 'plan']), undefined);
  });
});

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

test('paths of any bytes survive the round trip', () => {
  for (const bytes of [
    [0x61],
    [0xff],
    [0xc3, 0xa4],
    [0xc3],
    [0xf0, 0x9f, 0x98, 0x80, 0xfe],
    [0xed, 0xb2, 0x80],
    [0xef, 0xbf, 0xbd],
  ]) {
    assert.equal([...pathToBytes(pathFromBytes(Uint8Array.from(bytes)))], bytes);
  }
});

test('bytes are UTF-8 exactly where the decoder says so, for every pair and many triples', () => {
  const isGood = (bytes: number[]): boolean => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
    return !text.includes('\ufffd');
  };
  for (let lead = 0x80; lead < 0x100; lead += 1) {
    for (let second = 0; second < 0x100; second += 5) {
      for (const rest of [[], [0x80], [0xbf, 0x80], [0x41]]) {
        const bytes = [lead, second, ...rest];
        const hasEscape = /[\udc80-\udcff]/u.test(pathFromBytes(Uint8Array.from(bytes)));
        assert.is(hasEscape, !isGood(bytes), bytes.join());
      }
    }
  }
});

test('a long hostile name is read in linear time', () => {
  mustEnd(() => {
    const path = pathFromBytes(new Uint8Array(1024 * 1024).fill(0xff));
    assert.is(path.length, 1024 * 1024);
  });
});

test('paths that differ in invalid bytes stay different', () => {
  const one = pathFromBytes(Uint8Array.from([0xff]));
  const other = pathFromBytes(Uint8Array.from([0xfe]));
  assert.is.not(one, other);
});

test.run();
