import * as assert from 'uvu/assert';
import { hiddenUnicode } from '../../src/checks/hidden-unicode.js';
import { suite } from '../support/suite.js';
import { judgeText } from './judge-text.js';

const test = suite('checks/hidden-unicode');

const point = (codePoint: number): string => String.fromCodePoint(codePoint);
const rulesOn = (text: string, path = 'src/a.ts'): string[] =>
  judgeText(hiddenUnicode, path, text).map(({ rule }) => rule.replace('hidden-unicode/', ''));

const BIDI = [0x061c, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const ZERO_WIDTH = [
  0x00ad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028,
  0x2029, 0x2060, 0x2061, 0x2064, 0x206a, 0x3164, 0xfeff, 0xffa0, 0xe0001, 0xe0041, 0xe007f,
  0xe0100,
];

for (const codePoint of BIDI) {
  test(`U+${codePoint.toString(16)} is reported as a bidi control`, () =>
    assert.equal(rulesOn(`if (role !== "user${point(codePoint)}") {`), ['bidi']));
}

for (const codePoint of ZERO_WIDTH) {
  test(`U+${codePoint.toString(16)} is reported as zero-width`, () =>
    assert.equal(rulesOn(`const is${point(codePoint)}Admin = true;`), ['zero-width']));
}

const shown: ReadonlyArray<readonly [string, string]> = [
  ['plain ASCII', 'const a = 1;'],
  ['a byte order mark at the start of the file', '\ufeffimport a;'],
  ['a family of emoji', 'const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}";'],
  ['an emoji with a skin', '"\u{1f469}\u{1f3fd}\u200d\u{1f4bb}"'],
  ['a rainbow flag', '"\u{1f3f3}\ufe0f\u200d\u{1f308}"'],
  ['the flag of Scotland', '"\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"'],
  ['a selector for emoji after a space', '"\u26a0 \ufe0f"'],
  ['a selector for emoji twice', '"\u26a0\ufe0f\ufe0f"'],
  ['a heart with its selector', '"\u2764\ufe0f 1\ufe0f\u20e3"'],
  ['a Japanese name with its variant', '"\u845b\u{e0100}"'],
  ['a Persian word with its non-joiner', '"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"'],
  ['a Hindi word with its joiner', '"\u0915\u094d\u200d\u0937"'],
  ['a Hebrew sentence with its mark', '"\u05e9\u05dc\u05d5\u05dd C++\u200f"'],
  ['a Thai text with its line break', '"\u0e44\u0e17\u0e22\u200b\u0e14\u0e35"'],
  ['a line break before Khmer', '"a\u200b\u1780"'],
  ['the metadata of an image', '<?xpacket begin="\ufeff" id="W5M0"?>'],
  [
    'a Russian comment',
    '// \u041d\u0435 \u0442\u0440\u043e\u0433\u0430\u0439 HTTP-\u043a\u043e\u0434',
  ],
  ['a Russian word behind an escape', '"\\n\u041e\u043d, %s\u0421\u0435"'],
  ['a short word behind an escape', '"\\nI\u0422"'],
  ['a range of letters', '/[a-zA-Z\u0430-\u044f\u0410-\u042f\u0451\u0401]/'],
  [
    'a Latin word with a Russian ending',
    '"PDF\u043a\u0430 \u0438 IP\u0430\u0434\u0440\u0435\u0441"',
  ],
  ['Greek prose', '"\u039a\u03b1\u03bb\u03b7\u03bc\u03ad\u03c1\u03b1 world"'],
  ['formulas', '\u0394x = \u03b1t + \u03bdmax * \u03bcm / k\u03a9; \u00b5s'],
  ['a name of two scripts', 'user_\u0438\u043c\u044f = 1'],
  ['a word of two letters', 'x\u0430 = 1'],
];

for (const [title, text] of shown) {
  test(`${title} is not reported as hidden`, () => assert.equal(rulesOn(text), []));
}

const hidden: ReadonlyArray<readonly [string, string, readonly string[]]> = [
  ['a byte order mark further on', 'a\n\ufeffb', ['zero-width']],
  ['a message in tag characters', '"hi\u{e0068}\u{e0069}"', ['zero-width']],
  ['a message in selectors', '"\u{1f600}\ufe01\ufe02\ufe03"', ['zero-width']],
  ['a selector with nothing to select', '\ufe00a', ['zero-width']],
  ['a joiner between letters', '"pass\u200dword"', ['zero-width']],
  ['a joiner after an emoji only', '"\u{1f600}\u200d"', ['zero-width']],
  ['a Cyrillic a in a Latin word', 'const p\u0430ypal = 1;', ['mixed-script']],
  ['a Cyrillic word that looks Latin', 'user_\u0441\u043e\u0440\u0435 = 1;', ['mixed-script']],
  ['a Greek capital in a Latin word', 'class \u0391dmin {}', ['mixed-script']],
  ['a Greek omicron', 'fo\u03bf()', ['mixed-script']],
  ['a Greek nu within a word', 'ser\u03bder.start()', ['mixed-script']],
  ['one of each', 'p\u0430ypal\u202e = "\u200b"', ['bidi', 'zero-width', 'mixed-script']],
];

for (const [title, text, rules] of hidden) {
  test(`${title} is found`, () => assert.equal(rulesOn(text), rules));
}

test('a soft hyphen is typography in prose and hidden in code', () => {
  assert.equal(rulesOn('Donau\u00addampf', 'docs/a.md'), []);
  assert.equal(rulesOn('Donau\u00addampf', 'src/a.ts'), ['zero-width']);
});

test('a line in another encoding is not read as if it were UTF-8', () =>
  assert.equal(rulesOn('\ufffd\u061c\ufffd ab\u0430cd \u00ad'), []));

test('a stray byte does not hide an override', () =>
  assert.equal(rulesOn('x = 1 // \ufffd \u202e'), ['bidi']));

test('several hidden characters on a line are one finding that counts them', () => {
  const [hit, ...others] = judgeText(hiddenUnicode, 'a.ts', 'a\u202eb\u202cc\u2066d');
  assert.is(others.length, 0);
  assert.match(hit?.message ?? '', /^U\+202E RIGHT-TO-LEFT OVERRIDE \(and 2 more on this line\) /);
});

test('the finding points at the hidden character and never shows it', () => {
  const [bidi] = judgeText(hiddenUnicode, 'a.ts', 'ab\u202ec');
  assert.equal([bidi?.column, bidi?.endColumn], [3, 4]);
  const [word] = judgeText(hiddenUnicode, 'a.ts', 'x = p\u0430ypal;');
  assert.equal([word?.column, word?.endColumn], [5, 11]);
  assert.match(word?.message ?? '', /the Cyrillic letter U\+0430/);
  for (const hit of [bidi, word]) assert.match(hit?.message ?? '\u202e', /^[\x20-\x7e]+$/);
});

test('every message about hidden characters is plain ASCII', () => {
  for (const codePoint of [...BIDI, ...ZERO_WIDTH]) {
    const [hit] = judgeText(hiddenUnicode, 'a.ts', `xx${point(codePoint)}yy`);
    assert.match(hit?.message ?? '\u202e', /^U\+[0-9A-F]{4,5} [\x20-\x7e]+$/);
  }
});

test('hidden characters are reported in generated and vendored files too', () =>
  assert.is(hiddenUnicode.guards, true));

test('tests, their data and lists of authors have hidden characters on purpose', () => {
  const severities = (path: string, text = '"a\u202eb\u200bc"') =>
    judgeText(hiddenUnicode, path, text).map(({ severity }) => severity ?? 'own');
  assert.equal(severities('tests/models/urls.json'), ['warning', 'info']);
  assert.equal(severities('tests/a.test.ts'), ['own', 'info']);
  assert.equal(severities('AUTHORS.txt'), ['warning', 'info']);
  assert.equal(severities('dist/a.js', `${'a;'.repeat(1000)}"\u202a"`), ['warning']);
  assert.equal(severities('src/urls.json'), ['own', 'own']);
});

test('a translation may embed a name in text of the other direction, but not override it', () => {
  const rules = (path: string, text: string) =>
    judgeText(hiddenUnicode, path, text).map(({ rule }) => rule);
  assert.equal(rules('locales/fa.json', '"a": "\u202b{name} \u0631\u0627",'), []);
  assert.equal(rules('locales/fa.json', '"a": "\u202e{name} \u0631\u0627",'), [
    'hidden-unicode/bidi',
  ]);
  assert.equal(rules('locales/en.json', '"a": "\u202b{name} a",'), ['hidden-unicode/bidi']);
  assert.equal(rules('src/a.ts', '"a": "\u202b{name} \u0631\u0627",'), ['hidden-unicode/bidi']);
});

test('a hidden character in a translation is info, unless it changes the direction', () => {
  const severities = judgeText(hiddenUnicode, 'de.lproj/A.strings', '"a" = "b\u200bc\u202e";').map(
    ({ severity }) => severity,
  );
  assert.equal(severities, [undefined, 'info']);
});

test('two joiners in a row change nothing and are info', () =>
  assert.equal(judgeText(hiddenUnicode, 'fa.strings', '\u0647\u200c\u200c\u0627'), []));

test.run();
