import * as assert from 'uvu/assert';
import { streamedWords } from '../../src/report/transcript-lines.js';
import { suite } from '../support/suite.js';

const test = suite('streamed-words');

function shownOf(deltas: readonly string[]): string[] {
  const shown: string[] = [];
  const words = streamedWords(text => shown.push(text));
  for (const delta of deltas) words.add(delta);
  return shown;
}

test('words are shown as they come, the end of them when they are many', () => {
  assert.equal(shownOf(['The ', 'value\nis', ' 17.']), ['The', 'The value is', 'The value is 17.']);
  const [last = ''] = shownOf(['word '.repeat(100)]);
  assert.is(last.length, 61);
  assert.match(last, /^….*word$/);
});

test('an action on its way is not shown', () => {
  assert.equal(shownOf(['', ' ', '{"action"', ': "read_file"}']), []);
  assert.equal(shownOf(['```json\n', '{"a": 1}']), []);
});

test('a new reply begins again, and nothing in it steers the terminal', () => {
  const shown: string[] = [];
  const words = streamedWords(text => shown.push(text));
  words.add('first');
  words.restart();
  words.add('sec\x1b[2Jond');
  assert.equal(shown, ['first', 'sec\\x1b[2Jond']);
});

test.run();
