import * as assert from 'uvu/assert';
import { readFile } from '../../../src/agent/reading.js';
import type { Source } from '../../../src/git/source.js';
import { estimateTokens } from '../../../src/model/tokens.js';
import { suite } from '../../support/suite.js';
import { memorySource } from './memory-source.js';
import { toolContext } from './tool-context.js';

const test = suite('agent/tools/read-file');

const many = Array.from({ length: 1000 }, (_, at) => `const value${at + 1} = ${at};`).join('\n');
const source = memorySource({
  'a.ts': 'one\ntwo\n',
  'crlf.ts': '\ufeffone\r\ntwo\r\n',
  'many.ts': `${many}\n`,
  'empty.ts': '',
  'blank.ts': '\n\n',
  'min.js': `var a=1;${'x'.repeat(200_000)}\nlast`,
  'image.png': Uint8Array.from([0x89, 0x50, 0, 1]),
  'latin.txt': Uint8Array.from([0x63, 0x61, 0x66, 0xe9]),
  'src/b.ts': 'b',
  '.env': 'TOKEN=1',
});

const read = (input: object, maxTokens = 800) =>
  readFile(source).run({ ...input }, toolContext(maxTokens));

test('a short file is shown whole, with its count and the numbers of its lines', async () => {
  assert.is((await read({ path: 'a.ts' })).text, 'a.ts: lines 1-2 of 2\n1| one\n2| two');
  assert.is((await read({ path: './a.ts' })).text, 'a.ts: lines 1-2 of 2\n1| one\n2| two');
});

test('byte order marks and carriage returns are not shown', async () => {
  assert.is((await read({ path: 'crlf.ts' })).text, 'crlf.ts: lines 1-2 of 2\n1| one\n2| two');
});

test('a long file is shown in parts that follow each other without a gap', async () => {
  let startLine = 1;
  const shown: string[] = [];
  for (let page = 0; page < 200; page += 1) {
    const { text } = await read({ path: 'many.ts', startLine });
    assert.ok(estimateTokens(text) <= 800);
    shown.push(...[...text.matchAll(/^\d+\| (const.*)$/gm)].map(([, line = '']) => line));
    const next = /\[(\d+) more lines?: read_file with startLine=(\d+)\]/.exec(text);
    if (next === null) break;
    assert.is(Number(next[1]), 1000 - shown.length);
    startLine = Number(next[2]);
  }
  assert.is(shown.join('\n'), many);
});

test('a range of lines is respected, and one past the end is explained', async () => {
  const { text, details } = await read({ path: 'many.ts', startLine: 10, endLine: 12 });
  assert.match(text, /^many\.ts: lines 10-12 of 1000\n10\| const value10 = 9;/);
  assert.equal(details, { path: 'many.ts', total: 1000, start: 10, end: 12 });
  assert.match(
    (await read({ path: 'a.ts', startLine: 9 })).text,
    /^error: a\.ts has 2 lines; startLine=9/,
  );
  assert.match(
    (await read({ path: 'a.ts', startLine: 2, endLine: 1 })).text,
    /^error: startLine=2 is after/,
  );
});

test('very long lines of a file are cut and counted', async () => {
  const { text } = await read({ path: 'min.js' });
  assert.ok(estimateTokens(text) <= 800);
  assert.match(text, /\n2\| last\n\[1 very long line cut\]$/);
});

const REFUSED: ReadonlyArray<readonly [path: string, reason: RegExp]> = [
  ['nope.ts', /there is no such file\. List the folder or search/],
  ['src', /this is a folder\. Use list_dir/],
  ['.', /^error: the root: this is a folder/],
  ['image.png', /not UTF-8 text/],
  ['latin.txt', /not UTF-8 text/],
  ['.env', /may hold secrets/],
  ['../a.ts', /not allowed/],
];

for (const [path, reason] of REFUSED) {
  test(`${path} is refused with the reason and the next step`, async () => {
    const { isError, text } = await read({ path });
    assert.ok(isError);
    assert.match(text, /^error: /);
    assert.match(text, reason);
  });
}

test('links, submodules, untracked and huge files are refused with the reason', async () => {
  for (const kind of ['symlink', 'submodule', 'untracked', 'too-big'] as const) {
    const odd: Source = { ...source, read: async () => ({ kind }) };
    const { text } = await readFile(odd).run({ path: 'x' }, toolContext());
    assert.match(text, /^error: x: /, kind);
  }
});

test('reading an empty file is not an error', async () => {
  assert.is((await read({ path: 'empty.ts' })).text, 'empty.ts: the file is empty');
  assert.match((await read({ path: 'blank.ts' })).text, /^blank\.ts: lines 1-2 of 2/);
});

test.run();
