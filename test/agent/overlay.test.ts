import * as assert from 'uvu/assert';
import { Overlay } from '../../src/agent/tools/edit-file.js';
import { suite } from '../support/suite.js';

const test = suite('overlay');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('the file as it was before the first edit is the one remembered', () => {
  const overlay = new Overlay();
  overlay.write('a.ts', { before: bytes('one'), after: bytes('two') });
  overlay.write('a.ts', { before: bytes('two'), after: bytes('three') });
  assert.equal(overlay.changes(), [{ path: 'a.ts', before: bytes('one'), after: bytes('three') }]);
});

test('an edit that ends where it began is not a change', () => {
  const overlay = new Overlay();
  overlay.write('a.ts', { before: bytes('one'), after: bytes('two') });
  overlay.write('a.ts', { before: bytes('two'), after: bytes('one') });
  assert.equal(overlay.changes(), []);
});

test.run();
