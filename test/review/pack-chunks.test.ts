import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { KeptHunk } from '../../src/checks/survey.js';
import type { Line } from '../../src/core/change.js';
import { type Chunk, type ChunkPart, showPart } from '../../src/review/chunk.js';
import { chunkCapacity } from '../../src/review/plan.js';
import { type Piece, packChunks, partTokens, splitHunk } from '../../src/review/split.js';
import { corpus, readJsonLines } from '../support/corpus.js';
import { suite } from '../support/suite.js';
import { keptHunks } from './kept-hunks.js';

const hunk = (count: number, path = 'a.ts', number = 1): KeptHunk => ({
  path,
  number,
  section: 'function f() {',
  lines: Array.from(
    { length: count },
    (_, at): Line => ({
      kind: 'added',
      text: at % 10 === 9 ? '' : `  const value${at} = compute(${at});`,
      newLine: at + 1,
    }),
  ),
});

const addedIn = (parts: readonly ChunkPart[]): number[] =>
  parts.flatMap(part => part.lines.flatMap(line => (line.kind === 'added' ? [line.newLine] : [])));

const partsOf = (kept: KeptHunk): ChunkPart[] => [...splitHunk(kept, 600)].map(({ part }) => part);

const pieceOf = (part: ChunkPart, risk: number): Piece => ({
  part,
  tokens: partTokens(part),
  risk,
});

const pack = (pieces: readonly Piece[], capacity: number): Promise<Chunk[]> =>
  packChunks(pieces, capacity, { yieldToEventLoop: () => undefined });

const test = suite('chunks');

test('what fits is not split', () => {
  assert.is([...splitHunk(hunk(20), 2000)].length, 1);
});

test('a large hunk is cut into parts that fit, each line judged exactly once', () => {
  const parts = partsOf(hunk(500));
  assert.ok(parts.length > 1);
  for (const part of parts) assert.ok(partTokens(part) <= 600, `${partTokens(part)}`);
  assert.equal(
    addedIn(parts),
    Array.from({ length: 500 }, (_, at) => at + 1),
  );
});

test('a cut is made behind a blank line where one is near, and what leads to it is shown again', () => {
  const [first, second] = partsOf(hunk(500));
  assert.is(first?.lines.at(-1)?.text, '');
  assert.equal(
    second?.lines.slice(0, 3).map(line => line.kind),
    ['context', 'context', 'context'],
  );
  assert.is(second?.lines[2]?.text, '');
});

test('a single line that is too long is still shown, cut', () => {
  const long: KeptHunk = {
    path: 'a.ts',
    number: 1,
    section: '',
    lines: [{ kind: 'added', text: 'x'.repeat(50_000), newLine: 1 }],
  };
  const [part] = partsOf(long);
  assert.ok(part !== undefined && partTokens(part) < 600);
});

test('every part is in exactly one bite, no bite is over, the riskiest goes first', async () => {
  const parts = Array.from({ length: 60 }, (_, at) =>
    pieceOf({ ...hunk(5 + ((at * 7) % 40), `f${at % 9}.ts`, at), hunk: at }, at === 37 ? 100 : 1),
  );
  const chunks = await pack(parts, 1500);
  assert.equal(
    chunks.flatMap(chunk => chunk.parts.map(part => part.hunk)).sort((a, b) => a - b),
    parts.map(({ part }) => part.hunk),
  );
  for (const chunk of chunks) assert.ok(chunk.tokens <= 1500);
  assert.ok(chunks[0]?.parts.some(part => part.hunk === 37));
});

test('the same parts in another order give the same bites', async () => {
  const parts = Array.from({ length: 30 }, (_, at) =>
    pieceOf({ ...hunk(5 + at, `f${at}.ts`, 1), hunk: 1 }, at % 3),
  );
  const paths = async (all: typeof parts): Promise<string[][]> =>
    (await pack(all, 1500)).map(chunk => chunk.parts.map(part => part.path));
  assert.equal(await paths(parts.toReversed()), await paths(parts));
});

test('a fence in the change cannot end it, and marks are those of the real line', () => {
  const shown = showPart({
    path: 'a.ts',
    hunk: 1,
    section: '',
    lines: [{ kind: 'added', text: 'a\u202eb', newLine: 7 }],
  });
  assert.match(shown.text, /^file a\.ts\n\+7#[a-z0-9]{2}\| a\\u202eb$/);
});

test('a path with a line end in it does not look like a line of the change', () => {
  const lines: Line[] = [{ kind: 'added', text: 'a', newLine: 7 }];
  const { text } = showPart({ path: 'a\n+8#zz| b.ts', hunk: 1, section: '', lines });
  assert.is(text.split('\n').length, 2);
});

const { absent, path } = corpus('real-diffs');

test.unless(
  absent,
  'on real changes the questions are at most 1.15 times the fewest possible',
  async () => {
    const capacity = chunkCapacity();
    let questions = 0;
    let fewest = 0;
    for (const { diff } of readJsonLines<{ diff?: string; file?: string }>(
      path('cases.jsonl'),
    ).slice(0, 179)) {
      if (diff === undefined) continue;
      const hunks = keptHunks(readFileSync(path(diff)));
      const parts = hunks
        .flatMap(each => [...splitHunk(each, capacity)])
        .map(part => ({ ...part, risk: 0 }));
      const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
      if (tokens < capacity * 3) continue;
      questions += (await pack(parts, capacity)).length;
      // A change of 3.2 windows cannot do with fewer than 4 questions.
      fewest += Math.ceil(tokens / capacity);
    }
    assert.ok(fewest > 20, `only ${fewest} windows of real changes were found`);
    assert.ok(questions / fewest <= 1.15, `${questions} questions, ${fewest} windows`);
  },
);

test.run();
