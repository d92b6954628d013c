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
import { lineMark, showPart } from '../../src/review/chunk.js';
import { refuteOpening, showParts } from '../../src/review/questions.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('scripted answer');

const SETS: Readonly<Record<string, string>> = {
  'src/cart.js': 'change',
  'src/discount.js': 'colleague',
  'src/receipt.js': 'project',
};
const sample = (path: string): string =>
  readFileSync(`demo/${SETS[path] ?? 'project'}/${path}.txt`, 'utf8');

const linesOf = (path: string): string[] => sample(path).trimEnd().split('\n');

const partOf = (path: string) =>
  showPart({
    path,
    hunk: 1,
    section: '',
    lines: linesOf(path).map((text, at) => ({ kind: 'added' as const, newLine: at + 1, text })),
  });

const user = (text: string) => ({ role: 'user', text });
const KEYS = ['a_reason', 'b_action', 'c_path', 'i_line', 'j_quote', 'k_severity', 'l_message'];

const answer = (...texts: string[]): Record<string, string> =>
  JSON.parse(scriptedAnswer({ messages: texts.map(user), keys: [...KEYS, 'm_answer'] }));

test('every planted mistake is in the sample exactly once', () => {
  for (const { path, quote } of PLANTED) assert.is(sample(path).split(quote).length, 2, quote);
  for (const { path, oldText } of EDITS) assert.is(sample(path).split(oldText).length, 2, oldText);
});

test('the scripted model copies the mark and the quote from the lines it is shown', () => {
  const reply = answer(showParts([partOf(OFF_BY_ONE.path)]));
  assert.is(reply['b_action'], 'report_finding');
  assert.is(reply['i_line'], lineMark(4, linesOf(OFF_BY_ONE.path)[3] ?? ''));
  assert.is(reply['j_quote'], OFF_BY_ONE.quote);
});

test('the scripted model finishes after its last report', () => {
  const opening = showParts([partOf(OFF_BY_ONE.path)]);
  const reply = answer(opening, 'noted at src/cart.js:4\n\nUse the result above.');
  assert.is(reply['b_action'], 'finish');
});

test('one report quotes code that does not exist, and the next one is right', () => {
  const opening = showParts([partOf(INVERTED.path)]);
  const first = answer(opening);
  assert.is(first['j_quote'], INVENTED.misquote);
  assert.not(sample(INVENTED.path).includes(first['j_quote'] ?? ''));
  const second = answer(opening, 'error: line 2 is marked 2#xx and reads: …');
  assert.is(second['j_quote'], INVERTED.quote);
});

test('the scripted model reports nothing in fixed code', () => {
  const text = showParts([partOf(OFF_BY_ONE.path)]).replace('<=', '<');
  assert.is(answer(text)['b_action'], 'finish');
});

test('the scripted model confirms its report when asked to refute it', () => {
  const claim = { line: 4, quote: OFF_BY_ONE.quote, message: OFF_BY_ONE.message };
  const reply = answer(refuteOpening(partOf(OFF_BY_ONE.path), claim));
  assert.match(reply['m_answer'] ?? '', /^holds/);
});

test('the scripted model makes the edit for a diagnostic once', () => {
  const opening =
    'file src/receipt.js\nline 5, toy-lint no-template-curly-in-string: Template.\nMend this in src/receipt.js with edit_file.';
  const keys = ['b_action', 'c_path', 'd_oldText', 'e_newText'];
  const ask = (...messages: string[]) =>
    JSON.parse(scriptedAnswer({ messages: messages.map(user), keys }));
  assert.equal(ask(opening), {
    b_action: 'edit_file',
    c_path: 'src/receipt.js',
    d_oldText: EDITS[0]?.oldText,
    e_newText: EDITS[0]?.newText,
  });
  assert.is(ask(opening, '{}', 'error: no')['b_action'], 'finish');
});

test('the scripted model finishes when asked anything else, with or without a schema', () => {
  assert.is(answer('What is the version?')['b_action'], 'finish');
  assert.is(JSON.parse(scriptedAnswer({ messages: [], keys: [] }))['action'], 'finish');
});

test('a hostile line of 500 kB is read in linear time', () => {
  mustEnd(() => {
    for (const unit of ['+1#', 'file ', '+1#a| ', 'Mend it in ', '+', '1#']) {
      answer(unit.repeat(500_000 / unit.length));
      answer(`${unit.repeat(500_000 / unit.length)}\n`);
    }
  });
});

test.run();
