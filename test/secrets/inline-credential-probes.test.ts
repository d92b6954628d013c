import * as assert from 'uvu/assert';
import { findSecrets } from '../../src/secrets/scan.js';
import { suite } from '../support/suite.js';

const test = suite('secrets/inline-credential-probes');

const WORD = ['Kj8s7', 'Hq2Lm'].join('');
const DRAWN = ['f3Kq81ZtWm', 'Pz0aL5vXc2'].join('');
const basic = (pair: string): string => Buffer.from(pair).toString('base64');

const found = (text: string): Array<readonly [string, string]> =>
  findSecrets(text).map(({ kind, start, end }) => [kind, text.slice(start, end)] as const);

test('a password in a URL is found without the user and the host', () => {
  const urls = [
    `postgres://app:${WORD}@db.acme.io:5432/prod`,
    `url = "mongodb+srv://admin:${WORD}@cluster0.acme.net/?retryWrites=true"`,
    `redis://:${WORD}@cache.acme.io`,
  ];
  for (const url of urls) assert.equal(found(url), [['url-credential', WORD]], url);
});

test('a token in place of the user name in a URL is found', () =>
  assert.equal(found(`git+https://${WORD}${WORD}:x-oauth-basic@github.com/a/b.git`), [
    ['url-credential', WORD + WORD],
  ]));

test('defaults, placeholders and local hosts in a URL are not reported', () => {
  const urls = [
    'postgres://postgres:postgres@db.acme.io/app',
    'https://user:password@acme.io',
    'https://deploy1:deploy1@acme.io',
    'https://user:password123@acme.io',
    `https://user:${WORD}@localhost:8080`,
    `https://user:${WORD}@db:5432`,
    `https://user:${WORD}@example.com`,
    'https://$USER:$PASSWORD1@acme.io',
    'https://{user}:{password1}@acme.io',
    'https://acme.io:8080/path@2x.png',
    'git@github.com:acme/app1.git',
    'import x from "https://cdn.acme.io/lib@1.2.3/mod.js";',
  ];
  for (const url of urls) assert.equal(found(url), [], url);
});

test('a password option is found once, whatever follows it', () => {
  const value = ['qwxz', 'kvjp', 'tlbm', 'ghrd'].join('-');
  for (const rest of ['', ' --password-file x', ' --password @env:X']) {
    assert.equal(found(`xcrun notarytool --password ${value}${rest}`), [['password', value]], rest);
  }
});

test('a bearer token in a header is found', () => {
  const headers = [
    `Authorization: Bearer ${DRAWN}`,
    `headers: { 'Authorization': 'Bearer ${DRAWN}' }`,
    `curl -H "authorization: token ${DRAWN}" https://acme.io`,
    `req.setHeader("Authorization", "${DRAWN}")`,
  ];
  for (const header of headers) {
    assert.equal(found(header), [['authorization-header', DRAWN]], header);
  }
});

test('a Basic header is reported only if it contains a password', () => {
  const value = basic(`app:${WORD}`);
  assert.equal(found(`Authorization: Basic ${value}`), [['authorization-header', value]]);
  assert.equal(found(`Authorization: Basic ${basic('user:password')}`), []);
  assert.equal(found('Authorization: Basic c29tZXRoaW5nIG90aGVyIHRoYW4gYSBwYWly'), []);
  for (const broken of ['QUJDREVGR0hJSktMT', 'QUJDREVGR0hJSktMTQ=', 'QUJDREVGR0hJSktMTQ-_', '=']) {
    assert.equal(found(`Authorization: Basic ${broken}`), [], broken);
  }
});

test('variables in a header are not reported', () => {
  const headers = [
    'Authorization: Bearer $TOKEN_V2_PRODUCTION_1',
    `Authorization: Bearer \${token}`,
    'Authorization: Bearer <access-token-1a2b3c>',
    'Authorization: Bearer YOUR_ACCESS_TOKEN_123',
    "const authorization = request.headers['authorization'];",
  ];
  for (const header of headers) assert.equal(found(header), [], header);
});

test('a password after curl -u is found', () => {
  assert.equal(found(`curl -u app:${WORD} https://acme.io`), [['command-line-credential', WORD]]);
  assert.equal(found(`curl --user "app:${WORD}" x`), [['command-line-credential', WORD]]);
});

test('users, groups and variables after -u are not reported', () => {
  const commands = [
    'docker run -u 1000:1000 image',
    'chown -u root:wheel file',
    'curl -u "$USER:$PASSWORD1" x',
    'curl -u user:password x',
    `curl --user "\${user}:\${password1}" x`,
  ];
  for (const command of commands) assert.equal(found(command), [], command);
});

test('a line of more than 400 characters is not read as one of a .netrc file', () => {
  const line = (length: number): string => {
    const end = ` login app password ${WORD}`;
    return `machine ${'a'.repeat(length - end.length - 8)}${end}`;
  };
  assert.is(line(400).length, 400);
  assert.equal(found(line(400)), [['password', WORD]]);
  assert.equal(found(line(401)), []);
});

test.run();
