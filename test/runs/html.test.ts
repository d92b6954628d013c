import * as assert from 'uvu/assert';
import { html, inline } from '../../src/runs/page/html.js';
import { suite } from '../support/suite.js';

const test = suite('runs/html');

test('interpolated values are text, in elements and attributes', () => {
  const evil = `<b onclick='x'>"&"</b>`;
  const safe = '&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/b&gt;';
  assert.is(html`<p title="${evil}">${evil}</p>`.toString(), `<p title="${safe}">${safe}</p>`);
});

test('markup of ours, lists and undefined are interpolated as they are', () => {
  const row = (name: string) => html`<li>${name}</li>`;
  const list = html`<ul>${['<', 'b'].map(row)}${undefined}${3}</ul>`;
  assert.is(list.toString(), '<ul><li>&lt;</li><li>b</li>3</ul>');
});

test('an object that looks like markup is not taken for it', () => {
  const forged = JSON.parse('["<i>"]');
  assert.is(html`${forged}`.toString(), '&lt;i&gt;');
});

test('invisible characters are shown as escapes', () => {
  assert.is(html`${'a\u202eb\u0000\u001b\r\nc\td'}`.toString(), 'a\\u202eb\\x00\\x1b\nc\td');
});

test('a style or script that would end early is an internal error', () => {
  for (const text of ['a</script>', '</style>', '<!--']) assert.throws(() => inline('style', text));
  assert.is(inline('style', 'a<b').toString(), '<style>a<b</style>');
});

test.run();
