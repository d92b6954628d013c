import * as assert from 'uvu/assert';
import { fileHistory, getTime, listDir, readDiff, searchCode } from '../../../src/agent/reading.js';
import { estimateTokens } from '../../../src/model/tokens.js';
import { suite } from '../../support/suite.js';
import { memorySource } from './memory-source.js';
import { toolContext } from './tool-context.js';

const test = suite('agent/tools/looking');

const source = memorySource({
  'src/a.ts': 'const limit = 1;\nuse(limit);\n',
  'src/deep/b.ts': 'limit();\n',
  'README.md': '# limit\n',
  'changed.ts': 'new\n',
  '.env': 'limit=secret\n',
  'keys/only.pem': 'SECRETWORD\n',
});

test('a folder is listed with folders first and counts', async () => {
  const { text } = await listDir(source).run({ path: 'src' }, toolContext());
  assert.is(text, 'src: 2 entries (1 folder)\ndeep/\na.ts');
  const top = await listDir(source).run({ path: '.' }, toolContext());
  assert.match(top.text, /^\.: 5 entries \(2 folders\)\nkeys\/\nsrc\/\n\.env\nREADME\.md/);
});

test('ten thousand entries stay within the limit', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`big/file-${at}.ts`, '']),
  );
  const { text, details } = await listDir(memorySource(files)).run({ path: 'big' }, toolContext());
  assert.ok(estimateTokens(text) <= 800, String(estimateTokens(text)));
  assert.match(
    text,
    /^big: 10000 entries[\s\S]*of 10000 lines not shown; list a subfolder or search/,
  );
  assert.is(details['total'], 10_000);
});

test('a missing folder and names with line feeds are reported plainly', async () => {
  assert.match(
    (await listDir(source).run({ path: 'nope' }, toolContext())).text,
    /^error: nope: there is no such folder/,
  );
  const odd = await listDir(memorySource({ 'a\nb.ts': '' })).run({ path: '.' }, toolContext());
  assert.match(odd.text, /\na\?b\.ts$/);
});

test('a search gives path, line and text, counted, without the files that are never shown', async () => {
  const { text, details } = await searchCode(source).run({ query: 'limit' }, toolContext());
  assert.is(
    text,
    '4 matches in 3 files for "limit"\nsrc/a.ts:1: const limit = 1;\nsrc/a.ts:2: use(limit);\nsrc/deep/b.ts:1: limit();\nREADME.md:1: # limit',
  );
  assert.is(details['hidden'], 1);
});

test('a search can be narrowed, and finding nothing is not an error', async () => {
  const narrow = await searchCode(source).run({ query: 'limit', path: 'src/deep' }, toolContext());
  assert.match(narrow.text, /^1 match in 1 file for/);
  const none = await searchCode(source).run({ query: 'nowhere' }, toolContext());
  assert.equal(
    [none.isError, none.text],
    [false, '0 matches for "nowhere". Try a shorter or another text'],
  );
  const hidden = await searchCode(source).run({ query: 'SECRETWORD' }, toolContext());
  assert.match(hidden.text, /^0 matches: the text is only in files that are never shown/);
});

test('a search with many or very long matches stays within the limit', async () => {
  const wide = memorySource({ 'a.txt': `limit ${'x'.repeat(50_000)}\n`.repeat(300) });
  const { text } = await searchCode(wide).run({ query: 'limit' }, toolContext());
  assert.ok(estimateTokens(text) <= 800);
  assert.match(text, /^200 or more matches in 1 file for/);
});

test('an empty query and a path outside are refused', async () => {
  assert.match(
    (await searchCode(source).run({ query: ' ' }, toolContext())).text,
    /^error: the query is empty/,
  );
  assert.match(
    (await searchCode(source).run({ query: 'a', path: '/etc' }, toolContext())).text,
    /^error: absolute/,
  );
});

test('diffs and history are shown with counts, or the reason why not', async () => {
  const diff = await readDiff(source).run({ path: 'changed.ts' }, toolContext());
  assert.is(diff.text, 'changed.ts: 3 lines of diff, 3 shown\n@@ -1 +1 @@\n-old\n+new');
  assert.match(
    (await readDiff(source).run({ path: 'src/a.ts' }, toolContext())).text,
    /^error: .*does not touch/,
  );
  const history = await fileHistory(source).run({ path: 'src/a.ts' }, toolContext());
  assert.is(
    history.text,
    'src/a.ts: 1 commit, 1 shown, newest first\naaaaaaaaaa 2026-11-16: Begin',
  );
  assert.match(
    (await fileHistory(source).run({ path: 'no' }, toolContext())).text,
    /^error: no: no commit/,
  );
  assert.match(
    (await readDiff(source).run({ path: '.env' }, toolContext())).text,
    /^error: .*secrets/,
  );
});

test('get_time reports UTC in figures and in words', async () => {
  for (const [time, words] of [
    ['2026-11-16T07:05:09', 'Monday, 16 November 2026, 07:05 UTC'],
    ['2024-02-29T23:59:59', 'Thursday, 29 February 2024, 23:59 UTC'],
    ['1970-01-01T00:00:00', 'Thursday, 1 January 1970, 00:00 UTC'],
  ] as const) {
    const now = Date.parse(`${time}Z`);
    const clock = { now: () => now, stamp: (at: number) => new Date(at).toISOString() };
    const { text } = await getTime(clock).run({}, toolContext());
    assert.is(text, `${time}Z (${words})`);
  }
});

test.run();
