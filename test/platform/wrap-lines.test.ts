import * as assert from 'uvu/assert';
import { wrapLines } from '../../src/platform/terminal.js';
import { suite } from '../support/suite.js';

const test = suite('platform/wrap-lines');

test('a line that fits stays as it is, with all its spaces', () => {
  const text = '  check again:  apfel-bot review\nnext';
  assert.is(wrapLines(text, 32), text);
});

test('a long line is broken between words, indented one step further', () => {
  assert.is(wrapLines('  one two three\nfour five', 9), '  one two\n    three\nfour five');
});

test('a command or path longer than the terminal is not broken', () => {
  assert.is(
    wrapLines('apfel-bot: git has no such thing; run git fetch --unshallow; then again', 20),
    'apfel-bot: git has\n  no such thing; run\n  git fetch --unshallow;\n  then again',
  );
  assert.is(
    wrapLines('see /a/very/long/path/name here', 10),
    'see\n  /a/very/long/path/name\n  here',
  );
});

test('colours take no room, and several spaces at a break become one', () => {
  assert.is(wrapLines('\x1b[1mone\x1b[22m two', 7), '\x1b[1mone\x1b[22m two');
  assert.is(wrapLines('one   two', 5), 'one\n  two');
});

test.run();
