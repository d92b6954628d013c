import * as assert from 'uvu/assert';
import {
  codeFence,
  codeSpan,
  forMarkdown,
  forMarkdownLines,
  forRelay,
  suggestionFence,
} from '../../src/platform/safe-markdown.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('platform/safe-markdown');

/** What a reader would see: entities and backslash escapes resolved, zero-width spaces unseen. */
const rendered = (markdown: string): string =>
  markdown.replace(
    /\\([!-/:-@[-`{-~])|&#x([0-9a-f]+);|&(amp|lt|gt);/g,
    (_, escaped: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (escaped !== undefined) return escaped;
      if (hex !== undefined) return hex === '200b' ? '' : String.fromCodePoint(parseInt(hex, 16));
      return name === 'amp' ? '&' : name === 'lt' ? '<' : '>';
    },
  );

const NASTY = [
  '@everyone fixes #1 ![x](http://evil) <script>',
  'closes owner/repo#12, GH-7 and https://github.com/o/r/issues/3',
  '/apfel ask something',
  '{{ secrets.TOKEN }} \u0024{{ github.token }} {% raw %} <% x %>',
  '| a | b |',
  '**bold** _em_ ~~gone~~ `code` $x^2$',
  '[link](javascript:x) <a href="x" onclick=y> <!-- hidden --> &lt;b&gt; &amp; &#64;x',
  '# heading',
  '- list',
  '+ list',
  '12. list',
  '1) list',
  '=== ',
  '> quote',
  '::error::x',
  'www.evil.example and a@b.example',
  '[^1]: footnote',
  '[!WARNING]',
  'back\\slash \\@x \\| y',
];

test('untrusted text renders as exactly the text it is', () => {
  for (const text of NASTY) assert.is(rendered(forMarkdown(text)), text.trim());
});

test('no mention, reference, address or markup survives in the source', () => {
  for (const text of NASTY) {
    const source = forMarkdown(text);
    const bare = source.replace(/\\[!-/:-@[-`{-~]|&(?:#x[0-9a-f]+|amp|lt|gt);/g, '\0');
    assert.not.match(bare, /[`*_{}[\]~<>|$&\\]/, source);
    assert.not.match(source, /@\w|#\d|gh-\d|:\/\/|www\./i, source);
    assert.not.match(source, /^(?:[-+=/>:]|#+(?:\s|$)|\d+[.)])/, source);
    assert.not.match(source, /\{\{|\{%|<%/, source);
  }
});

test('an entity of ours is never an issue number', () => {
  assert.not.match(forMarkdown('@a #b |$'), /#\d/);
});

test('several lines become one in Markdown, and hidden characters become visible', () => {
  assert.is(forMarkdown('  one\n\n   two\r\n/x\u202e '), 'one two /x\\\\u202e');
});

test('ordinary prose is unchanged in Markdown', () => {
  assert.is(forMarkdown("It's fine: a-b, (c) 1.5 done!"), "It's fine: a-b, (c) 1.5 done!");
});

test('a code span is not ended by the backticks inside it', () => {
  assert.is(codeSpan('src/a.ts:1'), '`src/a.ts:1`');
  assert.is(codeSpan('a``b`c'), '```a``b`c```');
  assert.is(codeSpan('`x'), '`` `x ``');
  assert.is(codeSpan('a\nb'), '`a\\nb`');
});

test('a code span holds no pipe, mention or template delimiter in its source', () => {
  for (const text of ['a|b', '@you/x.ts', 'fixes #1', '{{ x }}', '<% x', 'http://x', 'a\\|b`c']) {
    const source = codeSpan(text);
    assert.match(source, /^<code>[^|@<>`{}\\]*<\/code>$/);
    assert.not.match(source, /#\d|:\/\/|\u200b|200b/);
    assert.is(rendered(source.slice(6, -7)), text);
  }
});

test('an empty code span is still a code span', () => {
  assert.is(codeSpan(''), '<code></code>');
});

test('a fence is longer than any fence inside it', () => {
  assert.is(codeFence('a\n````\nb'), '`````\na\n````\nb\n`````');
  assert.is(codeFence('x'), '```\nx\n```');
});

test('no line of a fence is a command to a bot or a runner', () => {
  const fence = codeFence('/close\n//comment\n::error::x\n\ttabs\r\n\x1b[A');
  assert.is(fence, '```\n /close\n//comment\n\\::error::x\n\ttabs\n\\x1b[A\n```');
});

test('text for another program keeps its words and mentions nobody', () => {
  const relayed = forRelay('@you fixes #1 GH-2 ![x](y) <b>\n/close {{x}} a/issues/3\u202e\tz');
  assert.not.match(relayed, /@\w|#\d|GH-\d|!\[|<b|^\/|\{\{|issues\/\d|\u202e/m);
  assert.is(
    relayed.replaceAll('\u200b', ''),
    '@you fixes #1 GH-2 ![x](y) <b>\n/close {{x}} a/issues/3\\u202e\tz',
  );
});

test('text of several lines keeps paragraphs, lists and code, and no other markup', () => {
  const text = 'One @you\r\ntwo\n\n\n\n- item #1\n  * item <b>\n# no heading\n/close';
  assert.is(
    forMarkdownLines(text),
    'One @&#x200b;you\ntwo\n\n- item #&#x200b;1\n- item &lt;b&gt;\n#&#x200b; no heading\n\\/close',
  );
  assert.is(forMarkdownLines('a\n```js\nlet @x;\n```\nb'), 'a\n```\nlet @x;\n```\nb');
  assert.is(forMarkdownLines('a\n~~~\n/close'), 'a\n```\n /close\n```', 'never closed');
  assert.is(forMarkdownLines('```\n```'), '```\n\n```');
});

test('a suggestion is fenced unchanged, by a fence longer than any inside it', () => {
  assert.is(suggestionFence('a\n'), '```suggestion\na\n```');
  assert.is(suggestionFence(''), '```suggestion\n```');
  assert.is(suggestionFence('````'), '`````suggestion\n````\n`````');
});

test('a hostile line of 300 kB is made harmless in linear time', () => {
  mustEnd(() => {
    for (const unit of [
      '`',
      '` ',
      ' ',
      '@',
      '/',
      '\n',
      '\n/a',
      '{',
      '<',
      'gh-',
      '#1',
      'ww',
      '\\',
      '9',
    ]) {
      const text = unit.repeat(300_000 / unit.length);
      forMarkdown(text);
      codeSpan(text);
      codeFence(text);
      forRelay(text);
      forMarkdownLines(text);
      suggestionFence(text);
    }
  });
});

test.run();
