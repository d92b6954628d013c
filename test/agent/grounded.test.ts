import * as assert from 'uvu/assert';
import { groundingOf, isProtocolText } from '../../src/agent/grounding.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('agent/grounded');

const SHOWN = [
  'src/limits.ts: lines 1-3 of 90\n1| export const maxTurns = 8;\n2| export const reply_tokens = 1_000;\n3| retry(five_times, 0.5);',
  '1 match in 1 file for "five"\nsrc/other.ts:41: const five = 5;',
];
const ASKED = 'What is maxTurns, and where is parseAll?';
const of = (answer: string) => groundingOf(answer, SHOWN, ASKED);

for (const answer of [
  'It is 8.',
  'It is eight.',
  'It is five.',
  'It is one thousand.',
  'It is the fifth.',
  'Eight or five.',
  '`maxTurns` is 8, in src/limits.ts:1.',
  'reply_tokens is 1,000 and the delay 0.5.',
  'The constant maxTurns limits it.',
]) {
  test(`${JSON.stringify(answer)} is proven by what was shown`, () => {
    const { proven, unproven } = of(answer);
    assert.equal(unproven, []);
    assert.ok(proven.length > 0);
  });
}

for (const [answer, claim] of [
  ['It is 12.', '12'],
  ['It is twelve.', '12'],
  ['It is five thousand.', '5000'],
  ['It is twenty-five.', '25'],
  ['It is two hundred and fifty thousand.', '250000'],
  ['It is three million two hundred thousand.', '3200000'],
  ['It is one hundred.', '100'],
  ['It is a dozen.', '12'],
  ['There are dozens of them.', '12'],
  ['It is two dozen.', '24'],
  ['It is half a dozen.', '6'],
  ['It is called twice.', '2'],
  ['It is called thrice.', '3'],
  ['It takes a couple of seconds.', '2'],
  ['It is the fourth.', '4'],
  ['It is the ninth.', '9'],
  ['It is the twelfth.', '12'],
  ['It is the nineteenth.', '19'],
  ['It is the twentieth.', '20'],
  ['It is the fortieth.', '40'],
  ['It is the ninetieth.', '90'],
  ['It is the twenty-first.', '21'],
  ['It is the hundred and fiftieth.', '150'],
  ['It is 41.', '41'],
  ['It is 90, in src/limits.ts:1.', '90'],
  ['It is set by `maxTries`.', 'maxTries'],
  ['It is 8, in src/config.ts:3.', 'src/config.ts'],
  ['call resetAll() first', 'resetAll()'],
] as const) {
  test(`${JSON.stringify(answer)} claims something that was not shown`, () => {
    assert.equal(of(answer).unproven, [claim]);
  });
}

const FILES =
  'src/lib/deep/a.ts: lines 1-2 of 2\n1| open("/etc/hosts", "~/.ssh/config", process.env.HOME);\n2| import x from "@acme/core-js"; // see Dockerfile.dev, README.md and .npmrc; maxTurns; a / b, http://127.0.0.1:8080/v1';

for (const [answer, claim] of [
  ['It reads /etc/passwd.', '/etc/passwd'],
  ['It loads /usr/lib/foo.', '/usr/lib/foo'],
  ['It is in lib/nope/.', 'lib/nope/'],
  ['It is in the folder lib/dee.', 'lib/dee'],
  ['It is in src/deep.', 'src/deep'],
  ['It is in the folder client/server.', 'client/server'],
  ['See the file "read/write".', 'read/write'],
  ['It is in the path yes/no.', 'yes/no'],
  ['It is in the true/false directory.', 'true/false'],
  ['The `maxTurns` of the folder read/write.', 'read/write'],
  ['It has read/write/execute.', 'read/write/execute'],
  ['It reads ~/secret/conf.', '~/secret/conf'],
  ['It is in the Makefile.', 'Makefile'],
  ['It is in the CHANGELOG.', 'CHANGELOG'],
  ['It is in .env.', '.env'],
  ['It is in `.env`.', '.env'],
  ['It is in .npm.', '.npm'],
  ['It needs @acme/core.', '@acme/core'],
  ['It needs `@acme/core`.', '@acme/core'],
  ['It asks http://127.0.0.1:9090/v1.', 'http://127.0.0.1:9090/v1'],
] as const) {
  test(`${JSON.stringify(answer)} names a path that was not shown`, () => {
    assert.equal(groundingOf(answer, [FILES]).unproven, [claim]);
  });
}

