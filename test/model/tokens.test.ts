import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { correctScale, estimateTokens, UNSCALED } from '../../src/model/tokens.js';
import { corpus } from '../support/corpus.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('model/tokens');
const diffs = corpus('real-diffs');

/** Optional: a development dependency that only measures. */
async function tokenizer(): Promise<((text: string) => number) | undefined> {
  try {
    const { countTokens } = await import('gpt-tokenizer');
    return text => countTokens(text, { allowedSpecial: 'all' });
  } catch {
    // Not installed: the test says so and is skipped.
    return undefined;
  }
}

/** Pieces of real diffs cut at lines, as a question to the model would show them. */
function windows(): string[] {
  const cut: string[] = [];
  for (const file of readdirSync(diffs.path('diffs'))) {
    const lines = readFileSync(join(diffs.path('diffs'), file), 'utf8').split('\n');
    for (const size of [400, 1500, 6000]) {
      let piece = '';
      for (const line of lines) {
        if (piece !== '' && piece.length + line.length > size) {
          cut.push(piece);
          piece = '';
        }
        piece += `${line.slice(0, size)}\n`;
      }
      if (piece.length > 200) cut.push(piece);
    }
  }
  return cut;
}

const count = await tokenizer();
const missing = count === undefined ? 'gpt-tokenizer is not installed' : diffs.absent;

test.unless(
  missing,
  'on real diffs the estimate is almost never too low, and not much too high',
  () => {
    const ratios = windows()
      .map(text => (count?.(text) ?? 0) / estimateTokens(text))
      .sort((one, other) => one - other);
    const share = (limit: number) => ratios.filter(ratio => ratio > limit).length / ratios.length;
    const median = ratios[Math.floor(ratios.length / 2)] ?? 0;
    assert.ok(ratios.length > 5000, `only ${ratios.length} windows`);
    assert.ok(share(1) <= 0.01, `above the estimate: ${share(1)}`);
    assert.ok(share(1.15) <= 0.005, `above 1.15 times the estimate: ${share(1.15)}`);
    assert.ok(median >= 0.65, `median of actual by estimate: ${median}`);
  },
);

const SCRIPTS = {
  Chinese: '这是一个测试文本用于计算标记数量',
  Russian: 'Это тестовый текст для подсчёта токенов',
  Arabic: 'هذا نص تجريبي لحساب الرموز',
  Hindi: 'यह टोकन गिनने के लिए एक परीक्षण पाठ है',
  Korean: '이것은 토큰 수를 세는 테스트 텍스트입니다',
  pictures: '\u{1f600}\u{1f389}\u{1f680}',
  'rare characters': '\u{20000}\u{20001}\u{210c1}',
  'invisible characters': '\u200b\u202e\u2066',
  'control characters': '\u0001\u0002\u0003',
  'indentation by tabs': '\t\tfoo\n',
};

for (const [name, sample] of Object.entries(SCRIPTS)) {
  const reason = count === undefined ? 'gpt-tokenizer is not installed' : undefined;
  test.unless(reason, `${name} are not under-estimated`, () => {
    const text = sample.repeat(20);
    assert.ok((count?.(text) ?? 0) <= estimateTokens(text));
  });
}

const COSTS: ReadonlyArray<readonly [string, number]> = [
  ['yes', 1],
  ['internal', 2],
  ['INTERNAL', 3],
  ['readFileSync', 3],
  ['0123456789abcdefabcdefabcdef', 4 + 9],
  ['one two', 2],
  ['    one', 2],
  ['--------', 2],
  ['});', 3],
  ['漢字', 3],
  ['\u{1f600}', 4],
];

for (const [text, tokens] of COSTS) {
  test(`${JSON.stringify(text)} is taken for ${tokens} tokens`, () => {
    assert.is(estimateTokens(text), tokens);
  });
}

test('an empty text costs no tokens, and more text never costs less', () => {
  assert.is(estimateTokens(''), 0);
  const text = 'const total = rows.reduce((sum, row) => sum + row.amount, 0); // 12345\n';
  let before = 0;
  for (let length = 1; length <= text.length; length += 1) {
    const now = estimateTokens(text.slice(0, length));
    assert.ok(now >= before - 1, `at ${length}`);
    before = now;
  }
});

test('a hostile megabyte is estimated in linear time', () => {
  mustEnd(() => {
    for (const unit of ['a', ' ', '9', '-', '{"', 'aA', '\ud800', '\n']) {
      estimateTokens(unit.repeat(1_000_000 / unit.length));
    }
  });
});

test('one high token count raises the scale at once', () => {
  const scale = correctScale(UNSCALED, { estimated: 1000, actual: 1200 });
  assert.is(scale.factor, 1.2);
});

test('low token counts lower the scale only when several agree, and never below the highest seen', () => {
  const low = { estimated: 1000, actual: 800 };
  const two = correctScale(correctScale(UNSCALED, low), low);
  assert.is(two.factor, 1);
  const three = correctScale(two, { estimated: 1000, actual: 900 });
  assert.ok(three.factor < 1 && three.factor >= 0.9, `${three.factor}`);
  const four = correctScale(three, { estimated: 1000, actual: 100 });
  assert.ok(four.factor >= 0.9);
});

test('the token scale stays within its bounds whatever a server reports', () => {
  const absurd = correctScale(UNSCALED, { estimated: 100, actual: 1e9 });
  assert.is(absurd.factor, 1.6);
  let scale = UNSCALED;
  for (let time = 0; time < 9; time += 1) {
    scale = correctScale(scale, { estimated: 1000, actual: 1 });
  }
  assert.is(scale.factor, 0.7);
});

test('a missing token count or a tiny request does not change the scale', () => {
  assert.equal(correctScale(UNSCALED, { estimated: 1000, actual: 0 }), UNSCALED);
  assert.equal(correctScale(UNSCALED, { estimated: 10, actual: 40 }), UNSCALED);
  assert.equal(correctScale(UNSCALED, { estimated: 1000, actual: Number.NaN }), UNSCALED);
});

test.run();
