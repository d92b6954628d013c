import * as assert from 'uvu/assert';
import { showNamedPart, showPart } from '../../src/review/chunk.js';
import { suite } from '../support/suite.js';

const test = suite('review/show-part');

test('a changed line is shown with its sign, number and text', () => {
  const text = showPart({
    lines: [
      { kind: 'removed', oldLine: 12, text: 'x' },
      { kind: 'added', newLine: 12, text: 'const a = 1;' },
      { kind: 'context', oldLine: 13, newLine: 13, text: 'y' },
    ],
  });
  assert.is(text, '-| x\n+12| const a = 1;\n 13| y');
});

test('hidden characters are made visible', () => {
  const text = showPart({ lines: [{ kind: 'added', text: 'a\u202eb', newLine: 7 }] });
  assert.is(text, '+7| a\\u202eb');
});

test('a path with a line end in it does not look like a line of the change', () => {
  const lines = [{ kind: 'added', text: 'a', newLine: 7 }] as const;
  assert.is(showNamedPart({ path: 'a\n+8| b.ts', lines }).split('\n').length, 2);
});

test.run();
