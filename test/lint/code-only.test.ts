import * as assert from 'uvu/assert';
import { codeOnly } from '../../src/lint/code-only.js';
import type { Language } from '../../src/lint/forbid-edit.js';
import { suite } from '../support/suite.js';

const test = suite('code-only');

/** Language, text, and what is left of it when white space does not count. */
const CASES: ReadonlyArray<readonly [Language, string, string]> = [
  ['script', 'a(); // b()', 'a();'],
  ['script', 'a(/* b() */ c);', 'a(c);'],
  ['script', 'a(\'b() // c\', "d"); e()', 'a(\'\',""); e()'],
  ['script', 'a(`b\nc`); d', 'a(`\n`);d'],
  ['script', "x = /['\"/*]/.test(y); a('b')", "x='\".test(y);a('')"],
  ['script', 'a / b / c; "d"', 'a/b/c;""'],
  ['script', "it's open\nnext()", "it'\nnext()"],
  ['python', 'a = "#b"  # c\nd', 'a=""\nd'],
  ['python', '"""\ndef b():\n"""\ndef c():', '"""\n\n"""\ndefc():'],
  ['go', 'a := `x // y`', 'a:=``'],
  ['rust', 'fn f<\'a>(x: &\'a str) { "b" }', 'fnf<\'a>(x:&\'astr){""}'],
  ['ruby', '"#{a}" # b', '""'],
  ['shell', 'a=b#c # d', 'a=b#c'],
  ['style', 'a { b: c } /* d */ // e', 'a{b:c}//e'],
  ['other', '# "as it is" // /* */', '#"asitis"///**/'],
];

for (const [language, text, left] of CASES) {
  test(`${language}: ${JSON.stringify(text)}`, () => {
    const code = codeOnly(text, language);
    assert.is(code.length, text.length, 'places stay');
    assert.is(code.split('\n').length, text.split('\n').length, 'lines stay');
    const squeeze = (value: string): string => value.replace(/ /g, '');
    assert.is(squeeze(code), squeeze(left));
  });
}

test.run();
