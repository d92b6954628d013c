import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { DiffEvent } from '../../src/core/change.js';
import { DiffParser, parseDiff } from '../../src/diff/parse.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { bytesOf, eventsOf, randomFrom } from './diff-reading.js';

const MAX_LINE_BYTES = 256 * 1024;
const CHUNK_BYTES = 64 * 1024;

const HEADER = 'diff --git a/a b/a\nindex 1111111..2222222 100644\n--- a/a\n+++ b/a\n';

const test = suite('diff/parse-diff-stream');

test('each chunk gives its own array of events, and so does the end', async () => {
  const arrays: Array<readonly DiffEvent[]> = [];
  const chunks = [`${HEADER}@@ -1,2 +1,2 @@\n-o`, 'ld\n', '+new\n'];
  for await (const events of parseDiff(asChunks(chunks))) arrays.push(events);
  const types = arrays.map(events => events.map(event => event.type));
  assert.equal(types, [['file', 'hunk'], ['lines'], ['lines'], ['broken']]);
});

test('empty input gives no events', () => {
  assert.equal(eventsOf(''), []);
  assert.equal(eventsOf('\n'), []);
});

test('a line of 256 kB is kept whole', () => {
  const line = `+${'x'.repeat(MAX_LINE_BYTES - 1)}`;
  const events = eventsOf(`${HEADER}@@ -0,0 +1 @@\n${line}\n`);
  assert.equal(lineTexts(events), [line.slice(1)]);
  assert.not.ok(events.some(event => event.type === 'cut-line'));
});

test('a line over 256 kB is cut to its start, reported with its length, and followed by the next', () => {
  const diff = `${HEADER}@@ -7 +7,2 @@\n-${'o'.repeat(300_000)}\n+${'n'.repeat(700_000)}\n+next\n`;
  const events = eventsOf(diff);
  const texts = lineTexts(events);
  assert.equal(texts, ['o'.repeat(MAX_LINE_BYTES - 1), 'n'.repeat(MAX_LINE_BYTES - 1), 'next']);
  assert.equal(
    events.filter(event => event.type === 'cut-line'),
    [
      { type: 'cut-line', newLine: undefined, bytes: 300_000 },
      { type: 'cut-line', newLine: 7, bytes: 700_000 },
    ],
  );
  assert.equal(
    events.map(event => event.type),
    ['file', 'hunk', 'lines', 'cut-line', 'lines', 'cut-line', 'lines'],
  );
  for (const size of [1000, CHUNK_BYTES - 1, 500_000]) {
    const cuts = Array.from({ length: Math.floor(diff.length / size) }, (_, at) => at * size);
    assert.equal(eventsOf(diff, cuts), events, `in chunks of ${size}`);
  }
});

test('a line is never cut in the middle of a character', () => {
  // The first and last leading bytes of characters of two, three and four bytes.
  for (const character of ['\u0080', '\u07ff', '\u0800', '\uffff', '\u{10000}', '\u{10ffff}']) {
    for (const shift of ['', 'x', 'xx', 'xxx']) {
      const line = `${shift}${character.repeat(140_000)}`;
      const [text = ''] = lineTexts(eventsOf(`${HEADER}@@ -0,0 +1 @@\n+${line}\n`));
      assert.ok(
        text.endsWith(character),
        `${JSON.stringify(character)} shifted by ${shift.length}`,
      );
      assert.ok(MAX_LINE_BYTES - bytesOf(`+${text}`).length < 4);
    }
  }
});

test('a cut line outside a hunk is not reported', () => {
  const events = eventsOf(`${'prose '.repeat(100_000)}\n${HEADER}@@ -1 +1 @@\n-a\n+b\n`);
  assert.equal(
    events.map(event => event.type),
    ['file', 'hunk', 'lines'],
  );
});

test('a cut line of a merge comes after the lines before it', () => {
  const diff = `diff --cc a\nindex 1,2..3\n@@@ -1,2 -1,1 +1,2 @@@\n  one\n- ${'o'.repeat(300_000)}\n++two\n`;
  const events = eventsOf(diff);
  assert.equal(
    events.map(event => event.type),
    ['file', 'hunk', 'lines', 'cut-line', 'lines'],
  );
  assert.equal(events[3], { type: 'cut-line', newLine: undefined, bytes: 300_000 });
});

test('a cut line that only another parent had is not reported', () => {
  const diff = `diff --cc a\nindex 1,2..3\n@@@ -1,1 -1,2 +1,1 @@@\n  one\n -${'o'.repeat(300_000)}\n`;
  assert.equal(
    eventsOf(diff).map(event => event.type),
    ['file', 'hunk', 'lines'],
  );
});

