import * as assert from 'uvu/assert';
import { isSubmodule } from '../../src/core/change.js';
import { suite } from '../support/suite.js';

const test = suite('change');

test('a submodule is known by its mode, the old one only where it is removed', () => {
  const modes = (oldMode?: string, newMode?: string): boolean =>
    isSubmodule({ oldMode, newMode } as Parameters<typeof isSubmodule>[0]);
  assert.ok(modes('160000', '160000'));
  assert.ok(modes('160000'));
  assert.not.ok(modes('160000', '100644'));
  assert.not.ok(modes('100644'));
  assert.not.ok(modes());
});

test.run();
