import * as assert from 'uvu/assert';
import { type TokenShape, tokenFamilies } from '../../src/secrets/formats.js';
import { redact } from '../../src/secrets/redact.js';
import { findSecrets } from '../../src/secrets/scan.js';
import { tokenFormats } from '../../src/secrets/tokens.js';
import { suite } from '../support/suite.js';
import { sampleToken, sequence } from './sample-token.js';

const test = suite('secrets/token-formats');

const prefixesOf = (shape: TokenShape): readonly string[] =>
  typeof shape.prefix === 'string' ? [shape.prefix] : shape.prefix;

interface Sample {
  /** Public text in front that belongs to the format. */
  readonly lead: string;
  readonly secret: string;
}

function samples(shape: TokenShape): Sample[] {
  return prefixesOf(shape).map((prefix, index) => {
    const random = sequence(1000 + index);
    const before = sampleToken(shape.before?.source ?? '', random);
    const body = sampleToken(shape.body, random);
    if (shape.lead === undefined) return { lead: '', secret: before + prefix + body };
    return { lead: before + prefix + sampleToken(shape.lead, random), secret: body };
  });
}

const CONTEXTS: ReadonlyArray<readonly [name: string, before: string, after: string]> = [
  ['alone', '', ''],
  ['in quotes', 'const value = "', '";'],
  ['after an escaped newline', String.raw`{"env": "A=1\n`, String.raw`\nB=2"}`],
  ['in the middle of a sentence', 'we use ', ' here'],
];

for (const family of tokenFamilies) {
  test(`${family.name} is found in each of its shapes`, () => {
    for (const { lead, secret } of family.shapes.flatMap(samples)) {
      for (const [name, before, after] of CONTEXTS) {
        const text = before + lead + secret + after;
        const found = findSecrets(text).map(({ kind, start, end }) => ({ kind, start, end }));
        const start = before.length + lead.length;
        const expected = [{ kind: family.kind, start, end: start + secret.length }];
        assert.equal(found, expected, `${name}: ${text}`);
      }
    }
  });
}

test('redaction keeps the length and at most four characters of a public prefix', () => {
  for (const shape of tokenFamilies.flatMap(family => family.shapes)) {
    for (const { lead, secret } of samples(shape)) {
      const redacted = redact(`x = "${lead}${secret}"`).slice(5 + lead.length, -1);
      const kept = redacted.replace(/\*+$/, '');
      assert.is(redacted.length, secret.length);
      assert.ok(kept.length <= 4 && secret.startsWith(kept), redacted);
      const isPrefix = prefixesOf(shape).some(prefix => prefix.startsWith(kept));
      assert.ok(kept === '' || isPrefix, redacted);
    }
  }
});

test('a longer run of the same characters is not the token', () => {
  for (const shape of tokenFamilies.flatMap(family => family.shapes)) {
    const isOfFixedLength = /\{[0-9]+\}$/.test(shape.body) && shape.tail === undefined;
    if (!isOfFixedLength) continue;
    for (const { lead, secret } of samples(shape)) {
      assert.equal(findSecrets(`${lead}${secret}${secret.slice(-20).replace(/\W/g, 'a')}`), []);
      if (lead === '') assert.equal(findSecrets(`abc${secret}`), []);
    }
  }
});

test('kinds are slugs that occur once, and names read after "looks like"', () => {
  const kinds = tokenFamilies.map(family => family.kind);
  assert.is(new Set(kinds).size, kinds.length);
  for (const { kind, name } of tokenFamilies) {
    assert.match(kind, /^[a-z0-9]+(?:-[a-z0-9]+)+$/);
    assert.match(name, /^an? \S/);
  }
});

test('every pattern is sticky and every repeat in it has an upper bound', () => {
  for (const { pattern, anchors } of tokenFormats(tokenFamilies)) {
    assert.ok(pattern.sticky, pattern.source);
    const outsideClasses = pattern.source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
    assert.not.match(outsideClasses, /[*+]|\{[0-9]+,\}/);
    for (const anchor of anchors) {
      assert.ok(anchor.length >= 3, anchor);
      assert.is(anchor, anchor.toLowerCase());
    }
  }
});

test('a web token is a secret unless it says itself that it is public or a sample', () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const found = (payload: object): number => {
    const token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.${'Zk3vQ9xL2mWc8RtYp0sJ'.repeat(2)}aB1`;
    return findSecrets(`const token = "${token}";`).length;
  };
  const own = { role: 'service_role', iss: 'supabase', sub: '42', name: 'Eve', exp: 1_900_000_000 };
  assert.is(found(own), 1);
  for (const sample of [
    { role: 'anon' },
    { iss: 'supabase-demo' },
    { iss: 'joe' },
    { sub: '1234567890' },
    { name: 'John Doe' },
  ]) {
    assert.is(found({ ...own, ...sample }), 0, JSON.stringify(sample));
  }
});

test('an AWS key id in a signed URL is not reported: the URL is valid for minutes', () => {
  const found = (text: string): number => findSecrets(text).length;
  const id = 'AKIAQYLPMN5HHHFPZAM2';
  assert.is(found(`https://x.s3.amazonaws.com/a.png?AWSAccessKeyId=${id}&Expires=1`), 0);
  assert.is(found(`https://x.s3.amazonaws.com/a.png?id=${id}`), 1);
});

test('a chosen password has at least eight characters in quotes, and ten without', () => {
  const found = (text: string): number => findSecrets(text).length;
  assert.equal(
    ['Kw7!xPz', 'Kw7!xPzQ'].map(each => found(`password = "${each}"`)),
    [0, 1],
  );
  assert.equal(
    ['Kw7!xPzQr', 'Kw7!xPzQrT'].map(each => found(`PASSWORD=${each}`)),
    [0, 1],
  );
});

test.run();