for (const answer of [
  'It reads /etc/hosts.',
  'It reads ~/.ssh/config.',
  'It is in the folder lib/deep.',
  'It is in lib/deep/.',
  'It is src/lib/deep/a.ts:1.',
  'It is in `src/lib`.',
  'It is in the Dockerfile.',
  'See the README.',
  'It is in .npmrc.',
  'All .ts files have it.',
  'It needs @acme/core-js.',
  'It is `a/b`.',
  'It asks http://127.0.0.1:8080/v1.',
]) {
  test(`${JSON.stringify(answer)} names a path that was shown`, () => {
    const { proven, unproven } = groundingOf(answer, [FILES]);
    assert.equal(unproven, []);
    assert.is(proven.length, 1);
  });
}

test('two words with a slash between them are prose', () => {
  for (const pair of [
    'and/or',
    'either/or',
    'his/her',
    'I/O',
    'client/server',
    'read/write',
    'yes/no',
    'true/false',
    '24/7',
    'front-end/back-end',
    'TypeScript/JavaScript',
    'CI/CD',
  ]) {
    for (const answer of [`It handles ${pair}.`, `It is ${pair}: it works`, `(${pair})`]) {
      assert.equal(groundingOf(answer, ['']), { proven: [], unproven: [] }, answer);
    }
  }
  for (const answer of [
    'the path and/or the name',
    'the file I/O',
    'w/ `a`/b',
    'file read/write',
  ]) {
    assert.equal(groundingOf(answer, ['a']).unproven, [], answer);
  }
});

test('fractions, dates and versions are numbers, not paths', () => {
  assert.equal(groundingOf('About 1/2 since 2024/01/03 with HTTP/4.', ['1 4']), {
    proven: ['1', '4'],
    unproven: ['2', '2024', '3'],
  });
});

test('an answer without anything that can be checked proves nothing', () => {
  for (const answer of [
    '',
    'success',
    'In general that depends on the time.',
    'One of them does.',
    'The first, the second and the third take half the time, and are coupled.',
  ]) {
    const { proven, unproven } = of(answer);
    assert.equal([proven, unproven], [[], []], answer);
  }
});

test('words from the question are neither errors nor proof', () => {
  assert.equal(of('parseAll is somewhere.'), { proven: [], unproven: [] });
});

test('a true sentence about an error is an answer like any other', () => {
  const shown = ['a.ts: lines 1-1 of 1\n1| throw new ParseError("failed");'];
  const { proven } = groundingOf('It seems to fail: it throws `ParseError`.', shown);
  assert.equal(proven, ['ParseError']);
});

test('protocol text is never an answer', () => {
  for (const text of [
    '{"action": "read_file", "path": "a"}',
    '```json\n{"a_reason": "x", "b_action": "fly"}\n```',
    '“{"tool_calls": []}',
    '"{\\"action\\": \\"finish\\"}"',
    '{“action”: “finish”}',
    'read_file {"path":"src/util.js"}',
    'I will look.\n`read_file`({"path":"src/util.js"})',
    'functions.read_file: {"path":"src/util.js"}',
    'tool_calls: [{"function":{"name":"helper"}}]',
    '<tool_call>\n{"name":"helper"}\n</tool_call>',
    '[TOOL_CALLS] [{"name":"helper"}]',
  ]) {
    assert.ok(isProtocolText(text, ['read_file']), text);
  }
  for (const text of [
    'The object {"a": 1} is returned.',
    '{ a: 1 } is the default.',
    'It is 8.',
    'max_turns: {"a": 1}',
    'The tool read_file reads {"path"}.',
    'read_file returns the text.',
  ]) {
    assert.not(isProtocolText(text, ['read_file']), text);
  }
});

test('a long hostile text is read in linear time', () => {
  mustEnd(() => {
    for (const unit of [
      'a/',
      '`',
      'a.',
      '1,',
      '1|',
      'aB',
      '/',
      'a/b ',
      '.a',
      '~/',
      ': lines 1-1 of ',
    ]) {
      const long = unit.repeat(200_000 / unit.length);
      groundingOf(long, [long], long);
      isProtocolText(long, ['read_file']);
    }
  });
});

test.run();
