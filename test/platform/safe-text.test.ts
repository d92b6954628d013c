import * as assert from 'uvu/assert';
import { pathFromBytes } from '../../src/core/path-bytes.js';
import {
  forTerminal,
  forTerminalLines,
  forWorkflowData,
  forWorkflowProperty,
  guardLineStart,
  reveal,
  wellFormed,
} from '../../src/platform/safe-text.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('platform/safe-text');

test('ordinary text of any language is left alone', () => {
  for (const text of ['plain', 'naïve café', '日本語', 'שלום', '😀 ❤️ 1️⃣', 'a\u00a0b', 'x\\y']) {
    assert.is(forTerminal(text), text);
  }
});

test('no C0 or C1 control character reaches a terminal', () => {
  for (let code = 0; code < 0xa0; code += 1) {
    if (code >= 0x20 && code < 0x7f) continue;
    const shown = forTerminal(`a${String.fromCharCode(code)}b`);
    assert.match(shown, /^a\\[\x20-\x7e]+b$/, `code ${code}`);
  }
});

test('escape sequences are shown, not obeyed', () => {
  assert.is(forTerminal('\x1b[31mred\x1b[0m'), '\\x1b[31mred\\x1b[0m');
  assert.is(forTerminal('\x1b]0;title\x07'), '\\x1b]0;title\\x07');
  assert.is(forTerminal('\x9b2J'), '\\u009b2J');
});

test('newlines, returns and tabs are escaped in text of one line', () => {
  assert.is(forTerminal('a\nb\r\tc'), 'a\\nb\\r\\tc');
});

test('bidi, zero-width, tag and filler characters are visible', () => {
  assert.is(
    forTerminal('a\u202eb\u2066c\u200bd\u200de\ufeff'),
    'a\\u202eb\\u2066c\\u200bd\\u200de\\ufeff',
  );
  assert.is(forTerminal('\u{e0041}\u3164\u2028\u00ad'), '\\u{e0041}\\u3164\\u2028\\u00ad');
});

test('a variation selector is visible unless it follows an emoji', () => {
  assert.is(forTerminal('❤\ufe0f'), '❤\ufe0f');
  assert.is(forTerminal('a\ufe0f\ufe01'), 'a\\ufe0f\\ufe01');
  assert.is(forTerminal('❤\ufe0f\ufe0f'), '❤\ufe0f\\ufe0f');
});

test('a byte that is not UTF-8 shows as that byte', () => {
  assert.is(forTerminal(pathFromBytes(Uint8Array.of(0x61, 0xff, 0x9b))), 'a\\xff\\x9b');
  assert.is(forTerminal('\ud83d'), '\\ud83d');
});

test('text of several lines keeps its lines and loses its carriage returns', () => {
  assert.is(forTerminalLines('one\r\ntwo\rthree\n\x1b[A'), 'one\ntwo\\rthree\n\\x1b[A');
});

test('no line of text starts a workflow command', () => {
  assert.is(forTerminalLines('::error::x\n  ::add-mask::y'), '\\::error::x\n  \\::add-mask::y');
  assert.is(guardLineStart('\u00a0\u3000::x'), '\u00a0\u3000\\::x');
  assert.is(guardLineStart('see a::b and c'), 'see a::b and c');
});

test('the old form of workflow commands is disabled wherever it stands', () => {
  assert.is(guardLineStart('a ##[error]b ##[x]'), 'a ##\\[error]b ##\\[x]');
  assert.is(guardLineStart('###[group]'), '###\\[group]');
  assert.is(guardLineStart('##VSO[task]'), '##VSO\\[task]');
});

test('making text safe twice changes nothing more', () => {
  const once = guardLineStart('::a\n ##[b] ##vso[c]');
  assert.is(guardLineStart(once), once);
});

test('command data and properties use the escapes of the runner', () => {
  assert.is(forWorkflowData('50% a:b,c\r\nd'), '50%25 a:b,c%0D%0Ad');
  assert.is(forWorkflowProperty('50% a:b,c\n::d'), '50%25 a%3Ab%2Cc%0A%3A%3Ad');
  assert.is(
    forWorkflowData('a ##[b] ##vso[c] ##teamcity[d]'),
    'a ##\\[b] ##vso\\[c] ##teamcity\\[d]',
  );
  assert.is(forWorkflowData('\x1b[2J\u202e'), '\\x1b[2J\\u202e');
});

test('characters that the caller allows are kept', () => {
  assert.is(reveal('a\tb\nc\x00', '\t\n'), 'a\tb\nc\\x00');
});

test('only half a surrogate pair is not well formed', () => {
  assert.is(wellFormed('a\udce9\x1b😀\ud83d'), 'a\\xe9\x1b😀\\ud83d');
});

test('a hostile line of 500 kB is made harmless in linear time', () => {
  mustEnd(() => {
    for (const unit of ['\x1b', ' ', ':', '#', '\ufe0f', '##[', '::', '\n', '\t::\n', '\ud800']) {
      const text = unit.repeat(500_000 / unit.length);
      forTerminalLines(text);
      forWorkflowProperty(text);
      wellFormed(text);
    }
  });
});

test.run();
