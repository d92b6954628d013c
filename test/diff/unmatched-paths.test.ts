import * as assert from 'uvu/assert';
import type { DiffEvent, FileChange } from '../../src/core/change.js';
import { noticeUnmatched } from '../../src/diff/gather.js';
import { suite } from '../support/suite.js';

const test = suite('diff/unmatched-paths');

const file = (path: string, oldPath?: string): DiffEvent => ({
  type: 'file',
  file: { path, oldPath, status: 'modified' } as FileChange,
});

/** The notices about the paths after these events. */
async function noticesFor(
  events: readonly DiffEvent[],
  paths: readonly string[],
): Promise<string[]> {
  const notices: string[] = [];
  const source = (async function* () {
    for (const event of events) yield [event];
  })();
  const passed: DiffEvent[] = [];
  for await (const batch of noticeUnmatched(source, paths, notices)) passed.push(...batch);
  assert.equal(passed, events);
  return notices;
}

test('a path matches a changed file or one of its folders', async () => {
  const paths = ['a/b/c.js', 'a/b', 'a', '.'];
  assert.equal(await noticesFor([file('a/b/c.js')], paths), []);
});

test('a path that is only the start of a name does not match', async () =>
  assert.equal(await noticesFor([file('ab/c.js')], ['a', 'ab/c']), [
    'no changed file matches a, ab/c',
  ]));

test('a path matches the old name of a renamed file', async () =>
  assert.equal(await noticesFor([file('new/x', 'old/x')], ['old', 'new']), []));

test('of many unmatched paths five are listed and the others are counted', async () => {
  const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  assert.equal(await noticesFor([], paths), ['no changed file matches a, b, c, d, e and 2 more']);
});

test('a diff that ends early says nothing about unmatched paths', async () =>
  assert.equal(await noticesFor([{ type: 'broken', reason: 'x' }], ['a']), []));

test.run();
