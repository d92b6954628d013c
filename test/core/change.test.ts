import * as assert from 'uvu/assert';
import { isAt, isSubmodule } from '../../src/core/change.js';
import { suite } from '../support/suite.js';

const test = suite('core/change');

test('a submodule is known by its mode, the old one only where it is removed', () => {
  const modes = (oldMode?: string, newMode?: string): boolean =>
    isSubmodule({ oldMode, newMode } as Parameters<typeof isSubmodule>[0]);
  assert.ok(modes('160000', '160000'));
  assert.ok(modes('160000'));
  assert.not.ok(modes('160000', '100644'));
  assert.not.ok(modes('100644'));
  assert.not.ok(modes());
});

test('a removed line is found on the old side, every other line on the new one', () => {
  const removed = { kind: 'removed', text: '', oldLine: 3 } as const;
  const context = { kind: 'context', text: '', oldLine: 3, newLine: 4 } as const;
  assert.ok(isAt(removed, { side: 'old', line: 3 }));
  assert.not.ok(isAt(removed, { side: 'old', line: 4 }));
  assert.not.ok(isAt(removed, { side: 'new', line: 3 }));
  assert.ok(isAt(context, { side: 'new', line: 4 }));
  assert.not.ok(isAt(context, { side: 'old', line: 3 }));
});

test.run();
