import * as assert from 'uvu/assert';
import { findSecrets } from '../../../src/core/secrets/find-secrets.js';
import { redact } from '../../../src/core/secrets/redact.js';
import { tokenFamilies } from '../../../src/core/secrets/token-families.js';
import { tokenFormats } from '../../../src/core/secrets/token-formats.js';
import { suite } from '../../support/suite.js';
import { armour } from './planted.js';
import { sequence } from './sample-token.js';

const LENGTH = 100_000;
/** The aim for a line of 100 kB. */
const MOST_MS = 50;

const ANCHORS = [...new Set(tokenFormats(tokenFamilies).flatMap(format => format.anchors))];

const PIECES: readonly string[] = [
  ...'aA0=-./+ "\'`\\@:~%$*<>{}\t\ré',
  ...ANCHORS,
  ...ANCHORS.map(anchor => `/${anchor}`),
  ...ANCHORS.map(anchor => `-${anchor}A1`),
  '\u{1f600}',
  'a1B2c3D4',
  'key',
  'token=',
  'token1=',
  'password="',
  'token: "a1',
  '<token>',
  'a.token-b_key',
  '://',
  '://a:b1c2d3@',
  'authorization=',
  '@authorization=a',
  'Authorization: Bearer ',
  'Authorization: Basic YTpi',
  '-u a:b1',
  '--user a',
  'eyJaaaaaaaaaaaaaa.',
  'eyJaaaaaaaaaaaaaa.eyJ',
  'LS0tLS1CRUdJTi',
  'MIIEowIBAAKCAQEA',
  '0123456789abcdef',
  armour('RSA PRIVATE KEY'),
  `${armour('RSA PRIVATE KEY')}\\n`,
  'kind: Secret ',
  'data: a',
];

const test = suite('hostile text');

/**
 * Time of the processor, not of the clock, and the best of three: other work on the machine must not
 * fail the test, while reading a line again and again takes seconds of both.
 */
function timeOf(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && best > MOST_MS; attempt += 1) {
    const before = process.cpuUsage();
    work();
    const used = process.cpuUsage(before);
    best = Math.min(best, (used.user + used.system) / 1000);
  }
  return best;
}

const longLine = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length));

function slow(
  lines: ReadonlyArray<readonly [string, string]>,
  work: (text: string) => unknown,
): string[] {
  const found: string[] = [];
  for (const [name, line] of lines) {
    const ms = timeOf(() => work(line));
    if (ms > MOST_MS) found.push(`${ms.toFixed(0)} ms for ${JSON.stringify(name)}`);
  }
  return found;
}

test('100 kB of any piece are searched in 50 ms', () => {
  assert.equal(
    slow(
      PIECES.map(piece => [piece, longLine(piece)]),
      findSecrets,
    ),
    [],
  );
});

test('100 kB of any mixture of pieces are searched in 50 ms', () => {
  const random = sequence(7);
  const mixtures = Array.from({ length: 150 }, () =>
    Array.from({ length: 3 }, () => PIECES[Math.floor(random() * PIECES.length)] ?? '').join(''),
  );
  assert.equal(
    slow(
      mixtures.map(mixture => [mixture, longLine(mixture)]),
      findSecrets,
    ),
    [],
  );
});

test('100 kB after an opened key, manifest or string are searched in 50 ms', () => {
  const openings = [`${armour('PRIVATE KEY')}\n`, 'kind: Secret\ndata:\n  a: ', 'token = "', 'x'];
  const lines = openings.flatMap(opening =>
    ['a', '+/', '\\n', ' ', '-', 'aB1', '==', '"', 'a: '].map(piece => {
      const line = `${opening}${longLine(piece)}!`;
      return [`${opening}${piece}`, line] as const;
    }),
  );
  assert.equal(slow(lines, findSecrets), []);
});

test('redacting is linear as well', () => {
  const lines = PIECES.filter((_, index) => index % 5 === 0).map(
    piece => [piece, longLine(piece)] as const,
  );
  assert.equal(
    slow(lines, text => redact(text.slice(0, LENGTH / 2))),
    [],
  );
});

test('a line of several megabytes neither hangs nor throws', () => {
  for (const piece of ['a', 'aB1/', 'eyJ', `${armour('RSA PRIVATE KEY')}\\nMIIEowIBAAKCAQEA`]) {
    const line = piece.repeat(Math.ceil(4_000_000 / piece.length));
    assert.is(redact(line).length, line.length);
  }
});

test.run();
