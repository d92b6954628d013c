import * as assert from 'uvu/assert';
import { parseCommand } from '../../src/respond/parse-command.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('respond/parse-command');
const SHA = '0123456789abcdef0123456789abcdef01234567';
const ID = '0123456789abcdef';

const COMMANDS: ReadonlyArray<readonly [body: string, verb: string, args: string[], sha?: string]> =
  [
    ['/apfel help', 'help', []],
    ['/apfel review', 'review', []],
    ['/apfel review  ', 'review', []],
    ['/apfel review\r\n\r\nplease', 'review', []],
    ['/apfel review\n/apfel fix-lint', 'review', []],
    [`/apfel review ${SHA}`, 'review', [SHA], SHA],
    ['/apfel fix-lint', 'fix-lint', []],
    ['/apfel fix-lint 0123456', 'fix-lint', ['0123456'], '0123456'],
    [`/apfel describe ${SHA}`, 'describe', [SHA], SHA],
    [`/apfel ignore ${ID}`, 'ignore', [ID]],
    ['/apfel ask Where is the version?', 'ask', ['Where is the version?']],
    ['/apfel ask what does --deadline do?', 'ask', ['what does --deadline do?']],
    ['/apfel ask Wozu dient „größe“?', 'ask', ['Wozu dient „größe“?']],
    [`/apfel ask ${SHA}: why?`, 'ask', ['why?'], SHA],
    ['/apfel ask cafe: why?', 'ask', ['cafe: why?']],
  ];
for (const [body, verb, args, sha] of COMMANDS) {
  test(`a comment is a command: ${JSON.stringify(body).slice(0, 70)}`, () => {
    assert.equal(parseCommand(body), { kind: 'command', verb, args, sha });
  });
}

const NOT_FOR_US: readonly string[] = [
  '',
  'apfel review',
  'please /apfel review',
  ' /apfel review',
  '\t/apfel review',
  '\n/apfel review',
  '\r\n/apfel review',
  'Hello\n/apfel review',
  '> /apfel review',
  '>/apfel review',
  '```\n/apfel review\n```',
  '    /apfel review',
  '`/apfel review`',
  '- /apfel review',
  '<!-- -->\n/apfel review',
  '<!-- --> /apfel review',
  '/Apfel review',
  '/APFEL review',
  '/apfel\treview',
  '/apfel\u00a0review',
  '/apfel\u3000review',
  '/apfel\u200b review',
  '\u200b/apfel review',
  '\ufeff/apfel review',
  '/ap\u200dfel review',
  '/\u0430pfel review', // Cyrillic a
  '/\u0430\u0440fel review',
  '\uff0fapfel review', // full-width slash
  '\u2215apfel review', // division slash
  '//apfel review',
  '\\/apfel review',
  '/apfelstrudel review',
  '/apfel-bot review',
  '/apfel:review',
];
for (const body of NOT_FOR_US) {
  test(`a comment is not for the bot: ${JSON.stringify(body)}`, () => {
    assert.equal(parseCommand(body), { kind: 'none' });
  });
}

const WRONG: ReadonlyArray<readonly [body: string, problem: RegExp]> = [
  ['/apfel', /no command after/],
  ['/apfel   ', /no command after/],
  ['/apfel  review', /more than one space/],
  ['/apfel review  abcdef0', /more than one space/],
  ['/apfel reveiw', /did you mean `\/apfel review`/],
  ['/apfel Review', /did you mean `\/apfel review`/],
  ['/apfel r\u0435view', /did you mean `\/apfel review`/], // Cyrillic e
  ['/apfel fix_lint', /did you mean `\/apfel fix-lint`/],
  ['/apfel merge', /no such command$/],
  ['/apfel constructor', /no such command$/],
  ['/apfel __proto__', /no such command$/],
  ['/apfel re\u200bview', /invisible characters/],
  ['/apfel review\u202e', /invisible characters/],
  ['/apfel ask why\u200b?', /invisible characters/],
  ['/apfel ask \x1b[2Jwhy', /invisible characters/],
  ['/apfel ask why\u2028/apfel fix-lint', /invisible characters/],
  ['/apfel help me', /takes no arguments/],
  ['/apfel help 0123456', /takes no arguments/],
  ['/apfel review --base-url http://evil.example', /comments can't change/],
  ['/apfel review -v', /comments can't change/],
  ['/apfel fix-lint --all', /comments can't change/],
  ['/apfel ask --model x why', /comments can't change/],
  [`/apfel ask ${SHA}: --model x`, /comments can't change/],
  ['/apfel ignore --all', /comments can't change/],
  ['/apfel review main', /only the id of the head/],
  ['/apfel fix-lint HEAD', /only the id of the head/],
  ['/apfel fix-lint 012345', /only the id of the head/],
  ['/apfel fix-lint 0123456ABC', /only the id of the head/],
  ['/apfel fix-lint 0123456 7654321', /only the id of the head/],
  ['/apfel fix-lint 0123456  --all', /only the id of the head/],
  ['/apfel fix-lint 0123456;id', /only the id of the head/],
  ['/apfel ignore', /id of one finding/],
  ['/apfel ignore all', /id of one finding/],
  [`/apfel ignore ${ID} ${ID}`, /id of one finding/],
  ['/apfel ask', /needs a question/],
  ['/apfel ask    ', /needs a question/],
  ['/apfel ask\nwhy?', /needs a question/],
  [`/apfel ask ${'why '.repeat(400)}`, /at most 1000 characters/],
];
for (const [body, problem] of WRONG) {
  test(`a comment is answered with how to write the command: ${JSON.stringify(body).slice(0, 60)}`, () => {
    const command = parseCommand(body);
    assert.is(command.kind, 'wrong');
    assert.match(command.kind === 'wrong' ? command.problem : '', problem);
  });
}

test('the answer to a wrong command never repeats what was written', () => {
  const command = parseCommand('/apfel [x](http://evil.example)@ada#1');
  assert.equal(command, { kind: 'wrong', problem: 'there is no such command' });
});

test('the longest comments are read in linear time', () => {
  mustEnd(() => {
    for (const part of [' ', '\t', 'a ', '\u200b', 'deadbeef: ', '\r', '0', '-']) {
      parseCommand(`/apfel ask ${part.repeat(300_000)}x`);
      parseCommand(`/apfel ${part.repeat(300_000)}x`);
      parseCommand(part.repeat(300_000));
    }
  });
});

test.run();
