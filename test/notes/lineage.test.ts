import * as assert from 'uvu/assert';
import { isInPlaceOf, isSumOf, type Lineage } from '../../src/notes/record.js';
import { suite } from '../support/suite.js';

const test = suite('notes/lineage');

const NO_PATCHES: ReadonlyMap<string, string> = new Map();

const at = (commit: string, tree: string, ...parents: string[]): Lineage => ({
  commit,
  tree,
  parents,
});

test('a commit with the same tree in the same place is the same change', () => {
  assert.ok(isSumOf([at('a', 'tree', 'base')], at('b', 'tree', 'base'), NO_PATCHES));
  assert.ok(isSumOf([at('a', 'tree')], at('b', 'tree'), NO_PATCHES), 'a first commit');
});

test('the same tree on another parent, or another tree on the same parent, proves nothing', () => {
  assert.not.ok(isSumOf([at('a', 'tree', 'base')], at('b', 'tree', 'other'), NO_PATCHES));
  assert.not.ok(isSumOf([at('a', 'tree', 'base')], at('b', 'more', 'base'), NO_PATCHES));
  assert.not.ok(isSumOf([at('a', 'tree', 'base')], at('b', 'tree'), NO_PATCHES));
});

test('the same patch is the same change anywhere', () => {
  const patches = new Map([
    ['a', 'patch'],
    ['b', 'patch'],
    ['c', 'other'],
  ]);
  assert.ok(isSumOf([at('a', 'one', 'base')], at('b', 'two', 'other'), patches));
  assert.not.ok(isSumOf([at('a', 'one', 'base')], at('c', 'two', 'other'), patches));
});

test('a fixup that followed its commit makes the sum of both', () => {
  const one = at('a', 'one', 'base');
  const fixup = at('f', 'two', 'a');
  assert.ok(isSumOf([one, fixup], at('b', 'two', 'base'), NO_PATCHES));
  assert.not.ok(isSumOf([one, fixup], at('b', 'three', 'base'), NO_PATCHES), 'edited on the way');
  const far = at('f', 'two', 'between');
  assert.not.ok(isSumOf([one, far], at('b', 'two', 'base'), NO_PATCHES), 'moved over another');
  const patches = new Map([
    ['a', 'patch'],
    ['b', 'patch'],
  ]);
  assert.not.ok(isSumOf([one, far], at('b', 'one', 'base'), patches), 'a patch of one of them');
});

test('a missing commit, or none, proves nothing', () => {
  const to = at('b', 'two', 'base');
  assert.not.ok(isSumOf([undefined], to, NO_PATCHES));
  assert.not.ok(isSumOf([undefined, at('f', 'two', 'base')], to, NO_PATCHES));
  assert.not.ok(isSumOf([], to, NO_PATCHES));
});

test('a commit replaces another if it has the same parents in the same order', () => {
  assert.ok(isInPlaceOf(at('a', 't', 'p', 'q'), at('b', 't', 'p', 'q')));
  assert.not.ok(isInPlaceOf(at('a', 't', 'p', 'q'), at('b', 't', 'q', 'p')));
  assert.not.ok(isInPlaceOf(at('a', 't', 'p'), at('b', 't', 'p', 'q')));
});

test.run();
