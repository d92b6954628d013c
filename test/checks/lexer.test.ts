// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that other tools fill in.
import * as assert from 'uvu/assert';
import type { SourceLanguage } from '../../src/checks/language.js';
import { CodeView, codeOnly } from '../../src/checks/lexer.js';
import { suite } from '../support/suite.js';

const test = suite('checks/lexer');

/** Reads line by line and asks only for the code that is wanted. */
function reader(language: SourceLanguage): (text: string, isWanted: boolean) => string {
  const view = new CodeView(language);
  let startsHunk = true;
  return (text, isWanted) => {
    view.advance({ text, startsHunk });
    startsHunk = false;
    return isWanted ? view.code() : '';
  };
}

/** The code of each line, with runs of blanks shortened to keep the cases readable. */
function codeOf(language: SourceLanguage, text: string): string[] {
  const read = reader(language);
  return text.split('\n').map(line => {
    const code = read(line, true);
    assert.is(code.length, line.length, 'columns no longer fit');
    return code.replace(/\s+/g, ' ').trim();
  });
}

const cases: ReadonlyArray<readonly [string, SourceLanguage, string, readonly string[]]> = [
  ['a line comment', 'javascript', 'a(); // b()', ['a();']],
  ['a block comment', 'javascript', 'a /* b */ c', ['a c']],
  ['a block over lines', 'javascript', 'a /* b\nc\nd */ e', ['a', '', 'e']],
  ['the middle of a block', 'javascript', ' * a()\n */ b()', ['', 'b()']],
  ['the end of a block beside code', 'javascript', ' * a */b(/* c */d)/**/;', ['b( d) ;']],
  ['a string', 'javascript', 'a("b", \'c\')', ['a(" ", \' \')']],
  ['an escaped quote', 'javascript', 'a("b\\"c", d)', ['a(" ", d)']],
  ['an apostrophe in text', 'javascript', "<p>don't {a()}</p>", ["<p>don't {a()}</p>"]],
  ['a URL in a string', 'javascript', 'a("http://b"); c()', ['a(" "); c()']],
  ['a template', 'javascript', 'a(`b`); c', ['a(` `); c']],
  [
    'a template over lines',
    'javascript',
    '`a\nb ${c({d: 1})} e\nf` + g',
    ['`', '{c({d: 1})}', '` + g'],
  ],
  ['nested templates', 'javascript', '`${a(`b${c}`)}` d', ['` {a(` {c}`)}` d']],
  ['a regular expression', 'javascript', 'a = /"[/]`/; b("c")', ['a = / /; b(" ")']],
  ['a division', 'javascript', 'a / b / c("d")', ['a / b / c(" ")']],
  ['a literal key', 'javascript', 'a["only"]["b c"]', ['a["only"][" "]']],
  ['a comment sign in a string', 'javascript', 'a("/*"); b', ['a(" "); b']],
  ['a string beside a string', 'javascript', '"a""b"', ['" "" "']],
  ['a string beside a template', 'javascript', "`a`'b'", ["` `' '"]],
  ['a string beside an expression', 'javascript', 'x = /a/"b"', ['x = / /" "']],
  [
    'a string beside a brace',
    'javascript',
    "`${{'a': {'}': 1}}}b`'c'",
    ["` {{' ': {' ': 1}}} `' '"],
  ],
  ['an empty string', 'javascript', "'' + '' // a", ["'' + ''"]],
  ['a bracket in an expression', 'javascript', 'a(/]"/, "b")', ['a(/ /, " ")']],
  ['a comment on one line', 'javascript', '/** a */\nb', ['', 'b']],
  ['an indented comment', 'javascript', '\t/* a\n\tb */\nc', ['', '', 'c']],
  ['code behind a comment', 'javascript', '/* a */ b = `c\nd` e', ['b = `', '` e']],
  ['a Python comment', 'python', 'a # b', ['a']],
  ['a docstring', 'python', '"""a\nb\n""" c', ['"""', '', '""" c']],
  ['a hash in a string', 'python', "a('#') # b", ["a(' ')"]],
  [
    'a Rust lifetime',
    'rust',
    "fn a<'b>(c: &'b str) { d('e') }",
    ["fn a<'b>(c: &'b str) { d(' ') }"],
  ],
  ['a raw string of Go', 'go', 'a := `b\nc` + d', ['a := `', '` + d']],
  ['a text block of Java', 'java', 'a("""\n  b\n  """); c', ['a("""', '', '"""); c']],
  ['an attribute of PHP', 'php', '#[A] b # c', ['#[A] b']],
  ['an escaped quote in a docstring', 'python', '"""a \\""" b\n""" c', ['"""', '""" c']],
  ['a hash inside a word of a shell', 'shell', 'a=$# # b', ['a=$#']],
  ['a comment in CSS', 'css', 'a { b: url(//c) } /* d */', ['a { b: url(//c) }']],
  ['a Swift string', 'swift', 'a("b") // c', ['a(" ")']],
];

