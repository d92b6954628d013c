import * as assert from 'uvu/assert';
import type { HunkText } from '../../src/checks/survey.js';
import type { Line } from '../../src/core/change.js';
import type { Chunk, ChunkPart } from '../../src/review/chunk.js';
import {
  halveParts,
  type Piece,
  packChunks,
  partTokens,
  splitHunk,
} from '../../src/review/split.js';
import { suite } from '../support/suite.js';

const hunk = (count: number, path = 'a.ts', number = 1): HunkText => ({
  path,
  number,
  section: 'function f() {',
  blob: undefined,
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

const partsOf = (kept: HunkText): ChunkPart[] => [...splitHunk(kept, 600)].map(({ part }) => part);

const pieceOf = (kept: HunkText & { hunk?: number }, risk: number): Piece => {
  const part = { ...partWhole(kept), hunk: kept.hunk ?? kept.number };
  return {
    part,
    tokens: partTokens(part),
    risk,
  };
};

function partWhole(kept: HunkText): ChunkPart {
  const [first] = splitHunk(kept, Number.POSITIVE_INFINITY);
  if (first === undefined) throw new Error('no part');
  return first.part;
}

const pack = (pieces: readonly Piece[], capacity: number): Promise<Chunk[]> =>
  packChunks(pieces, capacity, { yieldToEventLoop: () => undefined });

const test = suite('review/pack-chunks');

test('a hunk that fits is not split', () => {
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

test('a hunk is cut after a blank line where one is near, and the lines before the cut are repeated', () => {
  const [first, second] = partsOf(hunk(500));
  assert.is(first?.lines.at(-1)?.text, '');
  assert.equal(
    second?.lines.slice(0, 3).map(line => line.kind),
    ['context', 'context', 'context'],
  );
  assert.is(second?.lines[2]?.text, '');
});

test('a single line that is too long is still shown, cut', () => {
  const long: HunkText = {
    path: 'a.ts',
    number: 1,
    section: '',
    blob: undefined,
    lines: [{ kind: 'added', text: 'x'.repeat(50_000), newLine: 1 }],
  };
  const [part] = partsOf(long);
  assert.ok(part !== undefined && partTokens(part) < 600);
});

test('every part is in exactly one chunk, no chunk is too large or has two files, the riskiest goes first', async () => {
  const parts = Array.from({ length: 60 }, (_, at) =>
    pieceOf({ ...hunk(5 + ((at * 7) % 40), `f${at % 9}.ts`, at), hunk: at }, at === 37 ? 100 : 1),
  );
  const chunks = await pack(parts, 1500);
  assert.equal(
    chunks.flatMap(chunk => chunk.parts.map(part => part.hunk)).sort((a, b) => a - b),
    parts.map(({ part }) => part.hunk),
  );
  assert.equal(
    chunks.map(chunk => chunk.number),
    chunks.map((_, at) => at + 1),
  );
  for (const chunk of chunks) {
    assert.ok(chunk.tokens <= 1500);
    assert.is(new Set(chunk.parts.map(part => part.path)).size, 1);
  }
  assert.ok(chunks[0]?.parts.some(part => part.hunk === 37));
});

test('the same parts in another order give the same chunks', async () => {
  const parts = Array.from({ length: 30 }, (_, at) =>
    pieceOf({ ...hunk(5 + at, `f${at}.ts`, 1), hunk: 1 }, at % 3),
  );
  const paths = async (all: typeof parts): Promise<string[][]> =>
    (await pack(all, 1500)).map(chunk => chunk.parts.map(part => part.path));
  assert.equal(await paths(parts.toReversed()), await paths(parts));
});

test('a description may show several files at once', async () => {
  const parts = ['a.ts', 'b.ts', 'c.ts'].map(path => pieceOf(hunk(3, path), 0));
  const mixed = await packChunks(parts, 1500, { yieldToEventLoop: () => undefined }, true);
  assert.is(mixed.length, 1);
  assert.is((await pack(parts, 1500)).length, 3);
});

test('a small hunk is shown with more of its file, and with the function that it is in', () => {
  const file = [
    'struct Cart {',
    '  func total() -> Int {',
    ...Array.from({ length: 30 }, (_, at) => `    use(${at})`),
    '  }',
    '}',
  ];
  const kept: HunkText = {
    path: 'Cart.swift',
    number: 1,
    section: '',
    blob: 'b',
    lines: [{ kind: 'added', text: file[19] ?? '', newLine: 20 }],
  };
  const [only] = splitHunk(kept, 2000, file);
  assert.equal(only?.part.enclosing, ['struct Cart', 'func total() -> Int']);
  const numbers = only?.part.lines.map(line => (line.kind === 'removed' ? 0 : line.newLine));
  assert.equal([numbers?.[0], numbers?.at(-1)], [15, 22]);
  assert.equal(addedIn(only === undefined ? [] : [only.part]), [20]);
});

test('a hunk that only removes has the nearest lines that are left on each side', () => {
  const kept: HunkText = {
    path: 'a.ts',
    number: 1,
    section: '',
    blob: undefined,
    lines: [
      { kind: 'context', text: 'open();', oldLine: 3, newLine: 3 },
      { kind: 'removed', text: 'lock.release();', oldLine: 4 },
      { kind: 'removed', text: 'done();', oldLine: 5 },
      { kind: 'context', text: 'use();', oldLine: 6, newLine: 4 },
    ],
  };
  const [only] = splitHunk(kept, 2000);
  assert.equal(
    [...(only?.part.survivors ?? [])],
    [
      [3, 'open();'],
      [4, 'use();'],
    ],
  );
});

test('each line that can be named costs two tokens more', () => {
  const part: ChunkPart = {
    ...partWhole(hunk(1)),
    lines: [{ kind: 'removed', text: 'x();', oldLine: 1 }],
  };
  const anchored = {
    ...part,
    survivors: new Map([
      [1, 'y'],
      [2, 'z'],
    ]),
  };
  assert.is(partTokens(anchored), partTokens(part) + 4);
});

test('a hunk is shown with the function of its file, otherwise with the section that git names', () => {
  const enclosingOf = (section: string, file?: readonly string[]) =>
    [...splitHunk({ ...hunk(1), section }, 2000, file)][0]?.part.enclosing;
  assert.equal(enclosingOf('function f() {'), ['function f() {']);
  assert.equal(enclosingOf(''), []);
  const nested = { ...hunk(1), section: 'section' };
  const lines = [{ kind: 'added', text: '  x();', newLine: 2 }] as const;
  const file = ['function g() {', '  x();', '}', ''];
  const [inside] = splitHunk({ ...nested, lines }, 2000, file);
  assert.equal(inside?.part.enclosing, ['function g()']);
  assert.is(inside?.part.lines.at(-1)?.text, '}', 'the last line, not what is after its end');
  const [unended] = splitHunk({ ...nested, lines }, 2000, file.slice(0, 3));
  assert.is(unended?.part.lines.at(-1)?.text, '}');
});

const lineTexts = (halves: ChunkPart[][] | undefined): string[][] | undefined =>
  halves?.map(parts => parts.flatMap(({ lines }) => lines.map(({ text }) => text)));

test('a part is halved after the blank line nearest to its middle, and repeats three lines', () => {
  const part = (texts: readonly string[]): ChunkPart => ({
    ...partWhole(hunk(1)),
    lines: texts.map((text, at) => ({ kind: 'added', text, newLine: at + 1 })),
  });
  for (const [texts, halves] of [
    ['a', undefined],
    ['ab', ['a', 'b']],
    ['abc', ['ab', 'bc']],
    ['abcdefgh', ['abcd', 'cdefgh']],
    ['ab defgh', ['ab ', ' defgh']],
    ['abcde gh', ['abcde ', 'de gh']],
    ['a cdefgh', ['a ', ' cdefgh']],
    [' bcdefgh', [' bcd', 'cdefgh']],
    ['abcdef h', ['abcd', 'cdef h']],
  ] as const) {
    const found = lineTexts(halveParts([part([...texts])]));
    assert.equal(
      found?.map(half => half.join('')),
      halves,
      texts,
    );
  }
  const [, second] = halveParts([part([...'abcdefgh'])]) ?? [];
  assert.equal(
    second?.[0]?.lines.map(({ kind }) => kind),
    ['context', 'context', 'added', 'added', 'added', 'added'],
  );
});

test('several parts are halved between them', () => {
  const parts = [1, 2, 3].map(number => partWhole(hunk(1, 'a.ts', number)));
  assert.equal(
    halveParts(parts)?.map(half => half.map(part => part.hunk)),
    [[1, 2], [3]],
  );
  assert.is(halveParts([]), undefined);
});

test.run();
