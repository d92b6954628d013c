import * as assert from 'uvu/assert';
import type { ChunkPart } from '../../src/review/chunk.js';
import { suggestionOf, takeSuggestion } from '../../src/review/suggest.js';
import { suite } from '../support/suite.js';

const LINES = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
const BEFORE = `${LINES.join('\n')}\n`;

/** Lines 10 to 40 were shown. */
const part: ChunkPart = {
  path: 'a.ts',
  hunk: 1,
  enclosing: [],
  survivors: new Map(),
  lines: LINES.slice(9, 40).map((text, at) => ({ kind: 'added', text, newLine: at + 10 })),
};

const suggesting = (edit: (lines: string[]) => void, line = 20, before = BEFORE) => {
  const lines = before.split('\n');
  edit(lines);
  return suggestionOf({ before, after: lines.join('\n'), line, part });
};

const reasonOf = (edit: (lines: string[]) => void, line = 20, before = BEFORE): string => {
  const found = suggesting(edit, line, before);
  return found.ok ? 'none' : found.reason;
};

const test = suite('review/suggestion-of');

for (const [what, edit, expected] of [
  [
    'a changed line is replaced',
    lines => lines.splice(19, 1, 'better'),
    { startLine: 20, endLine: 20, text: 'better' },
  ],
  [
    'one line may become several',
    lines => lines.splice(19, 1, 'one', 'two'),
    { startLine: 20, endLine: 20, text: 'one\ntwo' },
  ],
  [
    'a new line is told with the one before it, which is a place',
    lines => lines.splice(20, 0, 'new'),
    { startLine: 20, endLine: 20, text: 'line 20\nnew' },
  ],
  [
    'several lines may become one',
    lines => lines.splice(18, 3, 'all'),
    { startLine: 19, endLine: 21, text: 'all' },
  ],
] as ReadonlyArray<
  [string, (lines: string[]) => void, { startLine: number; endLine: number; text: string }]
>) {
  test(`a suggestion is ${what}, and taking it gives the text that was judged`, () => {
    const found = suggesting(edit);
    assert.equal(found, { ok: true, suggestion: expected });
    const lines = BEFORE.split('\n');
    edit(lines);
    assert.is(takeSuggestion(BEFORE, expected), lines.join('\n'));
  });
}

test('a large edit, or one elsewhere, is not a suggestion', () => {
  assert.match(
    reasonOf(() => undefined),
    /changes nothing/,
  );
  assert.match(
    reasonOf(lines => lines.splice(19, 1)),
    /only deletes/,
  );
  assert.match(
    reasonOf(lines => lines.splice(14, 11, 'x')),
    /more than 10/,
  );
  assert.match(
    reasonOf(lines => lines.splice(30, 1, 'x')),
    /not about line 20/,
  );
  assert.match(
    reasonOf(lines => lines.splice(8, 1, 'x'), 10),
    /not shown/,
  );
});

test('lines of a file for Windows are shown with line feeds, and taken as the file has them', () => {
  const windows = BEFORE.replaceAll('\n', '\r\n');
  for (const before of [windows, windows.slice(0, -2)]) {
    const lines = before.split('\n');
    lines.splice(19, 1, 'one\r', 'two\r');
    const after = lines.join('\n');
    const suggestion = { startLine: 20, endLine: 20, text: 'one\ntwo' };
    assert.equal(suggestionOf({ before, after, line: 20, part }), { ok: true, suggestion });
    assert.is(takeSuggestion(before, suggestion), after);
  }
  const half = windows.slice(0, windows.indexOf('line 21') - 2);
  assert.is(
    takeSuggestion(half, { startLine: 20, endLine: 20, text: 'a\nb' }).slice(-6),
    '\r\na\r\nb',
  );
});

test('a text that cannot be shown as it is, is not a suggestion', () => {
  const windows = BEFORE.replaceAll('\n', '\r\n');
  assert.match(
    reasonOf(lines => lines.splice(19, 1, 'better'), 20, windows),
    /line endings differ/,
  );
  const mixed = windows.replace('\r\n', '\n');
  assert.match(
    reasonOf(lines => lines.splice(19, 1, 'better\r'), 20, mixed),
    /can't be shown/,
  );
  const key = `AKIA${'Q3EGR2X7LMPZ5W4T'}`;
  assert.match(
    reasonOf(lines => lines.splice(19, 1, `const key = '${key}';`)),
    /can't be shown/,
  );
});

test.run();
