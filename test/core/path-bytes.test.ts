import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { pathFromBytes, pathToBytes } from '../../src/core/path-bytes.js';
import { suite } from '../support/suite.js';

const test = suite('bytes of a path');

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

test('a path in UTF-8 is read as Node reads it', () => {
  for (const text of ['a', 'é', '€', '😀', '\u07ff', '\u0800', '\uffff', '\u{10ffff}']) {
    assert.is(pathFromBytes(new TextEncoder().encode(text)), text);
  }
});

test('any bytes come back as they were, and only invalid ones become lone surrogates', () => {
  const nearlyUtf8 = fc
    .tuple(fc.string({ unit: 'binary' }), fc.nat(), fc.integer({ min: 0, max: 255 }))
    .map(([text, at, byte]) => {
      const bytes = new TextEncoder().encode(text);
      if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 12 }), nearlyUtf8), bytes => {
      const path = pathFromBytes(bytes);
      assert.equal([...pathToBytes(path)], [...bytes]);
      assert.is(/\p{Surrogate}/u.test(path), !isUtf8(bytes));
    }),
    { numRuns: 2000 },
  );
});

test.run();