for (const [title, language, text, expected] of cases) {
  test(`the lexer separates ${title} from the code`, () =>
    assert.equal(codeOf(language, text), expected));
}

for (const [title, language, text, expected] of cases) {
  test(`a line that is only skimmed doesn't lose track of ${title}`, () => {
    const lines = text.split('\n');
    const read = reader(language);
    const last = lines.length - 1;
    const codes = lines.map((line, at) => read(line, at === last));
    assert.is(codes[last]?.replace(/\s+/g, ' ').trim(), expected[last]);
  });
}

const PARTS = [
  '/*',
  '*/',
  '`',
  '${',
  '}',
  '//',
  '"',
  "'",
  '\\',
  ' ',
  '\t',
  'a',
  '"""',
  '#',
  '* ',
  '/',
];

test('skimming a line leads to the same state as scanning it', () => {
  // A generator with a fixed seed, so that a failure can be repeated.
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const languages = ['javascript', 'python', 'go', 'java', 'rust', 'php'] as const;
  for (let round = 0; round < 3000; round += 1) {
    const language = languages[random(languages.length)] ?? 'go';
    const lines = Array.from({ length: 6 }, () =>
      Array.from({ length: random(6) }, () => PARTS[random(PARTS.length)] ?? '').join(''),
    );
    const asked = reader(language);
    const skimmed = reader(language);
    lines.push('end');
    const last = lines.map(text => [asked(text, true), skimmed(text, text === 'end')])[6];
    assert.is(last?.[1], last?.[0], `${language}:\n${lines.join('\n')}`);
  }
});

test('a new hunk starts outside of strings and comments and forgets the lines before it', () => {
  const view = new CodeView('javascript');
  view.advance({ text: '/* a', startsHunk: true });
  view.advance({ text: 'b */', startsHunk: false });
  assert.is(view.memory.previous(), '/* a');
  view.advance({ text: '/* c', startsHunk: false });
  view.advance({ text: 'd()', startsHunk: true });
  assert.is(view.code(), 'd()');
  assert.is(view.memory.previous(), '');
});

/** Language, whole text, and the code in it without blanks. */
const WHOLE_FILES: ReadonlyArray<readonly [SourceLanguage, string, string]> = [
  ['javascript', 'a(); // b()', 'a();'],
  ['javascript', 'a(/* b() */ c);', 'a(c);'],
  ['javascript', 'a(\'b() // c\', "d"); e()', 'a(\'\',"");e()'],
  ['javascript', 'a(`b\nc`); d', 'a(`\n`);d'],
  ['javascript', "x = /['\"/*]/.test(y); a('b')", "x=//.test(y);a('')"],
  ['javascript', 'a / b / c; "d"', 'a/b/c;""'],
  ['javascript', "x = /\\/'/; a('b')", "x=//;a('')"],
  ['javascript', "it's open\nnext()", "it'sopen\nnext()"],
  ['javascript', 'a = `open\nnext()', 'a=`\nnext()'],
  ['javascript', '/* open\nnext()', '\n'],
  ['javascript', 'a\n  * b()', 'a\n*b()'],
  ['python', 'a = "#b"  # c\nd', 'a=""\nd'],
  ['python', '"""\ndef b():\n"""\ndef c():', '"""\n\n"""\ndefc():'],
  ['go', 'a := `x // y`', 'a:=``'],
  ['rust', 'fn f<\'a>(x: &\'a str) { "b" }', 'fnf<\'a>(x:&\'astr){""}'],
  ['rust', 'let a = "b\n#[test]\nc"; d', 'leta="\n\n";d'],
  ['ruby', '"#{a}" # b', '""'],
  ['ruby', "a = 'b\nit \\'c\\' do\n' + d", "a='\n\n'+d"],
  ['ruby', '"open\nnext', '"\nnext'],
  ['shell', 'a=b#c # d', 'a=b#c'],
  ['shell', 'a "b\ntest_c() {\n" d', 'a"\n\n"d'],
  ['css', 'a { b: c } /* d */ // e', 'a{b:c}//e'],
];

for (const [language, text, expected] of WHOLE_FILES) {
  test(`only code is left of the ${language} file ${JSON.stringify(text)}`, () => {
    const code = codeOnly(text, language);
    assert.is(code.length, text.length, 'columns stay the same');
    assert.is(code.replace(/ /g, ''), expected);
  });
}

test.run();
