import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { type DiffReading, eventsOf, type HunkReading, readingOf } from './diff-reading.js';

const FOLDER = 'fixtures/diffs';

const test = suite('diff/parse-diff');

const cases = readdirSync(FOLDER)
  .filter(name => name.endsWith('.diff'))
  .map(name => name.slice(0, -'.diff'.length));

for (const name of cases) {
  const diff = readFileSync(join(FOLDER, `${name}.diff`));

  test(`${name} is parsed as its fixture expects`, () => {
    const expected: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
    assert.equal(plain(readingOf(diff)), expected);
  });

  test(`${name} is parsed the same wherever it is split into chunks`, () => {
    const whole = eventsOf(diff);
    for (let cut = 0; cut <= diff.length; cut += 1) assert.equal(eventsOf(diff, [cut]), whole);
    assert.equal(eventsOf(diff, Array.from(diff.keys())), whole, 'byte by byte');
  });
}

test('every fixture has both files', () => {
  const expected = cases.flatMap(name => [`${name}.diff`, `${name}.json`]).sort();
  assert.equal(readdirSync(FOLDER).sort(), expected);
});

/** A reading as the fixtures spell it: a line is its mark, its number on each side, its text. */
function plain(reading: DiffReading): unknown {
  const files = reading.files.map(file => ({ ...file, hunks: file.hunks.map(plainHunk) }));
  return JSON.parse(JSON.stringify({ ...reading, files }));
}

function plainHunk(hunk: HunkReading): unknown {
  const { number, oldStart, oldLines, newStart, newLines, section } = hunk;
  const lines = hunk.lines.map((line, index) => {
    const end = hunk.unended.includes(index) ? ' (no newline)' : '';
    if (line.kind === 'added') return `+${line.newLine} ${line.text}${end}`;
    if (line.kind === 'removed') return `-${line.oldLine} ${line.text}${end}`;
    return ` ${line.oldLine} ${line.newLine} ${line.text}${end}`;
  });
  return { number, ranges: [oldStart, oldLines, newStart, newLines], section, lines };
}

test.run();
