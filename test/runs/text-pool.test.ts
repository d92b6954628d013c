import * as assert from 'uvu/assert';
import { TextPool } from '../../src/runs/page/html.js';
import { suite } from '../support/suite.js';

const test = suite('runs/text-pool');

const LONG = `You review a change.\n${'and for more '.repeat(20)}`;

test('a text is shown once, and linked to from then on', () => {
  const pool = new TextPool(1);
  assert.is(pool.knows(LONG), false);
  assert.match(pool.show(LONG, 'system', 'turn 1.1').toString(), /^<pre id="text-1">You review/);
  assert.is(pool.knows(LONG), true);
  assert.is(
    pool.show(LONG, 'system', 'turn 1.2').toString(),
    '<p class="again">as in <a href="#text-1">turn 1.1</a>: <q>You review a change.</q></p>',
  );
});

test('a short text is shown again instead of linked', () => {
  const pool = new TextPool(1);
  pool.show('yes', 'reply', 'turn 1.1');
  assert.is(pool.show('yes', 'reply', 'turn 1.2').toString(), '<pre>yes</pre>');
});

test('a long text scrolls, takes the focus and has a label', () => {
  const text = new TextPool(1).plain('x'.repeat(3000), 'Answer of turn 1.1').toString();
  assert.match(
    text,
    '<pre class="long" tabindex="0" role="region" aria-label="Answer of turn 1.1">',
  );
});

test('the more texts there are, the less of each is shown, and what is left out is counted', () => {
  const text = new TextPool(100_000).plain('x'.repeat(1600), 'reply').toString();
  assert.match(text, '1,000 more characters are in the transcript');
  assert.ok(text.length < 900);
});

test.run();
