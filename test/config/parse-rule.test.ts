import * as assert from 'uvu/assert';
import { frontMatter, type ParsedRule, parseRule, type RuleFile } from '../../src/config/rules.js';
import { suite } from '../support/suite.js';

const test = suite('config/parse-rule');

const parse = async (text: string, name = 'no-any'): Promise<ParsedRule> =>
  parseRule(name, await frontMatter(text));

async function ruleOf(text: string): Promise<RuleFile> {
  const parsed = await parse(text);
  if (!parsed.ok) throw new Error(parsed.problems.join('; '));
  return parsed.rule;
}

async function problemsOf(text: string, name?: string): Promise<readonly string[]> {
  const parsed = await parse(text, name);
  return parsed.ok ? [] : parsed.problems;
}

const QUESTION = 'Is a secret written to the log?';

test('paths, severity, expression and question are read', async () => {
  const rule = await ruleOf(
    `---\npaths: ["src/**", 'lib/*.ts']\nseverity: error\nwhen: \\blog\\(\n---\n\n${QUESTION}\n`,
  );
  assert.equal(rule.paths, ['src/**', 'lib/*.ts']);
  assert.is(rule.severity, 'error');
  assert.is(rule.when?.source, '\\blog\\(');
  assert.is(rule.body, QUESTION);
  assert.is(rule.name, 'no-any');
});

test('paths may be a list or one glob, with CRLF and a byte order mark', async () => {
  const rule = await ruleOf(
    `\ufeff---\r\npaths:\r\n  - src/**\r\n  - "*.md"\r\n---\r\n${QUESTION}`,
  );
  assert.equal(rule.paths, ['src/**', '*.md']);
  assert.equal((await ruleOf(`---\npaths: src/**\n---\n${QUESTION}`)).paths, ['src/**']);
});

test('every key of the front matter, and the front matter itself, is optional', async () => {
  for (const text of [QUESTION, `---\n---\n${QUESTION}`, `---\n# nothing\n---\n${QUESTION}`]) {
    const { paths, severity, when, body } = await ruleOf(text);
    assert.equal(
      { paths, severity, when, body },
      {
        paths: [],
        severity: 'warning',
        when: undefined,
        body: QUESTION,
      },
    );
  }
});

test('a changed rule has another digest', async () => {
  const one = await ruleOf(QUESTION);
  assert.is(one.digest, (await ruleOf(QUESTION)).digest);
  assert.is.not(one.digest, (await ruleOf(`${QUESTION} `)).digest);
});

test('values that YAML would convert stay strings', async () => {
  assert.is((await ruleOf(`---\nwhen: null\n---\n${QUESTION}`)).when?.source, 'null');
  assert.is((await ruleOf(`---\nwhen: 0x10\n---\n${QUESTION}`)).when?.source, '0x10');
});

const PROBLEMS: ReadonlyArray<readonly [what: string, text: string, word: RegExp]> = [
  [
    'an unknown key',
    `---\nseverty: error\n---\n${QUESTION}`,
    /unknown key "severty"; did you mean "severity"\?/,
  ],
  [
    'a bad severity',
    `---\nseverity: eror\n---\n${QUESTION}`,
    /severity: must be one of info, warning, error, found "eror"; did you mean "error"\?/,
  ],
  [
    'a severity that is a list',
    `---\nseverity: [error]\n---\n${QUESTION}`,
    /severity: .*found \["error"\]/,
  ],
  ['an empty body', '---\nseverity: error\n---\n \n', /no question after/],
  ['an empty file', '', /no question after/],
  ['a body that fits no window', 'x'.repeat(5000), /5000 characters, at most 4000/],
  ['no end', `---\nseverity: error\n${QUESTION}`, /no second line of ---/],
  ['broken YAML', `---\npaths: [a\n---\n${QUESTION}`, /line \d: the front matter isn't valid YAML/],
  [
    'a glob without quotes',
    `---\npaths: *.ts\n---\n${QUESTION}`,
    /line 2: the front matter isn't valid YAML: an alias/,
  ],
  ['a list at the top', `---\n- a\n---\n${QUESTION}`, /must be keys and values/],
  [
    'nested paths',
    `---\npaths:\n  - {a: b}\n---\n${QUESTION}`,
    /paths: must be globs .* found \{"a":"b"\}/,
  ],
  ['no paths', `---\npaths: []\n---\n${QUESTION}`, /paths: must name a glob/],
  ['an empty path', `---\npaths: ""\n---\n${QUESTION}`, /paths: must be globs/],
  [
    'an expression that does not parse',
    `---\nwhen: "("\n---\n${QUESTION}`,
    /when: it doesn't parse: missing closing \) at "\(", found "\("/,
  ],
  [
    'an expression with a back-reference',
    `---\nwhen: (a)\\1\n---\n${QUESTION}`,
    /when: back-references .* not supported; write .*, found "\(a\)\\\\1"/,
  ],
  [
    'an expression read as a list',
    `---\nwhen: [ab]\n---\n${QUESTION}`,
    /when: .* in single quotes, found \["ab"\]/,
  ],
  [
    'a backslash in double quotes',
    `---\nwhen: "\\bx"\n---\n${QUESTION}`,
    /control character.*use single quotes/,
  ],
  [
    'much front matter',
    `---\n${'# x\n'.repeat(2000)}---\n${QUESTION}`,
    /front matter has \d+ characters, at most 4096/,
  ],
  ['deep nesting', `---\npaths: ${'['.repeat(4000)}\n---\n${QUESTION}`, /nested too deeply/],
  ['a bomb of aliases', `---\na: &a [x,x]\npaths: &b [*a,*a]\n---\n${QUESTION}`, /unknown key "a"/],
];
for (const [what, text, word] of PROBLEMS) {
  test(`${what} is reported`, async () => assert.match((await problemsOf(text)).join('\n'), word));
}

test('all problems of a rule are reported at once', async () => {
  const problems = await problemsOf('---\nseverity: x\nwhen: (\npath: y\n---\n', 'a b');
  assert.is(problems.length, 5, problems.join('\n'));
  assert.match(problems[0] ?? '', /the name "a b" must not contain white space/);
});

test.run();
