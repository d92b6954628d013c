// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that other tools fill in.
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { syntaxError } from '../../src/platform/syntax.js';
import type { SyntaxKind } from '../../src/platform/syntax-yaml.js';
import { suite } from '../support/suite.js';

const test = suite('platform/syntax');

const valid: ReadonlyArray<readonly [string, SyntaxKind, string]> = [
  ['an object', 'json', '{"a": [1, 2.5e3, "x", null]}\n'],
  ['a bare value', 'json', '"a"'],
  ['a byte order mark', 'json', '\ufeff{}'],
  ['an empty file', 'json', ''],
  ['a blank file', 'json', ' \n\n'],
  ['one value per line in JSON', 'json', '{"a": 1}\n{"a": 2}\n'],
  ['equal keys of two objects', 'json', '{"a": {"a": 1}, "b": {"a": "a\\": 1"}}'],
  ['comments in JSONC', 'jsonc', '// a\n{"b": 1, /* c */ "d": 2}'],
  ['a trailing comma in JSONC', 'jsonc', '{"a": [1, 2,],}'],
  ['a template of JSON', 'json', '{\n  "a": {{ value }}\n}'],
  ['a template with loops', 'json', '[\n{% for a in b %}\n  1,\n{% endfor %}\n]'],
  ['a mapping', 'yaml', 'a: 1\nb:\n  - c\n  - d: e\n'],
  ['several documents', 'yaml', 'a: 1\n---\na: 2\n...\n---\na: 3\n'],
  ['tags of CloudFormation', 'yaml', 'a: !Ref b\nc: !Sub "${d}"\ne: !GetAtt f.g\n'],
  ['anchors and merged keys', 'yaml', 'a: &a {b: 1}\nc: &c {d: 1}\ne:\n  <<: *a\n  <<: *c\n'],
  ['a workflow expression', 'yaml', 'a: ${{ github.ref }}\n'],
  ['a template of Helm', 'yaml', '{{- if .Values.a }}\na: {{ .Values.b }}\n{{- end }}\n'],
  ['a byte order mark in YAML', 'yaml', '\ufeffa: 1\n'],
  ['equal keys of different types', 'yaml', '1: a\n"1": b\n'],
  ['a document of comments', 'yaml', '# nothing\n'],
  ['a table', 'toml', 'a = 1\n[b]\nc = "d"\n[[e]]\nf = 1979-05-27\n'],
  ['a number of 64 bits', 'toml', 'a = 9223372036854775807\n'],
  ['CRLF', 'toml', 'a = 1\r\nb = 2\r\n'],
];

for (const [title, kind, text] of valid) {
  test(`${title} is valid ${kind}`, async () =>
    assert.is(await syntaxError(kind, text), undefined));
}

const invalid: ReadonlyArray<readonly [string, SyntaxKind, string, string]> = [
  ['a missing comma', 'json', '{\n  "a": 1\n  "b": 2\n}', '3:3 a comma is missing'],
  ['a comma too many', 'json', '[1, 2,]', '1:7 a value is missing (or there is an extra comma)'],
  ['a comment', 'json', '{\n// a\n}', "2:1 comments aren't allowed"],
  ['an open brace', 'json', '{"a": 1', '1:8 a closing brace is missing'],
  ['an open string', 'json', '{"a": "b\n}', '1:7 a string is not closed on its line'],
  ['single quotes', 'json', "{'a': 1}", '1:2 unexpected character or word'],
  ['two values', 'json', '{} {}', '1:4 there is text after the end of the value'],
  ['a tab in a string', 'json', '["\t"]', '1:2 a string contains a control character'],
  ['a leading zero', 'json', '{"a": 01}', '1:8 a comma is missing'],
  ['a missing colon in JSONC', 'jsonc', '// a\n{"b" 1}', '2:6 a colon is missing'],
  ['a broken translation', 'json', '{\n "a": "{{name}}"\n "b": "c"\n}', '3:2 a comma is missing'],
  ['CRLF', 'json', '{\r\n  "a": 1\r\n  "b": 2\r\n}', '3:3 a comma is missing'],
  ['a key twice', 'json', '{"a": 1,\n "b": {}, "a": 2}', '2:11 a key appears twice'],
  ['a key twice', 'yaml', 'a: 1\nb: 2\na: 3\n', '3:1 a key appears twice'],
  ['a key twice in brackets', 'yaml', 'x: {a: 1, a: 2}\n', '1:11 a key appears twice'],
  ['a tab as indent', 'yaml', 'a:\n\tb: 1\n', "2:1 tabs aren't allowed as indentation"],
  ['an open bracket', 'yaml', 'a: [1, 2\nb: 3\n', '2:1 a closing ] is missing'],
  ['an open quote', 'yaml', 'a: "b\n', '2:1 a closing " is missing'],
  ['an alias without anchor', 'yaml', 'a: *b\n', '1:4 an alias has no anchor before it'],
  ['an error in a later document', 'yaml', 'a: 1\n---\nb: 1\nb: 2\n', '4:1 a key appears twice'],
  ['a missing value', 'toml', 'a = 1\nb = \n', '2:5 invalid value'],
  [
    'a key twice',
    'toml',
    'a = 1\na = 2\n',
    '2:1 trying to redefine an already defined table or value',
  ],
  ['an open string', 'toml', 'a = "b\n', '1:7 control characters are not allowed in strings'],
];

