import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import {
  EDITS,
  INVENTED,
  INVERTED,
  OFF_BY_ONE,
  PLANTED,
  scriptedAnswer,
} from '../../src/demo/server.js';
import { showPart } from '../../src/review/chunk.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('demo/scripted-answer');

const SETS: Readonly<Record<string, string>> = {
  'src/cart.js': 'change',
  'src/discount.js': 'colleague',
  'src/receipt.js': 'project',
};
const sample = (path: string): string =>
  readFileSync(`demo/${SETS[path] ?? 'project'}/${path}.txt`, 'utf8');

const linesOf = (path: string): string[] => sample(path).trimEnd().split('\n');

const questionAbout = (path: string): string =>
  `File: ${path}\n${showPart({
    lines: linesOf(path).map((text, at) => ({ kind: 'added' as const, newLine: at + 1, text })),
  })}`;

const user = (text: string) => ({ role: 'user', text });
const KEYS = ['a_reason', 'b_verdict', 'c_line', 'd_quote', 'e_severity', 'f_message', 'g_more'];

const answer = (text: string, keys = KEYS): Record<string, string> =>
  JSON.parse(scriptedAnswer({ messages: [user(text)], keys }));

test('every planted mistake is in the sample exactly once', () => {
  for (const { path, quote } of PLANTED) assert.is(sample(path).split(quote).length, 2, quote);
  for (const { path, oldText } of EDITS) assert.is(sample(path).split(oldText).length, 2, oldText);
});

test('the scripted model copies the number and the quote from the lines it is shown', () => {
  const reply = answer(questionAbout(OFF_BY_ONE.path));
  assert.is(reply['b_verdict'], 'problem');
  assert.is(reply['c_line'], '4');
  assert.is(reply['d_quote'], OFF_BY_ONE.quote);
});

test('the scripted model reports a known line once', () => {
  const question = `${questionAbout(OFF_BY_ONE.path)}\nKnown already: 4. Look for another problem.`;
  assert.is(answer(question)['b_verdict'], 'nothing');
});

test('one report quotes code that does not exist, and the next one is right', () => {
  const question = questionAbout(INVERTED.path);
  const first = answer(question);
  assert.is(first['d_quote'], INVENTED.misquote);
  assert.not(sample(INVENTED.path).includes(first['d_quote'] ?? ''));
  const second = answer(`${question}\nThe quote must be copied from the line that is named.`);
  assert.is(second['d_quote'], INVERTED.quote);
});

test('the scripted model reports nothing in fixed code', () => {
  const text = questionAbout(OFF_BY_ONE.path).replace('<=', '<');
  assert.is(answer(text)['b_verdict'], 'nothing');
});

test('the scripted model confirms its report in the second look', () => {
  const reply = answer(questionAbout(OFF_BY_ONE.path), ['a_reason', 'b_ruling']);
  assert.is(reply['b_ruling'], 'real_bug');
});

test('the scripted model makes the edit for a diagnostic', () => {
  const [edit] = EDITS;
  const text = linesOf('src/receipt.js')
    .map((line, at) => `${at + 1}| ${line}`)
    .join('\n');
  const question = `File: src/receipt.js, lines 1 to 9 of 9\n${text}\nline 5, toy-lint no-template-curly-in-string: Template.`;
  const reply = answer(question, ['a_reason', 'b_from', 'c_to', 'd_newText']);
  assert.match(reply['d_newText'] ?? '', edit?.newText ?? 'no edit');
  assert.is(reply['b_from'], reply['c_to']);
});

test('the scripted model ends when asked anything else, with or without a schema', () => {
  assert.is(answer('What is the version?', ['a_reason', 'b_action'])['b_action'], 'finish');
  assert.is(JSON.parse(scriptedAnswer({ messages: [], keys: [] }))['verdict'], 'nothing');
});

test('a hostile line of 500 kB is read in linear time', () => {
  mustEnd(() => {
    for (const unit of ['+1|', 'File: ', '+1| ', 'Known already: ', '+', '1, ']) {
      answer(unit.repeat(500_000 / unit.length));
      answer(`${unit.repeat(500_000 / unit.length)}\n`);
    }
  });
});

test.run();
