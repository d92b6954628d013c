import * as assert from 'uvu/assert';
import { entropy, isMadeUp, looksRandom } from '../../src/secrets/placeholder.js';
import { suite } from '../support/suite.js';

const test = suite('secrets/placeholder');

// Put together here so that no scanner takes this file for a leak.
const join = (...parts: string[]): string => parts.join('');

test('entropy is the number of bits that a character is worth', () => {
  for (const [text, bits] of [
    ['', 0],
    ['a', 0],
    ['aaaa', 0],
    ['ab', 1],
    ['aabb', 1],
    ['aab', Math.log2(3) - 2 / 3],
    ['abcd', 2],
    ['abcdefgh', 3],
    ['ab'.repeat(400), 1],
  ] as const) {
    assert.ok(Math.abs(entropy(text) - bits) < 1e-9, `${text.slice(0, 9)}: ${entropy(text)}`);
  }
});

test('a value is random if letters and digits alternate often enough in one stretch', () => {
  for (const [value, isRandom] of [
    // Thirteen and fourteen characters.
    [join('Kq8s7Hq2', 'Lm4P1'), false],
    [join('Kq8s7Hq2', 'Lm4P1x'), true],
    // Stretches of seven and eight characters.
    [join('Kq8s7Hq', '-2Lm4Px1'), false],
    [join('Kq8s7Hq2', '-Lm4Px1'), true],
    // One switch and two.
    ['abcdefghijklmno1', false],
    ['abcdefghijklm1', false],
    ['abcdefg1hijklmno', false],
    ['ab1defg2hijklmno', true],
    // Switches between capitals and small letters.
    [join('tHisIsAnAMe4', 'uShErE'), true],
    // Digits alone: twenty-three and twenty-four.
    ['12345678901234567890123', false],
    ['123456789012345678901234', true],
    ['abcdefghijklmnopqrst', false],
    // Too few different characters; below twenty with letters beyond hexadecimal ones, more are needed.
    ['a1a1a1a1a1a1a1a1', false],
    [join('g1h2g1h2', 'k3k3m4m4x'), false],
    [join('a1b2a1b2', 'c3c3d4d4e'), true],
    [join('8c1f0b52-6d3e', '-4a7b-9e10-2f6c8d7a5b43'), false],
    ['versions/2.10.4/file_name_v2', false],
  ] as const) {
    assert.is(looksRandom(value), isRandom, value);
  }
});

test('each sign of a made-up value is enough', () => {
  const random = join('f3Kq81ZtWm', 'Pz0aL5vXc2');
  assert.not.ok(isMadeUp(random));
  for (const value of [
    `your-${random}`,
    `<${random}>`,
    `$${random}`,
    `pk_${random}`,
    `lorem${random}`,
    'P@ssw0rd9',
    's3cr3t99',
  ]) {
    assert.ok(isMadeUp(value), value);
  }
});

test.run();