for (const [title, kind, text, expected] of invalid) {
  test(`${title} is not valid ${kind}`, async () => {
    const problem = await syntaxError(kind, text);
    assert.is(`${problem?.line}:${problem?.column} ${problem?.message}`, expected);
  });
}

const deep = 100_000;
const hostile: ReadonlyArray<readonly [string, SyntaxKind, string]> = [
  ['brackets without end', 'json', '['.repeat(deep)],
  ['braces without end', 'jsonc', '{"a":'.repeat(deep / 2)],
  ['brackets without end', 'yaml', '['.repeat(deep)],
  ['braces without end', 'yaml', '{a: '.repeat(deep / 2)],
  ['dashes without end', 'yaml', '- '.repeat(deep)],
  ['questions without end', 'yaml', '? '.repeat(deep)],
  [
    'ever deeper indents',
    'yaml',
    Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
  ],
  ['brackets without end', 'toml', `a = ${'['.repeat(deep)}`],
  ['tables without end', 'toml', `a = ${'{a='.repeat(deep / 2)}`],
];

for (const [title, kind, text] of hostile) {
  test(`${title} in ${kind} end in a message and not in a crash`, async () => {
    const problem = await syntaxError(kind, text);
    assert.match(problem?.message ?? 'no problem', /nested too deeply/);
  });
}

const heavy: ReadonlyArray<readonly [string, SyntaxKind, string]> = [
  ['closing brackets', 'yaml', ']'.repeat(250_000)],
  ['aliases', 'yaml', '*a '.repeat(85_000)],
  ['anchors', 'yaml', '&a '.repeat(85_000)],
  ['commas', 'yaml', `[${','.repeat(250_000)}`],
  ['quotes', 'yaml', '"a" '.repeat(60_000)],
  ['wrong words', 'json', 'a '.repeat(125_000)],
  ['commas', 'toml', `a = [${'1,'.repeat(125_000)}`],
];

for (const [title, kind, text] of heavy) {
  test(`256 kB of ${title} in ${kind} end in a message`, async () => {
    assert.ok((await syntaxError(kind, text)) !== undefined);
  });
}

test('a repeated YAML key is found among 30,000 keys', async () => {
  const keys = Array.from({ length: 30_000 }, (_, at) => `k${at}: 1`).join('\n');
  assert.is(await syntaxError('yaml', keys), undefined);
  assert.is((await syntaxError('yaml', `${keys}\nk5: 1`))?.line, 30_001);
});

test('aliases that expand exponentially in YAML do not hang the parser', async () => {
  const names = 'abcdefghi'.split('');
  const lines = names.map((name, at) => `${name}: &${name} [${`*${names[at - 1]},`.repeat(9)}]`);
  const text = ['a: &a [x, x]', ...lines.slice(1)].join('\n');
  assert.is(await syntaxError('yaml', text), undefined);
});

test('no message quotes the text, which may hold a secret', async () => {
  const secret = 'hunter2hunter2';
  for (const [kind, text] of [
    ['json', `{"a": ${secret}}`],
    ['jsonc', `{${secret}}`],
    ['yaml', `a: "b" ${secret}\n`],
    ['yaml', `a: *${secret}\n`],
    ['yaml', `a: "\\q${secret}"\n`],
    ['toml', `a = ${secret}\n`],
    ['toml', `${secret}`],
  ] as const) {
    const problem = await syntaxError(kind, text);
    assert.ok(problem !== undefined, text);
    assert.not.match(problem.message, /hunter2|\n/);
  }
});

test('the files of this project are valid', async () => {
  for (const path of ['package.json', 'package-lock.json', 'biome.json', 'tsconfig.json']) {
    assert.is(await syntaxError('json', readFileSync(path, 'utf8')), undefined, path);
  }
});

test.run();
