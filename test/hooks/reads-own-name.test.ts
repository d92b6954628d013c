import * as assert from 'uvu/assert';
import { readsOwnName } from '../../src/hooks/folder.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/reads-own-name');

const asking = [
  'hook=$(basename "$0")\nrun-hooks "$hook"\n',
  `exec multiplexer "\${0##*/}" "$@"\n`,
  '#!/usr/bin/env ruby\nhook_type = File.basename($0)\n',
  'import os, sys\nname = os.path.basename(sys.argv[0])\n',
  '. "$(dirname "$0")/husky.sh"\n',
];
for (const text of asking) {
  test(`a hook that asks for its own name is noticed: ${JSON.stringify(text.split('\n').at(-2))}`, () =>
    assert.ok(readsOwnName(text)));
}

test('a hook that asks only for its folder does not ask for its name', () =>
  assert.not(readsOwnName('here=$(cd "$(dirname "$0")" && pwd)\n. "$here/lib.sh"\n')));

test('a hook that asks for its own name is found in linear time', () => {
  mustEnd(() => {
    for (const hostile of ['basename', 'basename $', '${0', '/husky.s', 'argv[0']) {
      assert.not(readsOwnName(hostile.repeat(500_000 / hostile.length)));
    }
  });
});

test.run();
