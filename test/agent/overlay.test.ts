import * as assert from 'uvu/assert';
import { Overlay } from '../../src/agent/tools/edit-file.js';
import { suite } from '../support/suite.js';

const test = suite('overlay');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('what was written is read, and nothing else is known', () => {
  const overlay = new Overlay();
  overlay.write('a.ts', { before: bytes('one'), after: bytes('two') });
  assert.equal(overlay.read('a.ts'), bytes('two'));
  assert.is(overlay.read('b.ts'), undefined);
});

test('the file as it was before the first edit is the one remembered', () => {
  const overlay = new Overlay();
  overlay.write('a.ts', { before: bytes('one'), after: bytes('two') });
  overlay.write('a.ts', { before: bytes('two'), after: bytes('three') });
  assert.equal(overlay.changes(), [{ path: 'a.ts', before: bytes('one'), after: bytes('three') }]);
});

test('an edit that ends where it began is no change', () => {
  const overlay = new Overlay();
  overlay.write('a.ts', { before: bytes('one'), after: bytes('two') });
  overlay.write('a.ts', { before: bytes('two'), after: bytes('one') });
  assert.equal(overlay.changes(), []);
});

test('a file that is reverted reads as the commit has it', () => {
  const overlay = new Overlay();
  overlay.write('a.ts', { before: bytes('one'), after: bytes('two') });
  overlay.revert('a.ts');
  assert.is(overlay.read('a.ts'), undefined);
  assert.equal(overlay.changes(), []);
});

test.run();