test('a long hunk of a merge is not held back to its end', () => {
  const parser = new DiffParser();
  parser.push(bytesOf('diff --cc a\nindex 1,2..3\n@@@ -0,0 -0,0 +1,99999 @@@\n'));
  const chunk = bytesOf(`++${'x'.repeat(98)}\n`.repeat(1000));
  const given = Array.from({ length: 20 }, () => parser.push(chunk).length);
  assert.is(given.at(0), 0);
  assert.is(given.at(-1), 1);
});

test('an endless line is not copied again for each chunk', () => {
  const chunk = new Uint8Array(CHUNK_BYTES).fill(120);
  const parser = new DiffParser();
  parser.push(bytesOf(`${HEADER}@@ -0,0 +1 @@\n+`));
  mustEnd(() => {
    for (let count = 0; count < 1024; count += 1) assert.equal(parser.push(chunk), []);
  });
  const cut = parser.end().find(event => event.type === 'cut-line');
  assert.equal(cut, { type: 'cut-line', newLine: 1, bytes: 1024 * CHUNK_BYTES });
});

test('NUL and other control characters are text', () => {
  const text = 'a\0b\u0001\u001b[0m\u2028\ufeffc';
  assert.equal(lineTexts(eventsOf(`${HEADER}@@ -0,0 +1 @@\n+${text}\n`)), [text]);
});

const long = 500_000;
const hostileLines: Record<string, string> = {
  'spaces in git names': `diff --git ${' '.repeat(long)}/`,
  'slashes in git names': `diff --git ${'a/ '.repeat(long / 3)}`,
  'an endless quoted name': `diff --git "${'\\'.repeat(long)}`,
  'octal escapes': `diff --git "${'\\101'.repeat(long / 4)}" b`,
  'an endless list of blobs': `diff --git a/a b/a\nindex ${'a,'.repeat(long / 2)}`,
  'an endless list of modes': `diff --cc a\nmode ${'100644,'.repeat(long / 7)}`,
  'and and and': `Binary files ${' and '.repeat(long / 5)} differ`,
  'Binary file without end': `Binary file ${' has changed '.repeat(long / 13)}`,
  'at signs': `--- a\n+++ b\n@@${'@'.repeat(long)} -1 +1`,
  'ranges of many parents': `--- a\n+++ b\n@@@${' -1,1'.repeat(long / 5)} +1 @@@`,
  'digits in a hunk header': `--- a\n+++ b\n@@ -${'9'.repeat(long)} +1 @@`,
  'times after a name': `--- a${' 1970-01-01 00:00:00.'.repeat(long / 21)}\n+++ b\n@@ -1 +1 @@`,
  'a long fraction': `--- a 1970-01-01 00:00:00.${'0'.repeat(long)}x\n+++ b\n@@ -1 +1 @@`,
  'blanks in a message': `--- a\n+++ b\n@@ -1 +1 @@\nx${' '.repeat(long)}x`,
  'wide merges of empty lines': `diff --cc a\nindex 1,2..3\n${wideHunk()}${'\n'.repeat(long)}`,
};

for (const [name, line] of Object.entries(hostileLines)) {
  test(`a hostile line is read in linear time: ${name}`, () => {
    mustEnd(() => {
      eventsOf(`${line}\n`);
    });
  });
}

test('a damaged diff never throws, and is read the same in any parts', () => {
  const random = randomFrom(20);
  const folder = 'fixtures/diffs';
  const diffs = readdirSync(folder).filter(name => name.endsWith('.diff'));
  for (let round = 0; round < 2000; round += 1) {
    const name = diffs[Math.floor(random() * diffs.length)] ?? '';
    const diff = damaged(readFileSync(join(folder, name)), random);
    const cuts = Array.from({ length: 3 }, () => Math.floor(random() * diff.length)).sort(
      (one, other) => one - other,
    );
    assert.equal(eventsOf(diff, cuts), eventsOf(diff), `round ${round}, ${name}`);
  }
});

function damaged(diff: Buffer, random: () => number): Buffer {
  const at = (): number => Math.floor(random() * diff.length);
  const kind = Math.floor(random() * 4);
  const [from = 0, to = 0] = [at(), at()].sort((one, other) => one - other);
  if (kind === 0) return diff.subarray(0, at());
  if (kind === 1) return Buffer.concat([diff.subarray(0, from), diff.subarray(to)]);
  if (kind === 2) return Buffer.concat([diff.subarray(0, to), diff.subarray(from)]);
  const copy = Buffer.from(diff);
  for (let count = 0; count < 5; count += 1) copy[at()] = Math.floor(random() * 256);
  return copy;
}

function wideHunk(): string {
  const marks = '@'.repeat(65);
  return `${marks}${' -1,99999'.repeat(64)} +1,99999 ${marks}\n`;
}

async function* asChunks(chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield bytesOf(chunk);
}

const lineTexts = (events: readonly DiffEvent[]): string[] =>
  events.flatMap(event => (event.type === 'lines' ? event.lines.map(line => line.text) : []));

test.run();
