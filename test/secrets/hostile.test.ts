import * as assert from 'uvu/assert';
import { tokenFamilies } from '../../src/secrets/formats.js';
import { redact } from '../../src/secrets/redact.js';
import { findSecrets } from '../../src/secrets/scan.js';
import { tokenFormats } from '../../src/secrets/tokens.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { armour } from './planted.js';
import { sequence } from './sample-token.js';

/** Searched again from each character, a line of this length takes minutes. */
const LENGTH = 250_000;

const ANCHORS = [...new Set(tokenFormats(tokenFamilies).flatMap(format => format.anchors))];

const PIECES: readonly string[] = [
  ...'aA0=-./+ "\'`\\@:~%$*<>{}\t\ré',
  ...ANCHORS,
  ...ANCHORS.map((anchor, at) => (at % 2 === 0 ? `/${anchor}` : `-${anchor}A1`)),
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

const test = suite('secrets/hostile');

const longLine = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length));

const mustEndOn = (lines: readonly string[], work: (text: string) => unknown): void => {
  for (const line of lines) mustEnd(() => work(line));
};

test('250 kB of one piece are searched in linear time', () => {
  mustEndOn(PIECES.filter((_, index) => index % 4 === 0).map(longLine), findSecrets);
});

test.long('250 kB of any piece are searched in linear time', () => {
  mustEndOn(PIECES.map(longLine), findSecrets);
});

test('250 kB of any mixture of pieces are searched in linear time', () => {
  const random = sequence(7);
  const mixtures = Array.from({ length: 10 }, () =>
    Array.from({ length: 3 }, () => PIECES[Math.floor(random() * PIECES.length)] ?? '').join(''),
  );
  mustEndOn(mixtures.map(longLine), findSecrets);
});

test('250 kB after an opened key, manifest or string are searched in linear time', () => {
  const openings = [`${armour('PRIVATE KEY')}\n`, 'kind: Secret\ndata:\n  a: ', 'token = "', 'x'];
  const lines = openings.flatMap(opening =>
    ['a', '+/', '\\n', ' ', '-', 'aB1', '==', '"', 'a: '].map(
      piece => `${opening}${longLine(piece)}!`,
    ),
  );
  mustEndOn(lines, findSecrets);
});

test('250 kB of hostile text are redacted in linear time', () => {
  mustEndOn(PIECES.filter((_, index) => index % 15 === 0).map(longLine), redact);
});

test('a line of several megabytes neither hangs nor throws', () => {
  for (const piece of ['a', 'aB1/', 'eyJ', `${armour('RSA PRIVATE KEY')}\\nMIIEowIBAAKCAQEA`]) {
    const line = piece.repeat(Math.ceil(2_000_000 / piece.length));
    assert.is(redact(line).length, line.length);
  }
});

test.run();
