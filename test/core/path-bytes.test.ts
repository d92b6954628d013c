import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { pathFromBytes, pathToBytes } from '../../src/core/path-bytes.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('core/path-bytes');

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

test('every single byte that is not UTF-8 comes back, and other lone surrogates are not bytes', () => {
  for (let byte = 0x80; byte <= 0xff; byte += 1) {
    assert.equal([...pathToBytes(pathFromBytes(Uint8Array.from([byte])))], [byte]);
  }
  const replaced = [...new TextEncoder().encode('\ufffd')];
  for (const half of ['\udc7f', '\udd00']) assert.equal([...pathToBytes(half)], replaced);
});

test('the first and last bytes of each range of UTF-8 are read as the decoder reads them', () => {
  const edges = [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
  for (let lead = 0x80; lead < 0x100; lead += 1) {
    for (const second of edges) {
      for (const rest of [[], [0x80], [0xbf, 0x80], [0x41]]) {
        const bytes = Uint8Array.from([lead, second, ...rest]);
        assert.is(/\p{Surrogate}/u.test(pathFromBytes(bytes)), !isUtf8(bytes), bytes.join());
        // After an invalid byte a name is read character by character.
        const odd = pathFromBytes(Uint8Array.from([0xff, ...bytes]));
        const lone = odd.match(/\p{Surrogate}/gu)?.length;
        assert.is(lone === 1, isUtf8(bytes), bytes.join());
      }
    }
  }
});

test('a long hostile name is read in linear time', () => {
  mustEnd(() => {
    const path = pathFromBytes(new Uint8Array(1024 * 1024).fill(0xff));
    assert.is(path.length, 1024 * 1024);
  });
});

test.run();
