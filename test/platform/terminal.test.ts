import * as assert from 'uvu/assert';
import { isScreen, screenColumns, wantsColor } from '../../src/platform/terminal.js';
import { suite } from '../support/suite.js';

const test = suite('platform/terminal');

test('a screen is a terminal with a size', () => {
  assert.ok(isScreen({ isTTY: true, columns: 80 }));
  assert.ok(isScreen({ isTTY: true }));
  assert.not.ok(isScreen({ isTTY: true, columns: 0 }));
  assert.not.ok(isScreen({ columns: 80 }));
});

test('NO_COLOR comes before FORCE_COLOR, and that before the kind of stream', () => {
  const screen = { isTTY: true };
  assert.ok(wantsColor({}, screen));
  assert.ok(wantsColor({ NO_COLOR: '' }, screen));
  assert.not.ok(wantsColor({ NO_COLOR: '1', FORCE_COLOR: '1' }, screen));
  assert.ok(wantsColor({ FORCE_COLOR: '1', TERM: 'dumb' }, {}));
  assert.not.ok(wantsColor({ FORCE_COLOR: '0' }, screen));
  assert.not.ok(wantsColor({ FORCE_COLOR: 'false' }, screen));
  assert.not.ok(wantsColor({ TERM: 'dumb' }, screen));
  assert.not.ok(wantsColor({}, {}));
});

test('a terminal without a width has 80 columns, and none has more than 120', () => {
  assert.equal(
    [undefined, 0, 40, 120, 300].map(columns => screenColumns({ columns: columns ?? 0 })),
    [80, 80, 40, 120, 120],
  );
});

test.run();
