import * as assert from 'uvu/assert';
import type { DiffEvent, FileChange } from '../../src/core/change.js';
import { noticeUnmatched } from '../../src/diff/gather.js';
import { suite } from '../support/suite.js';

const test = suite('paths that match nothing');

const file = (path: string, oldPath?: string): DiffEvent => ({
  type: 'file',
  file: { path, oldPath, status: 'modified' } as FileChange,
});

/** What is told of the paths after these events. */
async function told(events: readonly DiffEvent[], paths: readonly string[]): Promise<string[]> {
  const notices: string[] = [];
  const source = (async function* () {
    for (const event of events) yield [event];
  })();
  const passed: DiffEvent[] = [];
  for await (const batch of noticeUnmatched(source, paths, notices)) passed.push(...batch);
  assert.equal(passed, events);
  return notices;
}

test('a file and each folder above it match', async () => {
  const paths = ['a/b/c.js', 'a/b', 'a', '.'];
  assert.equal(await told([file('a/b/c.js')], paths), []);
});

test('the beginning of a name is no match', async () =>
  assert.equal(await told([file('ab/c.js')], ['a', 'ab/c']), ['no changed file matches a, ab/c']));

test('an old name matches as well', async () =>
  assert.equal(await told([file('new/x', 'old/x')], ['old', 'new']), []));

test('many are counted', async () => {
  const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  assert.equal(await told([], paths), ['no changed file matches a, b, c, d, e and 2 more']);
});

test('of a diff that breaks off nothing is claimed', async () =>
  assert.equal(await told([{ type: 'broken', reason: 'x' }], ['a']), []));

test.run();
