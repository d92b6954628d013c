import * as assert from 'uvu/assert';
import { editFile, Overlay } from '../../../src/agent/tools/edit-file.js';
import { readFile } from '../../../src/agent/tools/read-file.js';
import { suite } from '../../support/suite.js';
import { overlaySource } from '../overlay-source.js';
import { memorySource } from './memory-source.js';
import { toolContext } from './tool-context.js';

const test = suite('edit-file');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function editor(
  files: Record<string, string | Uint8Array>,
  forbids?: (path: string) => string | undefined,
) {
  const overlay = new Overlay();
  const source = overlaySource(memorySource(files), overlay);
  const tool = editFile({ source, overlay, ...(forbids === undefined ? {} : { forbids }) });
  const edit = (path: string, oldText: string, newText: string) =>
    tool.run({ path, oldText, newText }, toolContext());
  return { overlay, source, edit };
}

test('an edit lands in the overlay and says where', async () => {
  const { overlay, edit } = editor({ 'a.ts': 'one\ntwo\n' });
  const { isError, text, details } = await edit('a.ts', 'two', 'three');
  assert.equal([isError, text], [false, 'edited a.ts at line 2']);
  assert.equal(overlay.changes(), [
    { path: 'a.ts', before: bytes('one\ntwo\n'), after: bytes('one\nthree\n') },
  ]);
  assert.is(details['how'], 'exact');
});

test('a second edit builds on the first, and reading shows both', async () => {
  const { source, overlay, edit } = editor({ 'a.ts': 'one\ntwo\n' });
  await edit('a.ts', 'one', '1');
  await edit('a.ts', 'two', '2');
  const { text } = await readFile(source, { isNumbered: false }).run(
    { path: 'a.ts' },
    toolContext(),
  );
  assert.is(text, 'a.ts: lines 1-2 of 2\n1\n2');
  assert.equal(overlay.changes()[0]?.before, bytes('one\ntwo\n'));
});

test('bytes outside the edit stay as they are', async () => {
  const before = '\ufeffone\r\ntwo\r\nthree';
  const { overlay, edit } = editor({ 'a.ts': before });
  await edit('a.ts', 'one\ntwo', '1\n2\n2.5');
  assert.equal(overlay.changes()[0]?.after, bytes('\ufeff1\r\n2\r\n2.5\r\nthree'));
});

const FAILS: ReadonlyArray<
  readonly [what: string, oldText: string, newText: string, reason: RegExp]
> = [
  [
    'not there',
    'const zwei = 22;',
    'x',
    /^error: oldText does not occur in a\.ts\. .*copy the text exactly/,
  ],
  ['nearly there', 'const two = 22;', 'x', /The nearest is line 2: const two = 2;/],
  [
    'there twice',
    'const',
    'let',
    /occurs 3 times in a\.ts \(lines 1, 2, 3\)\. Add lines around it/,
  ],
  ['empty', ' \n', 'x', /oldText is empty/],
  ['the same', 'one', 'one', /nothing would change/],
];

for (const [what, oldText, newText, reason] of FAILS) {
  test(`oldText that is ${what} changes nothing and says so`, async () => {
    const { overlay, edit } = editor({
      'a.ts': 'const one = 1;\nconst two = 2;\nconst three = 3;\n',
    });
    const { isError, text } = await edit('a.ts', oldText, newText);
    assert.ok(isError);
    assert.match(text, reason);
    assert.equal(overlay.changes(), []);
  });
}

test('files that cannot or must not be edited are refused', async () => {
  const { overlay, edit } = editor(
    {
      'a.bin': Uint8Array.from([1, 0, 2]),
      'ci.yml': 'on: push',
      'latin.txt': Uint8Array.from([0xe9, 0x20, 0x61]),
    },
    path => (path === 'ci.yml' ? 'it belongs to CI' : undefined),
  );
  assert.match((await edit('a.bin', 'a', 'b')).text, /not UTF-8 text/);
  assert.match((await edit('latin.txt', 'a', 'b')).text, /not UTF-8 text/);
  assert.match((await edit('new.ts', 'a', 'b')).text, /no such file/);
  assert.match(
    (await edit('ci.yml', 'push', 'pull')).text,
    /^error: ci\.yml must not be edited: it belongs to CI/,
  );
  assert.match((await edit('.git/config', 'a', 'b')).text, /\.git/);
  assert.equal(overlay.changes(), []);
});

test.run();
