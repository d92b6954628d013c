import * as assert from 'uvu/assert';
import { scratchSource } from '../../src/git/scratch-files.js';
import type { FileRead, Source } from '../../src/git/source.js';
import { suite } from '../support/suite.js';

const test = suite('scratch-source');

/** A commit that has one file and one link, and counts how often it is asked. */
function play() {
  const asked: string[] = [];
  const committed: Source = {
    list: async () => [],
    search: async () => ({ matches: [], isTruncated: false }),
    diff: async () => undefined,
    history: async () => [],
    read: async (path): Promise<FileRead> => {
      asked.push(path);
      if (path.toLowerCase() === 'a.js') return { kind: 'file', bytes: Buffer.from('committed') };
      return { kind: path === 'link' ? 'symlink' : 'absent' };
    },
  };
  const copy = new Map([
    ['a.js', Buffer.from('edited')],
    ['A.js', Buffer.from('edited')],
  ]);
  const clashing = new Map([['A.js', 'on this disk it is the same file as a.js']]);
  return {
    asked,
    copy,
    source: scratchSource({ readFile: async path => copy.get(path), clashing }, committed),
  };
}

test('a file is read from the copy as it is now, and the commit is asked once', async () => {
  const { asked, copy, source } = play();
  assert.equal(await source.read('a.js'), { kind: 'file', bytes: Buffer.from('edited') });
  copy.set('a.js', Buffer.from('again'));
  assert.equal(await source.read('a.js'), { kind: 'file', bytes: Buffer.from('again') });
  copy.delete('a.js');
  assert.equal(await source.read('a.js'), { kind: 'absent' });
  assert.equal(asked, ['a.js']);
});

test('a path that shares its file on disk with another is read from the commit', async () => {
  const { source } = play();
  assert.equal(await source.read('A.js'), { kind: 'file', bytes: Buffer.from('committed') });
});

test('a path that isn’t a file of the commit is never read from the copy', async () => {
  const { copy, source } = play();
  for (const path of ['link', 'untracked']) copy.set(path, Buffer.from('secret'));
  assert.equal(await source.read('link'), { kind: 'symlink' });
  assert.equal(await source.read('untracked'), { kind: 'absent' });
});

test.run();
